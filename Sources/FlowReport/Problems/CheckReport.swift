package import FlowCore
internal import FlowExpression
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
  /// The parts of answers that each runnable scenario reads.
  private let reads: [(file: String, reads: ReadParts)]

  /// Creates the report on a file that cannot run, or on none.
  package init(_ diagnostics: [Diagnostic], file: String? = nil) {
    self.diagnostics = diagnostics
    subjects = diagnostics.map { _ in file }
    needs = []
    reads = []
  }

  /// Creates the report on a runnable scenario with its warnings.
  package init(_ warnings: [Diagnostic], of plan: Plan, file: String) {
    diagnostics = warnings
    subjects = warnings.map { _ in file }
    needs = [(file, plan.needs)]
    reads = [(file, ReadParts(plan))]
  }

  /// Several files as one report.
  package init(joining reports: [CheckReport]) {
    diagnostics = reports.flatMap(\.diagnostics)
    subjects = reports.flatMap(\.subjects)
    needs = reports.flatMap(\.needs)
    reads = reports.flatMap(\.reads)
  }

  /// A line for each scenario with needs: `pay.yaml needs: network (api), process (server)`.
  package var needsText: String {
    needs.filter { !$0.needs.all.isEmpty }.map { "\($0.file.onOneLine) needs: \($0.needs)\n" }
      .joined()
  }
}

extension CheckReport {
  /// The parts of answers that each scenario reads, a line for each step.
  ///
  ///     pay.yaml reads
  ///       load: status, json.total, has(json.next)
  ///       pay: nothing
  ///
  /// Empty without a step that has an answer.
  package var readsText: String {
    reads.map { file, reads in
      let steps = reads.all.map { "  \($0.path.onOneLine): \(Self.text(of: $0.parts))\n" }
      return steps.isEmpty ? "" : "\(file.onOneLine) reads\n" + steps.joined()
    }.joined()
  }

  private static func text(of parts: [ReadPart]) -> String {
    if parts.isEmpty { return "nothing" }
    if parts.contains(ReadPart(FieldPath())) { return "everything" }
    return parts.map { $0.isPresence ? "has(\($0.path))" : "\($0.path)" }.joined(separator: ", ")
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
