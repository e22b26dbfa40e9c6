public import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowRedaction
internal import FlowTranscript
private import Synchronization

/// The options of a run on components.
public struct LiveOptions: Sendable, CustomStringConvertible, CustomReflectable {
  /// True for virtual time, which passes only when nothing is left to do.
  ///
  /// False by default.
  public var isVirtualTime = false
  /// The seed of all randomness in the run, 0 by default.
  public var seed: UInt64 = 0
  /// The date at the start of the run, or nil for the system's.
  ///
  /// The elapsed time is added to it.
  public var date: Timestamp?
  /// The secrets by name, for `context.secrets` and for secret inputs.
  ///
  /// None by default.
  ///
  /// A name has letters, digits and `_`. A value has 4 bytes or more, and an empty one counts as
  /// absent. The environment, where `flow run` would look as well, has no part in a test.
  public var secrets: [String: String] = [:]
  /// The hosts that components may connect to, as with `--allow-host`.
  ///
  /// Every host by default.
  public var network = Network.unlimited
  /// The parts that outlive an open component, or nil if none may.
  package var kept: KeptParts?

  /// Creates options.
  ///
  /// Each default is that of `flow run`.
  public init(
    isVirtualTime: Bool = false, seed: UInt64 = 0, date: Timestamp? = nil,
    secrets: [String: String] = [:], network: Network = .unlimited
  ) {
    self.isVirtualTime = isVirtualTime
    self.seed = seed
    self.date = date
    self.secrets = secrets
    self.network = network
  }

  /// All options except the values of secrets, which a printing test must not show.
  public var description: String {
    let time = isVirtualTime ? "virtual time" : "real time"
    let begin = date.map { ", from \(Value.timestamp($0).summary())" } ?? ""
    let names = secrets.keys.sorted().joined(separator: ", ")
    let hosts = network.isLimited ? ", only some hosts" : ""
    return "\(time), seed \(seed)\(begin)\(hosts)" + (names.isEmpty ? "" : ", secrets \(names)")
  }

  /// Nothing beyond `description`.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A run of a plan on components, with everything that a test may ask for.
struct ObservedRun: Sendable {
  let plan: Plan
  let virtualTime: VirtualTime?
  let log = ContextLog()
  var secret: @Sendable (String) -> String?
  private let options: LiveOptions
  let redactor: Redactor
  private let recorder: Recorder

  init(of plan: Plan, _ options: LiveOptions, redactor: Redactor = Redactor()) {
    self.plan = plan
    self.options = options
    self.redactor = redactor
    virtualTime = options.isVirtualTime ? VirtualTime() : nil
    secret = { options.secrets[$0] }
    recorder = Recorder(of: plan)
  }

  /// The transcript so far, complete when the run has ended.
  var recorded: Recording { recorder.recording }

  /// Runs the plan.
  ///
  /// `sinks` receive its events in addition to its recording.
  func run(inputs: [Value], _ sinks: [any EventSink] = []) async -> RunReport {
    await Session(of: plan, sinks: [recorder] + sinks, options: sessionOptions)
      .run(inputs: inputs)
  }

  private var sessionOptions: Session.Options {
    var session = Session.Options()
    session.seed = options.seed
    session.virtualTime = virtualTime
    session.date = options.date
    session.redactor = redactor
    session.notesFiles = true
    session.secret = { [log, secret] name in
      log.noteRequest(of: name)
      return secret(name)
    }
    session.log = { [log] in log.append(ContextLog.Line(address: $0, text: $1)) }
    return session
  }
}

/// The effects of components through their contexts that a recording does not contain.
final class ContextLog: Sendable {
  /// A log line, without the secrets that were known by then.
  struct Line: Sendable, Hashable {
    let address: Address
    let text: String
  }

  private struct State {
    var lines: [Line] = []
    var secrets: Set<String> = []
  }

  private let state = Mutex(State())

  var lines: [Line] { state.withLock { $0.lines } }
  var secrets: Set<String> { state.withLock { $0.secrets } }
  func append(_ line: Line) { state.withLock { $0.lines.append(line) } }
  func noteRequest(of secret: String) { state.withLock { _ = $0.secrets.insert(secret) } }
}

/// A sink that keeps the names of calls, and the places of the main scenario's calls.
final class PlaceLog: EventSink {
  fileprivate struct State {
    var steps: [Address: Place] = [:]
    var calls: [PlannedCall] = []
    var places: [String: Place] = [:]
    var names: [Address: String] = [:]

    fileprivate mutating func begin(_ step: PlannedStep, at address: Address) {
      steps[address] = step.place
      if let call = step.action.call { calls.append(call) }
    }

    fileprivate mutating func begin(_ invocation: Invocation) {
      names[invocation.address] = invocation.name
      // The step of another file has a place in that one.
      guard invocation.scope == nil else { return }
      var place = steps[invocation.address]
      if case .open(let component, _) = invocation.target { place = component.place }
      places["\(invocation.address)"] = place
    }
  }

  private let state = Mutex(State())

  func place(of address: String) -> Place? { state.withLock { $0.places[address] } }
  func name(of address: Address) -> String? { state.withLock { $0.names[address] } }
  var steps: [PlannedCall] { state.withLock { $0.calls } }

  func receive(_ event: Event) {
    switch event {
    case .stepStarted(let address, let step): state.withLock { $0.begin(step, at: address) }
    case .invoked(let invocation): state.withLock { $0.begin(invocation) }
    default: return
    }
  }
}
