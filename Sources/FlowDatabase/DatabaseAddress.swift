/// Where a journal is in a server of PostgreSQL: `postgres://user@host:5432/database#NAME`.
///
/// The part before the name is what libpq reads; the name is the journal's own.
package struct DatabaseAddress: Sendable, Hashable {
  /// What libpq is given; it may have a password.
  let url: String
  /// The journal's name, 1 to 200 characters; nil where the address names a database alone.
  package let name: String?
  /// The address without passwords, as messages show it.
  package let description: String

  /// The longest name, in characters.
  package static let longestName = 200

  /// The address that a text is; nil for one that does not begin as one, such as a path.
  ///
  /// - Throws: `DatabaseAddressError` when the name is empty, too long, or not percent-encoded as it should be.
  package init?(_ text: String) throws(DatabaseAddressError) {
    guard Self.isAddress(text) else { return nil }
    let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    url = String(parts[0])
    guard !text.utf8.contains(0) else { throw DatabaseAddressError.name }
    if parts.count == 2 {
      guard let name = String(parts[1]).percentDecoded, 1...Self.longestName ~= name.count,
        !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
      else { throw DatabaseAddressError.name }
      self.name = name
    } else {
      name = nil
    }
    description = Self.withoutPasswords(url) + (parts.count == 2 ? "#" + parts[1] : "")
  }

  /// Whether a text is an address of this kind rather than a path.
  package static func isAddress(_ text: String) -> Bool {
    text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
  }

  /// A text without the password that it has if it is an address.
  ///
  /// libpq reads `scheme://USER:PASSWORD@HOST/DATABASE?NAME=VALUE&...`; names may be percent-encoded.
  package static func withoutPasswords(_ url: String) -> String {
    guard isAddress(url), let scheme = url.firstRange(of: "://") else { return url }
    let question = url[scheme.upperBound...].firstIndex(of: "?") ?? url.endIndex
    var place = String(url[scheme.upperBound..<question])
    // The last one: libpq wants '@' in a password encoded, but nobody has to have done that.
    if let at = place.lastIndex(of: "@"), let colon = place[..<at].firstIndex(of: ":") {
      place.removeSubrange(colon..<at)
    }
    let parameters = url[question...].dropFirst().split(separator: "&")
      .filter { parameter in
        let name = parameter.prefix { $0 != "=" }
        // A name that has to be decoded hides something: none of libpq's needs it.
        return !name.lowercased().hasSuffix("password") && !name.contains("%")
      }
    return url[..<scheme.upperBound] + place
      + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
  }
}

/// Why a text is no address of a journal.
package enum DatabaseAddressError: Error, CustomStringConvertible {
  case name

  /// What is expected.
  package var description: String {
    "the journal's name, behind '#', has 1 to \(DatabaseAddress.longestName) characters, percent-encoded"
  }
}

extension String {
  /// The text with `%41` decoded; nil where a percent sign means nothing, or for bytes that are no text.
  fileprivate var percentDecoded: String? {
    var (bytes, rest) = ([UInt8](), utf8[...])
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2, let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 16),
        digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-")
      else { return nil }
      bytes.append(code)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
