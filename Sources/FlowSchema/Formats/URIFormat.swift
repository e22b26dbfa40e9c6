internal import FlowSystem

/// URIs by RFC 3986, IRIs by RFC 3987, and templates by RFC 6570.
enum URIFormat {
  static func isURI(_ text: String, isInternational: Bool) -> Bool {
    URIReference(text).scheme != nil && isReference(text, isInternational: isInternational)
  }

  static func isReference(_ text: String, isInternational: Bool) -> Bool {
    let parts = URIReference(text)
    func allows(_ part: String?, _ signs: String) -> Bool {
      part.map { Self.allows($0, signs, isInternational) } ?? true
    }
    // The first segment of a relative path may look like no scheme (RFC 3986, section 4.2).
    if parts.scheme == nil, parts.authority == nil,
      parts.path.prefix(while: { $0 != "/" }).contains(":")
    {
      return false
    }
    return allows(parts.path, ":@/") && allows(parts.query, ":@/?")
      && allows(parts.fragment, ":@/?") && isAuthority(parts.authority, isInternational)
  }

  private static func isAuthority(_ text: String?, _ isInternational: Bool) -> Bool {
    guard let text else { return true }
    guard let parts = URIAuthority(text), allows(parts.userInformation ?? "", ":", isInternational),
      (parts.port ?? "").utf8.allSatisfy(\.isDigit)
    else { return false }
    guard parts.host.hasPrefix("[") else { return allows(parts.host, "", isInternational) }
    let address = String(parts.host.dropFirst().dropLast())
    return AddressFormat.isIPv6(address) || isFutureAddress(address)
  }

  /// `v1.fe80::1`, the form of addresses to come.
  private static func isFutureAddress(_ text: String) -> Bool {
    let parts = text.split(separator: ".", maxSplits: 1)
    return parts.count == 2 && parts[0].lowercased().hasPrefix("v") && parts[0].utf8.count > 1
      && parts[0].dropFirst().utf8.allSatisfy { $0.hexadecimalValue != nil }
      && allows(String(parts[1]), ":", false)
  }

  /// True if a part has only letters, digits, percent escapes and these and the common signs.
  private static func allows(_ text: String, _ signs: String, _ isInternational: Bool) -> Bool {
    let signs = Array((signs + "-._~!$&'()*+,;=").utf8)
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard rest.count >= 2, rest.prefix(2).allSatisfy({ $0.hexadecimalValue != nil }) else {
          return false
        }
        rest = rest.dropFirst(2)
      } else if !(byte.isLetter || byte.isDigit || signs.contains(byte)
        || isInternational && byte >= 0x80)
      {
        return false
      }
    }
    return true
  }

  // MARK: - Templates

  static func isTemplate(_ text: String) -> Bool {
    var rest = Substring(text)
    while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      guard rest[open] == "{", isLiteral(rest[..<open]),
        let end = rest[open...].firstIndex(of: "}"),
        isExpression(rest[open..<end].dropFirst())
      else { return false }
      rest = rest[end...].dropFirst()
    }
    return isLiteral(rest)
  }

  /// Section 2.1 with erratum 6937: everything except for these signs, and `%` only in escapes.
  private static func isLiteral(_ text: Substring) -> Bool {
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte <= 0x20 || byte == 0x7F || "\"<>\\^`{|}".utf8.contains(byte) { return false }
      guard byte == UInt8(ascii: "%") else { continue }
      guard rest.count >= 2, rest.prefix(2).allSatisfy({ $0.hexadecimalValue != nil }) else {
        return false
      }
    }
    return true
  }

  /// Section 2.2: an operator and variables between commas.
  private static func isExpression(_ text: Substring) -> Bool {
    // The last five operators are reserved for later.
    let names = "+#./;?&=,!@|".contains(text.prefix(1)) && !text.isEmpty ? text.dropFirst() : text
    return names.split(separator: ",", omittingEmptySubsequences: false).allSatisfy(isVariable)
  }

  private static func isVariable(_ text: Substring) -> Bool {
    var name = text
    if name.hasSuffix("*") {
      name = name.dropLast()
    } else if let colon = name.firstIndex(of: ":") {
      let length = name[colon...].dropFirst()
      guard 1...4 ~= length.utf8.count, length.utf8.allSatisfy(\.isDigit), !length.hasPrefix("0")
      else { return false }
      name = name[..<colon]
    }
    return name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty && isName(part)
    }
  }

  private static func isName(_ text: Substring) -> Bool {
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard rest.count >= 2, rest.prefix(2).allSatisfy({ $0.hexadecimalValue != nil }) else {
          return false
        }
        rest = rest.dropFirst(2)
      } else if !byte.isWordCharacter {
        return false
      }
    }
    return true
  }
}
