internal import FlowCore
internal import FlowEngine

/// Repeats the calls of a component in their recorded order.
///
/// A call starts when all earlier calls have started again, and all calls that had ended before its
/// start have ended again. A call that is not recorded starts when all recorded ones have started,
/// and ended if they had.
final class ResumeSchedule: Sendable {
  /// The lines of a call, for the order.
  private struct RecordedCall {
    let line: Int
    let answerLine: Int?
    let address: Address

    init(_ call: Transcript.Call) {
      line = call.line
      answerLine = call.answerLine
      address = call.address
    }
  }

  /// The recorded calls of one component.
  private struct Calls {
    /// The calls in the order of their beginnings.
    var calls: [RecordedCall] = []
    /// The lines of their answers, in order.
    var ends: [Int] = []
    /// The number of calls that have started again.
    var begun = 0
    /// True while a call may start and has not yet, because it must not be overtaken on its way to
    /// the component.
    var isBeginning = false
    /// The starting lines to skip.
    var skipped: Set<Int> = []
    /// The answers given again before earlier ones.
    var early: Set<Int> = []
    /// The number of answers given again, without a gap.
    var ended = 0

    /// Returns true if a call may start.
    func isNext(_ request: Request) -> Bool {
      if isBeginning { return false }
      guard begun < calls.count else { return ended == ends.count }
      guard let line = request.line else { return onlyMakesWay(for: request.caller) }
      guard calls[begun].line == line else { return false }
      return ended == ends.count || ends[ended] > calls[begun].line
    }

    /// Returns true if only the caller of a new call makes the remaining ones, which may wait for
    /// it first.
    private func onlyMakesWay(for caller: Address?) -> Bool {
      guard let caller else { return false }
      return calls[begun...].allSatisfy { $0.address.belongs(to: caller) }
    }

    mutating func begin(_ line: Int?) {
      isBeginning = true
      if line == nil { return }
      begun += 1
      passSkipped()
    }

    mutating func skip(_ call: RecordedCall) {
      skipped.insert(call.line)
      passSkipped()
      if let line = call.answerLine { end(line) }
    }

    mutating func skip(inside address: Address) {
      for call in calls[begun...] where call.address.belongs(to: address) {
        skip(call)
      }
    }

    private mutating func passSkipped() {
      while begun < calls.count, skipped.remove(calls[begun].line) != nil { begun += 1 }
    }

    mutating func end(_ line: Int) {
      early.insert(line)
      while ended < ends.count, early.remove(ends[ended]) != nil { ended += 1 }
    }
  }

  /// A call waiting to start.
  private struct Request: Sendable {
    let component: String
    /// The line of its recording, or nil.
    let line: Int?
    /// The call of a component around it, or nil for a step's.
    let caller: Address?
  }

  private struct State {
    var calls: [String: Calls] = [:]
    var isStopped = false

    /// Lets a call start if it may.
    ///
    /// Returns nil if it has to wait.
    mutating func begin(_ request: Request) -> Result<Void, any Error>? {
      if isStopped { return .failure(CancellationError()) }
      guard calls[request.component]?.isNext(request) ?? true else { return nil }
      calls[request.component]?.begin(request.line)
      return .success(())
    }
  }

  private let state: Monitor<State, Request, Void>

  /// Creates the order of these calls, given in the order of their start.
  init(_ calls: CallList) {
    var byComponent: [String: Calls] = [:]
    for call in calls where call.name.contains(".") {
      byComponent[call.component, default: Calls()].calls.append(RecordedCall(call))
      guard let line = call.answerLine else { continue }
      byComponent[call.component, default: Calls()].ends.append(line)
    }
    for component in byComponent.keys { byComponent[component]?.ends.sort() }
    state = Monitor(State(calls: byComponent))
  }

  /// Waits until a call may start.
  ///
  /// `call` is its recording, or nil.
  ///
  /// - Throws: `CancellationError` if the task is cancelled, or `stop` was called.
  func begin(_ call: Transcript.Call?, _ invocation: Invocation) async throws {
    let component = invocation.componentName
    let request = Request(
      component: component, line: call?.line, caller: invocation.address.caller)
    try await state.wait(for: request) { $0.begin(request) }
    // From here to the component nothing suspends the task, so the next one cannot come before it.
    state.withLock { state, waiting in
      state.calls[component]?.isBeginning = false
      Self.wake(&state, &waiting)
    }
  }

  /// Returns true if calls of a component have not started again.
  func hasLeft(of component: String) -> Bool {
    state.withLock { state, _ in
      state.calls[component].map { $0.begun < $0.calls.count } ?? false
    }
  }

  /// Notes the end of a call.
  func end(_ call: Transcript.Call?, of component: String) {
    guard let line = call?.answerLine else { return }
    state.withLock { state, waiting in
      state.calls[component]?.end(line)
      Self.wake(&state, &waiting)
    }
  }

  /// Leaves out a call, because it is served.
  func skip(_ call: Transcript.Call) {
    state.withLock { state, waiting in
      state.calls[call.component]?.skip(RecordedCall(call))
      Self.wake(&state, &waiting)
    }
  }

  /// Leaves out the remaining calls inside of a step that has ended.
  func skip(inside address: Address) {
    state.withLock { state, waiting in
      for component in state.calls.keys { state.calls[component]?.skip(inside: address) }
      Self.wake(&state, &waiting)
    }
  }

  /// Stops all further calls from starting.
  func stop() {
    state.withLock { state, waiting in
      state.isStopped = true
      Self.wake(&state, &waiting)
    }
  }

  /// Starts the calls that may start, as one start can make way for the next.
  private static func wake(_ state: inout State, _ waiting: inout Waiters<Request, Void>) {
    while waiting.resumeFirst({ state.begin($0) }) {}
  }
}
