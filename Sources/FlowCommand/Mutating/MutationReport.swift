internal import FlowCore
internal import FlowReport
internal import FlowScenario
internal import FlowTranscript

/// What `flow mutate` tells.
struct MutationReport {
  /// How many alterations of one kind are printed.
  private static let examples = 3

  /// What was tried.
  let results: [MutationTrial.Result]
  /// How many alterations there are, those included that were not tried.
  let count: Int
  let elapsed: Duration

  private var noticed: Int { results.count { $0.notice == .noticed } }

  /// Whether this part, in percent, was noticed; of nothing, everything was.
  func isAtLeast(_ percent: Decimal) -> Bool {
    // Without a division, so that 2 of 3 is not 66.67 %.
    guard let share = try? percent * Decimal(results.count) else { return false }
    return Decimal(100 * noticed) >= share
  }

  /// The part that was noticed, in percent with one digit, rounded down.
  private var score: String {
    let tenths = results.isEmpty ? 1_000 : noticed * 1_000 / results.count
    return "\(tenths / 10).\(tenths % 10)"
  }

  // MARK: - For people

  /// The alterations that nobody noticed, by operation and field, and the score.
  func text(listsAll: Bool) -> String {
    var text = ""
    for kind in kinds {
      text += "\(kind.title): \(kind.results.count) of \(kind.count) not noticed\n"
      let shown = listsAll ? kind.results[...] : kind.results.prefix(Self.examples)
      text += shown.map { "  \($0.text)\n" }.joined()
      let more = kind.results.count - shown.count
      if more > 0 { text += "  and \(more) more; --all prints them\n" }
    }
    if results.isEmpty { return "nothing to alter: no recorded answer has a value\n" }
    text += "\(noticed) of \(results.count) alterations were noticed, \(score) %, in "
    text += "\(elapsed.reportText)\n"
    if count > results.count {
      text += "cut after \(results.count) of \(count) alterations; --limit \(count) tries all\n"
    }
    return text
  }

  /// Alterations of one field of one operation.
  private struct Kind {
    let title: String
    var count = 0
    /// Those that nobody noticed.
    var results: [MutationTrial.Result] = []
  }

  /// The kinds of which some were not noticed, in the order of the transcript.
  private var kinds: [Kind] {
    var kinds: [Kind] = []
    var positions: [String: Int] = [:]
    for result in results {
      let title = "\(Value.onOneLine(result.alteration.name)), \(result.alteration.path.kindText)"
      let position = positions[title] ?? kinds.count
      if position == kinds.count { kinds.append(Kind(title: title)) }
      positions[title] = position
      kinds[position].count += 1
      if result.notice != .noticed { kinds[position].results.append(result) }
    }
    return kinds.filter { !$0.results.isEmpty }
  }

  // MARK: - For machines

  /// One object, with recorded values that a redactor has seen.
  func document(_ redactor: Redactor) -> JSON {
    let unnoticed = results.filter { $0.notice != .noticed }
    return .object([
      .init("noticed", number(noticed)), .init("tried", number(results.count)),
      .init("alterations", number(count)), .init("percent", .number(score)),
      .init("unnoticed", .array(unnoticed.map { json($0, redactor) })),
    ])
  }

  private func json(_ result: MutationTrial.Result, _ redactor: Redactor) -> JSON {
    let alteration = result.alteration
    let value = { (json: JSON) -> JSON in json.redacted(by: redactor, names: true) }
    return .object(
      [
        .init("address", .string(alteration.address)), .init("call", .string(alteration.name)),
        .init("line", number(alteration.line)),
        .init("path", .string(redactor.redacted("\(alteration.path)"))),
      ] + (alteration.recorded.map { [.init("recorded", value($0))] } ?? []) + [
        .init("altered", value(alteration.altered)),
        .init("changesOutputs", .bool(result.notice == .outputs)),
      ])
  }

  private func number(_ value: Int) -> JSON { .number(String(value)) }
}

extension MutationTrial.Result {
  /// `spend#1, ok.balance: 87.50 -> 88.50`.
  fileprivate var text: String {
    let effect = notice == .outputs ? " (only the outputs change)" : ""
    return "\(Value.onOneLine(alteration.address)), \(alteration.path): \(alteration.text)\(effect)"
  }
}

extension FieldPath {
  /// The path with the same text for all elements of a list: `ok.items[].title`.
  fileprivate var kindText: String {
    steps.map { step in
      switch step {
      case .field(let name): "." + Value.escaped(name)
      case .index: "[]"
      }
    }.joined().dropFirst().description
  }
}
