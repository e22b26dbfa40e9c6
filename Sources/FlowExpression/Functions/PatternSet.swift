/// A set of characters with a name, `\d` or `[:alpha:]`, as PCRE2 writes it inside of a class.
///
/// They hold characters of ASCII only. PCRE2's own sets of the same names differ: its `\s` holds the vertical
/// tab, and its `\w` does not disregard case.
struct PatternSet {
  private let ranges: [ClosedRange<UInt8>]
  private let isNegative: Bool

  /// `\d`, `\s`, `\w`, or with a capital the characters beside those; nil for another letter.
  init?(escape mark: Unicode.Scalar) {
    switch mark {
    case "d", "D": ranges = [0x30...0x39]
    case "s", "S": ranges = [0x09...0x0A, 0x0C...0x0D, 0x20...0x20]
    case "w", "W": ranges = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
    default: return nil
    }
    isNegative = mark.value < 0x60
  }

  /// What stands between `[:` and `:]`; nil when there is no such set.
  init?(posix name: String) {
    isNegative = name.utf8.first == UInt8(ascii: "^")
    guard let ranges = Self.posix[isNegative ? String(name.unicodeScalars.dropFirst()) : name]
    else { return nil }
    self.ranges = ranges
  }

  private static let posix: [String: [ClosedRange<UInt8>]] = [
    "alnum": [0x30...0x39, 0x41...0x5A, 0x61...0x7A],
    "alpha": [0x41...0x5A, 0x61...0x7A],
    "ascii": [0x00...0x7F],
    "blank": [0x09...0x09, 0x20...0x20],
    "cntrl": [0x00...0x1F, 0x7F...0x7F],
    "digit": [0x30...0x39],
    "graph": [0x21...0x7E],
    "lower": [0x61...0x7A],
    "print": [0x20...0x7E],
    "punct": [0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E],
    "space": [0x09...0x0D, 0x20...0x20],
    "upper": [0x41...0x5A],
    "word": [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A],
    "xdigit": [0x30...0x39, 0x41...0x46, 0x61...0x66],
  ]

  /// The ranges as they stand in a class.
  func text(ignoringCase: Bool) -> String {
    if !isNegative {
      return ranges.map { Self.text(UInt32($0.lowerBound), UInt32($0.upperBound)) }.joined()
    }
    // Where case is disregarded, whatever is one of them but for its case is not beside them.
    var (text, start) = ("", UInt32(0))
    for member in ignoringCase ? folded : members {
      if start < member { text += Self.text(start, member - 1) }
      start = member + 1
    }
    return text + Self.text(start, 0x10FFFF)
  }

  private var members: [UInt32] {
    ranges.flatMap { $0.map { UInt32($0) } }
  }

  private var folded: [UInt32] {
    var all = Set(members)
    for letter in UInt32(0x61)...0x7A where all.contains(letter) || all.contains(letter - 0x20) {
      all.formUnion([letter, letter - 0x20])
    }
    // The long s and the sign of Kelvin are letters of ASCII but for their case.
    if all.contains(0x73) { all.insert(0x17F) }
    if all.contains(0x6B) { all.insert(0x212A) }
    return all.sorted()
  }

  private static func text(_ first: UInt32, _ last: UInt32) -> String {
    "\\x{" + String(first, radix: 16) + "}-\\x{" + String(last, radix: 16) + "}"
  }
}
