import FlowCore
package import FlowEngine
package import FlowPlan
package import FlowScenario
private import Synchronization

/// Loads and runs the text of a scenario in a test.
package struct ProbeRun: Sendable {
  package let plan: Plan
  private let text: String
  private let files: [String: String]
  package let events: [Event]
  package let result: RunReport

  /// Runs a scenario over the probe component, live, on a clock or in virtual time.
  ///
  /// - Throws: `ScenarioError` when it does not load.
  package init(
    _ text: String, files: [String: String] = [:], inputs: [(name: String, text: String)] = [],
    seed: UInt64 = 0, clock: some Clock<Duration> = ContinuousClock(),
    virtualTime: VirtualTime? = nil, hearsValues: Bool = false
  ) async throws {
    let plan = try Self.plan(text, files: files)
    self.files = files
    let log = EventLog(hearsValues: hearsValues)
    var options = Session.Options(in: Directory("."), virtualTime: virtualTime)
    options.seed = seed
    options.clock = clock
    self.plan = plan
    self.text = text
    result = await Session(of: plan, sinks: [log], options: options)
      .run(inputs: try plan.inputValues(texts: inputs))
    events = log.events
  }

  /// The plan of a scenario over the probe component, which may include these files.
  package static func plan(_ text: String, files: [String: String] = [:]) throws -> Plan {
    try ScenarioLoader(registry: try Registry([Probe.self]), files: ScenarioFiles(texts: files))
      .plan(ScenarioSource(file: "test.yaml", bytes: Array(text.utf8)))
  }

  /// The problems of a scenario that does not load, as a reader sees them, or an empty string.
  package static func problems(_ text: String) throws -> String {
    do {
      _ = try plan(text)
      return ""
    } catch let error as ScenarioError {
      return DiagnosticRenderer(sources: ["test.yaml": Array(text.utf8)]).render(error.diagnostics)
    }
  }

  /// The failures, as a reader sees them.
  package var failures: String {
    let sources = files.mapValues { Array($0.utf8) }
    let renderer = DiagnosticRenderer(
      sources: sources.merging([plan.file: Array(text.utf8)]) { first, _ in first })
    return result.diagnostics.map(renderer.render).joined()
  }
}

extension ScenarioFiles {
  /// Files that exist only for a test, by their paths.
  package init(texts: [String: String]) {
    self.init { path throws(FileError) in
      guard let text = texts[path] else { throw FileError(.missing, path: path) }
      return Array(text.utf8)
    }
  }
}

/// Keeps all events of a run.
package final class EventLog: EventSink {
  private let log = Mutex<[Event]>([])
  package let hearsValues: Bool

  package init(hearsValues: Bool = false) { self.hearsValues = hearsValues }

  package var events: [Event] { log.withLock { $0 } }

  package func receive(_ event: Event) { log.withLock { $0.append(event) } }
}

extension Event {
  /// One line for comparing, without times.
  package var line: String {
    switch self {
    case .runStarted(let run): "run \(run.inputs)"
    case .invoked(let invocation): "\(invocation.address) \(invocation.name) \(invocation.input)"
    case .emitted(let address, let event, let payload): "\(address) emits \(event) \(payload)"
    case .completed(let invocation, .answer(let value)): "\(invocation.address) answers \(value)"
    case .completed(let invocation, .error(let error)): "\(invocation.address) fails \(error)"
    case .completed(let invocation, .cancelled): "\(invocation.address) is cancelled"
    case .branchStarted(let branch): "branch \(branch.root) of \(branch.address) begins"
    case .branchEnded(let branch): "branch \(branch.root) of \(branch.address) ends"
    case .stepStarted(let address, _): "\(address) starts"
    case .stepEnded(let address, _, .passed, _): "\(address) passed"
    case .stepEnded(let address, _, .failed, _): "\(address) failed"
    case .stepEnded(let address, _, .notRun(let reason), _): "\(address) not run: \(reason)"
    case .caseStarted(let loopCase): "the case '\(loopCase.name)' starts"
    case .caseEnded(let loopCase, let state, _): "the case '\(loopCase.name)': \(state)"
    case .computed(let address, let value):
      "\(address) \(value.use.rawValue) \(value.name): \(value.source) is \(value.value)"
        + value.operands.map { ", \($0.text) is \($0.value)" }.joined()
    case .runEnded(let result): "end \(result.passed ? "passed" : "failed")"
    }
  }
}
