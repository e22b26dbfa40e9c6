/// A pattern of names.
///
/// - `*` is any text, and `?` one character.
/// - `[a-c]` is one of these characters, and `[!a-c]` any other.
/// - `{a,b}` is one of these patterns.
struct Glob: Sendable {
  private enum Part: Sendable {
    case text
    case any
    case one([ClosedRange<Unicode.Scalar>], isNegated: Bool)
  }

  private let alternatives: [[Part]]

  /// The most patterns that braces may expand to.
  private static let most = 100

  /// - Throws: `.unfit` for a pattern that no name can match, and for too many braces.
  init(_ pattern: String) throws(FileProblem) {
    guard !pattern.unicodeScalars.contains("/") else {
      throw .unfit(
        "'glob' matches names in one folder and cannot contain '/'; give the folder in 'path'")
    }
    guard let patterns = Self.expanded(pattern.unicodeScalars.map(\.self)) else {
      throw .unfit("'glob' expands to more than \(Self.most) patterns")
    }
    alternatives = patterns.map(Self.parts)
  }

  /// Expands the braces of a pattern, or returns nil for too many patterns.
  ///
  /// Braces without a comma are literal, as in a shell.
  private static func expanded(_ pattern: [Unicode.Scalar]) -> [[Unicode.Scalar]]? {
    var done: [[Unicode.Scalar]] = []
    var waiting = [pattern]
    while let next = waiting.popLast() {
      guard let (start, commas, end) = braces(of: next) else {
        done.append(next)
        continue
      }
      guard done.count + waiting.count + commas.count < most else { return nil }
      let bounds = [start] + commas + [end]
      for (first, last) in zip(bounds, bounds.dropFirst()).reversed() {
        var pattern = Array(next[..<start])
        pattern += next[(first + 1)..<last]
        pattern += next[(end + 1)...]
        waiting.append(pattern)
      }
    }
    return done
  }

  /// Returns the first braces with their own comma: their positions and their commas.
  private static func braces(of pattern: [Unicode.Scalar]) -> (Int, [Int], Int)? {
    var open: [(start: Int, commas: [Int])] = []
    for (place, scalar) in pattern.enumerated() {
      switch scalar {
      case "{": open.append((place, []))
      case "," where !open.isEmpty: open[open.count - 1].commas.append(place)
      case "}":
        guard let (start, commas) = open.popLast(), !commas.isEmpty else { continue }
        return (start, commas, place)
      default: continue
      }
    }
    return nil
  }

  private static func parts(_ pattern: [Unicode.Scalar]) -> [Part] {
    var parts: [Part] = []
    var text = String.UnicodeScalarView()
    text.append(contentsOf: pattern)
    var rest = Substring(String(text)).unicodeScalars
    while let scalar = rest.popFirst() {
      switch scalar {
      case "*": parts.append(.text)
      case "?": parts.append(.any)
      case "[": parts.append(set(&rest) ?? .one(["["..."["], isNegated: false))
      default: parts.append(.one([scalar...scalar], isNegated: false))
      }
    }
    return parts
  }

  /// Reads the characters up to the bracket, or returns nil and reads nothing if it is missing.
  private static func set(_ rest: inout Substring.UnicodeScalarView) -> Part? {
    var inner = rest
    let isNegated = inner.first == "!"
    if isNegated { inner.removeFirst() }
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    while let scalar = inner.popFirst() {
      // A bracket in the first place is literal.
      if scalar == "]" && !ranges.isEmpty {
        rest = inner
        return .one(ranges, isNegated: isNegated)
      }
      if inner.first == "-", let last = inner.dropFirst().first, last != "]" {
        inner.removeFirst(2)
        ranges.append(min(scalar, last)...max(scalar, last))
      } else {
        ranges.append(scalar...scalar)
      }
    }
    return nil
  }

  /// Returns true if a name matches this pattern.
  ///
  /// Backtracking to the last `*` alone is enough, so many of them take no longer than one.
  func matches(_ name: String) -> Bool {
    let name = Array(name.unicodeScalars)
    return alternatives.contains { Self.matches($0, name) }
  }

  private static func matches(_ parts: [Part], _ name: [Unicode.Scalar]) -> Bool {
    var (part, place) = (0, 0)
    var star: (part: Int, place: Int)?
    while place < name.count {
      if part < parts.count, case .text = parts[part] {
        star = (part, place)
        part += 1
      } else if part < parts.count, matches(parts[part], name[place]) {
        part += 1
        place += 1
      } else if let last = star {
        star = (last.part, last.place + 1)
        (part, place) = (last.part + 1, last.place + 1)
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { if case .text = $0 { true } else { false } }
  }

  private static func matches(_ part: Part, _ scalar: Unicode.Scalar) -> Bool {
    switch part {
    case .text: false
    case .any: true
    case .one(let ranges, let isNegated): ranges.contains { $0.contains(scalar) } != isNegated
    }
  }
}
