package import FlowCore

/// The numbers of hidden texts of one name: `${secret:cart.token#2}`, `${redacted:1#3}`.
///
/// Texts are numbered in the order in which they occur, which schedules change. So a number only
/// shows if two texts are the same: a recording numbers them anew, in its own order, and
/// comparisons find out which numbers belong together.
package enum PlaceholderNumbers {
  /// A placeholder in a text.
  package struct Place: Sendable, Hashable {
    /// Its beginning without the number, such as `${redacted:1`.
    package let base: String
    /// The number, or 1 if none is written.
    package let number: Int
    /// Its position in bytes.
    package let range: Range<Int>
    /// The position of its number, or of an omitted one.
    let numberRange: Range<Int>
    let placeholder: Placeholder

    /// The number of the pattern that matched its text, or nil for a secret.
    var pattern: Int? {
      if case .pattern(let number, _) = placeholder { return number }
      return nil
    }

    /// Its name and number, independent of the form.
    package var name: String { "\(base)#\(number)" }

    /// Returns the placeholder with another number, as written.
    func text(_ number: Int, in bytes: [UInt8]) -> [UInt8] {
      let end = bytes[numberRange.upperBound..<range.upperBound]
      return Array(base.utf8) + (number == 1 ? [] : Array("#\(number)".utf8)) + end
    }
  }

  /// The most digits of a number.
  private static let mostDigits = 7
  /// The greatest number.
  static let greatest = 9_999_999
  /// The longest name of a secret, in bytes.
  static let longestName = 200
  private static let (secret, pattern) = (Array("${secret:".utf8), Array("${redacted:".utf8))

  /// The beginning of the placeholders for secrets of a name.
  static func base(ofSecret name: String) -> String { "${secret:\(name)" }

  /// Returns the start of the placeholders for matches of a pattern, by its number.
  static func base(ofPattern number: Int) -> String { "${redacted:\(number)" }

  /// The placeholders in a text, in order.
  package static func places(in bytes: [UInt8]) -> [Place] {
    var (places, next) = ([Place](), 0)
    while let start = bytes[next...].firstIndex(of: UInt8(ascii: "$")) {
      let place = place(at: start, in: bytes)
      if let place { places.append(place) }
      next = place?.range.upperBound ?? start + 1
    }
    return places
  }

  /// Returns the placeholder at a place, or nil.
  static func place(at start: Int, in bytes: [UInt8]) -> Place? {
    if bytes[start...].starts(with: pattern) { return pattern(at: start, in: bytes) }
    if bytes[start...].starts(with: secret) { return secret(at: start, in: bytes) }
    return nil
  }

  private static func pattern(at start: Int, in bytes: [UInt8]) -> Place? {
    let digits = digits(at: start + pattern.count, in: bytes)
    guard let pattern = number(digits) else { return nil }
    let (value, range) = suffix(at: digits.endIndex, in: bytes)
    guard let value, bytes[range.upperBound...].first == UInt8(ascii: "}") else { return nil }
    return Place(
      base: base(ofPattern: pattern), number: value, range: start..<range.upperBound + 1,
      numberRange: range, placeholder: .pattern(pattern, value: value))
  }

  private static func secret(at start: Int, in bytes: [UInt8]) -> Place? {
    let name = bytes[(start + secret.count)...].prefix(longestName + 1).prefix(while: isOfName)
    guard !name.isEmpty, name.count <= longestName else { return nil }
    let (value, range) = suffix(at: name.endIndex, in: bytes)
    guard let value else { return nil }
    let text = String(decoding: name, as: UTF8.self)
    let full = value == 1 ? text : "\(text)#\(value)"
    for form in [nil] + Placeholder.Form.allCases {
      let label = Array((form.map { ":\($0.rawValue)" } ?? "").utf8)
      guard bytes[range.upperBound...].starts(with: label) else { continue }
      var end = range.upperBound + label.count
      let content = form == nil ? nil : content(at: end, in: bytes)
      if let content { end += content.utf8.count + 1 }
      guard bytes[end...].first == UInt8(ascii: "}") else { continue }
      return Place(
        base: base(ofSecret: text), number: value, range: start..<end + 1,
        numberRange: range, placeholder: .secret(full, form, content: content))
    }
    return nil
  }

  /// Returns the digest after a colon, or nil.
  private static func content(at start: Int, in bytes: [UInt8]) -> String? {
    guard bytes[start...].first == UInt8(ascii: ":") else { return nil }
    let digits = bytes[(start + 1)...].prefix(Placeholder.contentDigits)
    guard digits.count == Placeholder.contentDigits,
      digits.allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 })
    else { return nil }
    return String(decoding: digits, as: UTF8.self)
  }

  static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// Reads the number of `#2` at a place, 1 if there is none, or nil for a malformed one.
  private static func suffix(at start: Int, in bytes: [UInt8]) -> (Int?, Range<Int>) {
    guard bytes[start...].first == UInt8(ascii: "#") else { return (1, start..<start) }
    let digits = digits(at: start + 1, in: bytes)
    let value = number(digits).flatMap { $0 > 1 ? $0 : nil }
    return (value, start..<digits.endIndex)
  }

  private static func digits(at start: Int, in bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes[start...].prefix(mostDigits + 1).prefix { 0x30...0x39 ~= $0 }
  }

  /// Returns the number of some digits, or nil for none, too many, or leading zeros.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard digits.count <= mostDigits, let first = digits.first, first != UInt8(ascii: "0") else {
      return nil
    }
    return digits.reduce(0) { $0 * 10 + Int($1 & 0x0F) }
  }

  /// Returns the greatest number of each start of a placeholder in a text.
  package static func greatest(in bytes: [UInt8]) -> [String: Int] {
    Dictionary(places(in: bytes).map { ($0.base, $0.number) }, uniquingKeysWith: max)
  }

  /// Returns a text in which all placeholders of a name are the same.
  package static func removed(from bytes: [UInt8]) -> [UInt8] { renumbered(bytes) { _ in 1 } }

  /// Returns a text with other placeholder numbers.
  static func renumbered(_ bytes: [UInt8], _ number: (Place) -> Int) -> [UInt8] {
    var (result, end) = ([UInt8](), 0)
    for place in places(in: bytes) {
      let number = number(place)
      if number == place.number { continue }
      result += bytes[end..<place.range.lowerBound]
      result += place.text(number, in: bytes)
      end = place.range.upperBound
    }
    return end == 0 ? bytes : result + bytes[end...]
  }
}

/// New numbers for hidden texts, in the order of their occurrence in the output.
package struct CanonicalNumbers: Sendable {
  private var known: [String: [Int: Int]] = [:]

  /// Creates numbers for an empty output.
  package init() {}

  /// Renumbers the next part of the output, with whole placeholders.
  package mutating func renumbered(_ bytes: [UInt8]) -> [UInt8] {
    PlaceholderNumbers.renumbered(bytes) { number(of: $0) }
  }

  private mutating func number(of place: PlaceholderNumbers.Place) -> Int {
    if let number = known[place.base]?[place.number] { return number }
    let number = (known[place.base]?.count ?? 0) + 1
    known[place.base, default: [:]][place.number] = number
    return number
  }
}

/// The pairs of hidden texts in a recording and a run, with each number in one pair only.
package struct HiddenPairs: Sendable {
  /// The numbers of one name.
  private struct Numbers {
    /// The recorded numbers by the present ones.
    var recorded: [Int: Int] = [:]
    /// The present numbers by the recorded ones.
    var present: [Int: Int] = [:]
  }

  private var known: [String: Numbers] = [:]

  /// Creates no pairs.
  package init() {}

  /// Returns true if a text is the recorded one except for numbers, and pairs each number with the
  /// recorded one.
  ///
  /// `canPair` returns true if a recorded and a present placeholder may be paired with different
  /// numbers.
  package mutating func pair(
    recorded: String, now: String,
    canPair: (PlaceholderNumbers.Place, PlaceholderNumbers.Place) -> Bool
  ) -> Bool {
    let (before, after) = (Array(recorded.utf8), Array(now.utf8))
    guard before.contains(UInt8(ascii: "$")), after.contains(UInt8(ascii: "$")),
      PlaceholderNumbers.removed(from: before) == PlaceholderNumbers.removed(from: after)
    else { return false }
    return pairPlaces(before, after, canPair)
  }

  /// Returns false if the hidden texts of two texts do not correspond, and pairs their numbers
  /// otherwise.
  ///
  /// Texts with other placeholders, or of another number of them, have nothing to be paired.
  package mutating func pairPlaces(
    recorded: String, now: String,
    canPair: (PlaceholderNumbers.Place, PlaceholderNumbers.Place) -> Bool
  ) -> Bool {
    pairPlaces(Array(recorded.utf8), Array(now.utf8), canPair)
  }

  private mutating func pairPlaces(
    _ before: [UInt8], _ after: [UInt8],
    _ canPair: (PlaceholderNumbers.Place, PlaceholderNumbers.Place) -> Bool
  ) -> Bool {
    let places = (PlaceholderNumbers.places(in: before), PlaceholderNumbers.places(in: after))
    guard places.0.map(\.base) == places.1.map(\.base) else { return true }
    var copy = self
    for (recorded, now) in zip(places.0, places.1) where !copy.pair(recorded, now, canPair) {
      return false
    }
    self = copy
    return true
  }

  /// Pairs the numbers in a text that is the same in the recording and in the run, unless they are
  /// paired already.
  package mutating func noteSame(
    _ text: String, canPair: (PlaceholderNumbers.Place) -> Bool
  ) {
    for place in PlaceholderNumbers.places(in: Array(text.utf8)) where canPair(place) {
      let numbers = known[place.base, default: Numbers()]
      if numbers.recorded[place.number] == nil, numbers.present[place.number] == nil {
        note(place.number, place)
      }
    }
  }

  /// Returns a value with recorded numbers in place of their paired ones.
  ///
  /// A number of the run without a pair gets one that no recording has if it looks like a recorded
  /// number with another pair. `isOwn` returns true for a number of the run.
  package func renumbered(
    _ value: Value, isOwn: (PlaceholderNumbers.Place) -> Bool
  ) -> Value {
    if known.isEmpty { return value }
    return value.mappingTexts { bytes in
      PlaceholderNumbers.renumbered(bytes) { place in
        guard let numbers = known[place.base] else { return place.number }
        if let number = numbers.recorded[place.number] { return number }
        let isTaken = numbers.present[place.number] != nil && isOwn(place)
        return isTaken ? PlaceholderNumbers.greatest - place.number : place.number
      }
    }
  }

  private mutating func pair(
    _ recorded: PlaceholderNumbers.Place, _ now: PlaceholderNumbers.Place,
    _ canPair: (PlaceholderNumbers.Place, PlaceholderNumbers.Place) -> Bool
  ) -> Bool {
    let numbers = known[now.base]
    let (mine, other) = (numbers?.recorded[now.number], numbers?.present[recorded.number])
    if let mine { return mine == recorded.number }
    // The same text as the one that a recording has for another one.
    if !canPair(recorded, now) { return recorded.number == now.number }
    if other != nil { return false }
    note(recorded.number, now)
    return true
  }

  private mutating func note(_ recorded: Int, _ now: PlaceholderNumbers.Place) {
    known[now.base, default: Numbers()].recorded[now.number] = recorded
    known[now.base, default: Numbers()].present[recorded] = now.number
  }
}

extension Value {
  /// The value with other texts, keys and bytes.
  func mappingTexts(_ transform: ([UInt8]) -> [UInt8]) -> Value {
    switch self {
    case .string(let text):
      return .string(String(decoding: transform(Array(text.utf8)), as: UTF8.self))
    case .bytes(let bytes): return .bytes(Bytes(transform(bytes.content)))
    case .list(let values): return .list(values.map { $0.mappingTexts(transform) })
    case .optional(let value): return .optional(value.map { $0.mappingTexts(transform) })
    case .record(let record):
      return .record(
        RecordValue(record.type, record.values.map { $0.mappingTexts(transform) }))
    case .map(let map):
      var result = ValueMap()
      for entry in map.entries {
        result[entry.key.mappingTexts(transform)] = entry.value.mappingTexts(transform)
      }
      return .map(result)
    default: return self
    }
  }
}

extension Redactor {
  /// Hides the texts of a value that another value has only placeholders for, under their names.
  package func hideTexts(in value: Value, like hidden: Value) {
    guard Self.hasPlaceholder(hidden) else { return }
    switch (value, hidden) {
    case (.string(let text), .string(let placeholder)): hide(text, like: placeholder)
    case (.list(let values), .list(let others)):
      for (value, other) in zip(values, others) { hideTexts(in: value, like: other) }
    case (.record(let record), .record(let other)):
      for (value, other) in zip(record.values, other.values) { hideTexts(in: value, like: other) }
    case (.map(let map), .map(let other)):
      for entry in map.entries {
        if let other = other[entry.key] { hideTexts(in: entry.value, like: other) }
      }
    case (.optional(let value?), .optional(let other?)): hideTexts(in: value, like: other)
    default: return
    }
  }

  private func hide(_ text: String, like placeholder: String) {
    let bytes = Array(placeholder.utf8)
    guard let place = PlaceholderNumbers.place(at: 0, in: bytes), place.range.count == bytes.count,
      case .secret(_, nil, _) = place.placeholder, !Self.hasPlaceholder(.string(text))
    else { return }
    let name = place.base.dropFirst(PlaceholderNumbers.base(ofSecret: "").count)
    // One that is too short is not hidden here, as before.
    if secretCount < Self.mostNames { try? add(text, named: String(name)) }
  }
}
