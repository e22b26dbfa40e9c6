internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowTranscript

/// Runs a sample for the checks, each time in the same world: virtual time, one date, one seed.
struct CheckRun: Sendable {
  struct Record: Sendable {
    let failures: [Diagnostic]
    let calls: [ComponentCall]
    let reports: [ComponentReport]
    let transcript: Recording
    /// The log lines of the run.
    let log: [ContextLog.Line]
    let secrets: Set<String>
    private let places: PlaceLog

    fileprivate init(_ report: RunReport, of run: ObservedRun, _ log: CallLog, _ places: PlaceLog) {
      failures = report.diagnostics
      calls = log.calls
      reports = log.reports
      transcript = run.recorded
      self.log = run.log.lines
      secrets = run.log.secrets
      self.places = places
    }

    /// The place of a call's step or component, or nil in an included scenario.
    func span(of address: Address, in file: String) -> SourceSpan? {
      span(of: "\(address)", in: file)
    }

    /// The same for an address as transcripts have it.
    func span(of address: String, in file: String) -> SourceSpan? {
      places.place(of: address)?.span(in: file)
    }

    /// The called operation, such as `balance.subtract`, or `balance` for its opening.
    func name(of address: Address) -> String { places.name(of: address) ?? address.path }
    var steps: [PlannedCall] { places.steps }
  }

  let plan: Plan
  let inputs: [Value]
  let prepare: @Sendable () async -> Void
  let world: (@Sendable () async -> String)?
  let secret: @Sendable (String) -> String

  var live: ObservedRun { live(at: .epoch) }

  /// A run that starts at a date.
  func live(at date: Timestamp) -> ObservedRun {
    var live = ObservedRun(of: plan, LiveOptions(isVirtualTime: true, seed: 1, date: date))
    live.secret = secret
    return live
  }

  func record(_ sinks: [any EventSink] = [], in live: ObservedRun? = nil) async -> Record {
    let (live, log, places) = (live ?? self.live, CallLog(), PlaceLog())
    await prepare()
    let result = await live.run(inputs: inputs, [log, places] + sinks)
    return Record(result, of: live, log, places)
  }
}
