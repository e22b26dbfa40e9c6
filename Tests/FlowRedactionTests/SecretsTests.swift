import FlowCore
import FlowRedaction
import Testing

/// Secrets as components receive them, and secrets that components declare.
@Suite struct SecretsTests {
  private let redactor = Redactor()

  private func secrets(_ given: [String: String]) -> Secrets {
    Secrets(redactor: redactor) { given[$0] }
  }

  @Test func `a secret is hidden from when it is read`() throws {
    let secrets = secrets(["api_token": "hunter22", "other": "whatever"])

    #expect(redactor.redacted("hunter22") == "hunter22")
    #expect(try secrets.value("api_token") == "hunter22")
    #expect(redactor.redacted("hunter22 whatever") == "${secret:api_token} whatever")
  }

  @Test(arguments: [
    (
      "none",
      "the secret 'none' is missing; pass it with --secret none=@FILE, or in FLOW_SECRET_NONE; in a Swift test, in LiveOptions"
    ),
    (
      "empty",
      "the secret 'empty' is missing; pass it with --secret empty=@FILE, or in FLOW_SECRET_EMPTY; in a Swift test, in LiveOptions"
    ),
    ("short", "the secret 'short' has fewer than 4 bytes and cannot be hidden"),
    ("a-b\n", "'a-b\\n' cannot be the name of a secret: use letters, digits and '_'"),
  ]) func `a secret that cannot be had is told by its name`(_ name: String, _ message: String) {
    let secrets = secrets(["empty": "", "short": "abc"])

    let error = #expect(throws: SecretError.self) { try secrets.value(name) }
    #expect(error?.description == message)
  }

  @Test(arguments: [
    ("Bearer hunter22", true), ("aHVudGVyMjI6eA==", true), ("key=hunter%32%32", true),
    ("hunter", false), ("", false),
  ]) func `a component can ask whether a text contains something hidden`(
    _ text: String, _ expected: Bool
  ) throws {
    let secrets = secrets([:])
    try redactor.add("hunter22", named: "input")

    #expect(secrets.areRevealed(by: text) == expected)
    #expect(!Secrets.none.areRevealed(by: text))
  }

  @Test func `a run has no secrets unless it is given some`() {
    #expect(throws: SecretError.missing("x")) { try Secrets.none.value("x") }
  }

  @Test func `what is told to one run is hidden by the command, not by other runs`() throws {
    let (one, two) = (Redactor(within: redactor), Redactor(within: redactor))
    try one.add("hunter22", named: "a")

    #expect(redactor.redacted("hunter22") == "${secret:a}")
    #expect(two.redacted("hunter22") == "hunter22")
  }

  private struct Odd: Component {
    struct Inner: RecordRepresentable {
      let pin: Int
      static let record = Record(
        Inner.init(pin:), Field("pin", \.pin, "A number.", secret: true))
    }

    static let plugin = Plugin(
      "odd", version: "1", "Hides a number.", state: .none,
      settings: Parameter<[Inner]>("inner", "Inner ones."), operations: []
    ) { _, _ in Odd() }
  }

  @Test func `a secret field that is no text cannot be registered`() {
    let error = #expect(throws: RegistryError.self) { try Registry([Odd.self]) }

    #expect(error?.description == "the secret field 'pin' of the plugin 'odd' is not a string")
  }
}
