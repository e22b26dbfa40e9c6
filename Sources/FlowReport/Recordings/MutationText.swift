internal import FlowCore
package import FlowRedaction
internal import FlowScenario
internal import FlowSystem
package import FlowTranscript

extension ReportFormat<MutationReport> {
  /// The alterations for people.
  ///
  ///     catalog.page, ok.items[].title: 57 of 57 not noticed
  ///       browse/page#1, ok.items[0].title: "Dahmen Barn" -> "Dahmen Barn~" (in 3 iterations)
  ///       browse/page#1, ok.items[1].title: "T. A. Moulton Barn" -> "T. A. Moulton Barn~" (in 3 iterations)
  ///       browse/page#1, ok.items[2].title: "Leaning Barn of the Palouse" -> "Leaning Barn of the Palouse~" (in 3 iterations)
  ///       and 48 more; --all prints them
  package static var text: ReportFormat {
    ReportFormat("text") { report, redactor in .text(report.text(redactor)) }
  }
  /// One JSON object.
  ///
  ///     {"noticed":873,"tried":1217,"alterations":1217,"percent":71.7,"unnoticed":[
  ///     {"address":"pay#1","call":"api.post","line":16,"path":"ok.json.total",
  ///     "recorded":12,"kind":"next number","altered":13,"changesOutputs":false,
  ///     "others":[{"kind":"negated","altered":-12,"changesOutputs":false}],"step":{"file":"pay.yaml","line":7},
  ///     "expect":"expect: {json: {total: 12}}"}, …],"steps":[
  ///     {"file":"pay.yaml","line":7,"expect":"expect: {json: {total: 12, currency: EUR}}"}, …]}
  package static var json: ReportFormat { ReportFormat("json") { .json(.object($0.members($1))) } }
}

extension ReportFormat<MutationSuite> {
  /// One JSON object with the sums, and one for each scenario.
  ///
  ///     {"noticed":701,"tried":1055,"alterations":1055,"percent":66.4,"scenarios":[
  ///     {"path":"shop.yaml","kept":false,"noticed":10,"tried":20,"alterations":20,"percent":50.0,
  ///     "unnoticed":[…]}, …],"unrecorded":["new.yaml"]}
  package static var json: ReportFormat { ReportFormat("json") { .json($0.json($1)) } }
}

extension MutationReport {
  private static let examples = 3

  // MARK: - For people

  /// The unnoticed alterations, by operation and field, and the score.
  fileprivate func text(_ redactor: Redactor) -> String {
    var text = unnoticedLines(redactor).map { $0 + "\n" }.joined()
    if results.isEmpty { return "nothing to alter: no recorded answer has a value\n" }
    text += "\(score.noticed) of \(results.count) alterations were noticed, \(score.text) %, in "
    text += "\(elapsed.reportText)\n"
    text += trialLines.map { $0 + "\n" }.joined()
    if count > results.count {
      text += "stopped after \(results.count) of \(count) alterations; --limit \(count) tries all\n"
    }
    return text
  }

  /// The remarks on the trials of live programs, a line each.
  package var trialLines: [String] {
    var lines: [String] = []
    let endless = results.filter(\.isEndless)
    if !endless.isEmpty {
      lines.append(
        "\(counted(endless.count, "trial")) did not end within \(limit.reportText), "
          + "which counts as noticed:")
      lines += endless.prefix(Self.examples).map { "  " + Entry($0).text(iterations: 1) }
    }
    if restarts > 0 {
      lines.append(
        "the programs started anew after \(counted(restarts, "alteration")), "
          + "which their reset does not undo")
    }
    return lines
  }

  /// The unnoticed alterations, by operation and field, a line each.
  package func unnoticedLines(_ redactor: Redactor) -> [String] {
    kinds.flatMap { kind in
      ["\(kind.title): \(kind.results.count) of \(kind.count) not noticed"]
        + kind.lines(atMost: listsAll ? .max : Self.examples, in: file, redactor).map { "  " + $0 }
    }
  }

  /// The unnoticed alterations of one operation and field.
  struct Kind {
    let title: String
    let isIncidental: Bool
    var count = 0
    var results: [Result] = []
    /// The alterations of one value, each once for all iterations of a loop, which are counted.
    private var groups: [(entry: Entry, call: Int, iterations: Int, count: Int)] = []
    private var positions: [String: Int] = [:]

    fileprivate init(title: String, isIncidental: Bool) {
      (self.title, self.isIncidental) = (title, isIncidental)
    }

    /// Adds an unnoticed alteration.
    fileprivate mutating func add(_ result: Result) {
      results.append(result)
      let key = "\(result.placeInLoops) \(result.kindOfEntry)"
      guard let position = positions[key] else {
        positions[key] = groups.count
        groups.append((Entry(result), result.alteration.call, 1, 1))
        return
      }
      groups[position].count += 1
      let call = result.alteration.call
      if call == groups[position].entry.first.alteration.call {
        groups[position].entry.results.append(result)
      } else if call != groups[position].call {
        groups[position].iterations += 1
      }
      groups[position].call = call
    }

    /// Returns the first values, each with the line that would notice their alterations below or
    /// the reason why there is none, and the number of the others.
    func lines(atMost limit: Int, in file: String?, _ redactor: Redactor) -> [String] {
      let shown = groups.prefix(limit)
      let lines = shown.enumerated().flatMap { index, group in
        let next = index + 1 < shown.count ? shown[index + 1].entry.first : nil
        let line = group.entry.text(iterations: group.iterations)
        // Several values may need one line.
        if let next, next.isProposedLike(group.entry.first) { return [line] }
        let proposal = group.entry.first.proposalText(in: file, redactor)
        return [line] + (proposal.map { ["  \($0)"] } ?? [])
      }
      let rest = results.count - shown.reduce(0) { $0 + $1.count }
      return rest > 0 ? lines + ["and \(rest) more; --all prints them"] : lines
    }
  }

  /// The kinds with unnoticed alterations, in the order of the transcript, incidental ones last.
  var kinds: [Kind] {
    var kinds: [Kind] = []
    var positions: [String: Int] = [:]
    for result in results {
      let alteration = result.alteration
      let title = alteration.title
      let position = positions[title] ?? kinds.count
      if position == kinds.count {
        kinds.append(Kind(title: title, isIncidental: alteration.isIncidental))
      }
      positions[title] = position
      kinds[position].count += 1
      if result.notice != .noticed { kinds[position].add(result) }
    }
    let unnoticed = kinds.filter { !$0.results.isEmpty }
    return unnoticed.filter { !$0.isIncidental } + unnoticed.filter(\.isIncidental)
  }

  // MARK: - For machines

  fileprivate func members(_ redactor: Redactor) -> [JSON.Member] {
    let steps = wholeSteps.map { line in
      JSON.object(
        line.step.members(redactor) + [.init("expect", .string(redactor.redacted(line.text)))])
    }
    let endless = results.count(where: \.isEndless)
    let trials = endless > 0 ? [JSON.Member("endless", .number(endless))] : []
    return score.members(of: count) + trials + [
      .init("unnoticed", .array(entries.map { json($0, redactor) })), .init("steps", .array(steps)),
    ]
  }

  private func json(_ entry: Entry, _ redactor: Redactor) -> JSON {
    let alteration = entry.first.alteration
    let others = entry.results.dropFirst().map { JSON.object(members(of: $0, redactor)) }
    return .object(
      [.init("address", .string("\(alteration.address)"))]
        + (alteration.attempt.map { [.init("attempt", .number($0))] } ?? []) + [
          .init("call", .string(alteration.name)),
          .init("line", .number(alteration.line)),
          .init("path", .string(redactor.redacted("\(alteration.path)"))),
        ] + (alteration.recorded.map { [.init("recorded", .recorded($0, redactor))] } ?? [])
        + members(of: entry.first, redactor)
        + (others.isEmpty ? [] : [.init("others", .array(others))])
        + proposal(entry.first, redactor))
  }

  private func members(of result: Result, _ redactor: Redactor) -> [JSON.Member] {
    let altered = result.alteration.altered
    return [.init("kind", .string(redactor.redacted("\(result.alteration.kind)")))]
      + (altered.map { [.init("altered", .recorded($0, redactor))] } ?? [])
      + [.init("changesOutputs", .bool(result.notice == .outputs))]
  }

  private func proposal(_ result: Result, _ redactor: Redactor) -> [JSON.Member] {
    let step = result.step.map { [JSON.Member("step", .object($0.members(redactor)))] } ?? []
    if let line = result.proposal {
      return step + [.init("expect", .string(redactor.redacted(line)))]
    }
    return step + (result.noProposal.map { [.init("noExpect", .string($0.rawValue))] } ?? [])
  }
}

extension SourceSpan {
  fileprivate func members(_ redactor: Redactor) -> [JSON.Member] {
    [.init("file", .string(redactor.redacted(file))), .init("line", .number(start.line))]
  }
}

extension MutationScore {
  fileprivate func members(of count: Int) -> [JSON.Member] {
    [
      .init("noticed", .number(noticed)), .init("tried", .number(tried)),
      .init("alterations", .number(count)), .init("percent", .number(text)),
    ]
  }
}

extension MutationReport.Result {
  /// The place of the value, in whichever iteration.
  fileprivate var placeInLoops: String {
    let calls = alteration.address.calls.map { "/\($0.name)#\($0.number)" }.joined()
    let attempt = alteration.attempt.map { " \($0)" } ?? ""
    return "\(alteration.address.path)\(calls)\(attempt) \(alteration.path)"
  }

  /// Returns true if the same line, or none for the same reason, is below another result.
  fileprivate func isProposedLike(_ other: MutationReport.Result) -> Bool {
    (proposal, noProposal, step) == (other.proposal, other.noProposal, other.step)
  }

  /// Returns the line that would notice it, with its place if it is not in the scenario's file, or
  /// the reason why there is none.
  fileprivate func proposalText(in file: String?, _ redactor: Redactor) -> String? {
    guard let proposal else { return noProposal.map { "no expect: \($0.rawValue)" } }
    let place = step.map { $0.file == file ? "" : "\($0.file):\($0.start.line): " } ?? ""
    return redactor.redacted(place + proposal).onOneLine
  }
}

extension MutationReport.Entry {
  /// Returns a line such as `spend#1, ok.balance: 87.50 -> 88.50 or -87.50 (in 3 iterations)`.
  fileprivate func text(iterations: Int) -> String {
    let effect = first.notice == .outputs ? " (only the outputs change)" : ""
    // Different calls of a component may have one address, such as the requests of a program.
    let places = first.alteration.address.iterations.isEmpty ? "calls" : "iterations"
    let count = iterations > 1 ? " (in \(iterations) \(places))" : ""
    let (alteration, altered) = (first.alteration, results.map(\.alteration.alteredWords))
    return "\(alteration.place.onOneLine), \(alteration.path): \(alteration.recordedText) -> "
      + altered.joined(separator: " or ") + effect + count
  }
}

extension Alteration {
  /// The value, in whichever call and element: `catalog.page, ok.items[].title`.
  package var title: String { "\(name.onOneLine), \(path.kindText)" }
}

extension FieldPath {
  /// The path with the same text for all elements of a list: `ok.items[].title`.
  var kindText: String {
    steps.map { step in
      switch step {
      case .field(let name): "." + name.escaped
      case .index: "[]"
      }
    }.joined().dropFirst().description
  }
}

// MARK: - Several scenarios

extension MutationSuite.Scenario {
  /// The line of the scenario: `12 of 20 noticed, 60 %  shop.yaml`.
  package var line: String {
    let score = report.score
    let tried = score.tried
    if tried == 0 { return "nothing to alter  \(path.onOneLine)" }
    let rest = report.count > tried ? " (\(tried) of \(report.count) tried)" : ""
    return "\(score.noticed) of \(tried) noticed, \(score.percent) %  \(path.onOneLine)\(rest)"
  }
}

extension MutationSuite {
  /// The last line: `32 of 50 alterations of 3 scenarios were noticed, 64.0 %, in 1.2 s`.
  package var summary: String {
    "\(score.noticed) of \(score.tried) alterations of "
      + "\(counted(scenarios.count, "scenario")) were noticed, \(score.text) %, in "
      + elapsed.reportText
  }

  fileprivate func json(_ redactor: Redactor) -> JSON {
    let entries = scenarios.map { scenario in
      JSON.object(
        [
          .init("path", .string(redactor.redacted(scenario.path))),
          .init("kept", .bool(scenario.isKept)),
        ] + scenario.report.members(redactor))
    }
    return .object(
      score.members(of: count) + [
        .init("scenarios", .array(entries)),
        .init("unrecorded", .list(unrecorded.map(redactor.redacted))),
      ])
  }
}
