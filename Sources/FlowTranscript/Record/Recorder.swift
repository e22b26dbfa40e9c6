internal import FlowCore
public import FlowEngine
package import FlowPlan
internal import FlowRedaction
internal import FlowSystem
internal import Synchronization

/// Records a golden transcript: the calls across the boundary, without times, in a stable order.
///
/// It depends only on the calls. Recording the same behaviour twice produces the same bytes.
public final class Recorder: EventSink {
  private struct State {
    var encoder: LineEncoder
    var run: LearningRun?
    var header: TranscriptHeader?
    var lines: [TranscriptLine] = []
    /// The approximate length of the lines, in bytes.
    var size = 0
    var branches = BranchLineSorter()
    var calls = ComponentCalls()
    var failure: RecordingExcess?
    var bodies = RecordingExcess.BodyCount()
    /// The address of a call that is indistinguishable from one with another answer, or nil.
    var tie: Address?
    var shown = ShownSecrets()
    /// The requests from outside so far.
    var requests = RequestCount()
    /// The events that components follow which pass on requests from outside.
    var followed: Set<String> = []
    var transcript: Transcript?
  }

  private let isSealed: Bool
  private let state: Mutex<State>

  /// Creates a recorder of one run.
  ///
  /// - Parameters:
  ///   - scenario: The scenario's path relative to the transcript's folder.
  ///   - separatesBodies: True to keep bodies of more than 4 KiB in files, false to keep them in the
  ///     lines.
  ///   - isSealed: True to add a digest of everything before it to the last line.
  package init(
    scenario: String, separatesBodies: Bool = false, isSealed: Bool = false
  ) {
    self.isSealed = isSealed
    // A golden transcript is the same every time, and a journal keeps the real answers.
    let values = ValueEncoder(separatesBodies: separatesBodies, placesVolatile: true)
    state = Mutex(State(encoder: LineEncoder(scenario: scenario, values)))
  }

  /// Creates the recorder of a scenario in the same folder as its transcript.
  package convenience init(of plan: Plan) {
    let name = plan.file.split(separator: "/").last.map(String.init) ?? plan.file
    self.init(scenario: name, separatesBodies: true, isSealed: true)
  }

  /// The reason that every reader would refuse the recording, or nil.
  ///
  /// Nothing is recorded after it.
  package var failure: RecordingExcess? { state.withLock { $0.failure } }

  /// The recording of the run, without a transcript before its end.
  package var recording: Recording {
    state.withLock { state in
      Recording(
        transcript: state.transcript, excess: state.failure,
        warning: state.tie.map(Self.warning(ofTie:)), shownSecrets: state.shown.sentence,
        hasLearnt: state.run?.hasLearnt ?? false)
    }
  }

  private static func warning(ofTie address: Address) -> String {
    "'\(address)' and an equal call at the same time had different answers: a replay with their caller live is "
      + "inconclusive until the calls have labels"
  }

  /// Records the event, if it has a line.
  public func receive(_ event: Event) {
    state.withLock { state in
      guard state.failure == nil else { return }
      if state.calls.isEmpty, !event.isOfComponent {
        // The usual case of nearly all events, which are too large to be copied.
        record(event, &state)
      } else {
        state.shown.note(event)
        state.requests.note(event)
        recordOrdered(event, &state)
      }
      if state.failure == nil, case .runEnded = event { end(&state) }
    }
  }

  /// Records an event at once, except for a component's calls, which come before its answer.
  private func recordOrdered(_ event: Event, _ state: inout State) {
    if state.calls.take(event) { return }
    // Taken out, since its visitor records to the rest.
    var calls = state.calls
    state.calls = ComponentCalls()
    func say(_ event: Event) {
      if state.failure != nil { return }
      if state.tie == nil { state.tie = event.tiedCall }
      self.record(event, &state)
    }
    if case .runEnded = event { calls.visitTasks(say) }
    if case .completed(let invocation, _) = event { calls.visit(invocation.address, say) }
    state.calls = calls
    record(event, &state)
  }

  private func record(_ event: Event, _ state: inout State) {
    switch event {
    case .branchStarted(let branch): state.branches.begin(branch)
    case .branchEnded(let branch): state.branches.end(branch)
    case .runStarted(let run):
      state.run = LearningRun(run)
      state.followed = run.plan.eventsFollowedOutside
      begin(run, &state)
    default:
      guard var line = state.encoder.line(of: event) else { return }
      if case .emit(let event, _) = line.kind, state.followed.contains(event) {
        line.kind = .emit(event: event, after: state.requests)
      }
      count(event, &state)
      guard !state.branches.isEmpty, let address = event.callAddress else {
        return state.lines.append(line)
      }
      state.branches.append(line, at: address)
    }
    state.lines += state.branches.takeReady()
  }

  private func begin(_ run: RunDescription, _ state: inout State) {
    let header = state.encoder.header(of: run)
    state.header = header
    var writer = JSONWriter(longestLine: LineCursor.longest)
    writer.value(header.json)
    writer.endLine()
    state.size = writer.count
    do throws(RecordingExcess) {
      if let excess = writer.excess { throw RecordingExcess(excess, at: nil) }
      _ = try state.bodies.counted(state.encoder.values.takeBodies(), of: nil)
    } catch {
      state.failure = error
    }
  }

  /// Counts the line of an event, which may be more than a reader takes.
  private func count(_ event: Event, _ state: inout State) {
    let address = event.callAddress
    do throws(RecordingExcess) {
      if let excess = state.encoder.excess { throw RecordingExcess(excess, at: address) }
      _ = try state.bodies.counted(state.encoder.values.takeBodies(), of: address)
      state.size += state.encoder.latestSize
      if state.size > TranscriptLine.mostBytes { throw RecordingExcess(ofLinesAt: address) }
    } catch {
      state.failure = error
    }
  }

  /// Makes the transcript, which hides what the run has learnt since its first lines.
  private func end(_ state: inout State) {
    guard let header = state.header, let run = state.run else { return }
    let whole = Transcript(header, CallList(state.lines), isSealed: isSealed)
    state.lines = []
    state.transcript = run.hiding(whole)
  }
}

/// What a run hides, possibly only since the middle of it.
private struct LearningRun {
  private let plan: Plan
  private let redactor: Redactor
  /// The number of secrets known before the first line.
  private let secretCount: Int

  init(_ run: RunDescription) {
    (plan, redactor, secretCount) = (run.plan, run.redactor, run.redactor.secretCount)
  }

  /// True if it knows more secrets than before the first line.
  var hasLearnt: Bool { redactor.secretCount != secretCount }

  /// Returns a recording without the secrets that its first lines still show, and with numbers for
  /// hidden texts that no schedule changes.
  ///
  /// A value passed on as a secret may be in the answer that it comes from, and in any line since
  /// then.
  func hiding(_ transcript: Transcript) -> Transcript {
    // As in nearly all runs: a placeholder in it is ordinary text.
    if !redactor.isActive { return transcript }
    if !hasLearnt { return transcript.renumbered }
    // Patterns are known from the start, and their matches are hidden already.
    var redaction = RecordingRedaction(of: plan, redactor.withoutPatterns)
    return redaction.hidden(transcript).renumbered
  }
}

extension RequestCount {
  /// Notes the start or the end of a request from outside.
  fileprivate mutating func note(_ event: Event) {
    switch event {
    case .invoked(let invocation) where invocation.isFromOutside: begin()
    case .completed(let invocation, _) where invocation.isFromOutside: end()
    default: break
    }
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
