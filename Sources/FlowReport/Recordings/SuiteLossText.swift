internal import FlowCore
internal import FlowRedaction
internal import FlowSystem
internal import FlowTranscript

extension ReportFormat<SuiteLosses> {
  /// The losses for people.
  ///
  ///     api.get, ok.json.currency (orders.yaml)
  ///       pay#1: "EUR" -> "EUR~", and 1 more
  ///       noticed at main by orders.yaml:14: expect: {status: 200, json: {currency: EUR}}
  ///       lost at orders.yaml:14
  ///       - expect: {status: 200, json: {currency: EUR}}
  ///       + expect: {status: 200}
  package static var text: ReportFormat {
    ReportFormat("text") { losses, redactor in .text(redactor.redacted(losses.text)) }
  }
  /// One JSON object.
  ///
  ///     {"against":"main","scenarios":2,"alterations":40,"lost":[{"value":"api.get, ok.json.currency",
  ///     "scenario":"orders.yaml","reason":"unchecked","alterations":2,
  ///     "noticedBy":{"file":"orders.yaml","line":14},"change":{"file":"orders.yaml","line":14,
  ///     "removed":["…"],"added":["…"]},"accepted":"…"}],"gained":[…]}
  package static var json: ReportFormat { ReportFormat("json") { .json($0.json($1)) } }
}

extension SuiteLosses {
  private static let mostLines = 6

  // MARK: - For people

  fileprivate var text: String {
    var lines = unaccepted.flatMap { shownLines(of: $0) + [""] }
    let accepted = losses.filter { $0.accepted != nil }
    lines += accepted.map { "accepted: \($0.title): \(($0.accepted ?? "").onOneLine)" }
    lines += gains.map(line)
    return (lines + [summary, ""]).joined(separator: "\n")
  }

  private func shownLines(of loss: Loss) -> [String] {
    var lines = [loss.title]
    if loss.reason != .notCalled, let example = loss.example { lines.append("  \(example)") }
    if let line = loss.noticedBy {
      lines.append("  noticed at \(version.onOneLine) by \(line.shown)")
    }
    lines +=
      loss.change.map { change in
        ["  lost at \(change.place.shownPlace)"] + shown("-", change.removed)
          + shown("+", change.added)
      } ?? ["  lost without a change of the scenario: its recording has changed, or is gone"]
    return lines
  }

  private func shown(_ sign: String, _ lines: [String]) -> [String] {
    let rest = lines.count - Self.mostLines
    return lines.prefix(Self.mostLines).map {
      "  \(sign) \(Ellipsis.shortened($0, to: 160).onOneLine)"
    } + (rest > 0 ? ["  \(sign) … \(rest) more"] : [])
  }

  private func line(_ gain: Gain) -> String {
    let place = gain.noticedBy.map { " by \($0.shownPlace)" } ?? ""
    return "newly noticed: \(gain.value) (\(gain.scenario.onOneLine))\(place)"
  }

  /// The last line.
  private var summary: String {
    let lost = unaccepted.reduce(0) { $0 + $1.alterations.count }
    let version = version.onOneLine
    let time = "in \(elapsed.reportText)"
    if scenarios == 0 { return "no scenario has changed since \(version), \(time)" }
    if lost == 0 {
      return "everything that was noticed at \(version) is noticed, "
        + "\(counted(judged, "alteration")) in \(counted(scenarios, "changed scenario")), \(time)"
    }
    return
      "\(lost) of \(counted(judged, "alteration")) were noticed at \(version) and are not now, "
      + "\(counted(scenarios, "changed scenario")), \(time)"
  }

  // MARK: - For machines

  fileprivate func json(_ redactor: Redactor) -> JSON {
    .object([
      .init("against", .string(version)), .init("scenarios", .number(scenarios)),
      .init("alterations", .number(judged)),
      .init("lost", .array(losses.map { $0.json(redactor) })),
      .init("gained", .array(gains.map { $0.json(redactor) })),
    ])
  }
}

extension SuiteLosses.Loss {
  private static let mostExamples = 20
  private static let mostForms = 4

  /// The alterations of the first value, and the number of the others: `pay#1: 200 -> 404 or 500, and
  /// 2 more`.
  package var example: String? {
    guard let first = alterations.first else { return nil }
    let own = alterations.prefix { $0.call == first.call && $0.path == first.path }
      .prefix(Self.mostForms)
    let forms = own.map(\.alteredText).joined(separator: " or ")
    let rest = alterations.count - own.count
    return "\(first.place.onOneLine): \(first.recordedText) -> \(forms)"
      + (rest > 0 ? ", and \(rest) more" : "")
  }

  /// `api.get, ok.json.currency (orders.yaml)`.
  package var title: String {
    let end =
      switch reason {
      case .unchecked: ""
      case .missing: ", which the answer does not have any more"
      case .notCalled: ", which is not called any more"
      }
    return "\(value) (\(scenario.onOneLine))\(end)"
  }

  fileprivate func json(_ redactor: Redactor) -> JSON {
    let examples = alterations.prefix(Self.mostExamples).map { alteration in
      JSON.object(
        [
          .init("address", .string("\(alteration.address)")),
          .init("path", .string(redactor.redacted("\(alteration.path)"))),
        ] + (alteration.recorded.map { [.init("recorded", .recorded($0, redactor))] } ?? [])
          + (alteration.altered.map { [.init("altered", .recorded($0, redactor))] } ?? [])
          + [.init("kind", .string("\(alteration.kind)"))])
    }
    let change = change.map { change in
      JSON.object(
        change.place.members + [
          .init("removed", .list(change.removed.map(redactor.redacted))),
          .init("added", .list(change.added.map(redactor.redacted))),
        ])
    }
    return .object(
      [
        .init("value", .string(redactor.redacted(value))), .init("scenario", .string(scenario)),
        .init("reason", .string(reason.rawValue)),
        .init("alterations", .number(alterations.count)), .init("examples", .array(examples)),
      ] + (noticedBy.map { [.init("noticedBy", .object($0.members))] } ?? [])
        + (change.map { [.init("change", $0)] } ?? [])
        + (accepted.map { [.init("accepted", .string($0))] } ?? []))
  }
}

extension SuiteLosses.Gain {
  fileprivate func json(_ redactor: Redactor) -> JSON {
    .object(
      [
        .init("value", .string(value)), .init("scenario", .string(scenario)),
        .init("alterations", .number(count)),
      ] + (noticedBy.map { [.init("noticedBy", .object($0.members))] } ?? []))
  }
}

extension SuiteLosses.SourceLine {
  /// `orders.yaml:14`.
  var shownPlace: String { "\(file.onOneLine):\(line)" }

  /// `orders.yaml:14: expect: {status: 200}`.
  package var shown: String {
    text.isEmpty ? shownPlace : "\(shownPlace): \(Ellipsis.shortened(text, to: 160).onOneLine)"
  }

  fileprivate var members: [JSON.Member] {
    [.init("file", .string(file)), .init("line", .number(line))]
  }
}
