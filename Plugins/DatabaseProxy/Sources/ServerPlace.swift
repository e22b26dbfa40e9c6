internal import FlowCore
internal import FlowPostgreSQL

/// The server behind a proxy, and the URL that leads a program to it.
struct ServerPlace: Sendable {
  /// The name or address of the host, or the folder of a socket.
  let host: String
  let port: Int
  /// The parts of the URL before and after the host.
  private let before, after: String

  /// Reads a URL, whose host must be allowed by a network.
  ///
  /// - Throws: `ComponentError`, which does not quote the URL: it may have a password.
  init(_ url: String, allowedBy network: Network) throws(ComponentError) {
    let library: PostgreSQLLibrary
    do { library = try PostgreSQLLibrary.system() } catch {
      throw ComponentError(.settings, "\(error)")
    }
    let expectation = "'url' must be like postgres://user:password@host:5432/database"
    guard ["postgres://", "postgresql://"].contains(where: url.hasPrefix),
      let address = PostgreSQLAddress(url, in: library), address.servers.count == 1,
      let server = address.servers.first
    else { throw ComponentError(.settings, expectation) }
    let name = server.host.isEmpty ? "localhost" : server.host
    guard let port = Int(server.port.isEmpty ? "5432" : server.port), 1...65_535 ~= port else {
      throw ComponentError(.settings, "'url' must have a port from 1 to 65535")
    }
    let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    let authority = parts.count > 2 ? parts[2].prefix { $0 != "/" && $0 != "?" } : ""
    let login = authority.lastIndex(of: "@").map { authority[...$0] } ?? ""
    try Self.check(address)
    let shown = name.hasPrefix("/") ? "localhost" : name.contains(":") ? "[\(name)]" : name
    guard network.allows(host: shown, port: port) else {
      throw ComponentError(.settings, "'url': '\(shown):\(port)' is not among the allowed hosts")
    }
    (host, self.port) = (name, port)
    before = "\(parts[0])//\(login)"
    after = String(parts[2].dropFirst(authority.count))
  }

  /// Refuses parameters that a program could not follow here.
  private static func check(_ address: PostgreSQLAddress) throws(ComponentError) {
    for name in ["hostaddr", "service"] where address.parameters[name] != nil {
      throw ComponentError(.settings, "'url' has '\(name)', which is not accepted")
    }
    let encrypting: Set = ["require", "verify-ca", "verify-full"]
    if let mode = address.parameters["sslmode"], encrypting.contains(mode) {
      throw ComponentError(
        .settings,
        "'url' has 'sslmode=\(mode)', but the proxy reads along and refuses TLS; "
          + "use 'prefer' or 'disable'")
    }
  }

  /// Creates the conversation of a new connection.
  func conversation() -> any Conversation { PostgreSQLConversation() }

  /// Returns the URL of the same database by a port of this machine.
  func url(at port: Int) -> String { "\(before)127.0.0.1:\(port)\(after)" }
}
