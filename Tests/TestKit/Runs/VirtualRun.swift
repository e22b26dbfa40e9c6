import FlowCore
package import FlowEngine
package import FlowPlan

/// A scenario over the probe component, run live in virtual time.
package struct VirtualRun: Sendable {
  package let plan: Plan
  package let result: RunReport
  package let events: [Event]
  /// The elapsed time of each step, by its address.
  package let elapsed: [String: String]
  private let text: String

  /// Runs a scenario, and cancels the run when an address is called.
  ///
  /// - Throws: `ScenarioError` when it does not load.
  package init(_ text: String, cancelledAt address: String? = nil) async throws {
    self.text = text
    plan = try ProbeRun.plan(text)
    let log = EventLog()
    let cancellation = Cancellation(at: address)
    let session = Session(
      of: plan, sinks: [log, cancellation],
      options: Session.Options(in: Directory("."), virtualTime: VirtualTime()))
    result = await cancellation.run { await session.run(inputs: []) }
    events = log.events
    var elapsed: [String: String] = [:]
    for case .stepEnded(let address, _, _, let duration) in log.events {
      elapsed["\(address)"] = duration.flowText
    }
    self.elapsed = elapsed
  }

  /// The failures, as a reader sees them.
  package var failures: String {
    let renderer = DiagnosticRenderer(sources: [plan.file: Array(text.utf8)])
    return result.diagnostics.map(renderer.render).joined()
  }

  /// The addresses of the ended steps in order, each with its end.
  package var ends: [String] {
    events.compactMap { event in
      guard case .stepEnded = event else { return nil }
      return event.line
    }
  }
}
