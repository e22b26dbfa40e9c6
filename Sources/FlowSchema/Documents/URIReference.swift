internal import FlowSystem

/// A URI or a relative reference, split by RFC 3986, appendix B.
package struct URIReference: Hashable, Sendable {
  package var scheme: String?
  package var authority: String?
  package var path: String
  package var query: String?
  /// The part behind `#`, as it is written.
  package var fragment: String?

  /// Splits a text, which may be anything.
  package init(_ text: String) {
    var rest = Substring(text)
    fragment = Self.cut(&rest, at: "#")
    query = Self.cut(&rest, at: "?")
    if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
      scheme = String(rest[..<colon])
      rest = rest[colon...].dropFirst()
    }
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = String(rest[..<end])
      rest = rest[end...]
    }
    path = String(rest)
  }

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

  private static func cut(_ rest: inout Substring, at sign: Character) -> String? {
    guard let index = rest.firstIndex(of: sign) else { return nil }
    let part = String(rest[index...].dropFirst())
    rest = rest[..<index]
    return part
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, first.isLetter else { return false }
    return text.utf8.allSatisfy {
      $0.isLetter || $0.isDigit
        || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains($0)
    }
  }
}

extension String {
  /// The text with its percent-encoded bytes decoded, or nil for a bad escape or bad UTF-8.
  package var percentDecoded: String? {
    guard utf8.contains(UInt8(ascii: "%")) else { return self }
    var (bytes, rest) = ([UInt8](), Array(utf8)[...])
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst()?.hexadecimalValue,
        let low = rest.popFirst()?.hexadecimalValue
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
