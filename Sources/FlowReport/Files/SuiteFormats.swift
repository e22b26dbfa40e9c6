internal import FlowSystem

extension ReportFormat<SuiteReport> {
  /// One JSON object.
  ///
  ///     {"passed":true,"scenarios":[{"path":"shop.yaml","verdict":"passed","details":[],
  ///     "mismatches":[],"diagnostics":[],"notes":[]}]}
  package static var json: ReportFormat {
    ReportFormat("json") { suite, redactor in
      .json(
        .object([
          .init("passed", .bool(suite.passed)),
          .init("scenarios", .array(suite.scenarios.map { $0.json(redactor) })),
        ]))
    }
  }

  /// The formats of a file, in the order of the help.
  package static var all: [ReportFormat] { all(in: nil) }

  /// The files and folders that the formats write if no path is given, each once.
  package static var defaultPaths: [String] {
    var paths: [String] = []
    for path in all.map(\.file) + [Attachment.folder + "/"] where !paths.contains(path) {
      paths.append(path)
    }
    return paths
  }

  /// Returns the formats of a file for a GitHub job, with links to its files.
  package static func all(in job: GitHubJob?) -> [ReportFormat] {
    SuiteFormat.allCases.map { $0.format(in: job) }
  }
}

/// The formats of a file, in the order of the help.
private enum SuiteFormat: CaseIterable {
  case html, junit, junitSteps, tap, tap14, jsonLines, trace, markdown, contract
  case usage, usageJSON

  func format(in job: GitHubJob?) -> ReportFormat<SuiteReport> {
    switch self {
    case .html: .html
    case .junit: .junit
    case .junitSteps: .junitSteps
    case .tap: .tap
    case .tap14: .tap14
    case .jsonLines: .jsonLines
    case .trace: .trace
    case .markdown: .markdown(job)
    case .contract: .contract
    case .usage: .usage
    case .usageJSON: .usageJSON
    }
  }
}
