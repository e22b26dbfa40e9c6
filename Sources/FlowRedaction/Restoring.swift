package import FlowCore

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
    // Almost every text is told apart by this.
    text.utf8.contains(UInt8(ascii: "$")) && beginnings.contains { text.contains($0) }
  }

  /// Takes the placeholders of a recorded value for secrets, as they are in a replay.
  ///
  /// What was hidden under the name of a secret that only a component knew is then found again in what is
  /// derived from it.
  package func learnPlaceholders(in value: Value) {
    switch value {
    case .string(let text): for name in Self.names(in: text) { learnPlaceholder(of: name) }
    case .bytes(let bytes) where bytes.content.contains(UInt8(ascii: "$")):
      learnPlaceholders(in: .string(String(decoding: bytes.content, as: UTF8.self)))
    case .list(let values): for value in values { learnPlaceholders(in: value) }
    case .optional(let value?): learnPlaceholders(in: value)
    case .record(let record): for value in record.values { learnPlaceholders(in: value) }
    case .map(let map):
      for entry in map.entries {
        learnPlaceholders(in: entry.key)
        learnPlaceholders(in: entry.value)
      }
    default: return
    }
  }

  /// How many names are learnt from what is recorded, which anybody may have written.
  private static let mostNames = 1_000

  private func learnPlaceholder(of name: String) {
    guard secretCount < Self.mostNames else { return }
    // Never too short.
    try? add(Placeholder.secret(name).text, named: name)
  }

  /// The names of the secrets that are hidden in a text, without their forms.
  private static func names(in text: String) -> [String] {
    guard hasPlaceholder(text) else { return [] }
    return text.ranges(of: beginnings[0]).compactMap { range in
      let name = text[range.upperBound...].prefix {
        $0.isASCII && ($0.isLetter || $0.isNumber || "_-.".contains($0))
      }
      return name.isEmpty || name.utf8.count > 200 ? nil : String(name)
    }
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
    case .string(let text):
      return .string(String(decoding: restored(Array(text.utf8)), as: UTF8.self))
    case .bytes(let bytes): return .bytes(Bytes(restored(bytes.content)))
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

  /// By bytes, since what is around a placeholder need not be text.
  private func restored(_ bytes: [UInt8]) -> [UInt8] {
    let beginning = Array(Self.beginnings[0].utf8)
    var (result, rest): ([UInt8], ArraySlice<UInt8>) = ([], bytes[...])
    while let start = rest.firstRange(of: beginning) {
      let name = rest[start.upperBound...].prefix { $0 != UInt8(ascii: "}") }
      let secret = secret(String(decoding: name, as: UTF8.self)).map { Array($0.utf8) }
      result += rest[..<start.lowerBound]
      result += secret ?? beginning + name + [UInt8(ascii: "}")]
      rest = rest[name.endIndex...].dropFirst()
    }
    return result + rest
  }
}

/// What stands in the place of something that must not be seen.
enum Placeholder: Sendable, Hashable {
  /// How a secret was written, where a reader could not guess it.
  enum Form: String, Sendable, CaseIterable {
    case base64
    case hex
  }

  /// A secret of this name.
  case secret(String, Form? = nil)
  /// What a pattern of the project matches, by the pattern's number, from 1.
  case pattern(Int)

  /// `${secret:api_token}`, `${secret:api_token:base64}`, `${redacted:2}`.
  var text: String {
    switch self {
    case .secret(let name, nil): "${secret:\(name)}"
    case .secret(let name, let form?): "${secret:\(name):\(form.rawValue)}"
    case .pattern(let number): "${redacted:\(number)}"
    }
  }
}
