package import FlowSystem

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
    case .number(let number): number.text
    case .string(let value): "\"" + value.escaped + "\""
    case .bytes(let value): "\(value.content.count) bytes"
    case .timestamp(let value): value.description
    case .duration(let value): value.flowText
    case .type(let name): name
    case .optional(nil): "optional.none()"
    case .list, .map, .record, .optional:
      TextBuffer(describing: self).text
    }
  }

  /// The description, cut to `limit` characters with an ellipsis: for one line of a message.
  public func summary(limit: Int = 80) -> String {
    description.shortened(to: limit)
  }

  /// The record without absent optional fields and empty lists and maps, which mean nothing in an
  /// input.
  package var withoutAbsentFields: Value {
    guard case .record(let record) = self, record.values.contains(where: \.isNothing) else {
      return self
    }
    let given = zip(record.type.fields, record.values).filter {
      !($1.isNothing && $1 == $0.defaultValue)
    }
    if given.count == record.values.count { return self }
    return .record(RecordValue(RecordType(given.map(\.0)), given.map(\.1)))
  }

  /// Returns the record without absent optional fields, and with one form of a content: the main
  /// one, or the one with a name among these.
  ///
  /// For people, who read an answer once.
  package func withoutOtherForms(keeping names: Set<String> = []) -> Value {
    guard case .record(let record) = self else { return self }
    let shown = zip(record.type.fields, record.values).filter { field, value in
      names.contains(field.name) || !(value == .null || record.isShownElsewhere(field, by: names))
    }
    if shown.isEmpty || shown.count == record.values.count { return self }
    return .record(RecordValue(RecordType(shown.map(\.0)), shown.map(\.1)))
  }

  private var isNothing: Bool {
    switch self {
    case .null: true
    case .list(let elements): elements.isEmpty
    case .map(let entries): entries.isEmpty
    default: false
    }
  }

  /// The value inside longer text: strings without quotes, everything else as `description`.
  public var interpolated: String {
    if case .string(let text) = self { return text }
    return description
  }

  /// Returns a key of a mapping, without quotes if it is a name.
  package static func keyText(_ name: String) -> String {
    key(.string(name))
  }

  fileprivate static func key(_ key: Value) -> String {
    guard case .string(let text) = key, isName(text) else { return key.description }
    return text
  }

  /// Returns true if a key needs no quotes.
  private static func isName(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, !("0"..."9" ~= first), first != "-" else {
      return false
    }
    return text.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || "0"..."9" ~= $0 || $0 == "_" || $0 == "-"
    }
  }
}

extension TextBuffer {
  /// The description of a value.
  fileprivate init(describing value: Value) {
    self.init()
    append(describing: value)
  }

  /// Appends the description of a value.
  package mutating func append(describing value: Value) {
    switch value {
    case .list(let values):
      append(values, between: "[", "]") { $0.append(describing: $1) }
    case .map(let map):
      append(map.entries, between: "{", "}") { $0.append(Value.key($1.key), $1.value) }
    case .record(let record):
      append(record.values.indices, between: "{", "}") {
        $0.append(record.type.fields[$1].name, record.values[$1])
      }
    case .optional(let inner?):
      append(constant: "optional(")
      append(describing: inner)
      append(UInt8(ascii: ")"))
    default: append(text: value.description)
    }
  }

  private mutating func append(_ name: String, _ value: Value) {
    append(text: name)
    append(constant: ": ")
    append(describing: value)
  }

  private mutating func append<Elements: Collection>(
    _ elements: Elements, between start: Unicode.Scalar, _ end: Unicode.Scalar,
    _ append: (inout Self, Elements.Element) -> Void
  ) {
    self.append(UInt8(ascii: start))
    var isFirst = true
    for element in elements {
      if !isFirst { self.append(constant: ", ") }
      append(&self, element)
      isFirst = false
    }
    self.append(UInt8(ascii: end))
  }
}

extension RecordValue {
  /// True if another field shows the content of an unnamed field: the main form, or a named form of
  /// the main one.
  fileprivate func isShownElsewhere(
    _ field: RecordType.Field, by names: Set<String>
  ) -> Bool {
    zip(type.fields, values).contains { other, value in
      if value == .null { return false }
      if case .whenReadBeside(other.name) = field.comparison { return true }
      if case .whenReadBeside(field.name) = other.comparison { return names.contains(other.name) }
      return false
    }
  }
}
