internal import FlowCore
internal import FlowRedaction
internal import FlowSystem

extension JSON {
  static func number(_ value: Int) -> JSON { .number(String(value)) }
  static func list(_ texts: [String]) -> JSON { .array(texts.map(JSON.string)) }

  /// Returns a recorded value without its secrets.
  static func recorded(_ value: JSON, _ redactor: Redactor) -> JSON {
    value.redacted(by: redactor, names: true)
  }
}

extension JSON {
  static func diagnostics(_ diagnostics: [Diagnostic], _ redactor: Redactor) -> JSON {
    .array(diagnostics.map { diagnostic($0.redacted(by: redactor)) })
  }

  private static func diagnostic(_ diagnostic: Diagnostic) -> JSON {
    .object(
      [
        .init("code", .string(diagnostic.code.name)),
        .init("severity", .string(diagnostic.severity.rawValue)),
        .init("message", .string(diagnostic.message)),
      ] + (diagnostic.span.map(place) ?? []) + [
        .init("notes", .list(diagnostic.notes)), .init("fixes", .list(diagnostic.fixes)),
      ] + (diagnostic.context.isEmpty ? [] : [.init("context", .list(diagnostic.context))]))
  }

  private static func place(_ span: SourceSpan) -> [JSON.Member] {
    [
      .init("file", .string(span.file)), .init("line", .number(span.start.line)),
      .init("column", .number(span.start.column)), .init("endLine", .number(span.end.line)),
      .init("endColumn", .number(span.end.column)),
    ]
  }
}

extension JSON {
  static let longestText = 64 << 10

  /// Returns a text, cut to a limit.
  static func text(_ text: String) -> JSON { .string(text.cut(toBytes: longestText)) }

  /// Returns a value in the form of the lines.
  static func shownLine(of value: Value) -> String {
    var writer = JSONWriter()
    writer.write(value)
    return writer.text.shownJSON
  }

  /// Returns a value as JSON.
  static func text(of value: Value) -> JSON {
    var writer = JSONWriter()
    writer.write(value)
    // A value is nested no deeper than the parser reads.
    return (try? JSONParser.parse(writer.bytes[...])) ?? .null
  }
}

extension JSONWriter {
  /// Writes a member with the string as its value, unquoted.
  mutating func member(_ name: StaticString, number: String) {
    self.name(plain: name)
    self.number(number)
  }

  /// Writes a member with a number from 0.
  mutating func member(_ name: StaticString, number: Int) {
    self.name(plain: name)
    self.number(number)
  }
}
