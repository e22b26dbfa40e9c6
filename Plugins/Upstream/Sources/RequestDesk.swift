internal import FlowCore
private import Synchronization

/// The open requests of a listener, with the tasks waiting for them.
///
/// The threads of the server call it, as do tasks.
final class RequestDesk: Sendable {
  private struct Entry {
    var hasLeft = false
    var leaveWaiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var writer: CheckedContinuation<Bool, Never>?
    var reader: CheckedContinuation<Bool, Never>?
    /// True once there are bytes that no reader waited for.
    var isReadable = false
    /// True for a request that may be upgraded: its client is written to after its end.
    let endsApart: Bool

    /// True if a piece may be given.
    var takesBytes: Bool { writer == nil && (!hasLeft || endsApart) }
  }

  private struct State {
    var open: [UInt64: Entry] = [:]
    var waiterCount: UInt64 = 0

    /// Takes the tasks waiting for a request that is over.
    mutating func end(_ number: UInt64) -> Entry? { open.removeValue(forKey: number) }

    /// Takes the tasks that cannot wait for a client that has left.
    mutating func leave(_ number: UInt64) -> Entry? {
      guard var entry = open[number] else { return nil }
      let waiting = entry
      entry.hasLeft = true
      entry.leaveWaiters = [:]
      if entry.endsApart {
        open[number] = entry
        return Entry(leaveWaiters: waiting.leaveWaiters, endsApart: true)
      }
      (entry.writer, entry.reader) = (nil, nil)
      open[number] = entry
      return waiting
    }
  }

  /// The run that takes the requests.
  private struct Reader {
    let requests: AsyncStream<IncomingRequest>
    let sink: AsyncStream<IncomingRequest>.Continuation
    let news: ListenerNews
  }

  private let waitingRequests: Int
  private let reader: Mutex<Reader>
  private let state = Mutex(State())

  init(_ limits: ListenerLimits, _ news: ListenerNews) {
    waitingRequests = limits.waitingRequests
    reader = Mutex(Self.reader(limits.waitingRequests, news))
  }

  private static func reader(_ waiting: Int, _ news: ListenerNews) -> Reader {
    let (requests, sink) = AsyncStream.makeStream(
      of: IncomingRequest.self, bufferingPolicy: .bufferingOldest(waiting))
    return Reader(requests: requests, sink: sink, news: news)
  }

  /// The requests in order of arrival, since the latest `renew`.
  var requests: AsyncStream<IncomingRequest> { reader.withLock(\.requests) }

  /// Hands the requests to come, and the news, to another run.
  ///
  /// The connections of those that nobody has taken are reset.
  func renew(_ news: ListenerNews) {
    let other = Self.reader(waitingRequests, news)
    let sink = reader.withLock { reader in
      defer { reader = other }
      return reader.sink
    }
    sink.finish()
  }

  // MARK: - Events of the server

  func arrived(_ request: IncomingRequest) {
    state.withLock { $0.open[request.number] = Entry(endsApart: request.wantsUpgrade) }
    let (sink, news) = reader.withLock { ($0.sink, $0.news) }
    switch sink.yield(request) {
    case .enqueued: break
    case .dropped:
      news.refused(.overload)
      request.handle.answer(AnswerHead(status: 503), [])
    case .terminated: request.handle.end(byReset: true)
    @unknown default: request.handle.end(byReset: true)
    }
  }

  func left(_ number: UInt64) {
    Self.resume(state.withLock { $0.leave(number) })
  }

  func drained(_ number: UInt64) {
    state.withLock { $0.open[number]?.writer.take() }?.resume(returning: true)
  }

  func readable(_ number: UInt64) {
    let reader = state.withLock { state in
      let reader = state.open[number]?.reader.take()
      if reader == nil { state.open[number]?.isReadable = true }
      return reader
    }
    reader?.resume(returning: true)
  }

  func ended(_ number: UInt64) {
    Self.resume(state.withLock { $0.end(number) })
  }

  func refused(_ reason: Refusal) { reader.withLock(\.news).refused(reason) }

  func shook(_ end: Handshake) { reader.withLock(\.news).shook(end) }

  /// Returns the library of HTTP/2, or nil, with news of that for a client who needs it.
  func http2(isNeeded: Bool) -> HTTP2Library? {
    do throws(LibraryError) { return try HTTP2Library.system() } catch {
      if isNeeded { refused(.library(error.description)) }
      return nil
    }
  }

  /// Ends the sequence of requests.
  func close() { reader.withLock(\.sink).finish() }

  private static func resume(_ entry: Entry?) {
    guard let entry else { return }
    for waiter in entry.leaveWaiters.values { waiter.resume() }
    entry.writer?.resume(returning: false)
    // It finds the end, or the bytes before it.
    entry.reader?.resume(returning: true)
  }

  // MARK: - Tasks

  /// Gives a piece and waits until it is taken.
  ///
  /// Returns false if it never is, or the task is cancelled.
  func write(_ request: IncomingRequest, _ piece: [UInt8]) async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waits = state.withLock { state in
          guard !Task.isCancelled, let entry = state.open[request.number], entry.takesBytes else {
            return false
          }
          state.open[request.number]?.writer = continuation
          return true
        }
        guard waits else { return continuation.resume(returning: false) }
        if !request.handle.write(piece) { dropWriter(request.number) }
      }
    } onCancel: {
      dropWriter(request.number)
    }
  }

  private func dropWriter(_ number: UInt64) {
    state.withLock { $0.open[number]?.writer.take() }?.resume(returning: false)
  }

  /// Waits until there is something to read, and returns false if the task is cancelled or another
  /// one waits already.
  func untilReadable(_ number: UInt64) async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let result: Bool? = state.withLock { state in
          guard !Task.isCancelled else { return false }
          guard let entry = state.open[number], !entry.isReadable else {
            state.open[number]?.isReadable = false
            return true
          }
          guard entry.reader == nil else { return false }
          state.open[number]?.reader = continuation
          return nil
        }
        if let result { continuation.resume(returning: result) }
      }
    } onCancel: {
      state.withLock { $0.open[number]?.reader.take() }?.resume(returning: false)
    }
  }

  func untilLeft(_ number: UInt64) async {
    let waiter = state.withLock { state in
      state.waiterCount += 1
      return state.waiterCount
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waits = state.withLock { state in
          guard !Task.isCancelled, let entry = state.open[number], !entry.hasLeft else {
            return false
          }
          state.open[number]?.leaveWaiters[waiter] = continuation
          return true
        }
        if !waits { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.open[number]?.leaveWaiters.removeValue(forKey: waiter) }?.resume()
    }
  }
}
