internal import FlowCore
public import FlowEngine
internal import FlowPlan
internal import FlowSystem
internal import Synchronization

/// Appends the lines of a run to its journal.
///
/// Lines about effects outside of the process are written before the run goes on. A resumed run
/// repeats lines of its journal. Those are counted by address and kind, and not written again.
public final class JournalRecorder: EventSink {
  fileprivate struct OpenComponent {
    let plan: PlannedComponent
    /// The place of its state.
    let place: ComponentState
  }

  fileprivate struct State {
    var written: WrittenLines
    var lines: LineEncoder
    var writer = JSONWriter(longestLine: LineCursor.longest)
    /// The length of the journal in bytes.
    var size = 0
    /// The checksum, or nil for a journal without checksums.
    var checksum: Checksum?
    /// The open components, by their scope and their index.
    var components: [Address?: [Int: OpenComponent]] = [:]
    /// True if the answer of a component outside may not be on the disk yet.
    var hasPendingAnswer = false
    /// The number of branches with a waiting step at present.
    var waitingSteps = 0
    /// True if any component, open or closed, kept its state outside.
    var hasReachedOut = false
    /// The timers in the journal that the resumed run has not reached again.
    var timers: [RecordedTimer.Key: RecordedTimer] = [:]
    /// The timers that are not written again.
    var writtenTimers: Set<RecordedTimer.Key> = []
    var failure: (any Error)?
    var bodies = RecordingExcess.BodyCount()
    var isStopped = false
    var isInterrupted = false
    /// The steps that have passed, or nil if it does not matter.
    var passedSteps: PassedSteps?
    /// The address prefixes of each running `finally`.
    ///
    /// After an interruption none is added.
    var finishing: [Address] = []

    /// Returns the written line with its checksum.
    ///
    /// - Throws: `RecordingExcess` when no reader would take the journal with it.
    mutating func signedLine(at address: Address?) throws(RecordingExcess) -> [UInt8] {
      var line = writer.bytes
      checksum?.sign(&line)
      size += line.count
      if size > TranscriptLine.mostBytes { throw RecordingExcess(ofLinesAt: address) }
      return line
    }
  }

  private let blobs: BlobStore?
  private let append: @Sendable ([UInt8], _ mayWait: Bool) throws -> Void
  private let reachDisk: @Sendable () throws -> Void
  private let state: Mutex<State>
  /// The order for rebuilding a component in memory.
  let order: ResumeSchedule

  /// Creates a recorder of one run.
  ///
  /// - Parameters:
  ///   - scenario: The scenario's path relative to the journal's folder.
  ///   - run: The run's name.
  ///   - journal: The existing content of the journal, or nil for a new one.
  ///   - append: Takes one whole line, in order, and returns when it is in the file.
  ///   - reachDisk: Returns when all earlier lines are on the disk. Several tasks may wait for it at once.
  public convenience init(
    scenario: String, run: String, resuming journal: Journal? = nil,
    append: @escaping @Sendable ([UInt8]) throws -> Void,
    reachDisk: @escaping @Sendable () throws -> Void = {}
  ) {
    self.init(
      scenario: scenario, run: run, resuming: journal, blobs: nil,
      append: { line, _ in try append(line) }, reachDisk: reachDisk)
  }

  /// Creates a recorder that keeps long bodies in `blobs`, and whose lines may wait for others if
  /// `append` allows it.
  ///
  /// A body of more than 4 KiB is kept before the line naming it is written. Lines about components
  /// without a state outside may wait: if one is lost with the process, so is the effect of its
  /// call, and the resumed run makes the call again.
  package init(
    scenario: String, run: String, resuming journal: Journal?, blobs: BlobStore?,
    append: @escaping @Sendable ([UInt8], _ mayWait: Bool) throws -> Void,
    reachDisk: @escaping @Sendable () throws -> Void
  ) {
    self.blobs = blobs
    self.reachDisk = reachDisk
    self.append = append
    order = ResumeSchedule(journal?.calls ?? CallList())
    state = Mutex(
      State(
        written: WrittenLines(journal),
        lines: LineEncoder(
          scenario: scenario, run: run, ValueEncoder(separatesBodies: blobs != nil)),
        size: journal?.length ?? 0, checksum: journal.map(\.checksum) ?? Checksum(),
        timers: journal?.timers ?? [:]))
  }

  /// The first error of `append` or `reachDisk`, or a line that every reader would refuse, or nil.
  ///
  /// No component outside is called after it.
  public var failure: (any Error)? { state.withLock { $0.failure } }

  /// True if nothing is written any more.
  public var isStopped: Bool { state.withLock { $0.isStopped || $0.failure != nil } }

  /// Writes nothing more, not even an end, so that the journal can be resumed as it is.
  func stop() {
    state.withLock { $0.isStopped = true }
    order.stop()
  }

  /// Watches for steps that end without their recorded calls, as in a changed scenario.
  func watchSteps(for calls: CallList) {
    let steps = PassedSteps(calls)
    state.withLock { $0.passedSteps = steps }
  }

  /// The first watched step that ended without all of its recorded calls, or nil.
  var stepPassedTooEarly: Address? { state.withLock { $0.passedSteps?.tooEarly } }

  /// Prepares for a cancellation from outside, before the run is cancelled.
  ///
  /// Later actions of the run are written, except for cancelled calls, the end, and a `finally`
  /// that runs only because of the interruption: the resumed run will reach its own.
  public func interrupt() { state.withLock { $0.isInterrupted = true } }

  /// Writes the event's line, if it has one and the journal does not have it.
  public func receive(_ event: Event) {
    // What has not been called inside of a failed step will not be called any more.
    if case .stepEnded(let address, _, .failed, _) = event { order.skip(inside: address) }
    let isDurable = state.withLock { state in
      note(event, &state)
      state.passedSteps?.note(event)
      // The start of a call is not written either, since the call will not be made.
      if state.passedSteps?.tooEarly != nil { state.isStopped = true }
      guard !state.isStopped, state.failure == nil else { return false }
      let isWritten = isKept(event, state) && !state.written.contains(event) && write(event, &state)
      return state.failure == nil && state.hasToReachDisk(event, isWritten: isWritten)
    }
    // Without the lock, so that calls in other branches go on, and share one way to the disk.
    if isDurable { reach() }
  }

  /// Appends the event's line.
  ///
  /// Returns false if the event has none, or it could not be written.
  private func write(_ event: Event, _ state: inout State) -> Bool {
    state.lines.write(event, to: &state.writer)
    return appendLine(mayWait: state.mayWait(event), at: event.callAddress, &state)
  }

  /// Appends the written line of a call.
  ///
  /// Returns false if it is empty, or cannot be appended.
  private func appendLine(mayWait: Bool, at address: Address?, _ state: inout State) -> Bool {
    guard state.writer.count > 0 else { return false }
    defer { state.writer.removeAll() }
    do {
      if let excess = state.writer.excess { throw RecordingExcess(excess, at: address) }
      let bodies = try state.bodies.counted(state.lines.values.takeBodies(), of: address)
      for (blob, content) in bodies { try blobs?(blob, content) }
      try append(state.signedLine(at: address), mayWait)
      return true
    } catch {
      state.failure = error
      return false
    }
  }

  /// Returns the recorded timer for a timer that starts, or nil for a new one, after writing it.
  func begin(_ timer: RunTimer, at address: Address, until: Timestamp) -> RecordedTimer? {
    let line = TranscriptLine(
      at: "\(address)", kind: .timer(name: timer.name, until: until))
    let key = RecordedTimer.Key(address: address.recorded, name: timer.name)
    let recorded: RecordedTimer? = state.withLock { state in
      if let recorded = state.timers.removeValue(forKey: key) {
        if recorded.wasCancelled { state.writtenTimers.insert(key) }
        return recorded
      }
      write(line, &state)
      return nil
    }
    // The run may wait for long, and the machine be lost meanwhile.
    if recorded == nil { reach() }
    return recorded
  }

  /// Waits until the journal is on the disk.
  private func reach() {
    do { try reachDisk() } catch {
      state.withLock { $0.failure = $0.failure ?? error }
    }
  }

  /// Writes the cancellation of a timer, unless the journal has it.
  func cancel(_ timer: RunTimer, at address: Address) {
    let line = TranscriptLine(at: "\(address)", kind: .timerCancelled(name: timer.name))
    let key = RecordedTimer.Key(address: address.recorded, name: timer.name)
    state.withLock { state in
      if state.writtenTimers.remove(key) == nil { write(line, &state) }
    }
  }

  private func write(_ line: TranscriptLine, _ state: inout State) {
    // The reason for the end of a timer after an interruption is the interruption.
    guard !state.isStopped, state.failure == nil, !state.isInterrupted else { return }
    line.write(to: &state.writer)
    state.writer.endLine()
    _ = appendLine(mayWait: false, at: nil, &state)
  }

  /// Returns the place of the called component's state.
  func place(of invocation: Invocation) -> ComponentState {
    state.withLock { $0.place(of: invocation) }
  }

  /// Returns the called component, or nil if it was not opened.
  func component(of invocation: Invocation) -> PlannedComponent? {
    state.withLock { $0.components[invocation.scope]?[invocation.component]?.plan }
  }

  /// Leaves out a recorded call that the resumed run does not reach.
  func skip(_ call: Transcript.Call) {
    state.withLock { $0.written.remove(call) }
    order.skip(call)
  }

  private func note(_ event: Event, _ state: inout State) {
    switch event {
    case .invoked(let invocation):
      guard case .open(let component, let index) = invocation.target else { return }
      // Settings that do not fit fail the opening with the reason. Until then the careful answer
      // holds.
      let place = (try? component.plugin.state(invocation.input)) ?? .external
      state.components[invocation.scope, default: [:]][index] = OpenComponent(
        plan: component, place: place)
      if place == .external { state.hasReachedOut = true }
    case .stepStarted(let address, _):
      guard !state.isInterrupted, let root = address.innermostFinally,
        !state.finishing.contains(root)
      else { return }
      state.finishing.append(root)
    case .stepEnded(let address, let step, _, _):
      // The step has ended, and so has its `finally`.
      if !state.finishing.isEmpty { state.finishing.removeAll { $0.isFinally(of: address) } }
      // A loop may run a scenario a million times.
      if step.action.scenario != nil { state.components[address] = nil }
    default: return
    }
  }

  private func isKept(_ event: Event, _ state: State) -> Bool {
    guard state.isInterrupted else { return true }
    switch event {
    case .completed(_, .cancelled), .runEnded: return false
    case .invoked(let invocation), .completed(let invocation, _):
      return isKept(invocation.address, state)
    case .emitted(let address, _, _): return isKept(address, state)
    default: return true
    }
  }

  private func isKept(_ address: Address, _ state: State) -> Bool {
    !address.isInFinally() || state.finishing.contains { address.belongs(to: $0) }
  }
}

extension JournalRecorder.State {
  /// Returns true if the journal has to be on the disk before the run goes on.
  ///
  /// This is the case before every effect outside. An answer may wait for the next effect outside,
  /// when the same holds for both. But it must be on the disk while the run waits, possibly for
  /// long, also before the repetition of a failed call, and at the end.
  fileprivate mutating func hasToReachDisk(_ event: Event, isWritten: Bool) -> Bool {
    switch event {
    case .invoked(let invocation) where isWritten && isOutside(invocation):
      hasPendingAnswer = false
      return true
    case .completed(let invocation, let outcome) where isWritten && isOutside(invocation):
      let isUrgent = waitingSteps > 0 || outcome.isError
      hasPendingAnswer = !isUrgent
      return isUrgent
    case .stepStarted(_, let step) where step.action.waits:
      waitingSteps += 1
      defer { hasPendingAnswer = false }
      return hasPendingAnswer
    case .stepEnded(_, let step, let state, _) where step.action.waits:
      if case .notRun = state { return false }
      waitingSteps -= 1
      return false
    case .runEnded: return hasPendingAnswer || hasReachedOut && isWritten
    default: return false
    }
  }

  /// Returns true if the line of an event concerns a call that would simply be made anew without
  /// it.
  fileprivate func mayWait(_ event: Event) -> Bool {
    switch event {
    case .invoked(let invocation), .completed(let invocation, .answer):
      !invocation.isWait && place(of: invocation) != .external
        // A component that made the call may act outside on the answer, and no line shows that.
        && (!hasReachedOut || invocation.address.calls.isEmpty)
    // It does not identify the instance.
    case .emitted: !hasReachedOut
    default: false
    }
  }

  private func isOutside(_ invocation: Invocation) -> Bool {
    // Waiting changes nothing.
    !invocation.isWait && place(of: invocation) == .external
  }

  fileprivate func place(of invocation: Invocation) -> ComponentState {
    // Every component is opened before it is called.
    components[invocation.scope]?[invocation.component]?.place ?? .external
  }
}

extension Outcome {
  fileprivate var isError: Bool {
    if case .error = self { return true }
    return false
  }
}

extension PlannedAction {
  /// True if nothing is done while time passes.
  fileprivate var waits: Bool {
    switch content.waiting {
    case .time, .event: true
    case .nothing, .answer: false
    }
  }
}

extension Invocation {
  /// True if the call waits for an event instead of calling a component.
  var isWait: Bool {
    if case .event = target { return true }
    return false
  }
}
