internal import FlowCore

/// A field of a record, as pages about plugins show it.
struct FieldRow {
  /// The path of the field, such as `items[*].title`.
  let name: String
  /// The type, the default and other traits of the field: `int, default 10`.
  let type: String
  let summary: String

  /// Returns a row for each field, followed by rows for the fields of its records.
  static func all(of type: RecordType, within place: String = "") -> [FieldRow] {
    (type.fields + type.computedFields).flatMap { field in
      let name = place + field.name
      let nested = field.type.recordInside.map { all(of: $0.type, within: name + $0.path + ".") }
      return [FieldRow(name: name, type: traits(of: field), summary: field.summary)]
        + (nested ?? [])
    }
  }

  private static func traits(of field: RecordType.Field) -> String {
    let absent = field.defaultValue.map { $0 == .null ? "" : ", default \($0)" } ?? ""
    let secret = field.isSecret ? ", secret" : ""
    let volatile = field.isVolatile ? ", volatile" : ""
    let compared = field.comparison == .always ? "" : ", compared \(field.comparison.phrase)"
    let code = field.isCode ? ", code" : ""
    return "\(field.type)\(secret)\(absent)\(volatile)\(compared)\(code)"
  }
}

extension FieldComparison {
  /// The case in which the field is compared: `when read`.
  var phrase: String {
    switch self {
    case .always: "always"
    case .whenRead: "when read"
    case .whenReadBeside(let other): "when read or without '\(other)'"
    }
  }
}
