internal import FlowSystem

/// The operators, members and functions of JavaScript on values as expressions of the scenario.
///
/// Each function returns nil for a result that cannot be translated.
extension ScriptValue {
  static func milliseconds(of time: String) -> ScriptValue {
    ScriptValue("int(\(time)) * 1000 + \(time).getMilliseconds()", .number, .sum)
  }

  static func value(_ reading: ScriptDialect.Reading, of subject: String) -> ScriptValue {
    switch reading {
    case .json: ScriptValue(.json([]), of: subject)
    case .status: ScriptValue(.status, of: subject)
    case .text: ScriptValue(.text, of: subject)
    case .elapsed: ScriptValue("\(subject).elapsed", .milliseconds)
    case .size: ScriptValue("\(subject).size", .number)
    case .headers: ScriptValue("\(subject).headers", .headers)
    case .reason: ScriptValue("\(subject).status", .reason)
    case .mediaType:
      ScriptValue("\(subject).headers['content-type'].split(';')[0]", .text)
    }
  }

  static func number(_ text: String) -> ScriptValue? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let isPlain =
      parts.count <= 2 && text.utf8.count < 18
      && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }
    let isOctal = text.hasPrefix("0") && text.utf8.count > 1 && parts.count == 1
    return isPlain && !isOctal ? ScriptValue(literal: .number(text)) : nil
  }

  /// Returns one of two values by a condition.
  static func choice(
    _ condition: ScriptValue, _ yes: ScriptValue, _ no: ScriptValue
  ) -> ScriptValue {
    let isSame = yes.kind == no.kind && yes.kind != .any
    let first = isSame ? yes.operand(of: .or) : "dyn(\(yes.code))"
    return ScriptValue(
      "\(condition.operand(of: .or)) ? \(first) : \(no.operand(of: .or))",
      isSame ? yes.kind : .any, .choice)
  }

  /// Returns the expression for the text of a value.
  static func asText(_ value: ScriptValue) -> String? {
    switch value.kind {
    case .text: value.operand(of: .sum)
    case .any, .number, .bool: "string(\(value.code))"
    case .list, .map, .milliseconds, .time, .headers, .reason, .type: nil
    }
  }

  /// Returns a value as a text if `==` compares it with a variable of the file, which is a text.
  static func alike(_ value: ScriptValue, _ other: ScriptValue) -> ScriptValue {
    if case .number(let text)? = value.literal, other.isVariable {
      return ScriptValue(literal: .text(ImportedText(text)))
    }
    guard value.isVariable, other.kind == .number else { return value }
    return ScriptValue("string(\(value.code))", .text)
  }

  static func isNumeric(_ value: ScriptValue) -> Bool {
    value.kind == .number || value.kind == .any && !value.isNull
  }

  static func sum(_ left: ScriptValue, _ right: ScriptValue) -> ScriptValue? {
    if left.kind == .text || right.kind == .text {
      guard let first = Self.asText(left), let second = Self.asText(right) else { return nil }
      return ScriptValue("\(first) + \(second)", .text, .sum)
    }
    guard Self.isNumeric(left), Self.isNumeric(right),
      left.kind == .number || right.kind == .number,
      !left.isVariable, !right.isVariable
    else { return nil }
    return ScriptValue("\(left.operand(of: .sum)) + \(right.operand(of: .sum))", .number, .sum)
  }

  /// Returns the condition that a value is null, which a missing one is not.
  static func isNull(_ value: ScriptValue) -> ScriptValue {
    var condition = ScriptValue("\(value.loose) == null", .bool, .comparison)
    // A missing value is another one than null, here an empty text.
    let other = value.lenient?.replacing(".orValue(null)", with: ".orValue('')") ?? value.loose
    condition.opposite = "\(other) != null"
    return condition
  }

  /// Returns the condition that a value is missing.
  static func isUndefined(_ value: ScriptValue) -> ScriptValue {
    guard let lenient = value.lenient, lenient.hasSuffix(".orValue(null)") else {
      return isNothing(value)
    }
    let found = lenient.dropLast(".orValue(null)".count) + ".hasValue()"
    var condition = ScriptValue("!\(found)", .bool)
    condition.opposite = String(found)
    return condition
  }

  /// Returns the condition that a value is null or missing.
  static func isNothing(_ value: ScriptValue) -> ScriptValue {
    comparison("==", value.nullable, "null")
  }

  static func comparison(_ sign: String, _ left: String, _ right: String) -> ScriptValue {
    var value = ScriptValue("\(left) \(sign) \(right)", .bool, .comparison)
    if sign == "==" { value.opposite = "\(left) != \(right)" }
    return value
  }

  /// Returns the condition that one value is less than another one.
  static func order(_ sign: String, _ left: ScriptValue, _ right: ScriptValue) -> ScriptValue? {
    if left.kind == .milliseconds {
      guard case .number(let text)? = right.literal else { return nil }
      return comparison(sign, left.operand, "duration('\(text)ms')")
    }
    let isOrdered = [left, right].allSatisfy {
      [.any, .number, .text].contains($0.kind) && !$0.isNull
    }
    guard isOrdered, left.kind == right.kind || left.kind == .any || right.kind == .any else {
      return nil
    }
    if left.kind == .number || right.kind == .number {
      return comparison(sign, left.numeric, right.numeric)
    }
    return comparison(sign, left.operand(of: .sum), right.operand(of: .sum))
  }

  /// Returns the condition that a value has a type of JavaScript or of Chai.
  static func type(_ name: String?, of value: ScriptValue) -> ScriptValue? {
    let code = value.lenient ?? value.code
    switch name?.lowercased() {
    case "string": return comparison("==", "type(\(code))", "string")
    case "number":
      return ScriptValue("type(\(code)) in [int, double, decimal]", .bool, .comparison)
    case "boolean": return comparison("==", "type(\(code))", "bool")
    case "object" where value.kind == .type:
      return ScriptValue("\(code) == null || type(\(code)) in [map, list]", .bool, .or)
    case "object": return comparison("==", "type(\(code))", "map")
    case "array": return comparison("==", "type(\(code))", "list")
    case "null": return isNull(value)
    case "undefined": return isUndefined(value)
    default: return nil
    }
  }

  static func member(_ name: String, of object: ScriptValue) -> ScriptValue? {
    if name == "length" {
      guard [.any, .text, .list].contains(object.kind) else { return nil }
      return ScriptValue("size(\(object.code))", .number)
    }
    switch object.kind {
    case .headers: return header(name, of: object)
    case .any, .map: return part(.name(name), of: object)
    case .text, .number, .bool, .list, .milliseconds, .time, .reason, .type: return nil
    }
  }

  static func header(_ name: String, of headers: ScriptValue) -> ScriptValue {
    let subject = String(headers.code.dropLast(".headers".utf8.count))
    return ScriptValue(.header(name), of: subject)
  }

  static func element(_ key: ScriptValue, of object: ScriptValue) -> ScriptValue? {
    if object.kind == .headers { return key.text.map { Self.header($0, of: object) } }
    guard [.any, .map, .list, .text].contains(object.kind) else { return nil }
    if let text = key.text { return Self.part(.name(text), of: object) }
    if let index = key.int, index >= 0 {
      if object.kind == .text { return ScriptValue("\(object.operand).charAt(\(index))", .text) }
      return Self.part(.index(index), of: object)
    }
    guard key.kind == .number || key.kind == .any, !key.isNull else { return nil }
    return ScriptValue("\(object.loose)[\(key.code)]", .any)
  }

  static func part(_ key: ScriptAnswer.Key, of object: ScriptValue) -> ScriptValue {
    if object.kind == .headers, case .name(let name) = key { return header(name, of: object) }
    if case .json(let keys)? = object.answer, let start = object.code.firstRange(of: ".json") {
      return ScriptValue(.json(keys + [key]), of: String(object.code[..<start.lowerBound]))
    }
    let code = object.kind == .any ? object.loose : object.operand
    let lenient = code
    var value: ScriptValue
    switch key {
    case .index(let index):
      value = ScriptValue("\(code)[\(index)]", .any)
      value.lenient = "\(lenient)[?\(index)].orValue(null)"
    case .name(let name) where name.isFieldName:
      value = ScriptValue("\(code).\(name)", .any)
      value.lenient = "\(lenient).?\(name).orValue(null)"
    case .name(let name):
      value = ScriptValue("\(code)[\(name.celLiteral)]", .any)
      value.lenient = "\(lenient)[?\(name.celLiteral)].orValue(null)"
    }
    // The checker knows the types in an object of the script.
    value.isVariable = object.kind == .map
    return value
  }

  private static func method(_ name: String, ofTime object: ScriptValue) -> ScriptValue? {
    switch name {
    case "toISOString", "toJSON": ScriptValue("string(\(object.code))", .text)
    case "getTime", "valueOf": milliseconds(of: object.code)
    case "getFullYear": ScriptValue("\(object.operand).getFullYear()", .number)
    default: nil
    }
  }

  static func method(
    _ name: String, of object: ScriptValue, _ values: [ScriptValue]
  ) -> ScriptValue? {
    if object.kind == .time { return method(name, ofTime: object) }
    if name == "toString", values.isEmpty { return asText(object).map { ScriptValue($0, .text) } }
    guard [.any, .text, .list, .headers].contains(object.kind) else { return nil }
    let isList = object.kind == .list || object.kind == .headers
    if isList, !["get", "includes", "join"].contains(name) { return nil }
    let code = object.operand
    switch (name, values.count) {
    case ("get", 1) where object.kind == .headers:
      return values[0].text.map { header($0, of: object) }
    case ("trim", 0): return ScriptValue("\(code).trim()", .text)
    case ("toLowerCase", 0): return ScriptValue("\(code).lowerAscii()", .text)
    case ("toUpperCase", 0): return ScriptValue("\(code).upperAscii()", .text)
    case ("includes", 1): return contains(object, values[0])
    case ("startsWith", 1), ("endsWith", 1):
      guard values[0].kind == .text || values[0].kind == .any else { return nil }
      return ScriptValue("\(code).\(name)(\(values[0].code))", .bool)
    case ("split", 1):
      return values[0].kind == .text ? ScriptValue("\(code).split(\(values[0].code))", .list) : nil
    case ("replace", 2):
      guard values.allSatisfy({ $0.kind == .text }) else { return nil }
      return ScriptValue("\(code).replace(\(values[0].code), \(values[1].code), 1)", .text)
    case ("replaceAll", 2):
      guard values.allSatisfy({ $0.kind == .text }) else { return nil }
      return ScriptValue("\(code).replace(\(values[0].code), \(values[1].code))", .text)
    case ("substring", 1), ("substring", 2):
      guard values.allSatisfy({ ($0.int ?? -1) >= 0 }) else { return nil }
      return ScriptValue(
        "\(code).substring(\(values.map(\.code).joined(separator: ", ")))", .text)
    case ("join", 1):
      guard object.kind != .text, values[0].kind == .text else { return nil }
      return ScriptValue("\(code).join(\(values[0].code))", .text)
    default: return nil
    }
  }

  /// Returns the condition that a text or a list contains a value.
  static func contains(_ object: ScriptValue, _ value: ScriptValue) -> ScriptValue? {
    let code = object.kind == .any ? object.loose : object.operand
    let element = object.hasElements(like: value) ? value.operand(of: .sum) : "dyn(\(value.code))"
    switch object.kind {
    case .text:
      return value.kind == .text || value.kind == .any
        ? ScriptValue("\(code).contains(\(value.code))", .bool) : nil
    case .list: return ScriptValue("\(element) in \(code)", .bool, .comparison)
    case .any:
      guard value.kind == .text else {
        return ScriptValue("\(value.operand(of: .sum)) in \(code)", .bool, .comparison)
      }
      return ScriptValue(
        "type(\(code)) == list ? \(value.operand) in \(code) : \(code).contains(\(value.code))",
        .bool, .choice)
    case .number, .bool, .map, .milliseconds, .time, .headers, .reason, .type: return nil
    }
  }
}
