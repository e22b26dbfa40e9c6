internal import FlowCore
internal import FlowExpression
internal import FlowSystem

/// The predicate of an assert as a condition on a value.
struct HurlPredicate {
  let value: HurlValue
  /// The kinds of variables.
  var kinds: [String: HurlValue.Kind] = [:]

  private var code: String { value.code }

  /// The test of a predicate, before `not` is applied.
  private struct Test {
    let code: String
    /// The predicate's requirement for the value, negated or not.
    var requirement: String?
    /// The opposite, if a shorter one than with `!` exists.
    var opposite: String?
  }

  /// Returns the condition of the tokens.
  func condition(_ tokens: ArraySlice<HurlToken>) throws(HurlProblem) -> String {
    var tokens = tokens
    var isNegated = false
    if tokens.first == .word("not") {
      isNegated = true
      tokens.removeFirst()
    }
    guard case .word(let name)? = tokens.popFirst() else {
      throw .malformed("expected a predicate")
    }
    let condition: String
    if name == "exists" || name == "exist" {
      condition = existence(isNegated: isNegated)
    } else {
      let test = try test(name, &tokens)
      condition = isNegated ? negated(test) : Self.all(requirements(test) + [test.code])
    }
    guard tokens.isEmpty else { throw .malformed("unexpected text after the predicate") }
    return condition
  }

  // MARK: - Negation

  private func existence(isNegated: Bool) -> String {
    guard let found = value.found else {
      return isNegated ? "false" : value.captured ?? "true"
    }
    if !isNegated { return Self.all(value.requirements + [found]) }
    return Self.not(Self.all(value.exists ?? value.exact))
  }

  private func requirements(_ test: Test) -> [String] {
    var all = value.requirements
    if let requirement = test.requirement, !all.contains(requirement) { all.append(requirement) }
    return all
  }

  /// Returns the opposite of a test.
  ///
  /// It holds without a value, and the test's requirement stays.
  private func negated(_ test: Test) -> String {
    let opposite = test.opposite ?? Self.not(test.code)
    let requirements = requirements(test)
    if value.exact.isEmpty { return Self.all(requirements + [opposite]) }
    if requirements.isEmpty { return Self.not(Self.all(value.exact + [test.code])) }
    return Self.not(Self.all(value.exact)) + " || " + Self.all(requirements + [opposite])
  }

  private static func all(_ conditions: [String]) -> String {
    if conditions.count == 1 { return conditions[0] }
    return conditions.map { $0.isChoice ? "(\($0))" : $0 }.joined(separator: " && ")
  }

  private static func not(_ condition: String) -> String {
    let signs = [" && ", " == ", " in ", " > ", " != ", " >= ", " || ", " ? ", " < ", " <= "]
    return signs.contains(where: condition.contains) ? "!(\(condition))" : "!\(condition)"
  }

  // MARK: - Predicates

  private func test(
    _ name: String, _ tokens: inout ArraySlice<HurlToken>
  ) throws(HurlProblem) -> Test {
    if let sign = Self.comparisons[name] { return try compared(sign, operand(&tokens)) }
    switch name {
    case "startsWith", "startWith", "endsWith", "endWith":
      let function = name.hasPrefix("start") ? "startsWith" : "endsWith"
      let operand = try operand(&tokens)
      guard operand.kind != .int, operand.kind != .list, !operand.isNull else {
        throw .malformed("expected a string after '\(name)'")
      }
      if operand.kind == .bytes { return try part(function, operand) }
      return Test(code: "\(try textual()).\(function)(\(operand.text))")
    case "contains", "contain", "includes", "include":
      return try contains(operand(&tokens), isInList: name.hasPrefix("include"))
    case "matches", "match":
      return Test(code: "\(try textual()).matches(\(try Self.pattern(tokens.popFirst())))")
    default: return Test(code: try typed(name))
    }
  }

  private static let comparisons: [String: String] = [
    "==": "==", "equals": "==", "equal": "==", "!=": "!=", "notEquals": "!=", ">": ">",
    "greaterThan": ">", ">=": ">=", "greaterThanOrEquals": ">=", "<": "<", "lessThan": "<",
    "<=": "<=", "lessThanOrEquals": "<=", "countEquals": "count",
  ]

  /// The predicates about a part of a text.
  static let partial: Set<String> = [
    "startsWith", "startWith", "endsWith", "endWith", "contains", "contain", "includes", "include",
    "matches", "match",
  ]

  /// The predicates offered by messages.
  ///
  /// Most have a second name, too.
  private static let names = [
    "==", "!=", ">", ">=", "<", "<=", "startsWith", "endsWith", "contains", "matches", "exists",
    "isInteger", "isFloat", "isNumber", "isBoolean", "isString", "isCollection", "isList",
    "isObject", "isEmpty", "isUuid", "isIsoDate", "isIpv4",
  ]

  /// Returns a test of bytes in other bytes.
  private func part(_ function: String, _ operand: Operand) throws(HurlProblem) -> Test {
    guard value.kind == .bytes, !value.isDigest else { throw .gap("bytes in a text") }
    // The bytes of a text in another encoding than UTF-8 are not known.
    let requirement = value.bytes?.text.map { "size(\(code)) == \($0.size)" }
    return Test(code: "\(code).\(function)(\(operand.code))", requirement: requirement)
  }

  private func textual() throws(HurlProblem) -> String {
    guard value.kind == .any || value.kind == .text else {
      throw .gap("a string predicate on bytes")
    }
    return code
  }

  // MARK: - Operands

  private struct Operand {
    let code: String
    let kind: HurlValue.Kind
    var isNull = false
    var isFraction = false
    /// True for the nearest double of a number with more digits.
    var isRounded = false
    /// The literal bytes of a text in base 64 or hexadecimal.
    var bytes: [UInt8] = []
    /// The text, if it is one without templates.
    var literal: String?
    /// True for the bytes of a file.
    var isFile = false

    /// True for a number with more digits than a double holds.
    var isPrecise: Bool {
      isRounded || isFraction && code.contains(".") && code.utf8.count(where: \.isDigit) > 15
    }

    /// The operand as a text, since an expression may have another value.
    var text: String { kind == .any && !code.hasPrefix("inputs.") ? "string(\(code))" : code }
  }

  private func operand(_ tokens: inout ArraySlice<HurlToken>) throws(HurlProblem) -> Operand {
    switch tokens.popFirst() {
    case .text(let text):
      return Operand(code: text.asText.code, kind: .text, literal: text.literal)
    case .number(let text):
      guard text.utf8.count < 200 else { throw .gap("a number this long") }
      if let whole = Self.wholeNumber(text) { return whole }
      let isFraction = text.contains(".") || text.utf8.count > 18
      // Hurl reads numbers as doubles, and so does an expression a literal of so many digits.
      let isLong = text.utf8.count > 30
      let written = isLong ? Self.shortest(text) : text
      return Operand(
        code: written.utf8.count > 18 && !written.contains(".") ? written + ".0" : written,
        kind: .int, isFraction: isFraction, isRounded: isLong)
    case .word("null"): return Operand(code: "null", kind: .any, isNull: true)
    case .word("true"): return Operand(code: "true", kind: .list)
    case .word("false"): return Operand(code: "false", kind: .list)
    case .value(let value):
      let kind = value.code.isNumber ? .int : kinds[value.code] ?? .any
      return Operand(code: value.code, kind: kind, isFraction: value.code.contains("."))
    case .bytes(let bytes): return Operand(code: bytes.celLiteral, kind: .bytes, bytes: bytes)
    case .fileBytes(let code): return Operand(code: code, kind: .any, isFile: true)
    case .file: throw .gap("a comparison with a file")
    default: throw .malformed("expected a value after the predicate")
    }
  }

  /// Returns a whole number, which Hurl compares exactly at any size.
  ///
  /// Nil for a fraction, and for more digits than a decimal has.
  private static func wholeNumber(_ text: String) -> Operand? {
    guard !text.contains("."), text.utf8.count < 35 else { return nil }
    if Int(text) != nil { return Operand(code: text, kind: .int) }
    return Operand(code: "decimal('\(text)')", kind: .int, isFraction: true)
  }

  /// Returns the shortest text of a number's nearest double.
  private static func shortest(_ text: String) -> String { Double(text).map { "\($0)" } ?? text }

  private func compared(_ sign: String, _ operand: Operand) throws(HurlProblem) -> Test {
    if sign == "count" {
      return Test(
        code: "size(\(code)) == \(operand.code)", requirement: "type(\(code)) == list",
        opposite: "size(\(code)) != \(operand.code)")
    }
    if value.kind == .duration {
      guard operand.kind == .int, !operand.isFraction else {
        throw .gap("this predicate on a duration")
      }
      return comparison(code, sign, "duration('\(operand.code)ms')")
    }
    if let format = value.dateFormat { return try comparedDate(sign, operand, format) }
    if value.kind == .bytes { return try comparedBytes(sign, operand) }
    if value.kind == .double, operand.kind == .int, operand.code.isNumber {
      return comparison(code, sign, operand.code.contains(".") ? operand.code : operand.code + ".0")
    }
    if value.kind == .any, operand.isPrecise { return precise(sign, operand) }
    let isAlike =
      value.kind == .any || operand.kind == .any && operand.code.hasPrefix("inputs.")
      || value.kind == operand.kind && value.kind != .list && !operand.isFraction
    return comparison(isAlike ? code : "dyn(\(code))", sign, operand.code)
  }

  private func comparison(_ left: String, _ sign: String, _ right: String) -> Test {
    let opposites = ["==": "!=", "!=": "==", ">": "<=", ">=": "<", "<": ">=", "<=": ">"]
    return Test(
      code: "\(left) \(sign) \(right)",
      opposite: opposites[sign].map { "\(left) \($0) \(right)" })
  }

  /// Returns a comparison of doubles, as in Hurl, with a number of more digits than a double has.
  private func precise(_ sign: String, _ operand: Operand) -> Test {
    let isNumber = "type(\(code)) in [int, double, decimal]"
    let test = "double(\(code)) \(sign == "!=" ? "==" : sign) \(operand.code)"
    switch sign {
    case "==": return Test(code: "\(isNumber) && \(test)")
    case "!=": return Test(code: "!(\(isNumber) && \(test))", opposite: "\(isNumber) && \(test)")
    default: return Test(code: test, requirement: isNumber)
    }
  }

  private func comparedBytes(_ sign: String, _ operand: Operand) throws(HurlProblem) -> Test {
    guard sign == "==" || sign == "!=", operand.kind == .bytes || operand.isFile else {
      throw .gap("this predicate on bytes")
    }
    if value.isDigest, !operand.isFile {
      return comparison(code, sign, "'\(operand.bytes.hexadecimalText())'")
    }
    if operand.isFile { return comparison(code, sign, operand.code) }
    guard let bytes = value.bytes else { throw .gap("this predicate on bytes") }
    var test = "\(bytes.code) == \(operand.code)"
    // A body of UTF-8 is in another field than bytes, without the mark at its beginning.
    if let body = bytes.text, let text = String(validating: operand.bytes, as: UTF8.self) {
      let written =
        text.unicodeScalars.first == "\u{FEFF}"
        ? text.unicodeScalars.dropFirst() : text.unicodeScalars[...]
      test = "\(body.size) == \(operand.bytes.count)"
      if !written.isEmpty { test += " && \(body.code) == \(String(written).celLiteral)" }
    }
    return sign == "==" ? Test(code: test) : Test(code: Self.not(test), opposite: test)
  }

  private func comparedDate(
    _ sign: String, _ operand: Operand, _ format: String
  ) throws(HurlProblem) -> Test {
    guard sign == "==" || sign == "!=", let text = operand.literal, HurlDate.supports(format) else {
      throw .gap("this format of dates")
    }
    // No date is written like this.
    guard let instant = HurlDate(text, format: format) else {
      return Test(code: "false", opposite: "true")
    }
    return comparison(code, sign, "timestamp('\(instant.text)')")
  }

  private func contains(_ operand: Operand, isInList: Bool) throws(HurlProblem) -> Test {
    if operand.kind == .bytes { return try part("contains", operand) }
    guard value.kind != .bytes, value.kind != .duration, value.kind != .int, operand.kind != .bytes
    else { throw .gap("this predicate on bytes or numbers") }
    let element = "\(operand.code) in \(code)"
    if value.kind == .list { return Test(code: element) }
    if value.kind == .text { return Test(code: "\(code).contains(\(operand.text))") }
    // For a map it would test keys, which Hurl does not.
    let isOther = operand.kind == .int || operand.kind == .list || operand.isNull || isInList
    if isOther { return Test(code: element, requirement: "type(\(code)) == list") }
    return Test(code: "type(\(code)) == list ? \(element) : \(code).contains(\(operand.text))")
  }

  private func typed(_ name: String) throws(HurlProblem) -> String {
    switch name {
    case "isInteger":
      // A whole number too large for an int is a decimal without a point.
      return "type(\(code)) == int || type(\(code)) == decimal && \(Self.isWhole(code))"
    case "isFloat":
      if value.kind == .double { return "type(\(code)) == double" }
      return "type(\(code)) in [double, decimal] && !\(Self.isWhole(code))"
    case "isNumber": return "type(\(code)) in [int, double, decimal]"
    case "isBoolean": return "type(\(code)) == bool"
    case "isString": return "type(\(code)) == string"
    case "isCollection", "isList":
      if value.separator != nil { return "size(\(try value.list(for: name))) > 1" }
      if value.kind == .bytes { throw .gap("'\(name)' on bytes") }
      return name == "isList" ? "type(\(code)) == list" : "type(\(code)) in [list, map]"
    case "isObject": return "type(\(code)) == map"
    case "isEmpty":
      guard value.kind != .int, value.kind != .duration else { throw .gap("'isEmpty' on a number") }
      return "\(value.bytes?.text?.size ?? "size(\(code))") == 0"
    case "isUuid":
      return try matching("^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$")
    case "isIsoDate":
      return try matching(Self.date)
    case "isIpv4":
      return try matching(#"^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.|$)){4}$"#)
    case "isDate":
      return "type(\(code)) == google.protobuf.Timestamp"
    case "isIpv6": throw .gap("the predicate '\(name)'")
    default:
      throw .malformed(
        "unknown predicate '\(name.prefix(40))'" + Suggestion.ending(for: name, among: Self.names))
    }
  }

  private static func isWhole(_ code: String) -> String {
    "string(\(code)).matches('^-?[0-9]+$')"
  }

  /// A date and time of RFC 3339.
  private static let date =
    #"^\d{4}-((0[13578]|1[02])-(0[1-9]|[12]\d|3[01])|(0[469]|11)-(0[1-9]|[12]\d|30)"#
    + #"|02-(0[1-9]|[12]\d))[Tt ]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?"#
    + #"([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$"#

  private func matching(_ pattern: String) throws(HurlProblem) -> String {
    "\(try textual()).matches(\(pattern.celLiteral))"
  }

  /// Returns a regular expression with the same meaning in flow, as a literal.
  static func pattern(_ token: HurlToken?) throws(HurlProblem) -> String {
    switch token {
    case .regex(let text):
      guard (try? Pattern(text)) != nil else {
        throw .gap("a regular expression that RE2 does not have")
      }
      return text.celLiteral
    case .text(let text):
      if let literal = text.literal, (try? Pattern(literal)) == nil {
        throw .gap("a regular expression that RE2 does not have")
      }
      return text.asText.code
    case .value(let value): return value.code
    default: throw .malformed("expected a regular expression")
    }
  }
}

extension String {
  /// True for a condition that binds weaker than `&&`.
  var isChoice: Bool { contains(" || ") || contains(" ? ") }
}

extension [UInt8] {
  /// The bytes as a literal of an expression.
  var celLiteral: String { Lexer.literal(self) }
}
