/// An exchange with a server, without redirects.
struct Transfer: Sendable {
  var url: String
  /// The method in upper case.
  var method: String
  /// Header lines, `Name: value`.
  var headers: [String]
  /// Header lines of the CONNECT request to a proxy.
  var proxyHeaders: [String] = []
  /// Cookies sent after those set by servers, in one header.
  var cookie: String?
  /// The body, or nil, which differs from an empty one.
  var body: [UInt8]?
  /// The longest duration of the whole exchange, above zero, ignored for a stream.
  var timeout: Duration
  /// The longest body of the response in bytes, ignored for a stream.
  var limit: Int
  /// True if the reply is only the head and the body is read as it arrives.
  var isStream = false
  /// True if a redirect is followed, so that a stream skips its body.
  var isFollowed = true
  /// True if another program's request is passed on: without cookies, and with its path as written.
  var isPassedOn = false
  /// True if the request is not sent again when its connection ends without a response.
  var isOnce = false
  /// True if the path is sent as it is written.
  var keepsPath = false
  /// The login that libcurl itself makes.
  var login: TransferLogin?
  /// The path of the Unix socket to connect to in place of the host.
  var unixSocket: String?
  /// True if the server is reached without TLS.
  var isPlain: Bool { url.hasPrefix("http:") }
}

/// A login that depends on the server or on the whole request.
enum TransferLogin: Sendable, Hashable {
  /// An answer to the server's challenge.
  case digest(Login)
  /// A signature in the form of CURLOPT_AWS_SIGV4, with the key's id as the user.
  case signature(String, Login)

  var login: Login {
    switch self {
    case .digest(let login), .signature(_, let login): login
    }
  }
}

/// The result of an exchange.
struct TransferReply: Sendable {
  /// The number of the exchange, for reading and ending a stream.
  var number: UInt64
  var status: Int
  /// The lines of the head, including those of interim responses.
  var head: [UInt8]
  /// The lines after the body, empty for a stream.
  var trailers: [UInt8] = []
  /// The body as received, empty for a stream.
  var body: [UInt8]
  /// The target of a redirect, as a whole URL.
  var location: String?
  var elapsed: Duration
}

/// The next part of a stream.
struct TransferPiece: Sendable {
  /// The bytes, none at the end.
  var bytes: [UInt8]
  /// The lines after the body, at its end.
  var trailers: [UInt8] = []
}

/// A failed exchange, in libcurl's terms.
struct TransferFailure: Error, Sendable, Hashable {
  /// A `CURLcode`.
  var code: Int32
  /// libcurl's words for the code.
  var meaning: String
  /// libcurl's own description, possibly empty, which may contain times and port numbers.
  var detail: String
  var wasConnected: Bool
  /// True if the response exceeded the limit.
  var isTooLarge: Bool
  /// The status of a proxy's response to CONNECT, or 0.
  var connectStatus = 0
}

/// The options shared by all exchanges of a component.
struct TransferOptions: Sendable, Hashable {
  var connectTimeout: Duration
  /// The URL of the proxy, or an empty string.
  var proxy: String
  /// The login for the proxy.
  var proxyLogin: Login?
  /// Certificates in PEM, trusted instead of the system's.
  var authorities: [UInt8]?
  /// The client's certificate, in PEM, or with its key in PKCS #12.
  var certificate: [UInt8]?
  /// True if the certificate is in PKCS #12.
  var isPKCS12 = false
  /// The client's key, in PEM.
  var key: [UInt8]?
  /// The passphrase of the key.
  var keyPassword: String?
  /// True if any certificate of a server is accepted.
  var isInsecure: Bool
}
