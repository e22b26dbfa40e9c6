/// One exchange with a server, without redirects.
struct Transfer: Sendable {
  var url: String
  /// Upper case.
  var method: String
  /// `Name: value`.
  var headers: [String]
  /// The same for what asks a proxy for a tunnel.
  var proxyHeaders: [String] = []
  /// Sent behind the cookies that servers have set, in one header.
  var cookie: String?
  /// Nil for none, which differs from an empty one.
  var body: [UInt8]?
  /// How long it may take as a whole, above zero; a stream has no limit of its own.
  var timeout: Duration
  /// Whether the reply is the head alone, and the body is read as it comes.
  var isStream = false
  /// Whether a redirect is followed, so that a stream does without its body.
  var isFollowed = true
  /// Whether the server is spoken to without TLS.
  var isPlain: Bool { url.hasPrefix("http:") }
}

/// A user with a password.
struct Login: Sendable, Hashable {
  var user: String
  var password: String

  /// Nil without a user or a password.
  init?(_ user: String?, _ password: String?) {
    guard let user, let password else { return nil }
    (self.user, self.password) = (user, password)
  }
}

/// What came of an exchange.
struct TransferReply: Sendable {
  /// The number of the exchange, by which a stream is read and ended.
  var number: UInt64
  var status: Int
  /// The lines of the head, of interim answers as well.
  var head: [UInt8]
  /// The lines behind the body; empty for a stream.
  var trailers: [UInt8] = []
  /// As it came; empty for a stream.
  var body: [UInt8]
  /// Where it redirects to, as a whole URL.
  var location: String?
  var elapsed: Duration
}

/// Why there is no answer, in libcurl's terms.
struct TransferFailure: Error, Sendable, Hashable {
  /// A `CURLcode`.
  var code: Int32
  /// libcurl's words for the code.
  var meaning: String
  /// libcurl's words for this case, which may contain times and numbers of ports; may be empty.
  var detail: String
  var wasConnected: Bool
  /// Whether the answer was longer than the limit.
  var isTooLarge: Bool
  /// The status with which a proxy answered CONNECT; 0 without one.
  var connectStatus = 0
}

/// What is the same for all exchanges of a component.
struct TransferOptions: Sendable {
  /// The longest body of an answer, in bytes.
  var limit: Int
  var connectTimeout: Duration
  /// Empty for none.
  var proxy: String
  /// Who the proxy is asked as.
  var proxyLogin: Login?
  /// Certificates in PEM, which are trusted in place of the system's.
  var authorities: [UInt8]?
  /// The client's certificate, in PEM.
  var certificate: [UInt8]?
  /// The client's key, in PEM.
  var key: [UInt8]?
  /// The passphrase of the key.
  var keyPassword: String?
  /// Whether any certificate of a server is good.
  var isInsecure: Bool
}
