internal import FlowExpression

/// Translates the conditions of tests, such as `pm.expect(a).to.equal(1)`.
///
/// The words are those of [Chai](https://www.chaijs.com/api/bdd/), and Postman's for answers.
struct ScriptExpectation<Host: ScriptHost> {
  private var subject: ScriptValue
  private var isNot = false
  private var isLength = false
  private(set) var conditions: [ScriptValue] = []

  init(_ subject: ScriptValue) { self.subject = subject }

  private static var fillers: Set<String> {
    [
      "to", "be", "been", "is", "that", "which", "and", "has", "have", "with", "at", "of", "same",
      "but", "does", "still", "also", "deep", "all", "own",
    ]
  }

  /// Returns the conditions of the words behind a value, or nil if one of them is not known.
  static func conditions(
    of links: ArraySlice<ScriptExpression.Link>, on subject: ScriptValue,
    _ evaluator: inout ScriptEvaluator<Host>, _ host: inout Host
  ) -> [ScriptValue]? {
    var expectation = ScriptExpectation(subject)
    for link in links {
      guard expectation.read(link, &evaluator, &host) else { return nil }
    }
    return expectation.conditions.isEmpty ? nil : expectation.conditions
  }

  private mutating func read(
    _ link: ScriptExpression.Link, _ evaluator: inout ScriptEvaluator<Host>, _ host: inout Host
  ) -> Bool {
    guard let arguments = link.arguments else { return word(link.name) }
    // The text for a failure stands behind the values, as in `equal(1, 'one')`.
    let count = link.name == "property" || link.name == "within" ? 2 : arguments.count
    if link.name == "match", case .pattern(let pattern, let flags)? = arguments.first {
      return ScriptPattern(pattern, flags).map { add($0.condition(on: subject)) } ?? false
    }
    var values: [ScriptValue] = []
    for argument in arguments.prefix(count) {
      guard let value = evaluator.value(argument, &host) else { return false }
      values.append(value)
    }
    return call(link.name, values, evaluator, &host)
  }

  private mutating func add(_ condition: ScriptValue?) -> Bool {
    guard let condition else { return false }
    conditions.append(isNot ? condition.negation : condition)
    isNot = false
    return true
  }

  /// The subject that is an error if it is missing, since nothing has no type.
  private var plain: ScriptValue {
    var plain = subject
    if subject.kind != .type { plain.lenient = nil }
    return plain
  }

  // MARK: - Words

  private mutating func word(_ name: String) -> Bool {
    if Self.fillers.contains(name) { return true }
    let value = subject.lenient ?? subject.operand
    func equals(_ other: String) -> ScriptValue {
      var condition = ScriptValue("\(value) == \(other)", .bool, .comparison)
      condition.opposite = "\(value) != \(other)"
      return condition
    }
    switch name {
    case "not": isNot.toggle()
    case "length", "lengthOf": isLength = true
    case "true": return add(subject.kind == .bool ? subject : equals("true"))
    case "false": return add(subject.kind == .bool ? subject.negation : equals("false"))
    case "null": return add(ScriptValue.isNull(subject))
    case "undefined": return add(ScriptValue.isUndefined(subject))
    case "exist": return add(ScriptValue.isNothing(subject).negation)
    case "ok": return add(subject.truth)
    case "empty":
      guard [.any, .text, .list, .map].contains(subject.kind) else { return false }
      var empty = ScriptValue("size(\(subject.code)) == 0", .bool, .comparison)
      empty.opposite = "size(\(subject.code)) != 0"
      return add(empty)
    default: return false
    }
    return true
  }

  private mutating func call(
    _ name: String, _ values: [ScriptValue], _ evaluator: ScriptEvaluator<Host>,
    _ host: inout Host
  ) -> Bool {
    guard let first = values.first else { return false }
    var measured = subject
    if isLength { measured = ScriptValue("size(\(subject.code))", .number) }
    switch name {
    case "equal", "equals", "eq", "eql", "eqls":
      return add(equality(measured, first, evaluator, &host))
    case "above", "gt", "greaterThan": return order(">", measured, first)
    case "below", "lt", "lessThan": return order("<", measured, first)
    case "least", "gte", "greaterThanOrEqual": return order(">=", measured, first)
    case "most", "lte", "lessThanOrEqual": return order("<=", measured, first)
    case "within":
      guard values.count == 2, !isNot else { return false }
      return order(">=", measured, first) && order("<=", measured, values[1])
    case "a", "an":
      return add(
        ScriptValue.type(
          first.text, of: isNot || ["null", "undefined"].contains(first.text) ? subject : plain))
    case "lengthOf", "length":
      let length = ScriptValue("size(\(subject.code))", .number)
      return add(equality(length, first, evaluator, &host))
    case "property", "key", "keys": return properties(name, values, evaluator, &host)
    case "oneOf": return oneOf(first, evaluator, &host)
    case "include", "includes", "contain", "contains", "string":
      return includes(first, evaluator, &host)
    case "members":
      guard case .list(let elements)? = first.literal, !isNot else { return false }
      let each = elements.map { element in
        "\(evaluator.compared(ScriptValue(literal: element), with: subject, &host)) in \(subject.operand)"
      }
      let code = (["size(\(subject.code)) == \(elements.count)"] + each).joined(separator: " && ")
      return add(ScriptValue(code, .bool, .and))
    default: return false
    }
  }

  private mutating func order(_ sign: String, _ left: ScriptValue, _ right: ScriptValue) -> Bool {
    isLength = false
    return add(ScriptValue.order(sign, left, right))
  }

  private func equality(
    _ left: ScriptValue, _ right: ScriptValue, _ evaluator: ScriptEvaluator<Host>,
    _ host: inout Host
  ) -> ScriptValue? {
    if left.kind == .bool, right.literal == .bool(true) { return left }
    if left.kind == .bool, right.literal == .bool(false) { return left.negation }
    guard isNot, let lenient = left.lenient, !right.isNull else {
      return evaluator.equality(left, right, &host)
    }
    // What is missing differs from every value.
    var missing = ScriptValue(lenient, left.kind)
    missing.answer = left.answer
    return evaluator.equality(missing, right, &host)
  }

  /// Adds the conditions that an object has members.
  private mutating func properties(
    _ name: String, _ values: [ScriptValue], _ evaluator: ScriptEvaluator<Host>,
    _ host: inout Host
  ) -> Bool {
    guard [.any, .map, .headers].contains(subject.kind) else { return false }
    if name == "property" {
      guard let key = values[0].text, key != "length" else { return false }
      let part = ScriptValue.part(.name(key), of: subject)
      // Texts behind the name are messages if there is no other value.
      if values.count == 2 {
        return add(equality(part, values[1], evaluator, &host))
      }
      guard let has = Self.has(key, subject), add(has) else { return false }
      subject = part
      return true
    }
    var names = values.compactMap(\.text)
    if case .list(let elements)? = values[0].literal {
      names = elements.compactMap { if case .text(let text) = $0 { text.literal } else { nil } }
    }
    guard !names.isEmpty, !isNot else { return false }
    for name in names where !add(Self.has(name, subject)) { return false }
    return true
  }

  /// Returns the condition that an object has a member.
  static func has(_ name: String, _ object: ScriptValue) -> ScriptValue? {
    if object.kind == .headers {
      let code = "\(name.lowercased().celLiteral) in \(object.code)"
      return ScriptValue(code, .bool, .comparison)
    }
    guard [.any, .map].contains(object.kind) else { return nil }
    let key = name.isFieldName ? ".?\(name)" : "[?\(name.celLiteral)]"
    return ScriptValue("\(object.operand)\(key).hasValue()", .bool)
  }

  private mutating func oneOf(
    _ list: ScriptValue, _ evaluator: ScriptEvaluator<Host>, _ host: inout Host
  ) -> Bool {
    guard list.kind == .list, subject.kind != .milliseconds else { return false }
    let element =
      list.hasElements(like: subject) ? subject.operand(of: .sum) : "dyn(\(subject.code))"
    let code = evaluator.compared(list, with: subject, &host)
    let list = list.literal == nil || code.hasPrefix("dyn(") ? list.operand : code
    return add(ScriptValue("\(element) in \(list)", .bool, .comparison))
  }

  private mutating func includes(
    _ value: ScriptValue, _ evaluator: ScriptEvaluator<Host>, _ host: inout Host
  ) -> Bool {
    if case .map(let entries)? = value.literal, !isNot {
      for entry in entries {
        let part = ScriptValue.part(.name(entry.name), of: subject)
        guard add(equality(part, ScriptValue(literal: entry.value), evaluator, &host)) else {
          return false
        }
      }
      return !entries.isEmpty
    }
    var compared = value
    if value.text != nil {
      compared = ScriptValue(evaluator.compared(value, with: subject, &host), .text)
    }
    return add(ScriptValue.contains(subject.beside(compared), compared))
  }
}

/// A pattern of JavaScript as one of RE2.
struct ScriptPattern {
  private let code: String

  /// Nil for a pattern that RE2 does not have.
  init?(_ pattern: String, _ flags: String) {
    guard flags.allSatisfy({ "gimsu".contains($0) }) else { return nil }
    let kept = flags.filter { "ims".contains($0) }
    let text = (kept.isEmpty ? "" : "(?\(kept))") + pattern.replacing("\\/", with: "/")
    guard (try? Pattern(text)) != nil else { return nil }
    code = text.celLiteral
  }

  /// Returns the condition that a part of a text matches.
  func condition(on value: ScriptValue) -> ScriptValue? {
    guard [.any, .text].contains(value.kind) else { return nil }
    let value = value.beside(ScriptValue("", .text))
    return ScriptValue("\(value.operand).matches(\(code))", .bool)
  }
}
