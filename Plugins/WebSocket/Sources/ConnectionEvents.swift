internal import FlowCore

/// A message of the server, as scenarios receive it.
struct ReceivedMessage: Sendable {
  var connection: String
  var json: Value?
  var text: String?
  var bytes: Bytes?

  static let record = Record(
    ReceivedMessage.init(connection:json:text:bytes:),
    Field("connection", \.connection, "The name of the connection."),
    Field(
      "json", \.json, "A text that is a list or an object of JSON. Otherwise null."),
    Field("text", \.text, "The text of the message. Null for bytes."),
    Field("bytes", \.bytes, "The bytes of the message. Null for a text."))

  private init(connection: String, json: Value?, text: String?, bytes: Bytes?) {
    (self.connection, self.json, self.text, self.bytes) = (connection, json, text, bytes)
  }

  init(_ message: Message, on connection: String) {
    switch message {
    case .text(let text):
      self.init(connection: connection, json: Value(jsonOf: text), text: text, bytes: nil)
    case .binary(let bytes):
      self.init(connection: connection, json: nil, text: nil, bytes: Bytes(bytes))
    }
  }
}

/// The end of a connection, as scenarios receive it.
struct ClosedConnection: Sendable {
  var connection: String
  var code: Int
  var reason: String

  static let record = Record(
    ClosedConnection.init(connection:code:reason:),
    Field("connection", \.connection, "The name of the connection."),
    Field(
      "code", \.code,
      "The code of the server's close frame: 1005 for one without a code, and 1006 without a close frame. After a violation of the protocol the code that the server was sent."
    ),
    Field(
      "reason", \.reason,
      "The reason of the server's close frame, or the violation of the protocol."))
}

/// The events of connections.
enum ConnectionEvents {
  static let message = EventKind(
    "message", "The server has sent a message.", ReceivedMessage.record)
  static let closed = EventKind("closed", "A connection has ended.", ClosedConnection.record)
}

/// A reader that reports the messages of a connection until its end.
struct ConnectionReader: Sendable {
  private let channel: Channel
  private let name: String
  private let channels: OpenChannels
  private let timeout: Duration

  init(_ channel: Channel, _ name: String, _ channels: OpenChannels, _ timeout: Duration) {
    (self.channel, self.name, self.channels, self.timeout) = (channel, name, channels, timeout)
  }

  /// Reads until the end.
  ///
  /// - Throws: `CancellationError`, which leaves the connection open for the component to close.
  func read(in context: Context) async throws {
    // Virtual time is held for the next message, and no longer.
    var patience = ContinuousClock.now + timeout
    while true {
      let arrival: Channel.Arrival
      do {
        arrival = try await channel.next(holdingTimeUntil: patience, in: context)
      } catch WebSocketError.violation(_, let failure) {
        return report(Ending(failure), in: context)
      }
      switch arrival {
      case .message(let message):
        context.emit(ConnectionEvents.message, ReceivedMessage(message, on: name))
      case .end(let ending): return report(ending, in: context)
      }
      patience = .now + timeout
    }
  }

  private func report(_ ending: Ending, in context: Context) {
    channels.remove(name, ending)
    context.emit(
      ConnectionEvents.closed,
      ClosedConnection(connection: name, code: ending.code, reason: ending.reason))
  }
}
