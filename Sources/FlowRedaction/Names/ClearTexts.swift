/// Long texts in which no secret was found.
///
/// A program sends the same text again and again, as an agent does with all of its conversation, and
/// finding nothing in it takes longer than all else that happens to a request.
struct ClearTexts {
  /// Shorter texts are searched again, in bytes.
  private static let shortest = 512
  /// The most bytes that are kept.
  private static let mostBytes = 8 << 20

  // By bytes: equal strings may have different ones.
  private var texts: Set<[UInt8]> = []
  private var bytes = 0

  /// Returns true for a text that is worth to be noted.
  static func isLong(_ text: String) -> Bool { text.utf8.count >= shortest }

  /// Returns true if a text is known to have no secret.
  func contains(_ text: [UInt8]) -> Bool { texts.contains(text) }

  /// Notes a text without a secret.
  mutating func insert(_ text: [UInt8]) {
    guard text.count <= Self.mostBytes / 8 else { return }
    if bytes + text.count > Self.mostBytes { (texts, bytes) = ([], 0) }
    if texts.insert(text).inserted { bytes += text.count }
  }
}
