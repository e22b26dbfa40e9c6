/// A text for a regular expression, as far as it is a simple one.
///
/// Lookaheads count as nothing, so the text has to be checked.
struct PatternSample {
  private static let longest = 2_000
  private static let deepest = 50

  private var rest: Substring.UnicodeScalarView
  /// The number of repetitions where any number is allowed.
  private let repetitions: Int
  /// True to take the last of several alternatives instead of the first.
  private let takesLast: Bool
  private var depth = 0

  /// Returns texts for a pattern.
  static func texts(for pattern: String, least: Int) -> [String] {
    [false, true].flatMap { takesLast -> [String] in
      [0, 1, max(2, least)].map { count -> String in
        var sample = PatternSample(
          rest: Substring(pattern).unicodeScalars, repetitions: min(count, longest),
          takesLast: takesLast)
        return sample.alternatives()
      }
    }
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func alternatives() -> String {
    depth += 1
    defer { depth -= 1 }
    guard depth < Self.deepest else { return "" }
    var text = sequence()
    while take("|") {
      let next = sequence()
      if takesLast { text = next }
    }
    return text
  }

  private mutating func sequence() -> String {
    var text = ""
    while let next = rest.first, next != "|", next != ")" {
      let part = atom()
      let count = quantifier()
      guard text.utf8.count + part.utf8.count * count < Self.longest else { return text }
      for _ in 0..<count { text += part }
    }
    return text
  }

  private mutating func atom() -> String {
    guard let scalar = rest.popFirst() else { return "" }
    switch scalar {
    case "^", "$": return ""
    case ".": return "a"
    case "\\": return escape()
    case "[": return characterClass()
    case "(": return group()
    default: return String(scalar)
    }
  }

  private mutating func group() -> String {
    var isLook = false
    if take("?") {
      if take("<") {
        isLook = rest.first == "=" || rest.first == "!"
        rest = isLook ? rest.dropFirst() : rest.drop { $0 != ">" }.dropFirst()
      } else {
        isLook = rest.popFirst() != ":"
      }
    }
    let text = alternatives()
    _ = take(")")
    return isLook ? "" : text
  }

  private mutating func escape() -> String {
    guard let scalar = rest.popFirst() else { return "" }
    switch scalar {
    case "d": return "1"
    case "w", "D", "S": return "a"
    case "W", "s": return " "
    case "b", "B": return ""
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    default: return String(scalar)
    }
  }

  /// Takes the rest of `[a-z]`, and returns its first character, or one outside of `[^a-z]`.
  private mutating func characterClass() -> String {
    let isNegative = take("^")
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    while let scalar = rest.first, scalar != "]" {
      guard let low = member() else { continue }
      guard rest.first == "-", rest.dropFirst().first != "]" else {
        ranges.append(low...low)
        continue
      }
      rest.removeFirst()
      if let high = member(), low <= high { ranges.append(low...high) }
    }
    _ = take("]")
    guard isNegative else { return ranges.first.map { String($0.lowerBound) } ?? "" }
    let others = "a1A-_ .".unicodeScalars
    return others.first { other in !ranges.contains { $0.contains(other) } }.map { String($0) }
      ?? ""
  }

  private mutating func member() -> Unicode.Scalar? {
    guard let scalar = rest.popFirst() else { return nil }
    guard scalar == "\\" else { return scalar }
    return escape().unicodeScalars.first
  }

  /// Takes `*`, `+`, `?` or `{2,3}`, and returns the number of repetitions.
  private mutating func quantifier() -> Int {
    defer { _ = take("?") }
    if take("*") { return repetitions }
    if take("+") { return max(1, repetitions) }
    if take("?") { return min(1, repetitions) }
    guard rest.first == "{", let end = rest.firstIndex(of: "}") else { return 1 }
    let parts = Substring(rest[rest.startIndex..<end]).dropFirst()
      .split(separator: ",", omittingEmptySubsequences: false)
    guard let least = parts.first.flatMap({ Int($0) }) else { return 1 }
    rest = rest[end...].dropFirst()
    let most = parts.count == 1 ? least : Int(parts[1]) ?? max(least, repetitions)
    return min(max(least, repetitions), max(least, most), Self.longest)
  }
}
