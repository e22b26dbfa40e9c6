internal import FlowCore
public import FlowEngine
internal import FlowSystem
internal import Synchronization

/// Writes a golden transcript: the calls across the boundary, without times, in a stable order.
///
/// The bytes depend only on the calls. Recording the same behaviour twice produces the same bytes.
public final class Recorder: EventSink {
  private struct State {
    var lines: LineEncoder
    var writer = JSONWriter(longestLine: LineCursor.longest)
    var branches = BranchLineSorter()
    var calls = ComponentCalls()
    var canonical = CanonicalLines()
    /// The digest of the lines so far, if the transcript is to be sealed.
    var seal: Seal?
    /// Writes one line of a branch at a time.
    var line = JSONWriter(longestLine: LineCursor.longest)
    var failure: (any Error)?
    var bodies = RecordingExcess.BodyCount()
    /// The recording so far, if the run may learn secrets that earlier lines show.
    var held: HeldRecording?
    /// The address of a call that is indistinguishable from one with another answer, or nil.
    var tie: Address?
    var shown = ShownSecrets()

    init(scenario: String, separatesBodies: Bool, seal: Seal?) {
      // A golden transcript is the same every time, and a journal keeps the real answers.
      lines = LineEncoder(
        scenario: scenario,
        ValueEncoder(separatesBodies: separatesBodies, placesVolatile: true))
      self.seal = seal
    }
  }

  private let blobs: BlobStore?
  private let write: @Sendable ([UInt8]) throws -> Void
  private let state: Mutex<State>
  // Large enough that a system call costs little a line, small enough to stay in the cache.
  private static let chunk = 64 << 10

  /// Creates a recorder of one run.
  ///
  /// - Parameters:
  ///   - scenario: The scenario's path relative to the transcript's folder.
  ///   - blobs: Keeps bodies of more than 4 KiB before their lines are written. If nil, they stay in the lines.
  ///   - isSealed: True to add a digest of everything before it to the last line.
  ///   - write: Takes the next bytes of the transcript, as whole lines in order.
  package init(
    scenario: String, blobs: BlobStore? = nil, isSealed: Bool = false,
    write: @escaping @Sendable ([UInt8]) throws -> Void
  ) {
    self.blobs = blobs
    self.write = write
    state = Mutex(
      State(
        scenario: scenario, separatesBodies: blobs != nil, seal: isSealed ? Seal() : nil))
  }

  /// The first error of keeping a body or of `write`, or a line that every reader would refuse, or
  /// nil.
  ///
  /// Nothing is written after it.
  public var failure: (any Error)? { state.withLock { $0.failure } }

  /// A sentence saying why a replay with a live caller of some calls would be inconclusive, or nil.
  package var warning: String? {
    state.withLock(\.tie).map {
      "'\($0)' and an equal call at the same time had different answers: a replay with their caller live is "
        + "inconclusive until the calls have labels"
    }
  }

  /// A sentence with the places of a program's credentials that the recording shows, or nil.
  package var shownSecrets: String? { state.withLock(\.shown.sentence) }

  /// Writes the event's line, if it has one.
  public func receive(_ event: Event) {
    state.withLock { state in
      guard state.failure == nil else { return }
      if state.calls.isEmpty, !event.isOfComponent {
        // The usual case of nearly all events, which are too large to be copied.
        write(event, &state)
      } else {
        state.shown.note(event)
        writeOrdered(event, &state)
      }
      finish(event, &state)
    }
  }

  /// Passes on the written lines of an event.
  private func finish(_ event: Event, _ state: inout State) {
    if state.failure != nil { return }
    if let excess = state.writer.excess ?? state.line.excess {
      return state.failure = RecordingExcess(excess, at: event.callAddress)
    }
    if case .runStarted(let run) = event { state.held = HeldRecording(run) }
    do {
      let bodies = try state.bodies.counted(
        state.lines.values.takeBodies(), of: event.callAddress)
      for (blob, content) in bodies {
        if state.held != nil {
          state.held?.keep(blob, content)
          continue
        }
        let isKept = state.lines.isHiding() && state.canonical.keep(blob, content)
        if !isKept { try blobs?(blob, content) }
      }
      try writeLines(after: event, &state)
    } catch {
      state.failure = error
    }
  }

  private func writeLines(after event: Event, _ state: inout State) throws {
    let isEnd = if case .runEnded = event { true } else { false }
    guard isEnd || state.held == nil && state.writer.count >= Self.chunk else { return }
    try release(&state)
    if state.lines.isHiding() {
      let lines = try state.canonical.lines(state.writer.bytes, blobs)
      try handOn(lines, isEnd: isEnd, &state.seal)
    } else {
      // Not kept here, to reuse its memory.
      try handOn(state.writer.bytes, isEnd: isEnd, &state.seal)
    }
    state.writer.removeAll()
  }

  /// Hides what the run has learnt since it wrote its first lines, and keeps the bodies.
  private func release(_ state: inout State) throws {
    guard var held = state.held else { return }
    let lines = try held.hidden(state.writer.bytes)
    state.writer.removeAll()
    state.writer.append(lines: lines)
    for (blob, content) in held.bodies {
      let isKept = state.lines.isHiding() && state.canonical.keep(blob, content)
      if !isKept { try blobs?(blob, content) }
    }
  }

  private func handOn(_ lines: [UInt8], isEnd: Bool, _ seal: inout Seal?) throws {
    if isEnd, var last = seal { return try write(last.seal(lines)) }
    seal?.append(lines)
    try write(lines)
  }

  /// Writes an event at once, except for a component's calls, which are written before its answer.
  private func writeOrdered(_ event: Event, _ state: inout State) {
    if state.calls.take(event) { return }
    // Taken out, since its visitor writes to the rest.
    var calls = state.calls
    state.calls = ComponentCalls()
    func say(_ event: Event) {
      if state.failure != nil { return }
      if state.tie == nil { state.tie = event.tiedCall }
      self.write(event, &state)
      self.finish(event, &state)
    }
    if case .runEnded = event { calls.visitTasks(say) }
    if case .completed(let invocation, _) = event { calls.visit(invocation.address, say) }
    state.calls = calls
    write(event, &state)
  }

  private func write(_ event: Event, _ state: inout State) {
    switch event {
    case .branchStarted(let branch): state.branches.begin(branch)
    case .branchEnded(let branch): state.branches.end(branch)
    case .stepStarted, .stepEnded: return
    default:
      guard !state.branches.isEmpty, let address = event.callAddress else {
        return state.lines.write(event, to: &state.writer)
      }
      state.lines.write(event, to: &state.line)
      state.branches.append(state.line.bytes, at: address)
      state.line.removeAll()
    }
    state.writer.append(lines: state.branches.takeReady())
  }
}

extension Event {
  /// True for the start of a call that a component makes.
  fileprivate var isOfComponent: Bool {
    guard case .invoked(let invocation) = self else { return false }
    return !invocation.address.calls.isEmpty
  }

  /// The address of a starting call that is indistinguishable from one with another answer, or nil.
  fileprivate var tiedCall: Address? {
    guard case .invoked(let invocation) = self, invocation.isTied else { return nil }
    return invocation.address
  }
}
