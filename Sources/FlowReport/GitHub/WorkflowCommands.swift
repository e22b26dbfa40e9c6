internal import FlowCore
internal import FlowSystem
private import Synchronization

/// Commands to GitHub Actions in the output of flow: annotations at the lines of scenarios.
///
/// GitHub shows ten of a kind for each step, so the tenth counts the rest.
///
///     ::error file=pay.yaml,line=5,col=21,title=failed%3A pay.yaml%3A Pay::'pay#1' failed with the error 'insufficient'%0Alive%0Ano transcript%0A20.00 is more than the balance of 10.00
package final class WorkflowCommands: Sendable {
  /// An annotation of one scenario.
  package struct Annotation: Sendable {
    enum Kind: String, Sendable, CaseIterable {
      case error, warning
    }

    let kind: Kind
    let properties: [(name: String, text: String)]
    let message: String
  }

  private static let mostShown = 9
  private static let longestMessage = 4 << 10

  private let job: GitHubJob
  /// True to mark the steps with unnoticed alterations.
  private let marksAlterations: Bool
  private let write: @Sendable (String) -> Void
  private let counts = Mutex<[Annotation.Kind: Int]>([:])

  /// Creates commands to a stream.
  package init(
    _ job: GitHubJob, marksAlterations: Bool = false, write: @escaping @Sendable (String) -> Void
  ) {
    self.job = job
    self.marksAlterations = marksAlterations
    self.write = write
  }

  /// Returns the annotations of a scenario with hidden secrets.
  ///
  /// Safe to call on several tasks at once.
  package func annotations(of scenario: ScenarioReport) -> [Annotation] {
    var annotations: [Annotation] = []
    switch scenario.verdict {
    case .flaky: annotations.append(annotation(.warning, "flaky", scenario))
    case .failed, .notRun, .recorded, .passed:
      if scenario.isFailing { annotations.append(annotation(.error, "failed", scenario)) }
    }
    if scenario.isSlow {
      let message = "took \(scenario.elapsed.reportText)"
      annotations.append(
        Annotation(
          kind: .warning,
          properties: place(scenario.path, nil) + [("title", "slow: \(scenario.title)")],
          message: message))
    }
    return annotations + alterations(of: scenario)
  }

  private func alterations(of scenario: ScenarioReport) -> [Annotation] {
    guard marksAlterations, let mutation = scenario.mutation else { return [] }
    return mutation.warningsAtSteps.map { warning in
      Annotation(
        kind: .warning,
        properties: place(warning.span?.file ?? scenario.path, warning.span)
          + [("title", "not noticed: \(scenario.title)")],
        message: ([warning.message] + warning.notes).joined(separator: "\n"))
    }
  }

  private func annotation(
    _ kind: Annotation.Kind, _ word: String, _ scenario: ScenarioReport
  ) -> Annotation {
    let first = scenario.findings.diagnostics.first
    let found = [first?.message].compactMap { $0 } + (first?.notes ?? [])
    let lines =
      [scenario.message] + (scenario.details + found).filter { $0 != scenario.message }
    return Annotation(
      kind: kind,
      properties: place(first?.span?.file ?? scenario.path, first?.span)
        + [("title", "\(word): \(scenario.title)")],
      message: lines.joined(separator: "\n"))
  }

  /// Returns the place of an annotation, empty for a file outside of the repository.
  private func place(_ file: String, _ span: SourceSpan?) -> [(name: String, text: String)] {
    guard let path = job.path(file) else { return [] }
    guard let start = span?.start else { return [("file", path)] }
    return [("file", path), ("line", "\(start.line)"), ("col", "\(start.column)")]
  }

  /// Writes the annotations of a scenario, as long as GitHub shows them.
  ///
  /// Called by one task at a time.
  package func add(_ annotations: [Annotation]) {
    for annotation in annotations {
      let number = counts.withLock { counts in
        counts[annotation.kind, default: 0] += 1
        return counts[annotation.kind, default: 0]
      }
      if number <= Self.mostShown { write(Self.text(of: annotation)) }
    }
  }

  /// Writes the number of further annotations.
  package func finish() {
    let counts = counts.withLock { $0 }
    for kind in Annotation.Kind.allCases {
      let rest = (counts[kind] ?? 0) - Self.mostShown
      if rest > 0 { write("::\(kind.rawValue)::\(rest) more, see the summary\n") }
    }
  }

  private static func text(of annotation: Annotation) -> String {
    let properties = annotation.properties.map { name, text in
      "\(name)=\(escaped(text.line(500), isProperty: true))"
    }
    let message = annotation.message.cut(toBytes: 2 * longestMessage).plain
      .cut(toBytes: longestMessage)
    let place = properties.isEmpty ? "" : " " + properties.joined(separator: ",")
    return "::\(annotation.kind.rawValue)\(place)::\(escaped(message, isProperty: false))\n"
  }

  /// Returns the text with the escapes of the runner (`ActionCommand.cs`), `%` first, since the
  /// other escapes contain it.
  private static func escaped(_ text: String, isProperty: Bool) -> String {
    let data = text.replacing("%", with: "%25").replacing("\r", with: "%0D")
      .replacing("\n", with: "%0A")
    return isProperty ? data.replacing(":", with: "%3A").replacing(",", with: "%2C") : data
  }
}

extension String {
  /// The text in whole lines, with a blank in every workflow command of GitHub's runner.
  ///
  /// The commands are `::` at the start of a line, after any blanks, and `##[` anywhere.
  package var withoutWorkflowCommands: String {
    guard utf8.contains(UInt8(ascii: ":")) || utf8.contains(UInt8(ascii: "#")) else { return self }
    var result = String.UnicodeScalarView()
    var isAtStart = true
    var rest = Substring(self).unicodeScalars
    while let scalar = rest.popFirst() {
      result.append(scalar)
      if isAtStart, scalar == ":", rest.first == ":" { result.append(" ") }
      if scalar == "#", rest.starts(with: "#[".unicodeScalars) { result.append(" ") }
      isAtStart =
        scalar == "\n" || scalar == "\r" || isAtStart && scalar.properties.isWhitespace
    }
    return String(result)
  }

  /// An equal JSON document without workflow commands.
  package var withoutWorkflowCommandsInJSON: String { replacing("##[", with: "#\\u0023[") }
}
