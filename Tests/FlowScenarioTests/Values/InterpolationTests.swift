import TestKit
import Testing

@testable import FlowScenario

@Suite struct InterpolationTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let text: String
    let parts: [Interpolation.Part]
    var testDescription: String { id }
  }

  @Test(arguments: ["{{ inputs.a }}", "${inputs.a}"])
  func `braces of another language in a step's name are warned of`(_ name: String) throws {
    let text =
      "flow: 1\ninputs: {a: {type: int, default: 1}}\nsteps:\n"
      + "- {name: \"\(name)\", assert: \"${{ inputs.a > 0 }}\"}"

    #expect(
      try ScenarioText.warnings(text) == [
        "4:10-\(name.count + 12): '\(name)' is plain text here; as an expression, write '${{ inputs.a }}' [F1514]"
      ])
  }

  @Test(arguments: cases) func `text is split at its expressions`(_ sample: Case) {
    #expect(Interpolation.parts(of: sample.text) == sample.parts)
  }

  @Test(arguments: cases) func `only text with an opening contains an expression`(_ sample: Case) {
    let isText = sample.parts.allSatisfy { if case .text = $0 { true } else { false } }

    #expect(Interpolation.contains(sample.text) == !isText)
  }

  static let cases: [Case] = [
    Case(id: "empty", text: "", parts: []),
    Case(id: "plain", text: "a text", parts: [.text("a text")]),
    Case(id: "a dollar sign", text: "$", parts: [.text("$")]),
    Case(id: "half an opening", text: "costs ${", parts: [.text("costs ${")]),
    Case(id: "a shell variable", text: "${HOME}}", parts: [.text("${HOME}}")]),
    Case(id: "braces alone", text: "{{ x }}", parts: [.text("{{ x }}")]),
    Case(id: "whole", text: "${{ x }}", parts: [.expression(" x ", offset: 3)]),
    Case(id: "without blanks", text: "${{x}}", parts: [.expression("x", offset: 3)]),
    Case(id: "empty expression", text: "${{}}", parts: [.expression("", offset: 3)]),
    Case(
      id: "two dollar signs", text: "$${{x}}", parts: [.text("$"), .expression("x", offset: 4)]),
    Case(
      id: "mixed", text: "a ${{x}} b ${{ y }}",
      parts: [
        .text("a "), .expression("x", offset: 5), .text(" b "), .expression(" y ", offset: 14),
      ]),
    Case(
      id: "next to each other", text: "${{x}}${{y}}",
      parts: [.expression("x", offset: 3), .expression("y", offset: 9)]),
    Case(
      id: "a map", text: "${{ {'a': {'b': 1}} }}!",
      parts: [.expression(" {'a': {'b': 1}} ", offset: 3), .text("!")]),
    Case(
      id: "a map without blanks", text: "${{{'a': {'b': 1}}}}",
      parts: [.expression("{'a': {'b': 1}}", offset: 3)]),
    Case(
      id: "braces in quotes", text: #"${{ '}}' + "{" + '\'}}' }}"#,
      parts: [.expression(#" '}}' + "{" + '\'}}' "#, offset: 3)]),
    Case(
      id: "the other quote in quotes", text: #"${{ "it's }}" }}x"#,
      parts: [.expression(#" "it's }}" "#, offset: 3), .text("x")]),
    Case(
      id: "a raw text that ends with a backslash", text: #"${{ r'C:\' }}x"#,
      parts: [.expression(#" r'C:\' "#, offset: 3), .text("x")]),
    Case(
      id: "a name that ends with r before a text", text: #"${{ for'\'}}' }}"#,
      parts: [.expression(#" for'\'}}' "#, offset: 3)]),
    Case(
      id: "raw bytes", text: #"${{ bR"\" }}"#, parts: [.expression(#" bR"\" "#, offset: 3)]),
    Case(
      id: "quotes in triple quotes", text: "${{ '''it's }} ''' }}x",
      parts: [.expression(" '''it's }} ''' ", offset: 3), .text("x")]),
    Case(
      id: "an empty text", text: "${{ '' }}x",
      parts: [.expression(" '' ", offset: 3), .text("x")]),
    Case(id: "unterminated", text: "${{ x", parts: [.unterminated(offset: 0)]),
    Case(
      id: "unterminated at the end", text: "a${{", parts: [.text("a"), .unterminated(offset: 1)]),
    Case(id: "one closing brace", text: "${{ x }", parts: [.unterminated(offset: 0)]),
    Case(id: "an open quote", text: "${{ 'x }}", parts: [.unterminated(offset: 0)]),
    Case(id: "an open brace", text: "${{ {'a': 1 }}", parts: [.unterminated(offset: 0)]),
    Case(
      id: "unterminated after a whole one", text: "${{x}}${{ y",
      parts: [.expression("x", offset: 3), .unterminated(offset: 6)]),
    Case(
      id: "offsets count unicode scalars", text: "👩‍👩‍👧é${{'ü'}}${{x}}",
      parts: [
        .text("👩‍👩‍👧é"), .expression("'ü'", offset: 9), .expression("x", offset: 17),
      ]),
    Case(
      id: "lines", text: "a\n${{\n x\n}}\nb",
      parts: [.text("a\n"), .expression("\n x\n", offset: 5), .text("\nb")]),
  ]
}
