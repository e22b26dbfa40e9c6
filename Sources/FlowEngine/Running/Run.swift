internal import FlowCore
internal import FlowPlan
internal import FlowRedaction
private import Synchronization

/// The shared parts of a run's executions.
final class Run: Sendable {
  /// The parts that the session gives to its run.
  struct Parts: Sendable {
    /// The main scenario.
    let plan: Plan
    /// Receives the run's events.
    let sinks: EventSinks
    /// The seed of all chance.
    let seed: UInt64
    /// The clock for waits, timeouts and durations.
    let clock: any Clock<Duration>
    /// The time since the session was created.
    let elapsed: @Sendable () -> Duration
    /// The executor of the run's own tasks, or nil for the concurrent pool.
    let executor: (any TaskExecutor)?
    /// The virtual time, or nil in real time.
    let virtualTime: VirtualTime?
    /// Returns the virtual time that ends steps although it stands still, or nil.
    let timeOutside: @Sendable () -> VirtualTime?
    /// The crossing of the run's calls to components.
    let boundary: Boundary
    /// The failures of components that may still be withdrawn.
    let pendingFailures: PendingFailures
    /// Returns what the component of a failed call shows of itself, or nil.
    let evidence: @Sendable (Invocation) async -> Value?
    /// The reader of the run's moments, or nil.
    let gate: (any StepGate)?
    /// The receiver of news, or nil.
    let watch: (@Sendable (RunNews) -> Void)?
    /// The receiver of the judgements about answers, or nil.
    let noteJudgement: (@Sendable (AnswerJudgement) -> Void)?
  }

  let parts: Parts
  let caller: any Caller
  let pacing: Pacing?
  let retried = RetriedAttempts()
  private let told = Mutex<ContinuousClock.Instant?>(nil)

  init(_ parts: Parts, caller: any Caller, pacing: Pacing?) {
    self.parts = parts
    self.caller = caller
    self.pacing = pacing
  }

  var sinks: EventSinks { parts.sinks }

  /// The redactor for all output of the run.
  var redactor: Redactor { parts.sinks.redactor }

  // MARK: - Across the boundary

  /// Makes a call of a component.
  func call(_ invocation: Invocation) async throws(StepFailure) -> Outcome {
    if invocation.inputType.hasSecrets {
      // A secret that is too short is hidden in its field only.
      try? hideSecrets(in: invocation.input, of: invocation.componentName)
    }
    do {
      return try await parts.boundary.cross(invocation, through: caller)
    } catch let failure as BoundaryFailure {
      throw .boundary(failure)
    } catch let failure as EvaluationFailure {
      throw .evaluation(failure)
    } catch {
      throw .cancelled
    }
  }

  /// Hides the secrets of a value from now on.
  func hideSecrets(in value: Value, of component: String? = nil) throws(StepFailure) {
    do { try redactor.hideSecrets(in: value, of: component) } catch {
      throw .evaluation(EvaluationFailure(message: "\(error)", place: nil))
    }
  }

  // MARK: - News

  /// Tells that a step is tried again after a failure, its own or that of a step in it.
  func tell(
    attempt: (number: Int, limit: Int), at address: Address,
    after failure: @autoclosure () -> StepFailure, of failed: Address
  ) {
    guard let watch = parts.watch else { return }
    let problem = failure().redacted(by: redactor).diagnostic(at: failed)
    watch(
      .attempt(
        address, number: attempt.number, limit: attempt.limit,
        reason: problem.map { $0.notes.first ?? $0.message }))
  }

  /// Tells that a loop starts an iteration of a number, since its condition says so.
  ///
  /// `exhausted` has the values in the condition, as if the limit had been reached.
  func tell(
    iteration number: Int, of limit: Int, in loop: Address,
    _ exhausted: @autoclosure () -> StepFailure
  ) {
    guard let watch = parts.watch else { return }
    // The values of a fast loop are never seen.
    var operands: [OperandText] = []
    if isDue(), case .limit(_, _, let hidden, _) = exhausted().redacted(by: redactor) {
      operands = hidden
    }
    watch(.iteration(loop, number: number, limit: limit == .max ? nil : limit, operands))
  }

  /// Returns true if no values were told in the last moment.
  private func isDue() -> Bool {
    let now = ContinuousClock.now
    return told.withLock { told in
      if let told, told.duration(to: now) < .milliseconds(20) { return false }
      told = now
      return true
    }
  }
}

/// The failed attempts of repeated steps.
final class RetriedAttempts: Sendable {
  /// The most that are kept of a run, because a step may be tried very often.
  private static let most = 20

  private let kept = Mutex<[RunReport.Failure]>([])

  /// The attempts, in the order of their failures.
  var attempts: [RunReport.Failure] { kept.withLock { $0 } }

  /// Keeps an attempt unless there are many already.
  ///
  /// It is created only then.
  func add(_ attempt: @autoclosure () -> RunReport.Failure) {
    if attempts.count >= Self.most { return }
    let attempt = attempt()
    kept.withLock { if $0.count < Self.most { $0.append(attempt) } }
  }
}
