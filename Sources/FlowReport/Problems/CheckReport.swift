package import FlowCore
package import FlowPlan
internal import FlowSystem

/// The result of checking scenarios without running them.
package struct CheckReport: Sendable {
  /// The problems, file by file.
  package let diagnostics: [Diagnostic]
  /// The checked file of each problem, or nil for a problem of none.
  let subjects: [String?]
  /// The needs of each runnable scenario, in the order of the files.
  let needs: [(file: String, needs: Needs)]

  /// Creates the report on a file that cannot run, or on none.
  package init(_ diagnostics: [Diagnostic], file: String? = nil) {
    self.diagnostics = diagnostics
    subjects = diagnostics.map { _ in file }
    needs = []
  }

  /// Creates the report on a runnable scenario with its warnings.
  package init(_ warnings: [Diagnostic], of plan: Plan, file: String) {
    diagnostics = warnings
    subjects = warnings.map { _ in file }
    needs = [(file, plan.needs)]
  }

  /// Several files as one report.
  package init(joining reports: [CheckReport]) {
    diagnostics = reports.flatMap(\.diagnostics)
    subjects = reports.flatMap(\.subjects)
    needs = reports.flatMap(\.needs)
  }

  /// A line for each scenario with needs: `pay.yaml needs: network (api), process (server)`.
  package var needsText: String {
    needs.filter { !$0.needs.all.isEmpty }.map { "\($0.file.onOneLine) needs: \($0.needs)\n" }
      .joined()
  }
}

extension ReportFormat<CheckReport> {
  /// One JSON object.
  ///
  ///     {"diagnostics":[{"code":"F1203","severity":"error",
  ///     "message":"'balance' has no operation 'lod'; did you mean 'load'?","file":"race.yaml",
  ///     "line":9,"column":26,"endLine":9,"endColumn":29,"notes":[],"fixes":["load"]}],"scenarios":[]}
  ///
  /// It is printed on a single line.
  package static var json: ReportFormat {
    ReportFormat("json") { report, redactor in
      .json(
        .object([
          .init("diagnostics", .diagnostics(report.diagnostics, redactor)),
          .init("scenarios", .array(report.needs.map(JSON.needs))),
        ]))
    }
  }
}

extension JSON {
  fileprivate static func needs(_ file: String, _ needs: Needs) -> JSON {
    let members = needs.all.map { JSON.Member($0.reach.rawValue, .list($0.components)) }
    return .object([.init("file", .string(file)), .init("needs", .object(members))])
  }
}
