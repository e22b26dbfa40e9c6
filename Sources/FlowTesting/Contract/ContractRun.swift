internal import FlowCore
internal import FlowEngine
internal import FlowScenario
internal import FlowTranscript
private import Synchronization

/// Runs a sample for the checks, each time in the same world: virtual time, one date, one seed.
struct ContractRun: Sendable {
  /// What a run of the sample did.
  struct Record: Sendable {
    let failures: [Diagnostic]
    let calls: [ComponentCall]
    let reports: [ComponentReport]
    let transcript: RecordedRun
    private let places: PlaceLog

    fileprivate init(
      _ result: RunResult, _ live: LiveRun, _ log: CallLog, _ places: PlaceLog
    ) {
      failures = result.failures.flatMap { $0.diagnostics(of: live.plan) }
      calls = log.calls
      reports = log.reports
      transcript = live.recorded
      self.places = places
    }

    /// Where the step of a call stands; nil for the steps of scenarios that the sample includes.
    func span(of address: Address, in file: String) -> SourceSpan? {
      places.place(of: address)?.span(in: file)
    }
  }

  let plan: Plan
  let inputs: [Value]

  /// A run that has not begun.
  var live: LiveRun {
    LiveRun(of: plan, LiveOptions(isVirtualTime: true, seed: 1, date: .epoch))
  }

  /// Runs the sample, and tells a sink besides.
  func record(_ sinks: [any EventSink] = [], in live: LiveRun? = nil) async -> Record {
    let (live, log, places) = (live ?? self.live, CallLog(), PlaceLog())
    let result = await live.run(inputs: inputs, [log, places] + sinks)
    return Record(result, live, log, places)
  }
}

/// Keeps where the calls of the main scenario stand.
private final class PlaceLog: EventSink {
  private struct State {
    var steps: [Address: Place] = [:]
    var calls: [Address: Place] = [:]
  }

  private let state = Mutex(State())

  func place(of address: Address) -> Place? { state.withLock { $0.calls[address] } }

  func receive(_ event: Event) {
    switch event {
    case .stepStarted(let address, let step): state.withLock { $0.steps[address] = step.place }
    // The step of another file has a place in that one.
    case .invoked(let invocation) where invocation.scope == nil:
      state.withLock { $0.calls[invocation.address] = $0.steps[invocation.address] }
    default: return
    }
  }
}
