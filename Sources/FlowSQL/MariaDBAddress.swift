public import FlowCore

/// The place of a server of MySQL or MariaDB and its login, as parsed from a URL.
public struct MariaDBAddress: Sendable {
  /// The use of TLS.
  public enum TLS: String, Sendable {
    /// No encryption.
    case none
    /// Encryption with any certificate.
    case required
    /// Encryption with a certificate of a known authority.
    case verified
  }

  /// The name or the address of the host.
  public private(set) var host: String = "localhost"
  /// The port of the host.
  public private(set) var port: Int = 3306
  /// The user's name, which a URL must have.
  public private(set) var user: String?
  /// The password, or nil without one.
  public private(set) var password: String?
  /// The database, or nil without one.
  public private(set) var database: String?
  /// The path of the server's socket, used instead of the host.
  public private(set) var socket: String?
  /// The use of TLS.
  public private(set) var tls: TLS = .none
  /// The file with the authorities that sign the server's certificate.
  public private(set) var authority: String?

  /// The message for an invalid URL, which may have a password and is not quoted.
  public static let expectation: String =
    "'url' must be like mysql://user:password@host:3306/database"

  /// Returns true if a URL has a scheme of MySQL or MariaDB.
  public static func isLike(_ url: String) -> Bool {
    ["mysql://", "mariadb://"].contains(where: url.hasPrefix)
  }

  /// Parses a URL.
  ///
  /// - Throws: `ComponentError`, which does not quote the URL.
  public init(_ url: String) throws(ComponentError) {
    let reference = URIReference(url)
    guard Self.isLike(url), url.utf8.allSatisfy({ 0x21...0x7E ~= $0 }), reference.fragment == nil
    else { throw Self.invalid }
    try parse(authority: reference.authority ?? "")
    let name = try Self.decoded(reference.path.dropFirst())
    guard !name.contains("/") else { throw Self.invalid }
    database = name.isEmpty ? nil : name
    let query = Substring(reference.query ?? "")
    for parameter in query.split(separator: "&") { try parse(parameter: parameter, of: query) }
    guard socket == nil || host == "localhost" else {
      throw ComponentError(.settings, "'url' has a 'socket' and another host than localhost")
    }
    // The library would take the name of the system's user.
    guard user?.isEmpty == false else { throw ComponentError(.settings, "'url' must have a user") }
  }

  private mutating func parse(authority: String) throws(ComponentError) {
    guard let parts = URIAuthority(authority) else { throw Self.invalid }
    if let login = parts.userInformation {
      guard !login.contains("@") else {
        throw ComponentError(.settings, "'url' has an '@' in its password; write it as '%40'")
      }
      let name = login.prefix { $0 != ":" }
      user = try Self.decoded(name)
      if name.endIndex < login.endIndex {
        password = try Self.decoded(login[name.endIndex...].dropFirst())
      }
    }
    if !parts.host.isEmpty {
      host = parts.host.hasPrefix("[") ? parts.host : try Self.decoded(Substring(parts.host))
    }
    guard let port = parts.port, !port.isEmpty else { return }
    guard let number = Int(port), 1...65_535 ~= number else {
      throw ComponentError(.settings, "'url' must have a port from 1 to 65535")
    }
    self.port = number
  }

  private mutating func parse(
    parameter: Substring, of query: Substring
  ) throws(ComponentError) {
    let name = parameter.prefix { $0 != "=" }
    let value = try Self.decoded(parameter[name.endIndex...].dropFirst())
    switch name {
    case "socket": socket = value
    case "tls_ca": authority = value
    case "tls":
      guard let tls = TLS(rawValue: value) else {
        throw ComponentError(.settings, "'url' must have none, required or verified as 'tls'")
      }
      self.tls = tls
    default: throw ComponentError(unaccepted: name, in: query, Self.expectation)
    }
  }

  private static let invalid = ComponentError(.settings, expectation)

  /// Decodes `%40` and similar parts.
  private static func decoded(_ text: Substring) throws(ComponentError) -> String {
    guard let text = PercentEncoding.decode(text), !text.utf8.contains(0) else { throw invalid }
    return text
  }
}

extension ComponentError {
  /// Creates the error for a parameter of a URL that is not accepted.
  ///
  /// A '?' in a password starts a query that is a part of the password. It has an '@' then, or a
  /// name that is none, and is not quoted.
  public init(unaccepted name: Substring, in query: Substring, _ expectation: String) {
    let isName = !name.isEmpty && name.utf8.allSatisfy { Self.nameCharacters.contains($0) }
    let isShown = isName && !query.contains("@")
    self.init(.settings, isShown ? "'url' has '\(name)', which is not accepted" : expectation)
  }

  private static let nameCharacters = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-".utf8)
}
