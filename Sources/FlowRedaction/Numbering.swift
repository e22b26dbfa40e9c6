internal import FlowSystem

/// Numbers hidden texts in the order of their occurrence.
struct Numbering: Sendable {
  /// The most texts of one pattern with separate numbers.
  ///
  /// Further ones share the last number.
  private static let most = 100_000

  /// True if different texts get different numbers.
  var isOn = true
  /// The last assigned numbers, and the numbers in a transcript, by the starts of placeholders.
  private var last: [String: Int] = [:]
  private var reserved: [String: Int] = [:]
  /// The numbers of texts, by the starts of placeholders and by their digests, which take the same memory for each text.
  private var known: [String: [String: Int]] = [:]

  /// Reserves these numbers.
  ///
  /// Number 1 remains free: if a transcript has only one text of a name, another text may be the
  /// same one.
  mutating func reserve(_ numbers: [String: Int]) {
    reserved.merge(numbers.filter { $0.value > 1 }, uniquingKeysWith: max)
  }

  /// Reserves these numbers, and number 1 with them.
  mutating func reserveAll(_ numbers: [String: Int]) {
    reserved.merge(numbers, uniquingKeysWith: max)
  }

  /// The number of another secret of a name.
  mutating func next(of base: String) -> Int {
    if !isOn { return 1 }
    let number = max(last[base] ?? 0, reserved[base] ?? 0) + 1
    last[base] = number
    return number
  }

  /// Numbers the findings of patterns by their texts.
  mutating func number(_ findings: [Finding], in bytes: [UInt8]) -> [Finding] {
    findings.map { finding in
      let placeholders = finding.placeholders.map { placeholder in
        guard case .pattern(let pattern, 0) = placeholder else { return placeholder }
        let base = PlaceholderNumbers.base(ofPattern: pattern)
        return .pattern(pattern, value: number(of: bytes[finding.range], base))
      }
      return Finding(finding.range, placeholders)
    }
  }

  /// The number of a text among those with the same start of placeholders.
  mutating func number(of text: ArraySlice<UInt8>, _ base: String) -> Int {
    if !isOn { return 1 }
    let digest = SHA256(Array(text)).hexadecimal
    if let number = known[base]?[digest] { return number }
    guard known[base]?.count ?? 0 < Self.most else { return last[base] ?? 1 }
    let number = next(of: base)
    known[base, default: [:]][digest] = number
    return number
  }

  /// Returns true if a number was assigned here.
  func isOwn(_ place: PlaceholderNumbers.Place) -> Bool {
    place.number > reserved[place.base] ?? 0 && place.number <= last[place.base] ?? 0
  }
}
