internal import FlowCore
private import Synchronization

/// The messages for an agent in one answer that is a stream of server-sent events.
final class EventOutbox: Sendable {
  private struct State {
    var count = 0
    var isOver = false
  }

  /// The most messages that an agent has not read.
  private static let mostUnread = 1_000

  static let head = AnswerHead(
    status: 200, headers: [("content-type", "text/event-stream"), ("cache-control", "no-cache")])

  private let pieces: AsyncStream<[UInt8]>
  private let sink: AsyncStream<[UInt8]>.Continuation
  private let state = Mutex(State())

  init() {
    (pieces, sink) = AsyncStream.makeStream(
      of: [UInt8].self, bufferingPolicy: .bufferingOldest(Self.mostUnread))
  }

  /// Adds a message.
  ///
  /// Returns false after the end. An agent that reads nothing ends it.
  @discardableResult func send(_ message: Value) -> Bool {
    state.withLock { state in
      if state.isOver { return false }
      state.count += 1
      guard case .enqueued = sink.yield(Self.event(message.json)) else {
        state.isOver = true
        sink.finish()
        return false
      }
      return true
    }
  }

  /// Ends it with a response, if a message has been sent before.
  ///
  /// Returns false if there was none, so that the response is the whole answer.
  func finish(with response: String) -> Bool {
    state.withLock { state in
      if !state.isOver, state.count > 0 { sink.yield(Self.event(response)) }
      state.isOver = true
      sink.finish()
      return state.count > 0
    }
  }

  /// Ends it without a response.
  ///
  /// Returns false if no message has been sent before.
  @discardableResult func finish() -> Bool {
    state.withLock { state in
      state.isOver = true
      sink.finish()
      return state.count > 0
    }
  }

  /// Writes the messages as they come, until the end.
  ///
  /// The answer begins with the first message, or at once.
  func write(to request: IncomingRequest, of listener: Listener, atOnce: Bool = false) async {
    var hasBegun = atOnce
    if atOnce { listener.begin(request, Self.head) }
    for await piece in pieces {
      if !hasBegun { listener.begin(request, Self.head) }
      hasBegun = true
      // An agent that has left, or takes nothing any more, is noticed by others.
      guard (try? await listener.write(request, piece: piece)) != nil else { break }
    }
    if hasBegun { listener.finish(request) }
  }

  private static func event(_ json: String) -> [UInt8] { Array("data: \(json)\n\n".utf8) }
}
