import FlowTesting
import Testing

@Suite struct SecretChecksTests {
  private static let head = "inputs:\n  key: {type: string, secret: true}\n"
  private static let safe = """
      - uses: it.open
        with: {key: "${{ inputs.key }}"}
      - uses: it.refuse
        with: {key: "${{ inputs.key }}"}
        expect: {error: empty}
    """

  private func workshop(_ steps: String, plugin: String = "leak") throws -> Workshop {
    let plugin = plugin == "safe" ? "safe, with: {password: \"${{ inputs.key }}!\"}" : plugin
    return try Workshop(steps, plugin: plugin, head: Self.head)
  }

  private func text(_ steps: String, _ secrets: [String: [String]] = [:]) async throws -> String {
    let workshop = try workshop(steps)
    var options = ComponentChecks<Leak>.Options()
    options.secrets = secrets
    let checks = ComponentChecks(Leak.self, sample: workshop.scenario, options: options)
    return workshop.text(await checks.problems(of: .secrets))
  }

  @Test(arguments: ComponentCheck.allCases)
  func `a component that keeps its secrets passes the checks`(_ check: ComponentCheck) async throws
  {
    let workshop = try workshop(Self.safe, plugin: "safe")

    try await ComponentChecks(Safe.self, sample: workshop.scenario).verify(check)
  }

  @Test(arguments: ComponentCheck.allCases)
  func `its secrets may be given, with several lengths`(_ check: ComponentCheck) async throws {
    let workshop = try workshop(Self.safe, plugin: "safe")
    var options = ComponentChecks<Safe>.Options()
    options.secrets = [
      "token": ["one of them", "another", "a third one"], "key": ["k1y1", "k1y23"],
    ]

    try await ComponentChecks(Safe.self, sample: workshop.scenario, options: options)
      .verify(check)
  }

  @Test(arguments: ["reversed", "capitals", "digest", "end"])
  func `an answer that is made of a secret is told with its step and field`(
    _ operation: String
  ) async throws {
    let text = try await text("  - uses: it.nothing\n  - uses: it.\(operation)")

    let carets = String(repeating: "^", count: operation.count + 9)
    #expect(
      text == """
        it.yaml:8:5: error: 'it.\(operation)' reveals something derived from a secret [check: secrets]
            8 |   - uses: it.\(operation)
              |     \(carets)
          note: ok.text differs with other secrets
          note: declare the field 'secret: true', or reveal nothing derived from them

        """)
  }

  /// The part of a sample with the component's secret, below the line of its step.
  struct Case: Sendable, CustomTestStringConvertible {
    let step: String
    let message: String
    let notes: [String]

    var testDescription: String { step }
  }

  static let cases = [
    Case(
      step: "it.fails", message: "'it.fails' reveals something derived from a secret",
      notes: ["message differs with other secrets", "leave them out of the error message"]),
    Case(
      step: "it.refuses", message: "'it.refuses' reveals something derived from a secret",
      notes: [
        "ok differs with other secrets", "error differs with other secrets",
        "message differs with other secrets",
        "in the options, give secrets that all lead to the same error",
      ]),
    Case(
      step: "it.reports", message: "'it.reports' reveals something derived from a secret",
      notes: [
        "events[0].payload.text differs with other secrets",
        "declare the field 'secret: true', or reveal nothing derived from them",
      ]),
    Case(
      step: "it.logs", message: "'it.logs' logs something derived from a secret",
      notes: ["a line of the log differs with other secrets", "log nothing derived from them"]),
    // Only the name differs, and would show the secret.
    Case(
      step: "it.names", message: "'it.names' reveals something derived from a secret",
      notes: [
        "ok.any differs with other secrets",
        "declare the field 'secret: true', or reveal nothing derived from them",
      ]),
  ]

  @Test(arguments: cases)
  func `whatever is made of a secret is told, and never shown`(_ example: Case) async throws {
    let text = try await text("  - uses: \(example.step)\n    continue-on-error: true")

    let carets = String(repeating: "^", count: example.step.count + 6)
    #expect(
      text == """
        it.yaml:7:5: error: \(example.message) [check: secrets]
            7 |   - uses: \(example.step)
              |     \(carets)

        """ + example.notes.map { "  note: \($0)\n" }.joined())
  }

  @Test func `the form of a number is told too, though the number is the same`() async throws {
    let text = try await text("  - uses: it.scales")

    #expect(
      text == """
        error: the form of the recording depends on a secret [check: secrets]
          note: the order of calls, or the form of a number, differs with other secrets

        """)
  }

  @Test func `the forms in which secrets are hidden are not told`() async throws {
    let form = "Basic ${{ base64.encode(bytes('ann:' + inputs.key + ':end')) }}"
    let quoted = "${{ strings.quote(inputs.key) }}"
    let steps = [form, quoted].map { "  - uses: it.takes\n    with: {text: \"\($0)\"}\n" }.joined()

    let text = try await text(steps, ["key": ["a \"/é+ secret", "another \"one\""]])

    #expect(text == "")
  }

  @Test func `a length is told where the given secrets have several`() async throws {
    let alike = try await text("  - uses: it.length")
    let same = try await text("  - uses: it.length", ["token": ["one of 11", "two of 11"]])
    let other = try await text(
      "  - uses: it.length", ["token": ["one of 11", "two of 11", "one of twelve"]])

    #expect(alike + same == "")
    #expect(other.contains("note: ok.text differs with other secrets"))
  }

  @Test func `a step that tells the same again is told once, another one too`() async throws {
    let text = try await text(
      "  - for: n\n    in: \"${{ [1, 2, 3] }}\"\n    do: [{uses: it.reversed}, {uses: it.end}]")

    #expect(
      text.split(separator: "\n").filter { $0.contains("error") } == [
        "it.yaml:9:10: error: 'it.reversed' reveals something derived from a secret [check: secrets]",
        "it.yaml:9:31: error: 'it.end' reveals something derived from a secret [check: secrets]",
      ])
  }

  @Test func `what the sample makes of a secret is not the component's fault`() async throws {
    let text = try await text(
      "  - uses: it.takes\n    with: {text: \"${{ inputs.key.upperAscii() }}\"}\n"
        + "  - assert: [\"${{ inputs.key < 'n' }}\"]\n"
        + "outputs:\n  first: \"${{ inputs.key.substring(0, 1) }}\"")

    #expect(
      text == """
        error: the sample itself derives something from a secret [check: secrets]
          note: input.text of 'it.takes' differs with other secrets
          note: outputs.first differs with other secrets
          note: the end of the run differs with other secrets
          note: a value that an expression derives from a secret is not hidden; derive it in the component

        """)
  }

  @Test func `a component that cannot be opened is told at its line`() async throws {
    let workshop = try workshop("  - uses: it.nothing", plugin: "leak, with: {fails: true}")
    let checks = ComponentChecks(Leak.self, sample: workshop.scenario)

    #expect(
      workshop.text(await checks.problems(of: .secrets)) == """
        it.yaml:5:3: error: 'it' reveals something derived from a secret [check: secrets]
            5 |   it: {plugin: leak, with: {fails: true}}
              |   ^^
          note: message differs with other secrets
          note: leave them out of the error message

        """)
  }

  @Test func `a replay knows the placeholders of secrets alone`() async throws {
    let workshop = try workshop("  - assert: [\"${{ size(inputs.key) == 20 }}\"]")
    let checks = ComponentChecks(Leak.self, sample: workshop.scenario)

    #expect(await checks.problems(of: .secrets) == [])
    #expect(
      workshop.text(await checks.problems(of: .replay)) == """
        it.yaml:7:19: error: 'assert#1': assertion failed [F2004]
            7 |   - assert: ["${{ size(inputs.key) == 20 }}"]
              |                   ^^^^^^^^^^^^^^^^^^^^^^
          note: size(inputs.key) is ${secret:key}

        """)
  }
}
