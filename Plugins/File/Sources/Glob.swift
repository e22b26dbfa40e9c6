/// A pattern of names: `*` is any text, `?` one character, `[a-c]` one of those, `[!a-c]` any other.
struct Glob: Sendable {
  private enum Part: Sendable {
    case text
    case any
    case one([ClosedRange<Unicode.Scalar>], isNegated: Bool)
  }

  private let parts: [Part]

  init(_ pattern: String) {
    var parts: [Part] = []
    var rest = Substring(pattern).unicodeScalars
    while let scalar = rest.popFirst() {
      switch scalar {
      case "*": parts.append(.text)
      case "?": parts.append(.any)
      case "[": parts.append(Self.set(&rest) ?? .one(["["..."["], isNegated: false))
      default: parts.append(.one([scalar...scalar], isNegated: false))
      }
    }
    self.parts = parts
  }

  /// The characters up to the bracket; nil, and nothing is read, where there is none.
  private static func set(_ rest: inout Substring.UnicodeScalarView) -> Part? {
    var inner = rest
    let isNegated = inner.first == "!"
    if isNegated { inner.removeFirst() }
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    while let scalar = inner.popFirst() {
      // A bracket in the first place stands for itself.
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

  /// Whether a name is of this pattern.
  ///
  /// Going back to the last `*` alone is enough, so a pattern with many takes no longer than with one.
  func matches(_ name: String) -> Bool {
    let name = Array(name.unicodeScalars)
    var (part, place) = (0, 0)
    var star: (part: Int, place: Int)?
    while place < name.count {
      if part < parts.count, case .text = parts[part] {
        star = (part, place)
        part += 1
      } else if part < parts.count, Self.matches(parts[part], name[place]) {
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
