internal import FlowCore
internal import FlowRedaction
internal import FlowSystem
internal import FlowTranscript

extension ReportFormat<MutationReport> {
  /// The alterations for people.
  ///
  ///     catalog.page, ok.items[].title: 57 of 57 not noticed
  ///       browse/page#1, ok.items[0].title: "Dahmen Barn" -> "Dahmen Barn~"
  ///       browse/page#1, ok.items[1].title: "T. A. Moulton Barn" -> "T. A. Moulton Barn~"
  ///       browse/page#1, ok.items[2].title: "Leaning Barn of the Palouse" -> "Leaning Barn of the Palouse~"
  ///       and 54 more; --all prints them
  package static var text: ReportFormat { ReportFormat("text") { report, _ in .text(report.text) } }
  /// One JSON object.
  ///
  ///     {"noticed":691,"tried":1035,"alterations":1035,"percent":66.7,"unnoticed":[
  ///     {"address":"browse/page#1","call":"catalog.page","line":16,"path":"ok.items[0].title",
  ///     "recorded":"Dahmen Barn","altered":"Dahmen Barn~","changesOutputs":false}, …]}
  package static var json: ReportFormat { ReportFormat("json") { .json($0.json($1)) } }
}

extension MutationReport {
  private static let examples = 3

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

  struct Kind {
    let title: String
    let isIncidental: Bool
    var count = 0
    var results: [Result] = []
  }

  /// The kinds with unnoticed alterations, in the order of the transcript, incidental ones last.
  var kinds: [Kind] {
    var kinds: [Kind] = []
    var positions: [String: Int] = [:]
    for result in results {
      let title = "\(result.alteration.name.onOneLine), \(result.alteration.path.kindText)"
      let position = positions[title] ?? kinds.count
      if position == kinds.count {
        kinds.append(Kind(title: title, isIncidental: result.alteration.isIncidental))
      }
      positions[title] = position
      kinds[position].count += 1
      if result.notice != .noticed { kinds[position].results.append(result) }
    }
    let unnoticed = kinds.filter { !$0.results.isEmpty }
    return unnoticed.filter { !$0.isIncidental } + unnoticed.filter(\.isIncidental)
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
      [.init("address", .string("\(alteration.address)"))] + attempt + [
        .init("call", .string(alteration.name)),
        .init("line", .number(alteration.line)),
        .init("path", .string(redactor.redacted("\(alteration.path)"))),
      ] + (alteration.recorded.map { [.init("recorded", .recorded($0, redactor))] } ?? []) + [
        .init("altered", .recorded(alteration.altered, redactor)),
        .init("changesOutputs", .bool(result.notice == .outputs)),
      ])
  }
}

extension MutationReport.Result {
  /// `spend#1, ok.balance: 87.50 -> 88.50`.
  fileprivate var text: String {
    let effect = notice == .outputs ? " (only the outputs change)" : ""
    return "\(alteration.place.onOneLine), \(alteration.path): \(alteration.text)\(effect)"
  }
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
