/// The mark at the end of a shortened string.
///
/// Every string that may hold a secret is cut at its end, and gets this mark. So the redaction
/// finds a secret of which only the start is left, in any encoding, even if a string is cut before
/// it is redacted.
package enum Ellipsis {
  /// `…` in UTF-8.
  package static let bytes: [UInt8] = [0xE2, 0x80, 0xA6]

  /// A text, or its beginning and an ellipsis: at most so many unicode scalars.
  package static func shortened(_ text: String, to limit: Int) -> String {
    // By scalars: one character can be as long as a book.
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return text }
    return String(scalars.prefix(max(0, limit - 1))) + "…"
  }
}
