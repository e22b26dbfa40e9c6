internal import FlowCore
internal import FlowPostgreSQL
internal import FlowSQL

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

extension PostgreSQLAddress {
  /// Parses a URL, whose hosts must be allowed by a network.
  ///
  /// - Throws: `ComponentError`, which does not quote the URL: it may have a password.
  init(
    _ url: String, allowedBy network: Network, in library: PostgreSQLLibrary
  ) throws(ComponentError) {
    guard Self.isLike(url), let address = PostgreSQLAddress(url, in: library) else {
      throw Self.problem(of: url, library)
    }
    self = address
    try Self.check(parameters)
    // They could lead to a forbidden host.
    for variable in ["PGHOSTADDR", "PGSERVICE"] {
      guard unsafe getenv(variable) == nil else {
        throw ComponentError(.settings, "the environment has \(variable), which is not accepted")
      }
    }
    parameters["host"] = parameters["host"] ?? "localhost"
    parameters["port"] = parameters["port"] ?? "5432"
    parameters["client_encoding"] = "UTF8"
    parameters["fallback_application_name"] = "flow"
    try checkHosts(network)
  }

  /// Rejects unlisted parameters.
  ///
  /// Newer versions of libpq have some that write files or ask other servers, such as
  /// `sslkeylogfile` and `oauth_issuer`.
  private static func check(_ parameters: [String: String]) throws(ComponentError) {
    if let name = parameters.keys.sorted().first(where: { !accepted.contains($0) }) {
      throw ComponentError(.settings, "'url' has '\(name)', which is not accepted")
    }
    // A colon follows the name of an engine, a library that OpenSSL would load.
    guard parameters["sslkey"]?.contains(":") != true else {
      throw ComponentError(.settings, "'url' has an 'sslkey' with a ':', which is not accepted")
    }
  }

  // https://www.postgresql.org/docs/current/libpq-connect.html, without `hostaddr` and `service`,
  // which lead to other hosts.
  private static let accepted: Set = [
    "application_name", "channel_binding", "client_encoding", "connect_timeout", "dbname",
    "fallback_application_name", "gssdelegation", "gssencmode", "gsslib", "host", "keepalives",
    "keepalives_count", "keepalives_idle", "keepalives_interval", "krbsrvname",
    "load_balance_hosts", "max_protocol_version", "min_protocol_version", "options", "passfile",
    "password", "port", "require_auth", "requirepeer", "requiressl", "ssl_max_protocol_version",
    "ssl_min_protocol_version", "sslcert", "sslcertmode", "sslcompression", "sslcrl", "sslcrldir",
    "sslkey", "sslmode", "sslnegotiation", "sslpassword", "sslrootcert", "sslsni",
    "target_session_attrs", "tcp_user_timeout", "user",
  ]

  /// Returns the error for a URL that libpq does not accept.
  private static func problem(of url: String, _ library: PostgreSQLLibrary) -> ComponentError {
    let query = url.drop { $0 != "?" }.dropFirst()
    let names = query.split(separator: "&").map { $0.prefix { $0 != "=" } }
    let known = PostgreSQLAddress("postgres://", in: library)?.knownParameters ?? []
    let unknown = names.first { !known.union(["ssl", "requiressl"]).contains(String($0)) }
    guard let unknown else { return ComponentError(.settings, expectation) }
    return ComponentError(unaccepted: unknown, in: query, expectation)
  }

  /// The message for an invalid URL, which may have a password and is not quoted.
  static let expectation = "'url' must be like postgres://user:password@host:5432/database"

  /// Returns true if a URL has a scheme of PostgreSQL.
  static func isLike(_ url: String) -> Bool {
    ["postgres://", "postgresql://"].contains(where: url.hasPrefix)
  }

  /// Returns the address with a limit for the time in which a server acknowledges no data.
  ///
  /// libpq has the parameter since version 12.
  func limited(to timeout: Duration) -> PostgreSQLAddress {
    guard knownParameters.contains("tcp_user_timeout"), parameters["tcp_user_timeout"] == nil else {
      return self
    }
    let milliseconds = max(1, min(timeout, .seconds(86_400)) / .milliseconds(1))
    var copy = self
    copy.parameters["tcp_user_timeout"] = "\(Int(milliseconds))"
    return copy
  }

  /// Checks all hosts that libpq would try in turn, each with its own port or with a shared one.
  private func checkHosts(_ network: Network) throws(ComponentError) {
    for (name, text) in servers {
      // libpq ends a password at its first '@' and takes the rest for a host, so none of it may be
      // shown.
      if name.dropFirst().contains("@") {
        throw ComponentError(.settings, "'url' has an '@' in its password; write it as '%40'")
      }
      guard let port = Int(text.isEmpty ? "5432" : text), 1...65_535 ~= port else {
        throw ComponentError(.settings, "'url' must have a port from 1 to 65535")
      }
      let host = Self.host(name)
      guard network.allows(host: host, port: port) else {
        throw ComponentError(.forbidden, "'url': '\(host):\(port)' is not among the allowed hosts")
      }
    }
  }

  /// Returns a host in the form of `Network`: `localhost` for a local socket, an IPv6 address in
  /// brackets.
  private static func host(_ name: String) -> String {
    if name.isEmpty || name.hasPrefix("/") || name.hasPrefix("@") { return "localhost" }
    return name.contains(":") ? "[\(name)]" : name
  }
}
