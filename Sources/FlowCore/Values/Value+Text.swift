extension Value: CustomStringConvertible {
  /// The value as a scenario would write it: `87.50`, `"text"`, `[1, 2]`, `{title: "Barn"}`.
  public var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .int(let value): String(value)
    case .uint(let value): String(value)
    case .double(let value): "\(value)"
    case .decimal(let value): value.description
    case .string(let value): "\"" + Self.escaped(value) + "\""
    case .bytes(let value): "\(value.content.count) bytes"
    case .timestamp(let value): value.description
    case .duration(let value): value.flowText
    case .list(let values): "[" + values.map(\.description).joined(separator: ", ") + "]"
    case .map(let map): Self.braced(map.entries.map { (Self.key($0.key), $0.value) })
    case .record(let record): Self.braced(Array(zip(record.type.fields.map(\.name), record.values)))
    case .type(let name): name
    case .optional(let value): value.map { "optional(\($0))" } ?? "optional.none()"
    }
  }

  /// The description, cut to `limit` characters with an ellipsis: for one line of a message.
  public func summary(limit: Int = 80) -> String {
    let text = description
    return text.count <= limit ? text : Self.beginning(of: text, limit - 1) + "…"
  }

  /// At most `limit` characters of an escaped text, without the beginning of an escape at their end: a secret
  /// that was cut there would not be found.
  private static func beginning(of text: String, _ limit: Int) -> Substring {
    let cut = text.prefix(limit)
    var rest = cut.unicodeScalars
    while let backslash = rest.firstIndex(of: "\\") {
      rest = rest[backslash...].dropFirst()
      if rest.first == "u" { rest = rest.drop { $0 != "}" } }
      if rest.isEmpty { return cut[..<backslash] }
      rest.removeFirst()
    }
    return cut
  }

  /// The value inside longer text: strings without quotes, everything else as `description`.
  public var interpolated: String {
    if case .string(let text) = self { return text }
    return description
  }

  /// Escapes what would break a line or a terminal: quotes, backslashes, control characters, the
  /// separators of Unicode, and the marks that turn the direction of text (which hide what it says).
  package static func escaped(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { 0x20..<0x7F ~= $0 && $0 != 0x22 && $0 != 0x5C }
    return isPlain ? text : escaped(text, isQuoted: true)
  }

  /// Escapes what would break a line or a terminal, as `escaped`, but leaves quotes and backslashes:
  /// for text that stands by itself.
  package static func onOneLine(_ text: String) -> String {
    // As nearly all texts; the properties of a scalar take long to find.
    let isPlain = text.utf8.allSatisfy { 0x20..<0x7F ~= $0 }
    return isPlain ? text : escaped(text, isQuoted: false)
  }

  private static func escaped(_ text: String, isQuoted: Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"" where isQuoted: result += "\\\""
      case "\\" where isQuoted: result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        if scalar.breaksText {
          result += "\\u{" + String(scalar.value, radix: 16) + "}"
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }

  /// A key of a mapping: without quotes where it is a name.
  package static func keyText(_ name: String) -> String {
    key(.string(name))
  }

  private static func key(_ key: Value) -> String {
    guard case .string(let text) = key, isName(text) else { return key.description }
    return text
  }

  /// Whether a key is the same without quotes.
  private static func isName(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, !("0"..."9" ~= first), first != "-" else {
      return false
    }
    return text.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || "0"..."9" ~= $0 || $0 == "_" || $0 == "-"
    }
  }

  private static func braced(_ fields: [(String, Value)]) -> String {
    "{" + fields.map { "\($0.0): \($0.1)" }.joined(separator: ", ") + "}"
  }
}

extension Unicode.Scalar {
  /// Whether it ends a line, drives a terminal, or turns the direction of the text around it.
  var breaksText: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: properties.isBidiControl
    }
  }
}
