internal import FlowCore

/// The hosts behind the proxy, with their roles.
struct Hosts: Sendable {
  private let roles: [String: ServerRole]
  /// The names as written, sorted.
  let names: [String]

  /// Reads the setting `hosts`.
  ///
  /// - Throws: `ComponentError` for a name that is not a host, or one that no role can have.
  init(_ hosts: [String: String]) throws {
    names = hosts.keys.sorted()
    var roles: [String: ServerRole] = [:]
    for name in names {
      guard !name.isEmpty, !name.contains("/"), !name.contains(" ") else {
        throw ComponentError(.settings, Messages.noHost(name))
      }
      let role = hosts[name] ?? ""
      guard Role.isName(role) else {
        throw ComponentError(.settings, Messages.noRole(role, of: name))
      }
      roles[name.lowercased()] = ServerRole.named(role)
    }
    self.roles = roles
  }

  /// The roles of all hosts.
  var all: [ServerRole] { Array(roles.values) }

  /// Returns the role of a host, or nil for any other host.
  ///
  /// A name with a port comes before one without, and `*` stands for all others.
  func role(of host: RequestHost) -> ServerRole? {
    roles["\(host.name):\(host.port)"] ?? roles[host.name] ?? roles[Self.anyHost]
  }

  /// The name for every host that is not named.
  private static let anyHost = "*"
}

/// The server of a request to the proxy.
struct RequestHost: Sendable {
  private let isTLS: Bool
  /// In lower case, an address of IPv6 in brackets.
  let name: String
  let port: String
  private let isDefaultPort: Bool

  /// Reads a host with or without a port.
  init(_ text: String, isTLS: Bool) {
    self.isTLS = isTLS
    let text = text.lowercased()
    let standard = isTLS ? "443" : "80"
    guard let colon = text.lastIndex(of: ":"), !text[colon...].contains("]") else {
      (name, port, isDefaultPort) = (text, standard, true)
      return
    }
    name = String(text[..<colon])
    port = String(text[text.index(after: colon)...])
    isDefaultPort = port == standard
  }

  /// The name, with a port unless it is that of the scheme.
  var text: String { isDefaultPort ? name : "\(name):\(port)" }

  /// The scheme, the name and the port, in one form (RFC 6454, section 6.2).
  var origin: String { "\(isTLS ? "https" : "http")://\(text)" }
}

extension IncomingRequest {
  /// The server that a program asked the proxy for, or nil for a request to the port.
  var server: RequestHost? { host.map { RequestHost($0, isTLS: isTLS) } }

  /// Returns true for a header `Host` that does not name the server of the tunnel around it.
  ///
  /// Outside of a tunnel the target has the server, and a proxy ignores `Host` (RFC 9112, section
  /// 3.2.2).
  func isOtherHost(_ name: String, _ value: String) -> Bool {
    guard isTLS, let server, name.lowercased() == "host" else { return false }
    return RequestHost(value, isTLS: true).text != server.text
  }
}
