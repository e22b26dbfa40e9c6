/// A URI or a relative reference, split by RFC 3986, appendix B.
public struct URIReference: Hashable, Sendable {
  /// The scheme as it is written, without its colon.
  public package(set) var scheme: String?
  /// The part between `//` and the path, see `URIAuthority`.
  public package(set) var authority: String?
  /// The path, possibly empty.
  public package(set) var path: String
  /// The part behind `?`.
  public package(set) var query: String?
  /// The part behind `#`, as it is written.
  public package(set) var fragment: String?

  /// Splits a text, which may be anything.
  public init(_ text: String) {
    // In bytes, since a delimiter and a combining mark after it are one character.
    var rest = text.utf8[...]
    fragment = Self.cut(&rest, at: "#")
    query = Self.cut(&rest, at: "?")
    if let colon = rest.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
      scheme = String(Substring(rest[..<colon]))
      rest = rest[colon...].dropFirst()
    }
    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = String(Substring(rest[..<end]))
      rest = rest[end...]
    }
    path = String(Substring(rest))
  }

  /// The path and the query, as requests have them.
  public var pathAndQuery: String { path + (query.map { "?" + $0 } ?? "") }

  /// The reference as text.
  package var text: String {
    var text = ""
    if let scheme { text += scheme + ":" }
    if let authority { text += "//" + authority }
    text += path
    if let query { text += "?" + query }
    if let fragment { text += "#" + fragment }
    return text
  }

  /// The reference to the whole document.
  package var withoutFragment: URIReference {
    var copy = self
    copy.fragment = nil
    return copy
  }

  /// The target of the reference in a document with this URI (RFC 3986, section 5.2.2).
  ///
  /// The URI may be a relative path itself, as files of a project have.
  package func resolved(against base: URIReference) -> URIReference {
    var target = self
    if scheme != nil || authority != nil {
      target.scheme = scheme ?? base.scheme
      target.path = Self.withoutDots(path)
      return target
    }
    target.scheme = base.scheme
    target.authority = base.authority
    if path.isEmpty {
      target.path = base.path
      target.query = query ?? base.query
    } else {
      target.path = Self.withoutDots(path.hasPrefix("/") ? path : base.merged(with: path))
    }
    return target
  }

  private func merged(with path: String) -> String {
    if authority != nil, self.path.isEmpty { return "/" + path }
    guard let slash = self.path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return self.path[...slash] + path
  }

  /// Removes `.` and `..` (RFC 3986, section 5.2.4), also from a relative path.
  ///
  /// Such a path keeps a `..` that leads out of the folder it starts in.
  private static func withoutDots(_ path: String) -> String {
    guard path.utf8.contains(UInt8(ascii: ".")) else { return path }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    var kept: [Substring] = []
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      switch part {
      case ".": if isLast { kept.append("") }
      case "..":
        if kept.isEmpty || kept.last == ".." {
          kept.append(part)
        } else if kept.count > 1 || kept[0] != "" {
          kept.removeLast()
        }
        if isLast { kept.append("") }
      default: kept.append(part)
      }
    }
    return kept.joined(separator: "/")
  }

  private static func cut(_ rest: inout Substring.UTF8View, at sign: Unicode.Scalar) -> String? {
    guard let index = rest.firstIndex(of: UInt8(ascii: sign)) else { return nil }
    let part = String(Substring(rest[index...].dropFirst()))
    rest = rest[..<index]
    return part
  }

  private static func isScheme(_ text: Substring.UTF8View) -> Bool {
    guard let first = text.first, first.isLetter else { return false }
    return text.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
  }
}

/// The parts of an authority (RFC 3986, section 3.2), as `user:password@[::1]:8080`.
public struct URIAuthority: Hashable, Sendable {
  /// The part before the last `@`, as it is written.
  public let userInformation: String?
  /// The host, possibly empty, an IPv6 address in its brackets.
  public let host: String
  /// The part behind the colon after the host, possibly empty.
  public let port: String?

  /// Splits a text, or returns nil for an open bracket and for a closed one without a colon after it.
  public init?(_ text: String) {
    var rest = text.utf8[...]
    let sign = rest.lastIndex(of: UInt8(ascii: "@"))
    userInformation = sign.map { String(Substring(text.utf8[..<$0])) }
    if let sign { rest = rest[sign...].dropFirst() }
    var tail = rest.drop { $0 != UInt8(ascii: ":") }
    if rest.first == UInt8(ascii: "[") {
      tail = rest.drop { $0 != UInt8(ascii: "]") }
      guard tail.popFirst() != nil, tail.isEmpty || tail.first == UInt8(ascii: ":") else {
        return nil
      }
    }
    host = String(Substring(rest[..<tail.startIndex]))
    port = tail.isEmpty ? nil : String(Substring(tail.dropFirst()))
  }
}
