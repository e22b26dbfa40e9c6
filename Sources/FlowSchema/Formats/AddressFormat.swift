internal import FlowSystem

/// Addresses of machines and people, and UUIDs.
enum AddressFormat {
  /// RFC 2673, section 3.2: four numbers without leading zeros.
  static func isIPv4(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        guard 1...3 ~= part.count, part.allSatisfy(\.isDigit),
          part.count == 1 || part.first != UInt8(ascii: "0"), let number = Int(String(part) ?? "")
        else { return false }
        return number <= 255
      }
  }

  /// RFC 4291, section 2.2.
  static func isIPv6(_ text: String) -> Bool {
    guard text.utf8.allSatisfy({ $0.hexadecimalValue != nil || $0 == 0x3A || $0 == 0x2E }) else {
      return false
    }
    let halves = text.split(separator: "::", omittingEmptySubsequences: false)
    // A third half, or a third colon.
    guard halves.count <= 2, !text.contains(":::") else { return false }
    let isShort = halves.count == 2
    var count = 0
    for (index, half) in halves.enumerated() where !half.isEmpty || !isShort {
      let groups = half.split(separator: ":", omittingEmptySubsequences: false)
      for (place, group) in groups.enumerated() {
        let isLast = index == halves.count - 1 && place == groups.count - 1
        if isLast, isIPv4(String(group)) {
          count += 2
        } else if 1...4 ~= group.utf8.count, !group.utf8.contains(0x2E) {
          count += 1
        } else {
          return false
        }
      }
    }
    return isShort ? count < 8 : count == 8
  }

  /// RFC 4122, section 3.
  static func isUUID(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return parts.map(\.count) == [8, 4, 4, 4, 12]
      && parts.allSatisfy { $0.allSatisfy { $0.hexadecimalValue != nil } }
  }

  /// RFC 5321, section 4.1.2, and RFC 6531 for other letters.
  static func isEmail(_ text: String, isInternational: Bool) throws(LibraryError) -> Bool {
    guard let sign = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return false }
    let (local, domain) = (text[..<sign], String(text[sign...].dropFirst()))
    guard isLocalPart(local, isInternational) else { return false }
    if domain.hasPrefix("["), domain.hasSuffix("]") {
      let address = String(domain.dropFirst().dropLast())
      return address.hasPrefix("IPv6:") ? isIPv6(String(address.dropFirst(5))) : isIPv4(address)
    }
    return try isInternational ? HostName.isInternational(domain) : HostName.isHostName(domain)
  }

  private static func isLocalPart(_ text: Substring, _ isInternational: Bool) -> Bool {
    guard 1...64 ~= text.utf8.count else { return false }
    if text.utf8.first == UInt8(ascii: "\""), text.utf8.count > 2, text.hasSuffix("\"") {
      return isQuoted(text.dropFirst().dropLast(), isInternational)
    }
    let signs = "!#$%&'*+-/=?^_`{|}~".utf8
    return text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .allSatisfy { atom in
        !atom.isEmpty
          && atom.allSatisfy {
            $0.isLetter || $0.isDigit || signs.contains($0) || isInternational && $0 >= 0x80
          }
      }
  }

  private static func isQuoted(_ text: Substring, _ isInternational: Bool) -> Bool {
    var isEscaped = false
    for byte in text.utf8 {
      guard 0x20..<0x7F ~= byte || isInternational && byte >= 0x80 else { return false }
      if !isEscaped, byte == UInt8(ascii: "\"") { return false }
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
    }
    return !isEscaped
  }
}
