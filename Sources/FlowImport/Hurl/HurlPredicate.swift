internal import FlowCore
internal import FlowExpression

/// Reads what an assert says of a value, as a condition.
struct HurlPredicate {
  let value: HurlValue

  private var code: String { value.code }

  /// The condition that tokens say.
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
    let condition = try condition(name, &tokens, isNegated: isNegated)
    guard tokens.isEmpty else { throw .malformed("unexpected text after the predicate") }
    return condition
  }

  private func condition(
    _ name: String, _ tokens: inout ArraySlice<HurlToken>, isNegated: Bool
  ) throws(HurlProblem) -> String {
    if let sign = Self.comparisons[name] {
      return try compared(sign, operand(&tokens), isNegated: isNegated)
    }
    let condition: String
    switch name {
    case "startsWith", "startWith", "endsWith", "endWith":
      let function = name.hasPrefix("start") ? "startsWith" : "endsWith"
      let operand = try operand(&tokens)
      guard operand.kind != .int, operand.kind != .list, !operand.isNull else {
        throw .malformed("expected a text after '\(name)'")
      }
      condition = "\(try textual()).\(function)(\(operand.text))"
    case "contains", "contain", "includes", "include":
      return try contains(operand(&tokens), isNegated: isNegated)
    case "matches", "match":
      condition = "\(try textual()).matches(\(try Self.pattern(tokens.popFirst())))"
    case "exists", "exist": condition = value.exists ?? "true"
    default: condition = try typed(name)
    }
    return isNegated ? Self.negated(condition) : condition
  }

  private static let comparisons: [String: String] = [
    "==": "==", "equals": "==", "equal": "==", "!=": "!=", "notEquals": "!=", ">": ">",
    "greaterThan": ">", ">=": ">=", "greaterThanOrEquals": ">=", "<": "<", "lessThan": "<",
    "<=": "<=", "lessThanOrEquals": "<=", "countEquals": "count",
  ]

  /// Those that ask for a part of a text.
  static let partial: Set<String> = [
    "startsWith", "startWith", "endsWith", "endWith", "contains", "contain", "includes", "include",
    "matches", "match",
  ]

  /// Those that messages offer; most are known by a second name, too.
  private static let names = [
    "==", "!=", ">", ">=", "<", "<=", "startsWith", "endsWith", "contains", "matches", "exists",
    "isInteger", "isFloat", "isNumber", "isBoolean", "isString", "isCollection", "isList",
    "isObject", "isEmpty", "isUuid", "isIsoDate", "isIpv4",
  ]

  private static func negated(_ condition: String) -> String {
    let isCall =
      !condition.contains(" && ") && !condition.contains(" == ")
      && !condition.contains(" in ") && !condition.contains(" > ") && !condition.contains(" != ")
    return isCall ? "!\(condition)" : "!(\(condition))"
  }

  private func textual() throws(HurlProblem) -> String {
    guard value.kind == .any || value.kind == .text else { throw .gap("a text predicate on bytes") }
    return code
  }

  // MARK: - Operands

  private struct Operand {
    let code: String
    let kind: HurlValue.Kind
    var isNull = false
    var isFraction = false

    /// The operand as a text; what an expression reads may be another value.
    var text: String { kind == .any && !code.hasPrefix("inputs.") ? "string(\(code))" : code }
  }

  private func operand(_ tokens: inout ArraySlice<HurlToken>) throws(HurlProblem) -> Operand {
    switch tokens.popFirst() {
    case .text(let text):
      return Operand(code: text.asText.code, kind: .text)
    case .number(let text):
      guard text.utf8.count < 30 else { throw .gap("a number this long") }
      let isFraction = text.contains(".") || text.utf8.count > 18
      return Operand(
        code: text.utf8.count > 18 && !text.contains(".") ? text + ".0" : text, kind: .int,
        isFraction: isFraction)
    case .word("null"): return Operand(code: "null", kind: .any, isNull: true)
    case .word("true"): return Operand(code: "true", kind: .list)
    case .word("false"): return Operand(code: "false", kind: .list)
    case .value(let value): return Operand(code: value.code, kind: .any)
    case .bytes(let bytes):
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw .gap("a comparison with bytes")
      }
      return Operand(code: text.celLiteral, kind: .bytes)
    case .file: throw .gap("a comparison with a file")
    default: throw .malformed("expected a value after the predicate")
    }
  }

  private func compared(
    _ sign: String, _ operand: Operand, isNegated: Bool
  ) throws(HurlProblem) -> String {
    if sign == "count" {
      return "size(\(code)) \(isNegated ? "!=" : "==") \(operand.code)"
    }
    let opposites = ["==": "!=", "!=": "==", ">": "<=", ">=": "<", "<": ">=", "<=": ">"]
    let sign = isNegated ? opposites[sign] ?? sign : sign
    if value.kind == .duration {
      guard operand.kind == .int, !operand.isFraction else {
        throw .gap("this predicate on a duration")
      }
      return "\(code) \(sign) duration('\(operand.code)ms')"
    }
    if value.kind == .bytes || operand.kind == .bytes {
      // What is text is in another field than bytes.
      let side = value.kind == .bytes ? code.replacing(".bytes", with: ".text") : code
      guard operand.kind == .bytes, sign == "==" || sign == "!=" else {
        throw .gap("this predicate on bytes")
      }
      return "\(side) \(sign) \(operand.code)"
    }
    let isAlike =
      value.kind == .any || operand.kind == .any && operand.code.hasPrefix("inputs.")
      || value.kind == operand.kind && value.kind != .list && !operand.isFraction
    return "\(isAlike ? code : "dyn(\(code))") \(sign) \(operand.code)"
  }

  private func contains(_ operand: Operand, isNegated: Bool) throws(HurlProblem) -> String {
    guard value.kind != .bytes, value.kind != .duration, value.kind != .int, operand.kind != .bytes
    else { throw .gap("this predicate on bytes or numbers") }
    let element = "\(operand.code) in \(code)"
    if value.kind == .list || operand.kind == .int || operand.kind == .list || operand.isNull {
      return isNegated ? "!(\(element))" : element
    }
    if value.kind == .text {
      let part = "\(code).contains(\(operand.text))"
      return isNegated ? "!\(part)" : part
    }
    // Not known before the run: part of a text, or element of a list.
    let choice = "type(v) == string ? v.contains(\(operand.text)) : \(operand.code) in v"
    let either = "cel.bind(v, \(code), \(choice))"
    return isNegated ? "!\(either)" : either
  }

  private func typed(_ name: String) throws(HurlProblem) -> String {
    switch name {
    case "isInteger": return "type(\(code)) == int"
    case "isFloat": return "type(\(code)) in [double, decimal]"
    case "isNumber": return "type(\(code)) in [int, double, decimal]"
    case "isBoolean": return "type(\(code)) == bool"
    case "isString": return "type(\(code)) == string"
    case "isCollection": return "type(\(code)) in [list, map]"
    case "isList": return "type(\(code)) == list"
    case "isObject": return "type(\(code)) == map"
    case "isEmpty":
      guard value.kind != .int, value.kind != .duration else { throw .gap("'isEmpty' on a number") }
      return value.kind == .bytes
        ? "\(code.replacing(".bytes", with: ".size")) == 0" : "size(\(code)) == 0"
    case "isUuid":
      return try matching("^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$")
    case "isIsoDate":
      return try matching(#"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$"#)
    case "isIpv4":
      return try matching(#"^((25[0-5]|2[0-4]\d|1?\d?\d)(\.|$)){4}$"#)
    case "isDate", "isIpv6": throw .gap("the predicate '\(name)'")
    default:
      throw .malformed(
        "unknown predicate '\(name.prefix(40))'" + Suggestion.ending(for: name, among: Self.names))
    }
  }

  private func matching(_ pattern: String) throws(HurlProblem) -> String {
    "\(try textual()).matches(\(pattern.celLiteral))"
  }

  /// A regular expression that flow has, too, as a literal.
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
