internal import FlowSystem

/// A server that requests are sent to in the place of the one in their addresses, as `resolve` and
/// `connect-to` of curl say it.
struct ImportedRoute: Sendable {
  /// The host of the addresses, or nil for any.
  private let host: String?
  /// The port of the addresses, or nil for any.
  private let port: Int?
  private let targetHost: String?
  private let targetPort: Int?

  /// Reads `host:port:address`, where the address may be one of several.
  init?(resolving text: String) {
    let parts = Self.parts(text.hasPrefix("+") ? String(text.dropFirst()) : text, count: 3)
    guard let parts, let port = Int(parts[1]), !parts[2].isEmpty else { return nil }
    host = parts[0] == "*" ? nil : parts[0].lowercased()
    self.port = port
    let address = String(parts[2].split(separator: ",").first ?? "")
    targetHost = address.contains(":") && !address.hasPrefix("[") ? "[\(address)]" : address
    targetPort = nil
  }

  /// Reads `host:port:host:port`, where each part may be empty.
  init?(connecting text: String) {
    guard let parts = Self.parts(text, count: 4) else { return nil }
    func port(_ text: String) -> Int?? { text.isEmpty ? .some(nil) : Int(text).map { $0 } }
    guard let from = port(parts[1]), let to = port(parts[3]) else { return nil }
    host = parts[0].isEmpty ? nil : parts[0].lowercased()
    self.port = from
    targetHost = parts[2].isEmpty ? nil : parts[2]
    targetPort = to
  }

  /// The parts between colons outside of brackets, of which the last one takes the rest.
  private static func parts(_ text: String, count: Int) -> [String]? {
    var (parts, isInside) = ([""], false)
    for character in text {
      if character == "[" { isInside = true }
      if character == "]" { isInside = false }
      if character == ":", !isInside, parts.count < count {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts.count == count ? parts : nil
  }

  /// The result of leading a request along a route.
  enum Outcome {
    case other
    case led
    /// The server is only known in a run, or has to prove its name.
    case impossible
  }

  /// Leads a request to the target, with the server of its address in the header `Host`.
  func lead(_ request: inout ImportedRequest) -> Outcome {
    let address = request.url.beginning
    guard let scheme = address.firstRange(of: "://") else { return .impossible }
    let authority = String(address[scheme.upperBound...].prefix { !"/?#".contains($0) })
    let isWhole = authority.utf8.count < address[scheme.upperBound...].utf8.count
    guard isWhole || request.url.literal != nil else { return .impossible }
    guard let server = URIAuthority(authority) else { return .impossible }
    let name = server.host.lowercased()
    let given = server.port.flatMap { Int($0) }
    let port = given ?? (address.hasPrefix("https") ? 443 : 80)
    guard host == nil || host == name, self.port == nil || self.port == port else { return .other }
    guard address.hasPrefix("http://") else { return .impossible }
    let target = "\(targetHost ?? name):\(targetPort ?? port)"
    let start = "http://" + authority
    request.url = ImportedText("http://" + target) + request.url.dropFirst(start.utf8.count)
    if request.header("host") == nil { request.addHeader("host", ImportedText(authority)) }
    return .led
  }
}
