internal import FlowSystem

/// Builders of a collection in Postman's form, to which requests of other tools are converted.
extension PlacedJSON {
  static func text(_ text: String, _ line: Int) -> PlacedJSON {
    PlacedJSON(line: line, content: .scalar(.string(text)))
  }

  static func bool(_ value: Bool, _ line: Int) -> PlacedJSON {
    PlacedJSON(line: line, content: .scalar(.bool(value)))
  }

  static func list(_ elements: [PlacedJSON], _ line: Int) -> PlacedJSON {
    PlacedJSON(line: line, content: .array(elements))
  }

  /// Creates an object of the members that have a value.
  static func object(_ members: KeyValuePairs<String, PlacedJSON?>, _ line: Int) -> PlacedJSON {
    let present = members.compactMap { name, value in value.map { Member(name: name, value: $0) } }
    return PlacedJSON(line: line, content: .object(present))
  }

  /// Creates a name with a value, as headers, parameters, fields and variables have it.
  static func pair(
    _ key: String, _ value: String, _ line: Int, isDisabled: Bool = false, type: String? = nil
  ) -> PlacedJSON {
    object(
      [
        "key": .text(key, line), "value": .text(value, line),
        "type": type.map { .text($0, line) },
        "disabled": isDisabled ? .bool(true, line) : nil,
      ], line)
  }

  /// Creates a script before or after a request, with the line of its first line.
  static func script(_ code: String, isBefore: Bool, _ line: Int) -> PlacedJSON {
    script([(code, line)], isBefore: isBefore)
  }

  /// Creates a script of several parts with the lines of their first lines.
  static func script(_ parts: [(code: String, line: Int)], isBefore: Bool) -> PlacedJSON {
    let line = parts.first?.line ?? 1
    return object(
      [
        "listen": .text(isBefore ? "prerequest" : "test", line),
        "script": object(
          [
            "lines": .bool(true, line),
            "exec": .list(parts.map { .text($0.code, $0.line) }, line),
          ], line),
      ], line)
  }
}
