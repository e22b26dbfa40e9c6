import FlowCore
import FlowPlan
import FlowScenario
import Testing

/// Asks for an amount to be taken out of a store, and needs to know what is left.
private struct Spender: Component {
  static let store = Role("store", "Where the amounts are.")
  static let take = store.call(
    "take", Parameter<Int>("amount", "How much."), answers: Record<Int>("left", "What is left."),
    errors: [ErrorCode("empty", "Nothing is left.")])
  static let plugin = Plugin(
    "spender", version: "1", "Spends.", state: .none, uses: [take],
    operations: [
      Operation("spend", "Takes one.", answers: .none) { _, context in
        _ = try await take(1, in: context)
      }
    ]
  ) { _ in Spender() }
}

/// A store that fits the role.
private struct Fitting: Component {
  static let plugin = Plugin(
    "fitting", version: "1", "Fits.", state: .none,
    operations: [
      Operation(
        "take", "Takes.", Parameter<Int>("amount", "How much."),
        Parameter<String?>("note", "Why."), answers: Record<Int>("left", "What is left."),
        errors: [ErrorCode("empty", "Nothing is left.")]
      ) { _, _, amount, _ in amount }
    ]
  ) { _ in Fitting() }
}

private struct OtherInput: Component {
  static let plugin = Plugin(
    "other-input", version: "1", "Takes texts.", state: .none,
    operations: [
      Operation(
        "take", "Takes.", Parameter<String>("amount", "How much."),
        answers: Record<Int>("left", "What is left.")
      ) { _, _, _ in 0 }
    ]
  ) { _ in OtherInput() }
}

private struct MoreInput: Component {
  static let plugin = Plugin(
    "more-input", version: "1", "Needs more.", state: .none,
    operations: [
      Operation(
        "take", "Takes.", Parameter<Int>("amount", "How much."), Parameter<String>("pin", "Who."),
        answers: Record<Int>("left", "What is left.")
      ) { _, _, _, _ in 0 }
    ]
  ) { _ in MoreInput() }
}

private struct LessInput: Component {
  static let plugin = Plugin(
    "less-input", version: "1", "Takes all.", state: .none,
    operations: [
      Operation("take", "Takes.", answers: Record<Int>("left", "What is left.")) { _, _ in 0 }
    ]
  ) { _ in LessInput() }
}

private struct OtherAnswer: Component {
  static let plugin = Plugin(
    "other-answer", version: "1", "Answers texts.", state: .none,
    operations: [
      Operation(
        "take", "Takes.", Parameter<Int>("amount", "How much."),
        answers: Record<String>("left", "What is left.")
      ) { _, _, _ in "" }
    ]
  ) { _ in OtherAnswer() }
}

private struct LessAnswer: Component {
  static let plugin = Plugin(
    "less-answer", version: "1", "Answers nothing.", state: .none,
    operations: [
      Operation("take", "Takes.", Parameter<Int>("amount", "How much."), answers: .none) {
        _, _, _ in
      }
    ]
  ) { _ in LessAnswer() }
}

private struct OtherError: Component {
  static let plugin = Plugin(
    "other-error", version: "1", "Is locked.", state: .none,
    operations: [
      Operation(
        "take", "Takes.", Parameter<Int>("amount", "How much."),
        answers: Record<Int>("left", "What is left."),
        errors: [ErrorCode("locked", "It is locked.")]
      ) { _, _, _ in 0 }
    ]
  ) { _ in OtherError() }
}

/// Operations that do not fit a role, found before the run.
@Suite struct RoleMisfitTests {
  @Test(
    arguments: [
      ("fitting", nil),
      ("other-input", "expects 'amount' to be string, but the role passes int"),
      ("more-input", "needs 'pin' (string), but the role does not pass it"),
      ("less-input", "has no input 'amount', but the role passes it"),
      ("other-answer", "answers 'left' as string, but the role needs int"),
      ("less-answer", "does not answer 'left', but the role needs it"),
      ("other-error", "may fail with the error 'locked', but the role does not handle it"),
      ("spender", "it has no operation 'take'"),
    ] as [(String, String?)])
  func `an operation that does not fit a role is an error of the check`(
    _ plugin: String, _ problem: String?
  ) throws {
    let text = """
      flow: 1
      components:
        store: {plugin: \(plugin)}
        spender: {plugin: spender, using: {store: store}}
      steps: [{uses: spender.spend}]
      """
    let registry = try Registry([
      Spender.self, Fitting.self, OtherInput.self, MoreInput.self, LessInput.self,
      OtherAnswer.self, LessAnswer.self, OtherError.self,
    ])
    var found: [String] = []
    do {
      _ = try ScenarioLoader(registry: registry).plan(
        ScenarioSource(file: "s.yaml", bytes: Array(text.utf8)))
    } catch {
      found = error.diagnostics.filter { $0.code == "F1214" }.map {
        "\($0.span?.start.line ?? 0): \($0.message)"
      }
    }

    #expect(found.count == (problem == nil ? 0 : 1), "\(found)")
    if let problem { #expect(found.first?.hasPrefix("4: ") == true && found[0].hasSuffix(problem)) }
  }
}
