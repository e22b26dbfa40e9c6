private import CPostgreSQL
internal import FlowCore

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// Where a server is, and how to log in: what a URL says, taken apart.
struct PostgreSQLAddress: Sendable {
  let library: PostgreSQLLibrary
  /// The parameters of a connection, by their names.
  private let parameters: [String: String]
  /// Whether this libpq gives up a connection whose server no longer acknowledges anything; since version 12.
  private let hasSocketTimeout: Bool

  /// The address that a URL names, whose hosts a network has to allow.
  ///
  /// - Throws: `ComponentError`, which does not quote the URL: it may have a password.
  init(
    _ url: String, allowedBy network: Network, in library: PostgreSQLLibrary
  ) throws(ComponentError) {
    guard Self.isLike(url), let options = Self.options(of: url, library) else {
      throw ComponentError(.settings, Self.expectation)
    }
    var parameters = options.compactMapValues(\.self)
    try Self.check(parameters)
    // They lead to hosts that nothing has allowed.
    for variable in ["PGHOSTADDR", "PGSERVICE"] {
      guard unsafe getenv(variable) == nil else {
        throw ComponentError(.settings, "the environment has \(variable), which is not accepted")
      }
    }
    parameters["host"] = parameters["host"] ?? "localhost"
    parameters["port"] = parameters["port"] ?? "5432"
    parameters["client_encoding"] = "UTF8"
    parameters["fallback_application_name"] = "flow"
    self.library = library
    self.parameters = parameters
    hasSocketTimeout = options["tcp_user_timeout"] == .some(nil)
    try checkHosts(network)
  }

  /// Refuses the parameters that are on no list: newer versions of libpq have some that write files or ask other
  /// servers, as `sslkeylogfile` and `oauth_issuer`.
  private static func check(_ parameters: [String: String]) throws(ComponentError) {
    if let name = parameters.keys.sorted().first(where: { !accepted.contains($0) }) {
      throw ComponentError(.settings, "'url' has '\(name)', which is not accepted")
    }
    // Before a colon stands the name of an engine, which is a library that OpenSSL would load.
    guard parameters["sslkey"]?.contains(":") != true else {
      throw ComponentError(.settings, "'url' has an 'sslkey' with a ':', which is not accepted")
    }
  }

  // https://www.postgresql.org/docs/current/libpq-connect.html; without those that lead to other hosts, `hostaddr`
  // and `service`.
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

  /// What is wrong with a text that is no such URL, which may have a password and is not quoted.
  static let expectation = "'url' is not one such as postgres://user:password@host:5432/database"

  /// Whether a URL begins as one of a server of PostgreSQL.
  static func isLike(_ url: String) -> Bool {
    ["postgres://", "postgresql://"].contains(where: url.hasPrefix)
  }

  /// The parameters of a connection that is given up after a span without any answer of the system beyond.
  func parameters(within timeout: Duration) -> [String: String] {
    guard hasSocketTimeout else { return parameters }
    let milliseconds = max(1, min(timeout, .seconds(86_400)) / .milliseconds(1))
    return parameters.merging(["tcp_user_timeout": "\(Int(milliseconds))"]) { given, _ in given }
  }

  /// All parameters that libpq knows, with what it reads in a URL; nil for one that it does not understand.
  private static func options(
    of url: String, _ library: PostgreSQLLibrary
  ) -> [String: String?]? {
    let functions = unsafe library.functions.pointee
    guard let options = unsafe functions.conninfoParse(url, nil) else { return nil }
    defer { unsafe functions.conninfoFree(options) }
    var values: [String: String?] = [:]
    var option = unsafe options
    while let keyword = unsafe option.pointee.keyword {
      let value = unsafe option.pointee.value.map { unsafe String(cString: $0) }
      values.updateValue(value, forKey: unsafe String(cString: keyword))
      unsafe option += 1
    }
    return values
  }

  /// libpq tries several hosts in turn, each with its port, or with one for all.
  private func checkHosts(_ network: Network) throws(ComponentError) {
    let hosts = Self.parts(parameters["host"])
    let ports = Self.parts(parameters["port"])
    for (index, name) in hosts.enumerated() {
      // libpq ends a password at its first '@', and takes the rest for a host: nothing of it may be shown.
      if name.dropFirst().contains("@") {
        throw ComponentError(.settings, "'url' has an '@' in its password; write it as '%40'")
      }
      let text = ports.indices.contains(index) ? ports[index] : ports.last ?? ""
      guard let port = Int(text.isEmpty ? "5432" : text), 1...65_535 ~= port else {
        throw ComponentError(.settings, "'url' has a port that is not one: 1 to 65535")
      }
      let host = Self.host(name)
      guard network.allows(host: host, port: port) else {
        throw ComponentError(.forbidden, "'url': '\(host):\(port)' is not among the allowed hosts")
      }
    }
  }

  private static func parts(_ list: String?) -> [String] {
    (list ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  /// A host as networks know it: a socket of this machine is `localhost`, an IPv6 address in brackets.
  private static func host(_ name: String) -> String {
    if name.isEmpty || name.hasPrefix("/") || name.hasPrefix("@") { return "localhost" }
    return name.contains(":") ? "[\(name)]" : name
  }
}
