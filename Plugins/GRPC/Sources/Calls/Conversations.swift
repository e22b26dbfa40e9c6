internal import FlowCore
internal import GRPCCoding
internal import ProtobufCoding
private import Synchronization

/// A message of an open stream.
struct StreamMessage: Sendable {
  let stream: String
  let method: String
  let message: Value

  static let event = EventKind(
    "message", "An open stream has received a message.",
    Record(
      StreamMessage.init(stream:method:message:),
      Field("stream", \.stream, "The name of the stream, as 'open' returned it."),
      Field("method", \.method, "The method, such as 'shop.Orders/Watch'."),
      Field("message", \.message, "The message.")))
}

/// The end of an open stream.
struct StreamEnd: Sendable {
  let stream: String
  let status: String
  let message: String
  let details: [Value]
  let trailers: Value

  static let event = EventKind(
    "ended", "An open stream has ended.",
    Record(
      StreamEnd.init(stream:status:message:details:trailers:),
      Field("stream", \.stream, "The name of the stream."),
      Field("status", \.status, "The name of the status: 'ok', or that of an error."),
      Field("message", \.message, "The server's message, empty without one."),
      Field("details", \.details, "The details of the status."),
      Field("trailers", \.trailers, "The trailers of the answer.", compared: .whenRead)))
}

/// A call that goes on between the steps.
struct OpenStream: Sendable {
  let name: String
  let call: OpenCall
}

/// The open calls of a component, by their names.
final class OpenStreams: Sendable {
  private struct State {
    var open: [String: OpenStream] = [:]
    var counts: [String: Int] = [:]
  }

  private let state = Mutex(State())

  /// Adds a call, and returns it with its name: `shop.Orders/Watch#1`.
  ///
  /// The name has the method, so that it is the same in every run.
  func add(_ call: OpenCall) -> OpenStream {
    state.withLock { state in
      let method = call.method.name
      state.counts[method, default: 0] += 1
      let stream = OpenStream(name: "\(method)#\(state.counts[method] ?? 1)", call: call)
      state.open[stream.name] = stream
      return stream
    }
  }

  /// Returns an open call.
  ///
  /// - Throws: `GRPCError.noStream`.
  func stream(_ name: String) throws(GRPCError) -> OpenStream {
    guard let stream = state.withLock({ $0.open[name] }) else { throw .noStream(name) }
    return stream
  }

  /// Removes a call, which ends.
  @discardableResult func remove(_ name: String) -> OpenStream? {
    state.withLock { $0.open.removeValue(forKey: name) }
  }

  /// Removes all calls.
  func removeAll() -> [OpenStream] {
    state.withLock { state in
      defer { state.open = [:] }
      return Array(state.open.values)
    }
  }
}

/// The operations on streams of both sides, step by step.
enum Conversations {
  private static let stream = Parameter<String>("stream", "The name of the stream.")

  static var operations: [Operation<GRPCServer>] {
    [
      Operation(
        "open", "Starts a call, whose messages are events.",
        Parameter<String>("method", "The method, such as 'shop.Orders/Watch' or 'Watch'."),
        Parameter<Value>(
          "metadata", "Metadata, beside that of the component.", default: .map(ValueMap())),
        Parameter<Duration?>(
          "deadline", "The time limit, of which the server is told. None by default."),
        answers: Record<String>("stream", "The name of the stream."), errors: .ofCalls
      ) { server, context, method, metadata, deadline in
        try await server.open(method, metadata, deadline, context)
      },
      Operation(
        "send", "Sends a message, and waits until the server takes it.", stream,
        Parameter<Value>("message", "The message."), answers: .none, errors: .ofCalls
      ) { server, context, name, message in
        let call = try server.conversations.stream(name).call
        let bytes = try server.client.bytes(message, as: call.method.type.input)
        try await context.outside {
          try await GRPCClient.within(call.deadline) { try await call.send(bytes) }
        }
      },
      Operation(
        "finish", "Ends the side of the client.", stream, answers: .none, errors: .ofCalls
      ) { server, context, name in
        let call = try server.conversations.stream(name).call
        try await context.outside { try await call.finish() }
      },
      Operation(
        "cancel", "Ends a stream. The event 'ended' has the status 'cancelled'.", stream,
        answers: .none, errors: .ofCalls
      ) { server, context, name in
        try server.cancel(name, context)
      },
    ]
  }
}

extension GRPCServer {
  /// Starts a call whose messages are events.
  fileprivate func open(
    _ method: String, _ metadata: Value, _ deadline: Duration?, _ context: Context
  ) async throws -> String {
    let call = try client.open(description.known(method), metadata: metadata, within: deadline)
    let stream = conversations.add(call)
    context.spawn("stream") { [self] context in try await receive(stream, context) }
    return stream.name
  }

  /// Ends a stream at once.
  fileprivate func cancel(_ name: String, _ context: Context) throws {
    let stream = try conversations.stream(name)
    conversations.remove(name)
    stream.call.close()
    let end = CallEnd(status: .cancelled, message: "the stream was cancelled")
    context.emit(StreamEnd.event, StreamEnd(stream, end))
  }

  /// Reports messages until the end.
  private func receive(_ stream: OpenStream, _ context: Context) async throws {
    defer { stream.call.close() }
    while true {
      let news: CallNews
      do { news = try await next(of: stream.call, context) } catch let error as GRPCError {
        return end(stream, CallEnd(error), context)
      }
      switch news {
      case .end(let end): return self.end(stream, end, context)
      case .message(let bytes):
        do {
          let value = try client.value(bytes, as: stream.call.method.type.output, context)
          guard (try? conversations.stream(stream.name)) != nil else { return }
          context.emit(
            StreamMessage.event,
            StreamMessage(stream: stream.name, method: stream.call.method.name, message: value))
        } catch {
          return end(stream, CallEnd(error), context)
        }
      }
    }
  }

  /// Waits for the next message.
  ///
  /// Virtual time stands still for the `timeout` of the component, and no longer: a step that waits
  /// for time to pass would wait forever.
  func next(of call: OpenCall, _ context: Context) async throws -> CallNews {
    // A cancelled timer stays in memory until its time, so none is set without a wait.
    if let news = try await call.arrived() { return news }
    let held = ContinuousClock.now + client.timeout
    do {
      return try await context.outside {
        try await GRPCClient.within(min(held, call.deadline ?? held)) { try await call.next() }
      }
    } catch GRPCError.status(.deadlineExceeded, _, _) where call.deadline.map({ $0 > .now }) ?? true
    {
      return try await GRPCClient.within(call.deadline) { try await call.next() }
    }
  }

  private func end(_ stream: OpenStream, _ end: CallEnd, _ context: Context) {
    // Nothing follows the report of a cancellation.
    guard conversations.remove(stream.name) != nil else { return }
    context.emit(StreamEnd.event, StreamEnd(stream, end))
  }
}

extension CallEnd {
  /// The end of a call by an error of the client.
  init(_ error: GRPCError) {
    if case .status(let status, let message, let details) = error {
      self.init(status: status, message: message, details: details)
    } else {
      self.init(status: .internal, message: "\(error)")
    }
  }
}

extension StreamEnd {
  fileprivate init(_ stream: OpenStream, _ end: CallEnd) {
    self.init(
      stream: stream.name, status: end.status.name, message: end.message, details: end.details,
      trailers: end.trailers)
  }
}
