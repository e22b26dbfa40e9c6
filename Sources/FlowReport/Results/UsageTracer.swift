package import FlowCore
package import FlowEngine
internal import FlowPlan
private import Synchronization

/// Sums up the quantities of the calls of a run.
package final class UsageTracer: EventSink {
  fileprivate struct State {
    var usage = RunUsage()
    var meters = CallMeters()
    var sources: CallSources
    /// The steps of the latest requests from outside, by the tasks and labels of their calls.
    var steps: [String: String] = [:]
  }

  private let state: Mutex<State>

  /// Creates the usage of a run that has not started.
  package init(_ usual: CallSources.Usual) {
    state = Mutex(State(sources: CallSources(usual)))
  }

  /// The sums so far.
  package var usage: RunUsage { state.withLock { $0.usage.measured } }

  /// Notes the source of a call that has not ended.
  package func note(_ address: Address, isLive: Bool) {
    state.withLock { $0.sources.note(address, isLive: isLive) }
  }

  package func receive(_ event: Event) {
    guard case .completed(let invocation, let outcome) = event else { return }
    state.withLock { state in
      let isLive = state.sources.isLive(invocation.address, of: invocation.componentName)
      guard let quantities = state.meters.quantities(of: invocation, outcome) else { return }
      if case .cancelled = outcome { return }
      state.usage.add(
        quantities, calls: invocation.continuesRequest ? 0 : 1, of: state.step(of: invocation),
        isLive: isLive)
    }
  }
}

extension UsageTracer.State {
  /// Returns the path of the step to which a call belongs.
  ///
  /// A call that reads on belongs to the step of the request, which has the same label.
  fileprivate mutating func step(of invocation: Invocation) -> String {
    guard invocation.isFromOutside || invocation.continuesRequest,
      let call = invocation.address.calls.last, let caller = invocation.address.caller
    else { return invocation.address.path }
    let parts = call.name.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
    let key = "\(caller) \(parts[0]) \(parts.count == 3 ? parts[2] : "")"
    if let step = invocation.step?.path { steps[key] = step }
    return invocation.step?.path ?? steps[key] ?? invocation.address.path
  }
}

/// The tracers of what the calls of a run cover and take.
package struct CallTracers: Sendable {
  private let coverage: CoverageTracer
  private let usage: UsageTracer

  /// Creates the tracers of a run that has not started.
  package init(_ usual: CallSources.Usual) {
    (coverage, usage) = (CoverageTracer(usual), UsageTracer(usual))
  }

  /// The tracers as receivers of events.
  package var sinks: [any EventSink] { [coverage, usage] }
  /// The results so far.
  package var measures: RunMeasures {
    RunMeasures(covered: coverage.covered, usage: usage.usage)
  }

  /// Notes the source of a call that has not ended.
  package func note(_ address: Address, isLive: Bool) {
    coverage.note(address, isLive: isLive)
    usage.note(address, isLive: isLive)
  }
}

/// What the calls of a run cover and take.
package struct RunMeasures: Sendable {
  /// The covered parts of services' descriptions.
  package var covered = CoveredParts()
  /// The sums of quantities.
  package var usage = RunUsage()

  /// Nothing measured.
  package init() {}

  fileprivate init(covered: CoveredParts, usage: RunUsage) {
    (self.covered, self.usage) = (covered, usage)
  }

  /// Adds those of another run.
  package mutating func add(_ other: RunMeasures) {
    covered.add(other.covered)
    usage.add(other.usage)
  }
}
