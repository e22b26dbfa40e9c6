package import FlowCore
internal import FlowExpression
internal import FlowRedaction
internal import FlowSystem
internal import FlowYAML

/// A part of the recorded answers of a step.
package struct RecordedPart: Sendable {
  private static let longestText = 80
  private static let longestList = 60
  private static let longestBytes = 32
  private static let mostValues = 8
  /// The number of characters that tell a long text from another one.
  private static let fewCharacters = 40

  /// The way from the answer to the part.
  let path: [FieldPath.Step]
  /// The first values in all answers of the step, each once: one more than a condition names.
  private let values: [Value]
  /// The least and the greatest value, if all are whole numbers.
  private let numbers: ClosedRange<Int>?
  /// True if none of the values is hidden.
  let isVisible: Bool
  /// A value that is to be noticed.
  let altered: Value
  /// True if the step was called in later iterations, or in later attempts of a block.
  let isRepeated: Bool

  /// Creates a part with its values in all answers of the step, at least one.
  package init(
    _ path: [FieldPath.Step], values: [Value], altered: Value, isRepeated: Bool = false
  ) {
    self.path = path
    self.altered = altered
    self.isRepeated = isRepeated
    var known: [Value] = []
    for value in values where known.count <= Self.mostValues && !known.contains(value) {
      known.append(value)
    }
    self.values = known
    isVisible = !values.contains(where: Redactor.hasPlaceholder)
    let numbers = values.compactMap(\.wholeNumber)
    let (least, most) = (numbers.min() ?? 0, numbers.max() ?? 0)
    self.numbers = numbers.count == values.count ? least...most : nil
  }

  /// True if the altered value is the recorded one, such as null for an absent field.
  var isSame: Bool { values == [altered] }

  /// The value, if it is the same everywhere and short.
  var literal: YAMLText.Node? { values.count == 1 ? Self.literal(values[0]) : nil }

  private static func literal(_ value: Value) -> YAMLText.Node? {
    switch value {
    case .string(let text):
      return text.count <= longestText && !text.contains("${{") ? .text(text) : nil
    case .timestamp, .duration: return .text(value.summary())
    case .list(let elements):
      let nodes = elements.compactMap { element in
        if case .list = element { return YAMLText.Node?.none }
        return literal(element)
      }
      let node = YAMLText.Node.list(nodes)
      let isShort = nodes.count == elements.count && YAMLText.oneLine(node).count <= longestList
      return isShort ? node : nil
    case .optional(let wrapped?): return literal(wrapped)
    default: return number(value).map(YAMLText.Node.raw)
    }
  }

  /// Returns null, a truth value or a number as it is written in YAML or in expressions.
  private static func number(_ value: Value, inExpression: Bool) -> String? {
    guard inExpression, let text = number(value) else { return number(value) }
    let isWhole = text.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: "-") }
    // A larger number is no literal.
    return isWhole && Int(text) == nil ? "decimal('\(text)')" : text
  }

  private static func number(_ value: Value) -> String? {
    switch value {
    case .null, .optional(nil): "null"
    case .bool(let flag): "\(flag)"
    case .int(let number): "\(number)"
    case .uint(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .double(let number): number.isFinite ? "\(number)" : nil
    case .number(let number): number.text
    case .optional(let wrapped?): Self.number(wrapped)
    default: nil
    }
  }

  // MARK: - Conditions

  /// Returns a condition that holds for the values and not for the altered one.
  ///
  /// - Throws: The reason why there is no short one.
  func condition(on subject: String) throws(NoProposal) -> String {
    if values.count == 1, let value = values.first {
      guard let condition = Self.condition(on: subject, equal: value, altered) else {
        throw .hasNoForm
      }
      return condition
    }
    guard !values.contains(altered), let condition = choice(subject) ?? range(subject) else {
      throw .differs
    }
    return condition
  }

  /// Returns `it in ['x', 'y']`, or nil for many or long values.
  private func choice(_ subject: String) -> String? {
    guard values.count <= Self.mostValues else { return nil }
    let texts = values.compactMap { value -> String? in
      switch value {
      case .string(let text): text.isShort(Self.longestText) ? Lexer.literal(text) : nil
      case .bool, .int, .uint, .decimal: Self.number(value, inExpression: true)
      default: nil
      }
    }
    if texts.count < values.count { return nil }
    return "\(subject) in [\(texts.joined(separator: ", "))]"
  }

  /// Returns `it >= 1`, or `it <= 9` for an altered number beyond all others, or nil.
  private func range(_ subject: String) -> String? {
    guard let numbers, let altered = altered.wholeNumber else { return nil }
    if altered < numbers.lowerBound { return "\(subject) >= \(numbers.lowerBound)" }
    return altered > numbers.upperBound ? "\(subject) <= \(numbers.upperBound)" : nil
  }

  private static func condition(
    on subject: String, equal value: Value, _ altered: Value
  ) -> String? {
    switch value {
    case .string(let text):
      text.isShort(longestText)
        ? "\(subject) == \(Lexer.literal(text))" : condition(on: subject, long: text, altered)
    case .bytes(let bytes):
      bytes.content.count <= longestBytes
        ? "\(subject) == \(Lexer.literal(bytes.content))"
        : "sha256(\(subject)) == '\(SHA256(Array(bytes.content)).hexadecimal)'"
    case .list(let elements):
      altered.count == elements.count ? nil : "size(\(subject)) == \(elements.count)"
    case .map, .record: altered == .null ? "\(subject) != null" : nil
    case .timestamp: "\(subject) == timestamp('\(value.summary())')"
    case .duration: "\(subject) == duration('\(value.summary())')"
    case .optional(let wrapped?): condition(on: subject, equal: wrapped, altered)
    default: number(value, inExpression: true).map { "\(subject) == \($0)" }
    }
  }

  /// Returns a condition on the length, the beginning or the end of a text.
  private static func condition(
    on subject: String, long text: String, _ altered: Value
  ) -> String? {
    let count = text.unicodeScalars.count
    guard case .string(let other) = altered else {
      guard let size = altered.count else { return "size(\(subject)) > 0" }
      return size == count ? nil : "size(\(subject)) == \(count)"
    }
    if other.unicodeScalars.count != count { return "size(\(subject)) == \(count)" }
    let (start, end) = (String(text.prefix(fewCharacters)), String(text.suffix(fewCharacters)))
    if start.isShort(fewCharacters), !other.hasPrefix(start) {
      return "\(subject).startsWith(\(Lexer.literal(start)))"
    }
    if end.isShort(fewCharacters), !other.hasSuffix(end) {
      return "\(subject).endsWith(\(Lexer.literal(end)))"
    }
    return "sha256(\(subject)) == '\(SHA256(Array(text.utf8)).hexadecimal)'"
  }
}

extension Value {
  /// The value of a whole number, or nil for others.
  fileprivate var wholeNumber: Int? {
    switch self {
    case .int(let number): Int(exactly: number)
    case .uint(let number): Int(exactly: number)
    default: nil
    }
  }

  /// The size as `size` returns it, or nil for a value that has none.
  fileprivate var count: Int? {
    switch self {
    case .list(let elements): elements.count
    case .map(let map): map.count
    case .string(let text): text.unicodeScalars.count
    case .bytes(let bytes): bytes.content.count
    case .optional(let wrapped?): wrapped.count
    default: nil
    }
  }
}

extension String {
  /// True if it is short, and an expression may contain it.
  fileprivate func isShort(_ limit: Int) -> Bool {
    count <= limit && !contains("${{") && !contains("}}")
  }
}
