import FlowCore

/// A component whose calls have a description, of which only the path matters.
struct Booth: Component {
  struct Settings: Sendable {
    let contract: String?
  }

  static let plugin = Plugin(
    "booth", version: "1.0", "Answers questions.", state: .memory,
    settings: Record(
      Settings.init(contract:), Field("contract", \.contract, "The path of a description.")),
    operations: [
      Operation(
        "ask", "Answers yes.", Parameter<String>("name", "The question."),
        Parameter<String>("tone", "The tone.", default: "kind"),
        answers: Record<String>("answer", "The answer."), errors: [.busy]
      ) { _, _, name, _ in
        if name == "c" { throw ComponentError(.busy, "the line is busy") }
        return "yes"
      }
    ]
  ) { _, _ in Booth() }
  .contracted { settings, read in
    guard case .string(let file)? = settings.values["contract"] else { return nil }
    _ = try read(file)
    return BoothContract(file: file)
  }
}

/// A component that asks another one.
struct Asker: Component {
  private static let ask = Role("booth", "Answers.").call(
    "ask", Parameter<String>("name", "The question."),
    answers: Record<String>("answer", "The answer."), errors: [.busy])
  static let plugin = Plugin(
    "asker", version: "1.0", "Asks another component.", state: .memory, uses: [ask],
    operations: [
      Operation(
        "pass", "Passes a question on.", Parameter<String>("name", "The question."),
        answers: Record<String>("answer", "The answer."), errors: [.busy]
      ) { _, context, name in try await ask(name, in: context) }
    ]
  ) { _ in Asker() }
}

private struct BoothContract: CallContract {
  var warnings: [String] { [] }
  let file: String
  let parts = ["a", "b", "c"].flatMap { name in
    [
      ContractPart(.operation, "ask \(name)"), ContractPart(.parameter, "ask \(name) kind"),
      ContractPart(.status, "ask \(name) yes"),
    ]
  }

  func rules(for call: KnownCall) -> CallRules { CallRules() }
  func problems(inInput input: Value, of call: ContractCall) -> [ContractProblem] { [] }

  func problems(
    inAnswer answer: Value, to input: Value, of call: ContractCall
  ) -> [ContractProblem] { [] }

  func parts(coveredBy input: Value, answer: Value?, of call: ContractCall) -> Set<Int> {
    let fields = KnownFields(input).values
    guard case .string(let name)? = fields["name"],
      let first = parts.firstIndex(where: { $0.name == "ask \(name)" })
    else { return [] }
    var covered: Set = [first]
    if fields["tone"] == .string("kind") { covered.insert(first + 1) }
    if answer != nil { covered.insert(first + 2) }
    return covered
  }
}

extension ErrorCode {
  fileprivate static let busy = ErrorCode("busy", "The line is busy.")
}
