import FlowCore

/// A YAML text of a value: one line for each scalar in the form of JSON, a subset of YAML.
struct YAMLText {
  private(set) var text = ""

  init(_ value: Value) {
    write(value, indent: 0)
  }

  private mutating func write(_ value: Value, indent: Int) {
    let margin = String(repeating: "  ", count: indent)
    switch value {
    case .optional(let value?): write(value, indent: indent)
    case .list(let values) where !values.isEmpty:
      for value in values { write(value, after: margin + "-", indent: indent + 1) }
    case .map(let map) where !map.isEmpty:
      for entry in map.entries {
        write(
          entry.value, after: Self.key(entry.key.interpolated, margin: margin), indent: indent + 1)
      }
    case .record(let record) where !record.values.isEmpty:
      for (field, value) in zip(record.type.fields, record.values) {
        write(value, after: Self.key(field.name, margin: margin), indent: indent + 1)
      }
    default: text += margin + value.yaml + "\n"
    }
  }

  /// Returns a key with its colon, on a separate line if it is longer than `key:` may be.
  ///
  /// See YAML 1.2.2, section 7.4.2.
  private static func key(_ name: String, margin: String) -> String {
    let key = Value.string(name).yaml
    return margin + (key.unicodeScalars.count > 1_024 ? "? \(key)\n\(margin):" : key + ":")
  }

  private mutating func write(_ value: Value, after beginning: String, indent: Int) {
    text += beginning
    if value.isBlock {
      text += "\n"
      write(value, indent: indent)
    } else {
      text += " " + value.yaml + "\n"
    }
  }
}

extension Value {
  /// The value as JSON, adapted to YAML.
  ///
  /// Numbers that JSON lacks are written as in the core schema (YAML 1.2.2, section 10.3.2), and
  /// scalars that YAML reads as a line's end or refuses are escaped (section 5.1).
  fileprivate var yaml: String {
    if case .double(let number) = self, !number.isFinite {
      return number.isNaN ? ".nan" : number < 0 ? "-.inf" : ".inf"
    }
    var text = String.UnicodeScalarView()
    for scalar in json.unicodeScalars {
      switch scalar.value {
      case 0x80..<0xA0, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF:
        let digits = String(scalar.value, radix: 16)
        text += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars
      default: text.append(scalar)
      }
    }
    return String(text)
  }

  /// True if the value takes separate lines.
  fileprivate var isBlock: Bool {
    switch self {
    case .list(let values): !values.isEmpty
    case .map(let map): !map.isEmpty
    case .record(let record): !record.values.isEmpty
    case .optional(let value?): value.isBlock
    default: false
    }
  }
}
