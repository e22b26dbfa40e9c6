extension Redactor {
  private static let beginnings = ["${secret:", "${redacted:"]

  /// Whether something was hidden in a value.
  package static func hasPlaceholder(_ value: Value) -> Bool {
    switch value {
    case .string(let text): hasPlaceholder(text)
    // Redacted bytes need not be text, and placeholders are ASCII.
    case .bytes(let bytes): hasPlaceholder(String(decoding: bytes.content, as: UTF8.self))
    case .list(let values): values.contains(where: hasPlaceholder)
    case .optional(let value): value.map(hasPlaceholder) ?? false
    case .record(let record): record.values.contains(where: hasPlaceholder)
    case .map(let map):
      map.entries.contains { hasPlaceholder($0.key) || hasPlaceholder($0.value) }
    case .null, .bool, .int, .uint, .double, .decimal, .timestamp, .duration, .type: false
    }
  }

  private static func hasPlaceholder(_ text: String) -> Bool {
    beginnings.contains { text.contains($0) }
  }

  /// A recorded value with the known secrets in the place of their placeholders; nil when something hidden
  /// remains, such as a secret that nobody gave.
  package func restored(_ value: Value) -> Value? {
    guard Self.hasPlaceholder(value) else { return value }
    let result = restoringTexts(value)
    return Self.hasPlaceholder(result) ? nil : result
  }

  private func restoringTexts(_ value: Value) -> Value {
    switch value {
    case .string(let text): return .string(restored(text))
    case .list(let values): return .list(values.map(restoringTexts))
    case .optional(let value): return .optional(value.map(restoringTexts))
    case .record(let record):
      return .record(RecordValue(record.type, record.values.map(restoringTexts)))
    case .map(let map):
      var result = ValueMap()
      for entry in map.entries { result[restoringTexts(entry.key)] = restoringTexts(entry.value) }
      return .map(result)
    default: return value
    }
  }

  private func restored(_ text: String) -> String {
    let beginning = Self.beginnings[0]
    var (result, rest) = ("", text[...])
    while let start = rest.firstRange(of: beginning) {
      result += rest[..<start.lowerBound]
      let name = rest[start.upperBound...].prefix { $0 != "}" }
      rest = rest[start.lowerBound...].dropFirst(beginning.count + name.count + 1)
      result += secret(String(name)) ?? beginning + name + "}"
    }
    return result + rest
  }
}
