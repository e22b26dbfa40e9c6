import FlowCommand
import TestKit
import Testing

/// Inputs from `.env` files.
@Suite struct EnvironmentFileTests {
  private static let scenario = """
    flow: 1
    inputs:
      NAME: {type: string, default: none}
      AMOUNT: {type: decimal, default: 1}
      TAGS: {type: list(string), default: []}
      TOKEN: {type: string, secret: true}
    components: {p: {plugin: probe}}
    steps:
      - id: echo
        uses: p.echo
        with: {value: "${{ [inputs.NAME, string(inputs.AMOUNT), string(size(inputs.TAGS)), inputs.TOKEN] }}"}

    """

  private func run(_ text: String, named file: String = ".env") async throws -> FlowCommandRun {
    let folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "flow.yaml")
    try folder.write(Self.scenario, to: "s.yaml")
    try folder.write(text, to: file)
    return try await FlowCommandRun(
      ["run", "@/s.yaml", "--inputs", "@/\(file)", "--dry-run"], in: folder)
  }

  static let values: [(line: String, shown: String)] = [
    ("NAME=Barn", "Barn"), ("  export NAME = Barn  ", "Barn"), ("NAME=", ""),
    ("NAME=a # b", "a"), ("NAME=a#b", "a#b"), ("NAME='a # b' # c", "a # b"),
    (#"NAME="a\tb\"c\\d\$e\q""#, #"a\tb\"c\\d$e\\q"#), (#"NAME='a\tb'"#, #"a\\tb"#),
    ("NAME=\"a\nb\"", #"a\nb"#), ("NAME=$HOME", "$HOME"), ("NAME=it's", "it's"),
    ("# NAME=x\r\n\r\nNAME=Barn\r", "Barn"), ("\u{FEFF}NAME=Barn", "Barn"),
  ]

  @Test(arguments: values.indices)
  func `a value is read as shells and the libraries for such files read it`(
    _ index: Int
  ) async throws {
    let example = Self.values[index]

    let run = try await run("\(example.line)\nTOKEN=t0p-secret-7\n")

    #expect(run.errors == "")
    #expect(run.output.contains("  NAME: \"\(example.shown)\"\n"), "\(run.output)")
  }

  @Test(arguments: [".env", ".env.local", "staging.env"])
  func `values have the types of the inputs, and other variables are ignored`(
    _ file: String
  ) async throws {
    let run = try await run(
      "AMOUNT=12.50\nTAGS=[a, b]\nPATH=/bin\nTOKEN=t0p-secret-7\n", named: file)

    #expect(run.errors == "")
    #expect(run.output.contains("  AMOUNT: 12.50\n  TAGS: [\"a\", \"b\"]\n"), "\(run.output)")
    #expect(!run.output.contains("t0p"))
  }

  static let mistakes: [(text: String, expected: String)] = [
    ("TOKEN=t0p-secret-7\nt0p secret\n", "2:1: error: the line is not 'NAME=VALUE' [F1407]\n"),
    ("7UP=t0p-secret-7\n", "1:1: error: the line is not 'NAME=VALUE' [F1407]\n"),
    (
      "TOKEN='t0p-secret-7\nNAME=a\n",
      "1:7: error: the value has no closing quotation mark [F1407]\n"
    ),
    (
      "TOKEN=\"t0p\"-secret\n",
      """
      1:12: error: unexpected text after the closing quotation mark [F1407]
        note: a comment starts with ' #'

      """
    ),
    ("NAME=t0p\nNAME=t0p\n", "2:1: error: 'NAME' is already set on line 1 [F1407]\n"),
    (
      "TOKEN=t0p-secret-7\nAMUONT=t0p\n",
      "2:1: error: the scenario has no input 'AMUONT'; did you mean 'AMOUNT'? [F1401]\n"
    ),
  ]

  @Test(arguments: mistakes.indices)
  func `a mistake is reported at its place, without the text there`(_ index: Int) async throws {
    let mistake = Self.mistakes[index]

    let run = try await run(mistake.text)

    #expect(run.errors == "@/.env:" + mistake.expected)
    #expect(run.code == .badInput)
    #expect(!(run.output + run.errors).contains("t0p"))
  }

  @Test func `a value of another type is an error`() async throws {
    let run = try await run("TOKEN=t0p-secret-7\nAMOUNT=lots\n")

    #expect(
      run.errors
        == "@/.env:2:1: error: the input 'AMOUNT': expected decimal, got \"lots\" [F1403]\n"
    )
  }
}
