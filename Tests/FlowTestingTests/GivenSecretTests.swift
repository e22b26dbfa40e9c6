import FlowCore
import FlowTesting
import Synchronization
import Testing

/// A component with another answer in each run.
private struct Changing: Faulty {
  static let answer = Word.record
  private static let runs = Mutex(0)

  static func go(_ context: Context) -> Word {
    Word(
      text: runs.withLock { runs in
        runs += 1
        return "\(runs)"
      })
  }
}

/// Requirements of the check of secrets on a sample and its author.
@Suite struct GivenSecretTests {
  private static let head = "inputs:\n  key: {type: string, secret: true}\n"
  private static let open = "  - uses: it.open\n    with: {key: \"${{ inputs.key }}\"}"

  private func text<Subject: Component>(
    _ subject: Subject.Type, _ workshop: Workshop, _ secrets: [String: [String]] = [:],
    inputs: [String: any FieldValue] = [:], _ check: ComponentCheck = .secrets
  ) async -> String {
    var options = ComponentChecks<Subject>.Options()
    options.secrets = secrets
    let checks = ComponentChecks(
      subject, sample: workshop.scenario, inputs: inputs, options: options)
    return workshop.text(await checks.problems(of: check))
  }

  private func safe(_ steps: String = open, password: String = "\"${{ inputs.key }}\"")
    throws -> Workshop
  {
    try Workshop(steps, plugin: "safe, with: {password: \(password)}", head: Self.head)
  }

  @Test func `a secret with one value says nothing, wherever it is given`() async throws {
    let text = await text(
      Safe.self, try safe(), ["token": ["the same", "the same"]], inputs: ["key": "a value"])

    #expect(
      text == """
        error: the secret 'key' has only one value, so values derived from it cannot be checked [check: secrets]
          note: give two or more different values in 'secrets' of the options
        error: the secret 'token' has only one value, so values derived from it cannot be checked [check: secrets]
          note: give two or more different values in 'secrets' of the options

        """)
  }

  @Test func `a secret that the sample does not use is told with the nearest name`() async throws {
    let text = await text(Safe.self, try safe(), ["tokn": ["value one", "value two"]])

    #expect(
      text == """
        error: the sample does not use the secret 'tokn' [check: secrets]
          note: did you mean 'token'?

        """)
  }

  @Test(arguments: ComponentCheck.allCases)
  func `secrets that cannot be used fail every check`(_ check: ComponentCheck) async throws {
    let secrets = ["token": ["long enough", "abc"], "a-key": ["value one", "value two"]]

    let text = await text(Safe.self, try safe(), secrets, check)

    #expect(
      text == """
        error: 'a-key' cannot be the name of a secret: use letters, digits and '_' [secrets]
        error: the secret 'token' has fewer than 4 bytes and cannot be hidden [F1404]

        """)
  }

  @Test func `a secret field that the sample writes itself, or leaves out, is told`() async throws {
    let literal = await text(
      Safe.self, try safe("  - uses: it.open\n    with: {key: \"a key\"}", password: "a password"))

    #expect(
      literal == """
        error: the sample gives the field 'password' of 'safe' no secret, so the values derived from it cannot be checked [check: secrets]
          note: declare an input 'secret: true' and fill the field with it
        error: the sample gives the field 'key' of 'safe.open' no secret, so the values derived from it cannot be checked [check: secrets]
          note: declare an input 'secret: true' and fill the field with it

        """)
  }

  @Test func `one step of several that fills a secret field is enough`() async throws {
    let steps = "  - do: [{uses: it.open, with: {key: \"a key\"}}]\n"

    #expect(await text(Safe.self, try safe(steps + Self.open)) == "")
  }

  @Test func `a component without secrets has none to tell, whatever varies`() async throws {
    let workshop = try Workshop("  - uses: it.go", plugin: "faulty")

    #expect(await text(Changing.self, workshop) == "")
  }

  @Test func `what varies by itself says nothing about secrets`() async throws {
    let workshop = try Workshop(
      "  - uses: it.go\n  - assert: [\"${{ inputs.key != '' }}\"]", plugin: "faulty",
      head: Self.head)

    #expect(
      await text(Changing.self, workshop) == """
        error: two runs with the same secrets differ, so values derived from them cannot be checked [check: secrets]
          note: see the check 'repetition'

        """)
  }
}
