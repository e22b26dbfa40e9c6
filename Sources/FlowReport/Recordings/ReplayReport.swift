internal import FlowSystem

/// The result of a replay.
package struct ReplayReport: Sendable {
  let passed: Bool
  let findings: RunFindings

  /// Creates the result of a replay.
  package init(passed: Bool, findings: RunFindings) {
    self.passed = passed
    self.findings = findings
  }
}

extension ReportFormat<ReplayReport> {
  /// One JSON object.
  ///
  ///     {"passed":true,"mismatches":[],"diagnostics":[],"notes":[]}
  package static var json: ReportFormat {
    ReportFormat("json") { report, redactor in
      .json(.object([.init("passed", .bool(report.passed))] + report.findings.members(redactor)))
    }
  }
}
