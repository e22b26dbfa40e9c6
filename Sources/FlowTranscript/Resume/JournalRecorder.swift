internal import FlowCore
public import FlowEngine
internal import FlowScenario
internal import FlowSystem
internal import Synchronization

/// Appends the lines of a run to its journal, those about what is outside of the process before the run goes on.
///
/// A resumed run repeats what its journal holds already; such lines are counted by address and
/// kind, and not written again.
public final class JournalRecorder: EventSink {
  fileprivate struct OpenComponent {
    let plan: PlannedComponent
    /// Where it keeps its state.
    let place: ComponentState
  }

  fileprivate struct State {
    var written: WrittenLines
    var lines: LineEncoder
    var writer = JSONWriter(longestLine: LineCursor.longest)
    /// Nil for a journal that has none.
    var checksum: Checksum?
    /// The open components, by their scope and their index.
    var components: [Address?: [Int: OpenComponent]] = [:]
    /// Whether the answer of a component outside may not be on the disk yet.
    var hasPendingAnswer = false
    /// How many steps wait at present, in branches.
    var waitingSteps = 0
    /// Whether any component, open or closed, kept its state outside.
    var hasReachedOut = false
    /// What the journal says of timers that the resumed run has not come to again.
    var timers: [RecordedTimer.Key: RecordedTimer] = [:]
    /// Those that are not written again.
    var writtenTimers: Set<RecordedTimer.Key> = []
    var failure: (any Error)?
    var bodies = RecordingExcess.BodyCount()
    var isStopped = false
    var isInterrupted = false
    /// Nil where it does not matter.
    var passedSteps: PassedSteps?
    /// What the addresses of each running `finally` begin with; after an interruption no more is added.
    var finishing: [Address] = []

    /// The line that was written, with its checksum.
    mutating func signedLine() -> [UInt8] {
      var line = writer.bytes
      checksum?.sign(&line)
      return line
    }
  }

  private let blobs: BlobStore?
  private let append: @Sendable ([UInt8], _ mayWait: Bool) throws -> Void
  private let reachDisk: @Sendable () throws -> Void
  private let state: Mutex<State>
  /// In which order a component in memory is rebuilt.
  let order: ResumeSchedule

  /// A recorder of one run.
  ///
  /// - Parameters:
  ///   - scenario: The scenario's path relative to the journal's folder.
  ///   - run: The run's name.
  ///   - journal: What is in the journal already; nil for a new one.
  ///   - append: Takes one whole line, in order, and says when it is in the file.
  ///   - reachDisk: Says when all that was appended before is on the disk; several may wait for that at once.
  public convenience init(
    scenario: String, run: String, resuming journal: Journal? = nil,
    append: @escaping @Sendable ([UInt8]) throws -> Void,
    reachDisk: @escaping @Sendable () throws -> Void = {}
  ) {
    self.init(
      scenario: scenario, run: run, resuming: journal, blobs: nil,
      append: { line, _ in try append(line) }, reachDisk: reachDisk)
  }

  /// A recorder whose bodies of more than 4 KiB are kept by `blobs`, before the line that names them is
  /// written, and whose lines may wait for others as `append` is told.
  ///
  /// Those may wait that are about components without a state outside: if one is lost with the process, its call was
  /// not made for anybody who is left, and the resumed run makes it anew.
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
        checksum: journal.map(\.checksum) ?? Checksum(), timers: journal?.timers ?? [:]))
  }

  /// The first error that `append` or `reachDisk` threw, or why a line would have been refused by every reader; no
  /// component outside is called after it.
  public var failure: (any Error)? { state.withLock { $0.failure } }

  /// Whether nothing is written any more.
  public var isStopped: Bool { state.withLock { $0.isStopped || $0.failure != nil } }

  /// Writes nothing more, not even an end, so that the journal can be resumed as it is.
  func stop() {
    state.withLock { $0.isStopped = true }
    order.stop()
  }

  /// Watches for steps that end without having made their recorded calls, as those of a changed scenario may.
  func watchSteps(for calls: CallList) {
    let steps = PassedSteps(calls)
    state.withLock { $0.passedSteps = steps }
  }

  /// The first step that ended without having made all of its recorded calls; nil where none is watched for.
  var stepPassedTooEarly: Address? { state.withLock { $0.passedSteps?.tooEarly } }

  /// Prepares for a cancellation from outside; call it before the run is cancelled.
  ///
  /// What the run still does is written, but neither that calls were cancelled, nor the end, nor a
  /// `finally` that only runs because of the interruption: the resumed run will come to its own.
  public func interrupt() { state.withLock { $0.isInterrupted = true } }

  /// Writes the event's line, if it has one and the journal does not have it.
  public func receive(_ event: Event) {
    // What has not been called inside of a failed step will not be called any more.
    if case .stepEnded(let address, _, .failed, _) = event { order.skip(inside: address) }
    let isDurable = state.withLock { state in
      note(event, &state)
      state.passedSteps?.note(event)
      // Not even that a call begins, which will not be made.
      if state.passedSteps?.tooEarly != nil { state.isStopped = true }
      guard !state.isStopped, state.failure == nil else { return false }
      let isWritten = isKept(event, state) && !state.written.contains(event) && write(event, &state)
      return state.failure == nil && state.hasToReachDisk(event, isWritten: isWritten)
    }
    // Without the lock, so that calls in other branches go on, and share one way to the disk.
    if isDurable { reach() }
  }

  /// Appends the event's line; false for one that has none, or that could not be written.
  private func write(_ event: Event, _ state: inout State) -> Bool {
    state.lines.write(event, to: &state.writer)
    return appendLine(mayWait: state.mayWait(event), at: event.callAddress, &state)
  }

  /// Appends what was written of a call; false for nothing, or when it cannot be.
  private func appendLine(mayWait: Bool, at address: Address?, _ state: inout State) -> Bool {
    guard state.writer.count > 0 else { return false }
    defer { state.writer.removeAll() }
    do {
      if let excess = state.writer.excess { throw RecordingExcess(excess, at: address) }
      let bodies = try state.bodies.counted(state.lines.values.takeBodies(), of: address)
      for (blob, content) in bodies { try blobs?(blob, content) }
      try append(state.signedLine(), mayWait)
      return true
    } catch {
      state.failure = error
      return false
    }
  }

  /// What the journal says of a timer that begins; nil, after it was written, for a new one.
  func begin(_ timer: RunTimer, at address: Address, until: Timestamp) -> RecordedTimer? {
    let line = TranscriptLine<JSON>.timer(at: "\(address)", name: timer.name, until: until)
    let recorded: RecordedTimer? = state.withLock { state in
      let key = RecordedTimer.Key(address: line.place, name: timer.name)
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

  /// Writes that a timer was cancelled, unless the journal says so.
  func cancel(_ timer: RunTimer, at address: Address) {
    let line = TranscriptLine<JSON>.timerCancelled(at: "\(address)", name: timer.name)
    state.withLock { state in
      let key = RecordedTimer.Key(address: line.place, name: timer.name)
      if state.writtenTimers.remove(key) == nil { write(line, &state) }
    }
  }

  private func write(_ line: TranscriptLine<JSON>, _ state: inout State) {
    // After an interruption timers end because of that.
    guard !state.isStopped, state.failure == nil, !state.isInterrupted else { return }
    line.write(to: &state.writer) { $1.value($0) }
    state.writer.endLine()
    _ = appendLine(mayWait: false, at: nil, &state)
  }

  /// Where the component that is asked keeps its state.
  func place(of invocation: Invocation) -> ComponentState {
    state.withLock { $0.place(of: invocation) }
  }

  /// The component that is asked; nil when it was not opened.
  func component(of invocation: Invocation) -> PlannedComponent? {
    state.withLock { $0.components[invocation.scope]?[invocation.component]?.plan }
  }

  /// Leaves out a recorded call, which the resumed run does not come to.
  func skip(_ call: Transcript.Call) {
    state.withLock { $0.written.remove(call) }
    order.skip(call)
  }

  private func note(_ event: Event, _ state: inout State) {
    switch event {
    case .invoked(let invocation):
      guard case .open(let component, let index) = invocation.target else { return }
      // Settings that do not fit fail the opening, which says why; until then the careful answer.
      let place = (try? component.plugin.state(invocation.input)) ?? .external
      state.components[invocation.scope, default: [:]][index] = OpenComponent(
        plan: component, place: place)
      if place == .external { state.hasReachedOut = true }
    case .stepStarted(let address, _):
      guard !state.isInterrupted, let root = address.root, !state.finishing.contains(root) else {
        return
      }
      state.finishing.append(root)
    case .stepEnded(let address, let step, _, _):
      // The step has ended, and so has its `finally`.
      if !state.finishing.isEmpty { state.finishing.removeAll { $0.isFinally(of: address) } }
      // A loop may run a scenario a million times.
      if case .scenario = step.action { state.components[address] = nil }
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
  /// Whether the journal has to be on the disk before the run goes on.
  ///
  /// Before anything is done outside. The answer has time until something else is done there, since the same is then
  /// true of both; but not while the run waits, which may be for long, also before a call that failed is made again,
  /// and not when it ends.
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

  /// Whether the line of an event is about a call that is made anew by whoever does not find it.
  fileprivate func mayWait(_ event: Event) -> Bool {
    switch event {
    case .invoked(let invocation), .completed(let invocation, .answer):
      !invocation.isWait && place(of: invocation) != .external
        // A component that asks for it may go on outside with the answer, of which no line tells.
        && (!hasReachedOut || invocation.address.calls.isEmpty)
    // It does not say of which instance it is.
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
  /// Whether it waits for an event, and nothing is asked of a component.
  var isWait: Bool {
    if case .event = target { return true }
    return false
  }
}

extension Address {
  /// The `finally` that it is a step of; nil for other steps.
  fileprivate var root: Address? {
    // As nearly all steps.
    guard path.utf8.contains(UInt8(ascii: "/")) else { return nil }
    let parts = path.split(separator: "/")
    guard parts.dropLast().last == "finally" else { return nil }
    return Address(path: parts.dropLast().joined(separator: "/"), iterations: iterations)
  }

  /// Whether it is the `finally` of a step.
  fileprivate func isFinally(of step: Address) -> Bool {
    iterations == step.iterations && path == step.path + "/finally"
  }
}
