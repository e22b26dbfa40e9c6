package import FlowCore
internal import FlowRedaction
internal import FlowSystem
package import FlowTranscript

/// The result of `flow mutate`.
package struct MutationReport: Sendable {
  /// The check that noticed an alteration.
  package enum Notice: String, Sendable {
    /// A failed expectation, assertion or later call.
    case noticed
    /// Only the scenario's outputs, which changed.
    case outputs
    /// Nothing.
    case unnoticed
  }

  /// The result of one alteration.
  package struct Result: Sendable {
    let alteration: Alteration
    let notice: Notice

    /// Creates the result of one trial.
    package init(_ alteration: Alteration, _ notice: Notice) {
      self.alteration = alteration
      self.notice = notice
    }

    /// `spend#1, ok.balance: 87.50 -> 88.50`.
    fileprivate var text: String {
      let effect = notice == .outputs ? " (only the outputs change)" : ""
      return "\(alteration.place.onOneLine), \(alteration.path): \(alteration.text)\(effect)"
    }
  }

  private static let examples = 3

  /// The ends of the trials, in the order of the alterations.
  let results: [Result]
  /// The number of alterations.
  let count: Int
  private let elapsed: Duration
  private let listsAll: Bool

  /// Creates a report of the results among `count` alterations.
  ///
  /// Unless it lists all, its text has the first of each kind.
  package init(results: [Result], count: Int, elapsed: Duration, listsAll: Bool) {
    self.listsAll = listsAll
    self.results = results
    self.count = count
    self.elapsed = elapsed
  }

  /// The number of noticed alterations.
  var noticed: Int { results.count { $0.notice == .noticed } }

  /// Returns true if at least this percentage was noticed.
  ///
  /// Without alterations it is 100 %.
  package func isAtLeast(_ percent: Decimal) -> Bool {
    // Without a division, so that 2 of 3 is not 66.67 %.
    guard let share = try? percent * Decimal(results.count) else { return false }
    return Decimal(100 * noticed) >= share
  }

  /// The noticed percentage with one digit, rounded down.
  package var score: String {
    let tenths = results.isEmpty ? 1_000 : noticed * 1_000 / results.count
    return "\(tenths / 10).\(tenths % 10)"
  }

  // MARK: - For people

  /// The unnoticed alterations, by operation and field, and the score.
  fileprivate var text: String {
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
      text += "stopped after \(results.count) of \(count) alterations; --limit \(count) tries all\n"
    }
    return text
  }

  private struct Kind {
    let title: String
    var count = 0
    var results: [Result] = []
  }

  /// The kinds with unnoticed alterations, in the order of the transcript.
  private var kinds: [Kind] {
    var kinds: [Kind] = []
    var positions: [String: Int] = [:]
    for result in results {
      let title = "\(result.alteration.name.onOneLine), \(result.alteration.path.kindText)"
      let position = positions[title] ?? kinds.count
      if position == kinds.count { kinds.append(Kind(title: title)) }
      positions[title] = position
      kinds[position].count += 1
      if result.notice != .noticed { kinds[position].results.append(result) }
    }
    return kinds.filter { !$0.results.isEmpty }
  }

  // MARK: - For machines

  fileprivate func json(_ redactor: Redactor) -> JSON {
    let unnoticed = results.filter { $0.notice != .noticed }
    return .object([
      .init("noticed", .number(noticed)), .init("tried", .number(results.count)),
      .init("alterations", .number(count)), .init("percent", .number(score)),
      .init("unnoticed", .array(unnoticed.map { json($0, redactor) })),
    ])
  }

  private func json(_ result: Result, _ redactor: Redactor) -> JSON {
    let alteration = result.alteration
    let attempt = alteration.attempt.map { [JSON.Member("attempt", .number($0))] } ?? []
    return .object(
      [.init("address", .string(alteration.address))] + attempt + [
        .init("call", .string(alteration.name)),
        .init("line", .number(alteration.line)),
        .init("path", .string(redactor.redacted("\(alteration.path)"))),
      ] + (alteration.recorded.map { [.init("recorded", .recorded($0, redactor))] } ?? []) + [
        .init("altered", .recorded(alteration.altered, redactor)),
        .init("changesOutputs", .bool(result.notice == .outputs)),
      ])
  }
}

extension Output<MutationReport> {
  /// The alterations for people.
  package static var text: Output { Output("text") { report, _ in .text(report.text) } }
  /// One JSON object.
  package static var json: Output { Output("json") { .json($0.json($1)) } }
}

extension FieldPath {
  /// The path with the same text for all elements of a list: `ok.items[].title`.
  fileprivate var kindText: String {
    steps.map { step in
      switch step {
      case .field(let name): "." + name.escaped
      case .index: "[]"
      }
    }.joined().dropFirst().description
  }
}
