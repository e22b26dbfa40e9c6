internal import FlowCore
internal import WebSocketCoding

/// An error of a connection, besides those of the plugin `http`.
enum WebSocketError: CodedError, CustomStringConvertible {
  /// A subprotocol that cannot be offered, with the reason.
  case protocols(String)
  /// A message without a content, or with two.
  case contents([String])
  /// A value that JSON cannot contain.
  case notJSON
  /// A close frame that cannot be sent, with the reason.
  case close(String)
  /// No connection was opened.
  case noConnection
  /// A name that no connection has.
  case unknownConnection(String)
  /// Several open connections, of which the step names none.
  case severalConnections([String])
  /// A name that no stream has, or one that is being read.
  case noStream(String)
  /// A connection that has ended.
  case closed(String, Ending)
  /// A response that opens no connection, with the URL.
  case handshake(String, WebSocketHandshakeError)
  /// A violation of the protocol by the server, with the URL.
  case violation(String, WebSocketFailure)
  /// No pong in time.
  case noPong(String, Duration)
  /// No close frame in time.
  case noClose(String, Duration)

  var code: ErrorCode {
    switch self {
    case .protocols, .contents, .notJSON, .close, .noConnection, .unknownConnection,
      .severalConnections, .noStream:
      .invalid
    case .closed: .closed
    case .handshake: .protocolError
    case .violation(_, let failure): failure.isTooLarge ? .tooLarge : .protocolError
    case .noPong, .noClose: .timeout
    }
  }

  var description: String {
    switch self {
    case .protocols(let problem): "'protocols': \(problem)"
    case .contents(let names):
      names.isEmpty
        ? "a message needs one of 'json', 'text' and 'bytes'"
        : "a message has one content: " + names.map { "'\($0)'" }.joined(separator: " and ")
          + " cannot be combined"
    case .notJSON: "'json' has an infinite number or NaN, which JSON cannot contain"
    case .close(let problem): problem
    case .noConnection: "no connection is open; 'connect' opens one"
    case .unknownConnection(let name): "'\(name)' is not a connection"
    case .severalConnections(let names):
      "several connections are open; name one in 'connection': " + names.joined(separator: ", ")
    case .noStream(let name): "the stream '\(name)' is not open, or is being read"
    case .closed(let url, let ending): "\(url): the connection is closed: \(ending)"
    case .handshake(let url, let error): "\(url): \(error)"
    case .violation(let url, let failure): "\(url): \(failure)"
    case .noPong(let url, let span): "\(url): no pong within \(span.flowText)"
    case .noClose(let url, let span):
      "\(url): the server did not close the connection within \(span.flowText)"
    }
  }
}

/// The end of a connection.
struct Ending: Sendable, Hashable, CustomStringConvertible {
  /// The code of the close frame, or a code of RFC 6455, section 7.4.1, in place of a missing one.
  var code: Int
  /// The reason of the close frame.
  var reason = ""

  /// The end without a close frame.
  static let lost = Ending(code: 1006)

  init(code: Int, reason: String = "") { (self.code, self.reason) = (code, reason) }

  /// Creates the end by a close frame.
  init(_ close: WebSocketClose) { self.init(code: close.code ?? 1005, reason: close.reason) }

  /// Creates the end by a violation of the protocol, with the code that the server is sent.
  init(_ failure: WebSocketFailure) { self.init(code: failure.code, reason: "\(failure)") }

  var description: String {
    switch code {
    case 1005: "the close frame has no code"
    case 1006: "the connection was lost without a close frame"
    default: reason.isEmpty ? "\(code)" : "\(code) '\(reason)'"
    }
  }
}

extension ErrorCode {
  static let invalid = ErrorCode(
    "invalid",
    "The input is invalid: a malformed URL, two contents, or a connection that does not exist.")
  static let file = ErrorCode("file", "A file of the settings cannot be read.")
  static let unreachable = ErrorCode(
    "unreachable",
    "No connection: an unknown host, a refused connection, or a lack of memory.")
  static let tls = ErrorCode(
    "tls", "No secure connection: an invalid certificate or a failed handshake.")
  static let timeout = ErrorCode(
    "timeout", "The connection, a pong or the end took too long.")
  static let protocolError = ErrorCode(
    "protocol", "The server does not keep to HTTP or WebSocket, or the connection was lost.")
  static let tooLarge = ErrorCode(
    "too_large", "A message or the body of a response exceeds 'max_bytes'.")
  static let closed = ErrorCode("closed", "The connection has ended.")
  static let forbidden = ErrorCode(
    "forbidden", "The run does not allow this host. Nothing was sent to it.")

  /// The error codes of opening a connection.
  static let ofOpening: [ErrorCode] = [
    .invalid, .file, .unreachable, .tls, .timeout, .protocolError, .tooLarge, .forbidden,
  ]
  /// The error codes of an open connection.
  static let ofConnections: [ErrorCode] = [
    .invalid, .timeout, .protocolError, .tooLarge, .closed,
  ]
}
