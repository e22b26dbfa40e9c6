internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowRedaction
internal import FlowScenario
internal import FlowSystem
private import Synchronization

/// The state of databases and other systems that live scenarios start from, `state` of `flow.yaml`.
///
/// One scenario makes it, once for the command, and another one restores it before each run.
final class ScenarioState: Sendable {
  /// A scenario of the state.
  struct Part: Sendable {
    let plan: Plan
    /// The place of its path in `flow.yaml`.
    let span: SourceSpan
    /// The values of its inputs, or the reason why there are none.
    let inputs: Result<[Value], ScenarioError>
  }

  /// The reason why a run did not start.
  struct Failure: Error {
    let diagnostics: [Diagnostic]

    /// The result of the run.
    var report: RunReport { RunReport(refusedBy: diagnostics) }
  }

  private let make: Part
  private let restore: Part
  private let tag: String?
  private let options: @Sendable () -> Session.Options
  /// The folder whose lock is the turn.
  private let folder: String
  /// The result of making it, or nil before.
  private let made = Mutex<Result<Void, Failure>?>(nil)

  /// Creates a state of which nothing is made yet.
  ///
  /// `folder` is that of the project. `options` are those of each run.
  init(
    make: Part, restore: Part, tag: String?, folder: String,
    options: @escaping @Sendable () -> Session.Options
  ) {
    (self.make, self.restore, self.tag, self.options) = (make, restore, tag, options)
    self.folder = Path.joined(folder, ".flow/state")
  }

  /// True if runs of a scenario start from the state, unless everything in them is recorded.
  func isMeant(for plan: Plan) -> Bool { tag.map { plan.tags.contains($0) } ?? true }

  /// Does work while no other run, of this process or another one, uses the state.
  func alone<Answer, Problem: Error>(
    _ work: () async throws(Problem) -> Answer
  ) async throws(Problem) -> Answer {
    let turn = await turn()
    defer { withExtendedLifetime(turn) {} }
    return try await work()
  }

  /// Makes the state if nothing has, and restores it.
  ///
  /// The caller has the turn.
  func prepare() async throws(Failure) {
    try await makeOnce()
    try await run(restore, "the state was not restored")
  }

  private func makeOnce() async throws(Failure) {
    if let made = made.withLock({ $0 }) { return try made.get() }
    let result: Result<Void, Failure>
    do throws(Failure) { result = .success(try await run(make, "the state was not made")) } catch {
      result = .failure(error)
    }
    // A run that was interrupted says nothing.
    if !Task.isCancelled { made.withLock { $0 = result } }
    try result.get()
  }

  private func run(_ part: Part, _ outcome: String) async throws(Failure) {
    if Task.isCancelled { return }
    let problems: [Diagnostic]
    do throws(ScenarioError) {
      let report = await Session(of: part.plan, options: options())
        .run(inputs: try part.inputs.get())
      // The run that follows is cancelled, too.
      if report.passed || Task.isCancelled { return }
      problems = report.diagnostics
    } catch {
      problems = error.diagnostics
    }
    let own = Diagnostic(
      .unmadeState, "\(outcome), because '\(part.plan.file.escaped)' failed", at: part.span)
    throw Failure(diagnostics: [own] + problems)
  }

  /// Waits for the turn, or returns nil if the task is cancelled or there are no locks.
  private func turn() async -> FolderLock? {
    do throws(FileError) { try FileSystem.makeFolders(folder) } catch { return nil }
    return await FolderLock.alone(waitingFor: folder)
  }
}
