public import FlowCore
internal import FlowRedaction
internal import FlowScenario
internal import FlowSystem
internal import Testing

/// One thing that is wrong with a scenario or with what it did, at its place.
public struct ScenarioProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The stable code, such as `F2001`.
  public let code: String
  /// The full path of the file that the problem belongs to.
  public let file: String
  /// The place in the file; its first character when the problem is about all of it.
  public let position: Position
  /// What `flow` prints: the place, the message, the line with carets, and notes; no newline at its end.
  public let text: String

  /// The text.
  public var description: String { text }

  /// The problems that diagnostics tell, in their order; one without a place is about the whole scenario.
  ///
  /// The redactor hides what must be seen in no word and in no line that is quoted.
  static func all(
    _ diagnostics: [Diagnostic], of scenario: String, _ redactor: Redactor
  ) -> [ScenarioProblem] {
    let files = Set(diagnostics.compactMap(\.span?.file))
    // A line of a transcript is long and nobody wrote it; its number is enough.
    let quoted = files.filter { !$0.hasSuffix(".jsonl") }
    let sources = quoted.compactMap { file in
      // Without the file there is no line to show, and the problem is told all the same.
      (try? FileSystem.contents(of: file, limit: ScenarioSource.largest))
        .map { (file, redactor.masked($0)) }
    }
    let renderer = DiagnosticRenderer(sources: Dictionary(uniqueKeysWithValues: sources))
    return diagnostics.map { diagnostic in
      ScenarioProblem(
        code: diagnostic.code.name, file: diagnostic.span?.file ?? scenario,
        position: diagnostic.span?.start ?? Position(line: 1, column: 1),
        text: String(renderer.render(diagnostic.redacted(by: redactor)).dropLast()))
    }
  }

  /// The place as Swift Testing has it, whose file is known by its folder and name.
  fileprivate var location: SourceLocation {
    let parts = (["."] + file.split(separator: "/").map(String.init)).suffix(2)
    return SourceLocation(
      fileID: parts.joined(separator: "/"), filePath: file, line: position.line,
      column: position.column)
  }
}

/// A scenario that did not do what it should, thrown where there is no test to record it in.
public struct ScenarioFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, in the order of the run; never nothing.
  public let problems: [ScenarioProblem]

  /// The problems' texts, one below the other.
  public var description: String { problems.map(\.text).joined(separator: "\n") }
}

/// Tells Swift Testing what is wrong: the only part that knows of it.
enum Reporter {
  /// Records each problem as an issue at its place in the scenario.
  ///
  /// - Throws: `ScenarioFailure` with all of them where no test of Swift Testing runs, as in XCTest: an
  ///   issue without a test is dropped, and the failure would be none.
  static func report(_ problems: [ScenarioProblem]) throws(ScenarioFailure) {
    if problems.isEmpty { return }
    guard Test.current != nil else { throw ScenarioFailure(problems: problems) }
    for problem in problems {
      Issue.record(Comment(rawValue: problem.text), sourceLocation: problem.location)
    }
  }
}
