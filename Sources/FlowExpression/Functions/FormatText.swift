internal import FlowCore

/// The text of a value for the clause `%s`.
enum FormatText {
  static func text(_ value: Value) throws(EvaluationError) -> String {
    switch value {
    case .string(let text): return text
    case .null, .bool, .int, .uint, .decimal, .timestamp, .duration, .type: return value.description
    case .double(let number): return NumberText.shortest(number)
    case .bytes(let bytes): return repaired(bytes.content)
    case .list(let values):
      var texts: [String] = []
      for value in values { texts.append(try text(value)) }
      return "[" + texts.joined(separator: ", ") + "]"
    case .map(let map): return try text(map.entries.map { ($0.key, $0.value) })
    case .record(let record):
      return try text(zip(record.type.fields, record.values).map { (.string($0.name), $1) })
    case .optional: throw .formatArgument("%s", value)
    }
  }

  private static func text(_ entries: [(Value, Value)]) throws(EvaluationError) -> String {
    var texts: [(key: String, value: String)] = []
    for (key, value) in entries { texts.append((try text(key), try text(value))) }
    texts.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return "{" + texts.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "}"
  }

  /// The text of bytes; each run of bytes that are not UTF-8 becomes one replacement character.
  private static func repaired(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var result = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars
    where scalar != "\u{FFFD}" || result.last != "\u{FFFD}" {
      result.append(scalar)
    }
    return String(result)
  }
}
