/// Goes through the text of a pattern, scalar by scalar.
struct PatternReader {
  private let scalars: [Unicode.Scalar]
  /// How many scalars were taken.
  private(set) var position = 0
  /// Texts that were searched for and do not follow, so that each is searched for in vain only once.
  private var absent: Set<String> = []

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  /// The next scalar; nil at the end.
  var next: Unicode.Scalar? { peek(0) }

  /// The scalar so many places behind the next one, or before it; nil beyond the ends.
  func peek(_ offset: Int) -> Unicode.Scalar? {
    scalars.indices.contains(position + offset) ? scalars[position + offset] : nil
  }

  /// Takes the next scalar; nil at the end.
  mutating func take() -> Unicode.Scalar? {
    guard let scalar = next else { return nil }
    position += 1
    return scalar
  }

  /// Takes a text if it comes next.
  mutating func take(_ text: String) -> Bool {
    guard scalars[position...].starts(with: text.unicodeScalars) else { return false }
    position += text.unicodeScalars.count
    return true
  }

  /// Takes what stands before a text, and the text itself; takes nothing when that does not follow.
  mutating func take(through end: String) -> String? {
    if absent.contains(end) { return nil }
    var rest = self
    while rest.next != nil {
      let contentEnd = rest.position
      if rest.take(end) {
        defer { self = rest }
        return text(position..<contentEnd)
      }
      rest.position += 1
    }
    absent.insert(end)
    return nil
  }

  /// Takes a text between two others, and those; takes nothing when it does not stand between them.
  mutating func take(from start: String, through end: String) -> String? {
    let first = position
    guard take(start) else { return nil }
    if let content = take(through: end) { return content }
    position = first
    return nil
  }

  /// What was taken since a position.
  func text(from start: Int) -> String { text(start..<position) }

  private func text(_ range: Range<Int>) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars[range])
    return text
  }
}
