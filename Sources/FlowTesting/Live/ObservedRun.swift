public import FlowCore
internal import FlowEngine
internal import FlowRedaction
internal import FlowScenario
internal import FlowTranscript
private import Synchronization

/// How a scenario is run on components.
public struct LiveOptions: Sendable, CustomStringConvertible, CustomReflectable {
  /// Whether time passes only when nothing is left to do, so that waiting takes none; false unless said.
  public var isVirtualTime = false
  /// What decides everything random in the run; 0 unless said.
  public var seed: UInt64 = 0
  /// The date at which the run begins; the system's for nil.
  ///
  /// The time that passes is added to it.
  public var date: Timestamp?
  /// The secrets by name: for what components ask of `context.secrets`, and for secret inputs; none unless given.
  ///
  /// A name is letters, digits and `_`; a value has 4 bytes or more, and an empty one is not given. The
  /// environment, where `flow run` would look as well, has no part in a test.
  public var secrets: [String: String] = [:]
  /// The hosts that components may connect to; every host unless said, as with `--allow-host`.
  public var network = Network.unlimited

  /// The options of `flow run`, but for those that are given.
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

  /// All but the values of the secrets, which a test that prints it is not to show.
  public var description: String {
    let time = isVirtualTime ? "virtual time" : "real time"
    let begin = date.map { ", from \(Value.timestamp($0).summary())" } ?? ""
    let names = secrets.keys.sorted().joined(separator: ", ")
    let hosts = network.isLimited ? ", only some hosts" : ""
    return "\(time), seed \(seed)\(begin)\(hosts)" + (names.isEmpty ? "" : ", secrets \(names)")
  }

  /// Nothing that `description` does not show.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A run of a plan on components of which everything is kept that a test may ask for.
struct ObservedRun: Sendable {
  let plan: Plan
  let virtualTime: VirtualTime?
  let log = ContextLog()
  var secret: @Sendable (String) -> String?
  private let options: LiveOptions
  let redactor: Redactor
  private let recording: MemoryRecording

  init(of plan: Plan, _ options: LiveOptions, redactor: Redactor = Redactor()) {
    self.plan = plan
    self.options = options
    self.redactor = redactor
    virtualTime = options.isVirtualTime ? VirtualTime() : nil
    secret = { options.secrets[$0] }
    recording = MemoryRecording(of: plan)
  }

  /// The transcript so far; whole when the run has ended.
  var recorded: InMemoryTranscript { recording.run }

  /// Runs; these sinks receive its events besides its own recording.
  func run(inputs: [Value], _ sinks: [any EventSink] = []) async -> RunReport {
    await Session(of: plan, sinks: [recording.recorder] + sinks, options: sessionOptions)
      .run(inputs: inputs)
  }

  private var sessionOptions: Session.Options {
    var session = Session.Options()
    session.seed = options.seed
    session.virtualTime = virtualTime
    session.date = options.date
    session.redactor = redactor
    session.secret = { [log, secret] name in
      log.noteRequest(of: name)
      return secret(name)
    }
    session.log = { [log] in log.append(ContextLog.Line(address: $0, text: $1)) }
    return session
  }
}

/// Keeps what components do through their contexts and a recording does not have.
final class ContextLog: Sendable {
  /// A line for the person who watches the run, redacted with the secrets that were known by then.
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

/// Keeps what is called, and where the calls of the main scenario stand.
final class PlaceLog: EventSink {
  fileprivate struct State {
    var steps: [Address: Place] = [:]
    var calls: [PlannedCall] = []
    var places: [String: Place] = [:]
    var names: [Address: String] = [:]

    fileprivate mutating func begin(_ step: PlannedStep, at address: Address) {
      steps[address] = step.place
      if case .call(let call) = step.action { calls.append(call) }
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
