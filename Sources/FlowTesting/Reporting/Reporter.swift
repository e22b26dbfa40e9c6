internal import FlowCore
internal import Testing

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

extension ScenarioProblem {
  /// The place as Swift Testing has it, whose file is known by its folder and name.
  fileprivate var location: SourceLocation {
    let parts = (["."] + file.split(separator: "/").map(String.init)).suffix(2)
    return SourceLocation(
      fileID: parts.joined(separator: "/"), filePath: file, line: position.line,
      column: position.column)
  }
}
