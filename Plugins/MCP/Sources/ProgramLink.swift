private import Dispatch
import FlowCore
import Subprocess
private import Synchronization

/// The connection to a server that runs as a program, by its standard input and output.
///
/// A thread of its own waits for the program, until no part of its process group is left.
final class ProgramLink: ServerLink {
  private struct State {
    var pipes: ProgramPipes
    var end: SubprocessEnd
    var pending = PendingRequests()
    var next = 1
    /// The reason why no request is possible any more, or nil.
    var failure: MCPError?
    /// The end of the program that no request has met yet, or nil.
    var unnoticed: PendingFailure?
    /// The time at which a closed output counts as the end, or nil while it is open.
    var silentAt: ContinuousClock.Instant?
    var isClosing = false
    /// The time for a program with a closed input to have ended by itself, or nil while it is open.
    var askedAt: ContinuousClock.Instant?
    var closers: [CheckedContinuation<Void, Never>] = []

    var deadlines: [ContinuousClock.Instant?] {
      let asked = end.isAsked || end.isComplete ? nil : askedAt
      return [pending.deadline, end.deadline, asked, failure == nil ? silentAt : nil]
    }
  }

  /// The time for a program to end after it has closed its output, which explains more.
  private static let silence = Duration.milliseconds(200)
  /// The time for a program to end by itself, and after SIGTERM.
  private static let patience = Duration.seconds(1)

  /// What has to be done outside of the lock.
  private struct News {
    var finished: [PendingRequests.Finished] = []
    var heard: [Heard] = []
    var closers: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>
  private let waker: Waker
  private let hear: @Sendable (Heard) -> Void
  /// The methods of the server's questions that are heard.
  private let questions: Set<String>
  private let noteEnd: @Sendable (MCPError) -> PendingFailure

  /// Starts a program and watches it.
  ///
  /// `hear` receives what the server says by itself, on the thread of the connection. `noteEnd`
  /// receives an end that nobody asked for and no request has met.
  ///
  /// - Throws: `MCPError.notStarted`.
  init(
    _ program: ServerProgram, hearing questions: Set<String> = [],
    hear: @escaping @Sendable (Heard) -> Void,
    noteEnd: @escaping @Sendable (MCPError) -> PendingFailure
  ) throws(MCPError) {
    guard let waker = Waker() else { throw .notStarted("the system has no more descriptors") }
    let process = try program.start()
    self.waker = waker
    (self.hear, self.questions) = (hear, questions)
    self.noteEnd = noteEnd
    state = Mutex(State(pipes: ProgramPipes(process), end: SubprocessEnd(process.pid)))
    DispatchQueue(label: "flow.mcp").async { self.run() }
  }

  func request(
    _ method: String, within limit: Duration, mirroring _: [MirroredHeaders.Header],
    _ params: @escaping @Sendable (Int) -> ValueMap
  ) async throws -> Value {
    let id = state.withLock { state in
      defer { state.next += 1 }
      return state.next
    }
    let line = Message.line(method, params(id), id: id)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { answer in
        let failure = state.withLock { state -> (any Error)? in
          if let failure = state.failure {
            state.unnoticed?.withdraw()
            return failure
          }
          if Task.isCancelled { return CancellationError() }
          let earlier = state.pending.deadline
          state.pending.add(id, method, within: limit, answer)
          state.pipes.send(line)
          if state.pipes.isWaiting || earlier.map({ $0 > .now + limit }) ?? true { waker.wake() }
          return nil
        }
        if let failure { answer.resume(throwing: failure) }
      }
    } onCancel: {
      cancel(id)
    }
  }

  func listen(_ params: ValueMap?) {
    guard let params else { return }
    let id = state.withLock { state in
      defer { state.next += 1 }
      return state.next
    }
    send(Message.line("subscriptions/listen", params, id: id))
  }

  func reply(to id: Value, with part: (String, Value)) {
    send(Message.line(answering: id, with: part))
  }

  func notify(_ method: String) { send(Message.line(method, ValueMap())) }

  private func send(_ line: [UInt8]) {
    let isWaiting = state.withLock { state in
      state.pipes.send(line)
      return state.pipes.isWaiting
    }
    if isWaiting { waker.wake() }
  }

  private func cancel(_ id: Int) {
    let finished = state.withLock { $0.pending.finish(id, .failure(CancellationError())) }
    guard let finished else { return }
    finished.resume()
    send(Message.line("notifications/cancelled", Self.cancellation(of: id)))
  }

  private static func cancellation(of id: Int) -> ValueMap { ValueMap([("requestId", .int(id))]) }

  /// The last lines of the program's standard error.
  var lastLines: String { state.withLock { $0.pipes.errorTail.phrase } }

  /// Ends the program with everything that it has started, and waits for that.
  func close() async {
    await withCheckedContinuation { continuation in
      let isComplete = state.withLock { state in
        if state.end.isComplete { return true }
        state.isClosing = true
        state.closers.append(continuation)
        return false
      }
      if isComplete { continuation.resume() } else { waker.wake() }
    }
  }

  func prepareToClose() {
    let news = state.withLock { state in
      var news = News()
      state.end.reap(Self.patience, .now)
      // The output comes first: an answer in it is none that the end prevents.
      if state.end.words != nil { read(&state, &news) }
      notice(&state, &news)
      return news
    }
    pass(on: news)
    waker.wake()
  }

  // MARK: - The thread

  private func run() {
    while true {
      let (watched, deadlines) = state.withLock { state in
        (state.pipes.descriptors, state.deadlines.compactMap(\.self))
      }
      let ready = SubprocessStreams.ready(among: watched, waker, until: deadlines.min())
        .map { watched[$0].source }
      let (news, isComplete) = state.withLock { advance(&$0, ready) }
      pass(on: news)
      if isComplete { return }
    }
  }

  private func pass(on news: News) {
    // What a server has said before an answer is heard before it.
    for heard in news.heard { hear(heard) }
    for finished in news.finished { finished.resume() }
    for closer in news.closers { closer.resume() }
  }

  private func advance(_ state: inout State, _ ready: [SubprocessStreams.Source]) -> (News, Bool) {
    var news = News()
    let now = ContinuousClock.now
    if ready.contains(.output) || ready.contains(.exit) { read(&state, &news) }
    if ready.contains(.errors) || ready.contains(.exit) { state.pipes.readErrors() }
    if ready.contains(.input) { state.pipes.write() }
    if state.isClosing {
      fail(&state, &news, .unavailable("the server is stopped"))
      state.pipes.close(.input)
      let end = state.askedAt ?? now + Self.patience
      state.askedAt = end
      if now >= end, !state.end.isAsked { state.end.ask(Self.patience, now) }
    }
    if ready.contains(.exit) {
      state.end.reap(Self.patience, now)
      state.pipes.close(.exit)
    }
    state.end.advance(now)
    notice(&state, &news)
    for (id, finished) in state.pending.expire(now) {
      news.finished.append(finished)
      state.pipes.send(Message.line("notifications/cancelled", Self.cancellation(of: id)))
    }
    guard state.end.isComplete else { return (news, false) }
    state.pipes.closeAll()
    news.closers = state.closers
    state.closers = []
    return (news, true)
  }

  /// Fails all requests once the program has ended, or has closed its output.
  private func notice(_ state: inout State, _ news: inout News) {
    let tail = state.pipes.errorTail.phrase
    if let words = state.end.words {
      let isUnnoticed = state.end.isCrash && state.failure == nil && state.pending.isEmpty
      fail(&state, &news, .unavailable("the server \(words)\(tail)"))
      if isUnnoticed {
        let end = "the server \(words), and no step asked for its end\(tail)"
        state.unnoticed = noteEnd(.unavailable(end))
      }
    } else if !state.pipes.isOutputOpen {
      let now = ContinuousClock.now
      let end = state.silentAt ?? now + Self.silence
      state.silentAt = end
      guard now >= end else { return }
      fail(&state, &news, .unavailable("the server has closed its standard output\(tail)"))
    }
  }

  private func fail(_ state: inout State, _ news: inout News, _ error: MCPError) {
    guard state.failure == nil else { return }
    state.failure = error
    news.finished += state.pending.failAll(error)
  }

  private func read(_ state: inout State, _ news: inout News) {
    let lines: [[UInt8]]
    do throws(MCPError) { lines = try state.pipes.readLines() } catch {
      fail(&state, &news, error)
      // Nothing else that it says can be understood.
      return state.pipes.close(.output)
    }
    for line in lines { take(line, &state, &news) }
  }

  private func take(_ line: [UInt8], _ state: inout State, _ news: inout News) {
    let value: Value
    do throws(JSONError) { value = try Value(json: line) } catch {
      let problem = ServerText.unreadable(error, line)
      return refuse(BrokenAnswer(line)?.id, problem, line, &state, &news)
    }
    // A batch, of the revision 2025-03-26.
    for part in value.list ?? [value] {
      switch Message(part) {
      case .answer(let id, let result):
        if let finished = state.pending.finish(id, .success(result)) {
          news.finished.append(finished)
        }
      case .failure(let id?, let failure):
        if let finished = state.pending.finish(id, .failure(failure)) {
          news.finished.append(finished)
        }
      case .malformed(let id, let problem): refuse(id, problem, line, &state, &news)
      case .failure(nil, _), nil: news.heard.append(.noise(line))
      case .notification(let method, let params):
        news.heard.append(.notification(method, params))
      // A program that asks without reading gets no more answers.
      case .request where state.pipes.isFull: break
      case .request(let id, let method, let params) where questions.contains(method):
        news.heard.append(.question(id: id, method: method, params: params))
      case .request(let id, let method, _):
        state.pipes.send(Message.line(answering: id, with: Message.answer(to: method)))
      }
    }
  }
}

extension ProgramLink {
  /// Fails the call that waits for an answer, or reports a line that none waits for.
  private func refuse(
    _ id: Int?, _ problem: String, _ line: [UInt8], _ state: inout State, _ news: inout News
  ) {
    if let finished = id.flatMap({ state.pending.refuse($0, problem) }) {
      news.finished.append(finished)
    } else {
      news.heard.append(.noise(line))
    }
  }
}

extension SubprocessEnd {
  /// The end in words, such as `ended with status 1`, or nil before it is reaped.
  fileprivate var words: String? {
    exit.map { status, signal in
      signal == 0 ? "ended with status \(status)" : "was ended by signal \(signal)"
    }
  }

  /// True if it ended with another status than 0, or by a signal.
  fileprivate var isCrash: Bool { exit.map { $0.status != 0 || $0.signal != 0 } ?? false }
}
