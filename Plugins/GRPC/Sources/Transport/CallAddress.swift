internal import FlowCore

/// The address of a server: `http://host:port` without TLS, or `https://host:port`.
struct CallAddress: Sendable, Hashable, CustomStringConvertible {
  let hasTLS: Bool
  /// The host without the brackets of an IPv6 address.
  let host: String
  let port: String
  /// The host and the port as they are written.
  let authority: String

  /// Reads an address.
  ///
  /// - Throws: `GRPCError.invalid`.
  init(_ text: String) throws(GRPCError) {
    let reference = URIReference(text)
    guard let scheme = reference.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let authority = reference.authority, let parts = URIAuthority(authority),
      !parts.host.isEmpty, parts.userInformation == nil
    else {
      throw .invalid("'\(GRPCText.line(text))' is not an address such as http://127.0.0.1:50051")
    }
    guard reference.pathAndQuery.isEmpty || reference.pathAndQuery == "/" else {
      throw .invalid("'\(GRPCText.line(text))' has a path, which a server of gRPC does not")
    }
    hasTLS = scheme == "https"
    port = parts.port.flatMap { $0.isEmpty ? nil : $0 } ?? (hasTLS ? "443" : "80")
    guard UInt16(port) != nil else { throw .invalid("'\(GRPCText.line(port))' is not a port") }
    let isIPv6 = parts.host.hasPrefix("[") && parts.host.hasSuffix("]")
    host = isIPv6 ? String(parts.host.dropFirst().dropLast()) : parts.host
    self.authority = authority
  }

  /// The address in words.
  var description: String { "\(hasTLS ? "https" : "http")://\(authority)" }

  /// True if a run may connect to it.
  func isAllowed(by network: Network) -> Bool {
    network == .unlimited || network.allows(host: host, port: Int(port) ?? 0)
  }

  /// The host and the port, also one that is not written.
  var hostAndPort: String { "\(host):\(port)" }
}
