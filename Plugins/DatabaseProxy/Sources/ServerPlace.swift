internal import FlowCore
internal import FlowPostgreSQL
internal import FlowSQL

/// The server behind a proxy, and the URL that leads a program to it.
struct ServerPlace: Sendable {
  private enum Server {
    case postgreSQL, mariaDB
  }

  private let server: Server
  /// The name or address of the host, which is unused with a socket.
  let host: String
  let port: Int
  /// The path of the server's socket, or nil.
  let socket: String?
  /// The parts of the URL before and after the host.
  private let before, after: String

  /// Reads a URL, whose host must be allowed by a network.
  ///
  /// - Throws: `ComponentError`, which does not quote the URL: it may have a password.
  init(_ url: String, allowedBy network: Network) throws(ComponentError) {
    if MariaDBAddress.isLike(url) {
      try self.init(mariaDB: url)
    } else {
      try self.init(postgreSQL: url)
    }
    let shown = host.contains(":") ? "[\(host)]" : host
    guard network.allows(host: shown, port: port) else {
      throw ComponentError(.settings, "'url': '\(shown):\(port)' is not among the allowed hosts")
    }
  }

  private init(postgreSQL url: String) throws(ComponentError) {
    let library: PostgreSQLLibrary
    do { library = try PostgreSQLLibrary.system() } catch {
      throw ComponentError(.settings, "\(error)")
    }
    guard ["postgres://", "postgresql://"].contains(where: url.hasPrefix),
      let address = PostgreSQLAddress(url, in: library), address.servers.count == 1,
      let server = address.servers.first
    else {
      throw ComponentError(
        .settings,
        "'url' must be like postgres://user:password@host:5432/database, "
          + "or mysql://user:password@host:3306/database")
    }
    let name = server.host.isEmpty ? "localhost" : server.host
    guard let port = Int(server.port.isEmpty ? "5432" : server.port), 1...65_535 ~= port else {
      throw ComponentError(.settings, "'url' must have a port from 1 to 65535")
    }
    try Self.check(address)
    let isSocket = name.hasPrefix("/")
    self.server = .postgreSQL
    (host, self.port) = (isSocket ? "localhost" : name, port)
    socket = isSocket ? "\(name)/.s.PGSQL.\(port)" : nil
    let parts = Self.parts(of: url)
    (before, after) = (parts.before, parts.after)
  }

  private init(mariaDB url: String) throws(ComponentError) {
    let address = try MariaDBAddress(url)
    guard address.tls == .none else {
      throw ComponentError(
        .settings,
        "'url' has 'tls=\(address.tls.rawValue)', but the proxy reads along and refuses TLS; "
          + "use 'none'")
    }
    server = .mariaDB
    let isLiteral = address.host.hasPrefix("[")
    host = isLiteral ? String(address.host.dropFirst().dropLast()) : address.host
    (port, socket) = (address.port, address.socket)
    let parts = Self.parts(of: url)
    // The parameters are about the way to the server.
    (before, after) = (parts.before, String(parts.after.prefix { $0 != "?" }))
  }

  /// The parts of a URL before and after its host and port.
  private static func parts(of url: String) -> (before: String, after: String) {
    let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    let authority = parts.count > 2 ? parts[2].prefix { $0 != "/" && $0 != "?" } : ""
    let login = authority.lastIndex(of: "@").map { authority[...$0] } ?? ""
    return ("\(parts[0])//\(login)", String((parts.last ?? "").dropFirst(authority.count)))
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

  /// Begins to connect to the server.
  func connecting() throws(SocketError) -> Socket {
    if let socket { return try Socket.connecting(toPath: socket) }
    return try Socket.connecting(toName: host, port)
  }

  /// Creates the conversation of a new connection.
  func conversation() -> any Conversation {
    switch server {
    case .postgreSQL: PostgreSQLConversation()
    case .mariaDB: MariaDBConversation()
    }
  }

  /// Returns the URL of the same database by a port of this machine.
  func url(at port: Int) -> String { "\(before)127.0.0.1:\(port)\(after)" }
}
