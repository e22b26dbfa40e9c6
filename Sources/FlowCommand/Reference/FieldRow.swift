internal import FlowCore

/// A field of a record, as pages about plugins show it.
struct FieldRow {
  /// The path of the field, such as `items[*].title`.
  let name: String
  /// The type, the default and other traits of the field: `int, default 10`.
  let type: String
  private(set) var summary: String

  /// Returns a row for each field, followed by rows for the fields of its records.
  ///
  /// Those of a record that is listed already are a reference to it.
  static func all(
    of type: RecordType, _ listed: [PluginPage.Listed] = [], within place: String = ""
  ) -> [FieldRow] {
    (type.fields + type.computedFields).flatMap { field in
      var row = FieldRow(name: place + field.name, type: traits(of: field), summary: field.summary)
      guard let record = field.type.recordInside else { return [row] }
      if record.type.fields.count >= PluginPage.fewest,
        let earlier = listed.first(where: { $0.type === record.type })
      {
        row.summary += " Its fields are as in \(earlier.place)."
        return [row]
      }
      return [row] + all(of: record.type, listed, within: row.name + record.path + ".")
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
