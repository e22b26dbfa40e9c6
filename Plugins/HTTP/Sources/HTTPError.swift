internal import FlowCore

/// Why a request has no answer.
enum HTTPError: CodedError, CustomStringConvertible {
  case request(RequestError)
  case file(FileError)
  /// libcurl's failure, and the URL.
  case transfer(TransferFailure, String)
  /// The proxy accepts no connection.
  case unreachableProxy(String)
  case timeout(String, HTTPTimeout)
  case tooLarge(String, limit: Int)
  case tooManyRedirects(String, limit: Int)
  case redirect(String, WebAddressError)
  case notBegun(TransferThreadError)
  /// An answer that is no stream of events, and its type.
  case noEvents(String, type: String)
  case fruitless(String, count: Int)
  /// A host that the run does not allow, and the URL that leads to it.
  case forbidden(String, String, isRedirect: Bool)
  case forbiddenProxy(String)

  var code: ErrorCode {
    switch self {
    case .request: .invalid
    case .file: .file
    case .transfer(let failure, _): failure.errorCode
    case .unreachableProxy: .unreachable
    case .timeout: .timeout
    case .tooLarge: .tooLarge
    case .tooManyRedirects, .redirect, .noEvents, .fruitless: .protocolError
    case .notBegun(.exhausted): .unreachable
    case .notBegun(.refused): .invalid
    case .forbidden, .forbiddenProxy: .forbidden
    }
  }

  var description: String {
    switch self {
    case .request(let error): "\(error)"
    case .file(let error): "\(error)"
    case .transfer(let failure, let url): "\(url): \(failure.reason)"
    case .unreachableProxy(let url): "\(url): the proxy accepts no connection"
    case .timeout(let url, .connecting(let span)): "\(url): no connection within \(span.flowText)"
    case .timeout(let url, .answering(let span)): "\(url): no whole answer within \(span.flowText)"
    case .tooLarge(let url, let limit):
      "\(url): the answer has more than \(limit) bytes, or its head more than 256 KiB"
    case .tooManyRedirects(let url, let limit): "\(url): more than \(limit) redirects"
    case .redirect(let url, .login):
      "\(url): a redirect to a URL with a user or a password is not followed"
    case .redirect(let url, let error): "\(url): a redirect leads nowhere: \(error)"
    case .notBegun(let error): "\(error)"
    case .noEvents(let url, let type):
      "\(url): the answer is "
        + (type.isEmpty ? "without a type" : "of the type '\(type)'")
        + ", not 'text/event-stream'"
    case .fruitless(let url, let count): "\(url): \(count) connections in a row brought no event"
    case .forbidden(let host, let url, let isRedirect):
      "\(url): \(isRedirect ? "a redirect leads to " : "")'\(host)'"
        + (isRedirect ? ", which" : "") + " is not among the allowed hosts"
    case .forbiddenProxy(let host): "'proxy': '\(host)' is not among the allowed hosts"
    }
  }
}

extension HTTPError {
  /// Whether the same request may succeed later.
  var isPassing: Bool {
    switch self {
    case .transfer, .unreachableProxy, .timeout: true
    default: false
    }
  }
}

/// What took too long.
enum HTTPTimeout: Sendable, Hashable {
  case connecting(Duration)
  case answering(Duration)
}

extension ErrorCode {
  static let invalid = ErrorCode(
    "invalid",
    "The request cannot be made: no valid URL, two bodies, or a header with a line break.")
  static let file = ErrorCode("file", "A file cannot be read or written.")
  static let unreachable = ErrorCode(
    "unreachable",
    "No connection: the name is unknown, nothing answers there, or the system is out of memory.")
  static let tls = ErrorCode("tls", "No secure connection: a certificate or the handshake is bad.")
  static let timeout = ErrorCode("timeout", "The connection or the answer took too long.")
  static let protocolError = ErrorCode(
    "protocol",
    "The answer is broken off, not HTTP, or no stream of events; or redirects do not end.")
  static let tooLarge = ErrorCode(
    "too_large", "The answer is longer than 'max_bytes', or its head is too long.")
  static let forbidden = ErrorCode(
    "forbidden", "The host is not among those that the run allows; nothing was sent to it.")

  /// Every code that a request may answer with.
  static let all: [ErrorCode] = [
    .invalid, .file, .unreachable, .tls, .timeout, .protocolError, .tooLarge, .forbidden,
  ]
}

// The numbers are those of CURLcode, https://curl.se/libcurl/c/libcurl-errors.html.
extension TransferFailure {
  /// Whether a limit of time was reached.
  var isTimeout: Bool { code == 28 }
  /// Whether nothing accepts a connection at the server, or at the proxy.
  var isRefused: Bool { code == 7 }
  /// Whether it was the URL that libcurl did not accept.
  var isMalformed: Bool { code == 3 }

  fileprivate var errorCode: ErrorCode {
    switch code {
    // Where a line is above its limit, older versions of libcurl say that they have no memory for it.
    case 27 where wasConnected, 100 where wasConnected: .tooLarge
    case 5, 6, 7, 27, 45, 97: .unreachable
    case 35, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98: .tls
    default: .protocolError
    }
  }

  /// In words that are the same in every run: libcurl's own have ports and milliseconds.
  fileprivate var reason: String {
    switch code {
    // Without a connection it is libcurl that lacks the protocol of the URL.
    case 1 where wasConnected: "the answer is not HTTP"
    case 5: "the proxy's name is unknown"
    case 6: "the host's name is unknown"
    case 7: "nothing accepts a connection"
    case 18: "the answer is broken off"
    case 27 where wasConnected, 100 where wasConnected:
      "a line of the answer's head has more than 100 KiB, or no memory is left"
    case 27: "the system has no memory left"
    case 52: "the connection was closed without an answer"
    case 55, 56: "the connection broke"
    case 61: "the answer is compressed in a way that cannot be undone"
    default: errorCode == .tls && !detail.isEmpty ? detail : meaning
    }
  }
}
