internal import FlowCore
internal import FlowEditor
internal import FlowEngine
internal import FlowPlan
internal import FlowSystem
private import Synchronization

/// `flow run --debug-on-failure`: the run stops at a failed step, and a person looks around there.
enum FailureDebugging {
  static let option = Option(
    "debug-on-failure", .none,
    "Stops at a failed step, and reads commands there as 'flow debug' does. Needs a terminal.")

  /// Reads the option.
  ///
  /// - Throws: `UsageError` without a terminal, and together with an option that leaves no run to
  ///   look at.
  static func isWanted(_ arguments: ParsedArguments) throws(UsageError) -> Bool {
    guard arguments.has(option.name) else { return false }
    for other in ["dry-run", "twice", "format"] where arguments.has(other) {
      throw .conflict(option: option.name, with: other)
    }
    guard FileSystem.isInputTerminal else { throw .needsTerminal(option: option.name) }
    return true
  }
}

/// The report of a run that ended on another task.
private final class EndedReport: Sendable {
  private let state = Mutex(RunReport())

  var value: RunReport {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

extension CommandContext {
  /// Runs a scenario that stops at failed steps.
  ///
  /// `again` allows steps to be run again, which no recording would show.
  func debugFailures(
    of plan: Plan, again: Bool, _ run: @escaping @Sendable (any StepGate) async -> RunReport
  ) async throws(ScenarioError) -> (RunReport, wasInterrupted: Bool) {
    let report = EndedReport()
    let flow = self
    let target = DebugTarget {
      flow.loadDebugged(plan.file, $0)
    } replay: { _, _ in
      .init(passed: false, problems: [])
    } run: { _, _, gate in
      let ended = await run(gate)
      report.value = ended
      return .init(passed: ended.passed, problems: [])
    }
    let session = try DebugSession(target, plan: plan, redactor)
    let debugger = TerminalDebugger(session, self, DebuggerInput(process), allowsAgain: again)
    let wasInterrupted = await debugger.runToEnd()
    return (report.value, wasInterrupted)
  }
}
