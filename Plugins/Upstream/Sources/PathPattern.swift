/// A pattern of paths.
///
/// A segment `*` or `{name}` stands for any one segment, and `**` at the end for any rest, also for
/// none. Everything else stands for itself, in the case as written.
struct PathPattern: Sendable {
  let text: String
  private let segments: [Substring]
  private let isOpen: Bool

  /// Reads a pattern.
  init(_ text: String) {
    self.text = text
    let parts = Self.segments(of: text)
    isOpen = parts.last == "**"
    segments = isOpen ? parts.dropLast() : parts
  }

  /// Returns true if a path, without its query, fits.
  func fits(_ path: String) -> Bool {
    let parts = Self.segments(of: path)
    guard isOpen ? parts.count >= segments.count : parts.count == segments.count else {
      return false
    }
    return zip(segments, parts).allSatisfy { Self.isAny($0) ? !$1.isEmpty : $0 == $1 }
  }

  private static func segments(of path: String) -> [Substring] {
    path.split(separator: "/", omittingEmptySubsequences: false)
  }

  private static func isAny(_ segment: Substring) -> Bool {
    segment == "*" || segment.count > 2 && segment.hasPrefix("{") && segment.hasSuffix("}")
  }

  /// Returns the number of characters that the pattern shares with a path at both ends.
  func likeness(to path: String) -> Int {
    let start = zip(text, path).prefix { $0 == $1 }.count
    let end = zip(text.reversed(), path.reversed()).prefix { $0 == $1 }.count
    return start + end
  }
}
