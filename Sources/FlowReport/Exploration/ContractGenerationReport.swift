internal import FlowEngine
package import FlowExplore
internal import FlowRedaction
internal import FlowSystem

/// The result of `flow explore --generate` with a description.
package struct ContractGenerationReport: Sendable {
  private let generation: ContractGeneration
  private let file: String
  private let address: String
  /// The path of each finding's scenario, or nil for one that was not written.
  private let written: [Written?]

  /// The written scenario of a finding.
  package struct Written: Sendable {
    let scenario: String
    /// The command that runs it.
    package let command: String
    /// True if it existed before.
    let isKnown: Bool

    /// Creates the path of a scenario.
    package init(scenario: String, command: String, isKnown: Bool) {
      (self.scenario, self.command, self.isKnown) = (scenario, command, isKnown)
    }
  }

  /// Creates the report on a description's file and the service at an address.
  ///
  /// `written` has one element for each finding.
  package init(
    _ generation: ContractGeneration, of file: String, at address: String, written: [Written?]
  ) {
    (self.generation, self.file) = (generation, file)
    (self.address, self.written) = (address, written)
  }

  private var findings: [(finding: ContractGeneration.Finding, written: Written?)] {
    Array(zip(generation.findings, written))
  }

  private var accepted: [String] {
    generation.operations.filter { generation.accepted.contains($0) }
  }

  // MARK: - For people

  fileprivate var text: String {
    var text = "\(file.onOneLine) at \(address.onOneLine)\n"
    text += "sent \(counted(generation.requests, "request")), and "
    text += "\(generation.shrinkingRequests) for what was found, in "
    text += "\(generation.elapsed.reportText)\n"
    text += "accepted: \(accepted.count) of \(counted(generation.operations.count, "operation"))"
    let missing = generation.operations.filter { !generation.accepted.contains($0) }
    let refused = missing.map { name in
      generation.statuses[name].map { "\(name) (\($0))" } ?? name
    }
    text += refused.isEmpty ? "\n" : "; not \(refused.joined(separator: ", "))\n"
    for name in generation.undrawn {
      let fault = generation.faulty[name]
      text +=
        fault.map { "'\(name)' has mistakes in the description: \($0.onOneLine)\n" }
        ?? "no valid request of '\(name)' was found\n"
    }
    return text + findings.map { self.text(of: $0, $1) }.joined() + ending
  }

  private func text(of finding: ContractGeneration.Finding, _ written: Written?) -> String {
    var text = "\n\(finding.rule.rawValue): \(finding.operation)\n"
    text += "  \(finding.reason.onOneLine)\n"
    text += finding.calls.map { "    \($0.onOneLine)\n" }.joined()
    guard finding.text != nil else { return text + "  it did not happen again\n" }
    guard let written else { return text }
    let path = written.scenario.onOneLine
    text += written.isKnown ? "  \(path) already contains it\n" : "  wrote \(path)\n"
    return text + "  \(written.command)\n"
  }

  private var ending: String {
    var text = "\n"
    if generation.isStopped { text += "interrupted; " }
    if generation.operations.isEmpty { return text + "the description has no operations\n" }
    if generation.isUnreachable {
      let error = generation.error.map { " (\($0))" } ?? ""
      return text + "the service cannot be reached\(error)\n"
    }
    let count = generation.repeatedCount
    if generation.isBarred {
      let operations = counted(generation.unauthorizedCount, "operation")
      text +=
        generation.unauthorizedCount > 0
        ? "\(operations) refused the credentials (401), so little was tried\n"
        : "no operation accepted a request, so little was tried; is the address right?\n"
    }
    text += count == 0 ? "no broken rule found\n" : "found \(counted(count, "broken rule"))\n"
    if generation.more > 0 {
      text += "\(generation.more) more of the same rules and operations are left out\n"
    }
    return text
  }

  // MARK: - For machines

  fileprivate func json(_ redactor: Redactor) -> JSON {
    let findings = findings.map { finding, written in
      JSON.object([
        .init("rule", .string(finding.rule.rawValue)),
        .init("operation", .string(finding.operation)),
        .init("reason", .string(redactor.redacted(finding.reason))),
        .init("calls", .list(finding.calls.map(redactor.redacted))),
        .init("repeated", .bool(finding.text != nil)),
        .init("written", written.map { .string($0.scenario) } ?? .null),
        .init("again", written.map { .string($0.command) } ?? .null),
        .init("diagnostics", .diagnostics(finding.run?.report.diagnostics ?? [], redactor)),
      ])
    }
    return .object([
      .init("description", .string(file)), .init("address", .string(address)),
      .init("requests", .number(generation.requests)),
      .init("shrinkingRequests", .number(generation.shrinkingRequests)),
      .init("operations", .list(generation.operations)), .init("accepted", .list(accepted)),
      .init("undrawn", .list(generation.undrawn)),
      .init(
        "refused",
        .object(generation.refused.map { .init($0.operation, .number($0.status)) })),
      .init("interrupted", .bool(generation.isStopped)),
      .init("failed", .bool(generation.repeatedCount > 0)),
      .init("findings", .array(findings)), .init("leftOut", .number(generation.more)),
    ])
  }
}

extension ContractGeneration {
  /// The number of findings that happened again.
  package var repeatedCount: Int { findings.count { $0.text != nil } }
}

extension ContractProgress {
  /// `1200 requests, 640 a second, 3 findings`.
  package var text: String {
    let seconds = elapsed / .seconds(1)
    let rate = seconds > 0 ? Int(Double(requests) / seconds) : 0
    return "\(counted(requests, "request")), \(rate) a second, \(counted(findings, "finding"))"
  }
}

extension ReportFormat<ContractGenerationReport> {
  /// Text for people.
  ///
  ///     shop.openapi.yaml at http://127.0.0.1:8000
  ///     sent 412 requests, and 57 for what was found, in 1.2 s
  ///     accepted: 5 of 5 operations
  ///
  ///     deleted: DELETE /orders/{id}
  ///       'GET /orders/{id}' is answered with 200 after 'DELETE /orders/{id}'
  ///         POST /orders
  ///         GET /orders/{id}
  ///         DELETE /orders/{id}
  ///         GET /orders/{id}
  ///       wrote deleted-delete-orders-id.yaml
  ///       flow run deleted-delete-orders-id.yaml
  ///
  ///     found 1 broken rule
  package static var text: ReportFormat { ReportFormat("text") { report, _ in .text(report.text) } }
  /// One JSON object.
  package static var json: ReportFormat { ReportFormat("json") { .json($0.json($1)) } }
}
