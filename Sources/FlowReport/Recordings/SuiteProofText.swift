internal import FlowCore
internal import FlowRedaction
internal import FlowSystem

extension ReportFormat<SuiteProof> {
  /// The changed scenarios for people.
  ///
  ///     proves nothing  orders.yaml: passes on the answers recorded at main
  ///       it newly checks api.get, ok.json.currency (orders.yaml:14)
  ///     proved          pay.yaml: fails on the answers recorded at main
  ///       pay.yaml:9: 'pay#1' did not answer as expected
  package static var text: ReportFormat {
    ReportFormat("text") { proof, redactor in .text(redactor.redacted(proof.text)) }
  }
  /// One JSON object.
  ///
  ///     {"prove":"main","scenarios":[{"path":"orders.yaml","verdict":"nothing","checks":[…]},
  ///     {"path":"pay.yaml","verdict":"proved","line":9,"message":"…"}]}
  package static var json: ReportFormat { ReportFormat("json") { .json($0.json($1)) } }
}

extension SuiteProof {
  private static let mostNamed = 5

  fileprivate var text: String {
    var lines = scenarios.flatMap(shownLines)
    let unchanged = scenarios.count {
      if case .unchanged = $0.verdict { true } else { false }
    }
    let nothing = scenarios.count(where: \.provesNothing)
    let changed = scenarios.count - unchanged
    var summary = "\(nothing) of \(counted(changed, "scenario")) with new checks "
    summary += "\(nothing == 1 ? "proves" : "prove") nothing about a change since "
    summary += version.onOneLine
    if unchanged > 0 { summary += ", \(unchanged) changed without new checks" }
    lines.append("\(summary), in \(elapsed.reportText)")
    return (lines + [""]).joined(separator: "\n")
  }

  private func shownLines(of scenario: Scenario) -> [String] {
    let path = scenario.path.onOneLine
    let answers = "the answers recorded at \(version.onOneLine)"
    switch scenario.verdict {
    case .unchanged: return []
    case .proved(let diagnostic):
      let place = diagnostic.span.map { "\($0.file.onOneLine):\($0.start.line): " } ?? ""
      let notes = diagnostic.notes.prefix(1).map { ": \($0.onOneLine)" }.joined()
      return [
        "proved          \(path): fails on \(answers)",
        "  \(place)\(diagnostic.message.onOneLine)\(notes)",
      ]
    case .nothing(let checks):
      return ["proves nothing  \(path): passes on \(answers)"]
        + named(checks.map { "it newly checks \($0.value)\($0.place)" })
    case .undecided(let calls):
      return ["undecided       \(path): passes on \(answers), of which some are missing"]
        + named(calls.map { "not recorded at \(version.onOneLine): \($0.onOneLine)" })
    }
  }

  private func named(_ texts: [String]) -> [String] {
    let rest = texts.count - Self.mostNamed
    return texts.prefix(Self.mostNamed).map { "  \($0)" } + (rest > 0 ? ["  and \(rest) more"] : [])
  }

  fileprivate func json(_ redactor: Redactor) -> JSON {
    .object([
      .init("prove", .string(version)),
      .init("scenarios", .array(scenarios.map { $0.json(redactor) })),
    ])
  }
}

extension SuiteProof.Scenario {
  fileprivate func json(_ redactor: Redactor) -> JSON {
    let details: [JSON.Member] =
      switch verdict {
      case .proved(let diagnostic):
        (diagnostic.span.map { [.init("line", .number($0.start.line))] } ?? [])
          + [.init("message", .string(redactor.redacted(diagnostic.message)))]
      case .nothing(let checks): [.init("checks", .list(checks.map(\.value)))]
      case .undecided(let calls): [.init("calls", .list(calls.map(redactor.redacted)))]
      case .unchanged: []
      }
    return .object(
      [.init("path", .string(path)), .init("verdict", .string(verdict.name))] + details)
  }
}

extension SuiteLosses.Gain {
  /// ` (orders.yaml:14)`.
  fileprivate var place: String { noticedBy.map { " (\($0.shownPlace))" } ?? "" }
}
