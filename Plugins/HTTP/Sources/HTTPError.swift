internal import FlowCore
internal import HTTPCoding

/// A failed request.
enum HTTPError: CodedError, CustomStringConvertible {
  case request(RequestError)
  case file(FileError)
  /// A failure of libcurl, and the URL.
  case transfer(TransferFailure, String)
  /// A socket that accepts no connection, and the URL.
  case unreachableSocket(UnreachableSocket, String)
  /// A client's certificate or key that libcurl does not read, and the URL.
  case unreadableKey(KeyProblem, String)
  /// The proxy accepts no connection.
  case unreachableProxy(String)
  /// A proxy that opens no tunnel, and true if it received a login.
  case refusedTunnel(String, status: Int, hasLogin: Bool)
  case timeout(String, HTTPTimeout)
  case tooLarge(String, limit: Int)
  case tooManyRedirects(String, limit: Int)
  case redirect(String, WebAddressError)
  case refusedRedirect(String, RequestError)
  /// A body that goes to a file or is a stream and cannot be decompressed.
  case undecoded(String, ContentCodingError)
  case notBegun(TransferThreadError)
  /// No token from a URL.
  case noToken(String, TokenError)
  /// A response that is not an event stream, with its type.
  case noEvents(String, type: String)
  case fruitless(String, count: Int)
  /// A host forbidden in this run, and the URL leading to it.
  case forbidden(String, String, isRedirect: Bool)
  case forbiddenProxy(String)
  /// The path of a socket, while the run allows some hosts alone.
  case forbiddenSocket(String)

  var code: ErrorCode {
    switch self {
    case .request: .invalid
    case .file: .file
    case .transfer(let failure, _): failure.errorCode
    case .unreachableSocket, .unreachableProxy, .refusedTunnel: .unreachable
    case .unreadableKey: .tls
    case .timeout: .timeout
    case .tooLarge: .tooLarge
    case .tooManyRedirects, .redirect, .refusedRedirect, .undecoded, .noEvents, .fruitless,
      .noToken:
      .protocolError
    case .notBegun(.exhausted): .unreachable
    case .notBegun(.refused): .invalid
    case .forbidden, .forbiddenProxy, .forbiddenSocket: .forbidden
    }
  }

  var description: String {
    switch self {
    case .request(let error): "\(error)"
    case .file(let error): "\(error)"
    case .transfer(let failure, let url): "\(url): \(failure.reason)"
    case .unreachableSocket(let socket, let url):
      "\(url): cannot connect to the socket '\(socket.path)': \(socket.reason)"
    case .unreadableKey(let problem, let url): "\(url): \(problem)"
    case .unreachableProxy(let url): "\(url): cannot connect to the proxy"
    case .refusedTunnel(let url, 407, let hasLogin):
      "\(url): the proxy returned 407 to CONNECT; "
        + (hasLogin ? "check" : "give") + " 'proxy_user' and 'proxy_password'"
    case .refusedTunnel(let url, let status, _):
      "\(url): the proxy returned \(status) to CONNECT and does not connect to this server"
    case .timeout(let url, .connecting(let span)): "\(url): no connection within \(span.flowText)"
    case .timeout(let url, .answering(let span)):
      "\(url): no complete response within \(span.flowText)"
    case .tooLarge(let url, let limit):
      "\(url): the response has more than \(limit) bytes, or its headers more than 256 KiB"
    case .tooManyRedirects(let url, let limit): "\(url): more than \(limit) redirects"
    case .redirect(let url, .login):
      "\(url): a redirect to a URL with a user or a password is not followed"
    case .redirect(let url, let error): "\(url): a redirect has an invalid URL: \(error)"
    case .refusedRedirect(let url, let error): "\(url): \(error)"
    case .undecoded(let url, let error):
      "\(url): the response cannot be decompressed: \(error); "
        + "to leave it compressed, set 'decompress: false'"
    case .notBegun(let error): "\(error)"
    case .noToken(let url, let error): "\(url): \(error)"
    case .noEvents(let url, let type):
      "\(url): the response has "
        + (type.isEmpty ? "no Content-Type" : "the Content-Type '\(type)'")
        + ", not 'text/event-stream'"
    case .fruitless(let url, let count): "\(url): \(count) connections in a row delivered no event"
    case .forbidden(let host, let url, let isRedirect):
      "\(url): \(isRedirect ? "a redirect leads to " : "")'\(host)'"
        + (isRedirect ? ", which" : "") + " is not among the allowed hosts"
    case .forbiddenProxy(let host): "'proxy': '\(host)' is not among the allowed hosts"
    case .forbiddenSocket(let path):
      "'unix_socket': the run allows some hosts alone, and '\(path)' is none"
    }
  }
}

extension HTTPError {
  /// True if the same request may succeed later.
  var isPassing: Bool {
    switch self {
    case .transfer, .unreachableSocket, .unreachableProxy, .refusedTunnel, .timeout: true
    default: false
    }
  }
}

/// The phase of a request that took too long.
enum HTTPTimeout: Sendable, Hashable {
  case connecting(Duration)
  case answering(Duration)
}

extension ErrorCode {
  static let invalid = ErrorCode(
    "invalid",
    "The request is invalid: a malformed URL, two bodies, or a header with a line break.")
  static let file = ErrorCode("file", "A file cannot be read or written.")
  static let unreachable = ErrorCode(
    "unreachable",
    "No connection: an unknown host, a refused connection, or a lack of memory.")
  static let tls = ErrorCode(
    "tls", "No secure connection: an invalid certificate or a failed handshake.")
  static let timeout = ErrorCode("timeout", "The connection or the response took too long.")
  static let protocolError = ErrorCode(
    "protocol",
    "The response is incomplete, not HTTP, not an event stream, or redirects too often.")
  static let tooLarge = ErrorCode(
    "too_large", "The body exceeds 'max_bytes', or the head of the response is too long.")
  static let forbidden = ErrorCode(
    "forbidden", "The run does not allow this host. Nothing was sent to it.")

  /// Every error code of a request.
  static let all: [ErrorCode] = [
    .invalid, .file, .unreachable, .tls, .timeout, .protocolError, .tooLarge, .forbidden,
  ]
}

// The numbers are CURLcodes, https://curl.se/libcurl/c/libcurl-errors.html.
extension TransferFailure {
  /// True if a time limit was reached.
  var isTimeout: Bool { code == 28 }
  /// True if the server or the proxy accepts no connection.
  var isRefused: Bool { code == 7 }
  /// True if a proxy answered CONNECT without opening a tunnel.
  var isRefusedTunnel: Bool { connectStatus != 0 && connectStatus / 100 != 2 }
  /// True if libcurl cannot read the client's certificate or key.
  var isOfKey: Bool { code == 58 }
  /// True if libcurl rejected the URL.
  var isMalformed: Bool { code == 3 }

  fileprivate var errorCode: ErrorCode {
    switch code {
    // Older versions of libcurl report missing memory for a line above its limit.
    case 27 where wasConnected, 100 where wasConnected: .tooLarge
    case 5, 6, 7, 27, 45, 97: .unreachable
    case 35, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98: .tls
    default: .protocolError
    }
  }

  /// The reason in words that are the same in every run.
  ///
  /// libcurl's own may have ports, milliseconds and numbers.
  fileprivate var reason: String {
    switch code {
    // Without a connection, libcurl itself lacks the protocol of the URL.
    case 1 where wasConnected: "the response is not HTTP"
    case 5: "the name of the proxy cannot be resolved"
    case 6: "the name of the host cannot be resolved"
    case 7: "cannot connect"
    case 18: "the response is incomplete"
    case 27 where wasConnected, 100 where wasConnected:
      "a line of the response's headers has more than 100 KiB, or the system is out of memory"
    case 27: "the system is out of memory"
    case 52: "the connection was closed without a response"
    case 55, 56: "the connection was lost" + (alert.map { ": the server says '\($0)'" } ?? "")
    case 58: "the client's certificate, key or 'client_key_password' is wrong: \(words)"
    case 16, 92, 95: "the HTTP/2 stream was closed" + (streamError.map { ": \($0)" } ?? "")
    case _ where errorCode == .tls: detail.isEmpty ? meaning : detail
    default: words
    }
  }

  /// libcurl's own words for this failure if they are the same in every run, otherwise those for
  /// the code.
  private var words: String {
    let isSame = !detail.isEmpty && !detail.utf8.contains { 0x30...0x39 ~= $0 }
    return isSame || code == 97 ? detail : meaning
  }

  /// The reason that a server gave by TLS for closing the connection, such as a missing
  /// certificate.
  ///
  /// In the words of OpenSSL: `…::tlsv13 alert certificate required, errno 0`.
  private var alert: String? {
    guard let range = detail.firstRange(of: " alert ") else { return nil }
    return String(detail[range.upperBound...].prefix { $0 != "," && $0 != "(" })
  }

  /// The reason at the end of a stream error, without the varying stream number.
  ///
  /// In the words of libcurl: `HTTP/2 stream 1 was not closed cleanly: PROTOCOL_ERROR (err 1)`.
  private var streamError: String? {
    detail.firstRange(of: "cleanly: ").map { String(detail[$0.upperBound...]) }
  }
}
