internal import FlowSystem

/// Translates the values of a script to expressions of the scenario.
///
/// Every function returns nil for a value that cannot be translated.
struct ScriptEvaluator<Host: ScriptHost> {
  /// The meaning of a name in the script.
  enum Meaning {
    case value(ScriptValue)
    /// Another name, such as `pm.response`.
    case alias(String)
    case function(ScriptFunction)
    case unknown
  }

  let dialect: ScriptDialect
  /// The expression for the answer, or nil before the request.
  let subject: String?
  /// The line of the file for the present statement.
  var line = 0
  private(set) var names: [String: Meaning] = [:]
  /// The variables of the file that the script has set.
  var variables: [String: ScriptValue] = [:]
  /// The variables of the file that it has read from before.
  private(set) var read: Set<String> = []
  /// The functions of the script around this place.
  var calls = 0

  init(_ dialect: ScriptDialect, subject: String?) {
    (self.dialect, self.subject) = (dialect, subject)
  }

  /// Returns the function of the script with this name, or nil.
  func function(_ name: String) -> ScriptFunction? {
    if case .function(let function)? = names[name] { function } else { nil }
  }

  mutating func name(_ name: String, _ meaning: Meaning) { names[name] = meaning }

  /// Has these names from here on no known value.
  mutating func forget(_ changed: Set<String>) {
    for name in changed where names[name] != nil { names[name] = .unknown }
  }

  /// Restores the names of the block around, except those that were changed.
  mutating func leave(to outer: [String: Meaning]) {
    names = outer.merging(names.filter { outer[$0.key] != nil }) { _, inner in inner }
  }

  // MARK: - Names

  /// Returns the name of an expression in the tables of the dialect, such as `pm.response.code`.
  func path(_ expression: ScriptExpression) -> String? {
    switch expression {
    case .name(let name):
      switch names[name] {
      case .alias(let path): return path
      case .value, .function, .unknown: return nil
      case nil: return name
      }
    case .member(let object, let name): return path(object).map { "\($0).\(name)" }
    case .call(let function, let arguments):
      guard let path = path(function) else { return nil }
      if arguments.isEmpty { return path + "()" }
      guard arguments.count == 1, let argument = self.path(arguments[0]) else { return nil }
      return "\(path)(\(argument))"
    default: return nil
    }
  }

  /// Returns the value that a dialect has for a name.
  private mutating func reading(_ path: String, _ host: inout Host) -> ScriptValue? {
    if path == "Date.now()" {
      guard subject == nil else { return nil }
      return ScriptValue.milliseconds(of: host.now())
    }
    guard let subject, let reading = dialect.readings[path] else { return nil }
    return ScriptValue.value(reading, of: subject)
  }

  // MARK: - Values

  mutating func value(_ expression: ScriptExpression, _ host: inout Host) -> ScriptValue? {
    guard let value = anyValue(expression, &host), value.code.utf8.count <= Self.longest else {
      return nil
    }
    return value
  }

  /// The most bytes of an expression: a script may double a text again and again.
  static var longest: Int { 4096 }

  private mutating func anyValue(
    _ expression: ScriptExpression, _ host: inout Host
  ) -> ScriptValue? {
    switch expression {
    case .null: return ScriptValue(literal: .null)
    case .undefined: return .undefined
    case .bool(let value): return ScriptValue(literal: .bool(value))
    case .number(let text): return ScriptValue.number(text)
    case .text(let text): return ScriptValue(literal: .text(ImportedText(text)))
    case .template(let parts): return joined(parts, &host)
    case .list(let elements): return list(elements, &host)
    case .object(let members): return object(members, &host)
    case .unary(let sign, let operand): return unary(sign, operand, &host)
    case .binary(let sign, let left, let right): return binary(sign, left, right, &host)
    case .choice(let condition, let yes, let no):
      guard let condition = value(condition, &host)?.truth, let yes = value(yes, &host),
        let no = value(no, &host)
      else { return nil }
      return ScriptValue.choice(condition, yes, no)
    case .name, .member, .index, .call: return reference(expression, &host)
    case .new(let type, let arguments):
      guard path(type) == "Date", arguments.isEmpty, subject == nil else { return nil }
      return ScriptValue(host.now(), .time)
    case .pattern, .assignment, .function: return nil
    }
  }

  private mutating func joined(
    _ parts: [ScriptExpression], _ host: inout Host
  ) -> ScriptValue? {
    var codes: [String] = []
    for part in parts {
      guard let value = value(part, &host), let text = ScriptValue.asText(value) else { return nil }
      codes.append(text)
    }
    return ScriptValue(codes.joined(separator: " + "), .text, codes.count > 1 ? .sum : .member)
  }

  private mutating func list(
    _ elements: [ScriptExpression], _ host: inout Host
  ) -> ScriptValue? {
    var values: [ScriptValue] = []
    for element in elements {
      guard let value = value(element, &host) else { return nil }
      values.append(value)
    }
    let literals = values.compactMap(\.literal)
    if literals.count == values.count, Set(values.map { "\($0.kind)" }).count < 2 {
      return ScriptValue(literal: .list(literals))
    }
    // Elements of several types.
    return ScriptValue("[" + values.map { "dyn(\($0.code))" }.joined(separator: ", ") + "]", .list)
  }

  private mutating func object(
    _ members: [ScriptExpression.Member], _ host: inout Host
  ) -> ScriptValue? {
    var (entries, codes) = ([ImportedValue.Entry](), [String]())
    guard Set(members.map(\.name)).count == members.count else { return nil }
    for member in members {
      guard let value = self.value(member.value, &host).map({ hidden($0, of: member.name, &host) })
      else { return nil }
      if let literal = value.literal { entries.append(.init(name: member.name, value: literal)) }
      codes.append("\(member.name.celLiteral): dyn(\(value.code))")
    }
    if entries.count == members.count {
      let written = ImportedValue.map(entries)
      let hidden = host.compared(written, with: "", line: line)
      return hidden == written ? ScriptValue(literal: written) : ScriptValue(hidden.exactCode, .map)
    }
    return ScriptValue("{" + codes.joined(separator: ", ") + "}", .map)
  }

  /// Returns a value that the script gives a name, without what is secret in it.
  func hidden(_ value: ScriptValue, of name: String, _ host: inout Host) -> ScriptValue {
    guard let text = value.text else { return value }
    let written = host.written(text, of: name, line: line)
    if written.literal != nil { return value }
    return ScriptValue(written.code, .text, written.pieces.count > 1 ? .sum : .member)
  }

  // MARK: - Operators

  private mutating func unary(
    _ sign: String, _ operand: ScriptExpression, _ host: inout Host
  ) -> ScriptValue? {
    if sign == "+", case .new = operand, let time = value(operand, &host), time.kind == .time {
      return ScriptValue.milliseconds(of: time.code)
    }
    guard let value = value(operand, &host) else { return nil }
    switch sign {
    case "!": return value.truth.negation
    case "-":
      if case .number(let text)? = value.literal {
        return ScriptValue(literal: .number("-" + text))
      }
      return value.kind == .number ? ScriptValue("-\(value.operand)", .number) : nil
    case "typeof": return ScriptValue(value.nullable, .type)
    case "await": return value
    default: return nil
    }
  }

  private mutating func binary(
    _ sign: String, _ left: ScriptExpression, _ right: ScriptExpression, _ host: inout Host
  ) -> ScriptValue? {
    guard let left = value(left, &host), let right = value(right, &host) else { return nil }
    switch sign {
    case "===": return equality(left, right, &host)
    case "!==": return equality(left, right, &host)?.negation
    case "==":
      return equality(
        ScriptValue.alike(left, right), ScriptValue.alike(right, left), isLoose: true, &host)
    case "!=":
      return equality(
        ScriptValue.alike(left, right), ScriptValue.alike(right, left), isLoose: true, &host)?
        .negation
    case "<", ">", "<=", ">=": return ScriptValue.order(sign, left, right)
    case "&&":
      return ScriptValue(
        "\(left.truth.operand(of: .and)) && \(right.truth.operand(of: .and))", .bool, .and)
    case "||", "??":
      if left.kind == .bool, right.kind == .bool {
        return ScriptValue("\(left.operand(of: .or)) || \(right.operand(of: .or))", .bool, .or)
      }
      var lenient = left
      if let code = left.lenient { lenient = ScriptValue(code, .any) }
      let condition =
        sign == "??"
        ? ScriptValue("\(lenient.nullable) != null", .bool, .comparison) : left.truth
      return ScriptValue.choice(condition, lenient, right)
    case "+": return ScriptValue.sum(left, right)
    case "-", "*":
      guard ScriptValue.isNumeric(left), ScriptValue.isNumeric(right) else { return nil }
      return ScriptValue(
        "\(left.numeric) \(sign) \(right.isVariable ? right.numeric : right.operand)", .number,
        sign == "*" ? .product : .sum)
    default: return nil
    }
  }

  /// Returns the condition that two values are equal.
  ///
  /// `isLoose` is true for `==`, to which null and undefined are equal.
  func equality(
    _ left: ScriptValue, _ right: ScriptValue, isLoose: Bool = false, _ host: inout Host
  ) -> ScriptValue? {
    if left.kind == .reason {
      return right.text.flatMap(ScriptResponse.status).map {
        ScriptValue.comparison("==", left.code, "\($0)")
      }
    }
    if left.kind == .type { return ScriptValue.type(right.text, of: left) }
    if right.kind == .type { return ScriptValue.type(left.text, of: right) }
    if right.isNull || left.isNull {
      let (value, null) = right.isNull ? (left, right) : (right, left)
      if isLoose { return ScriptValue.isNothing(value) }
      return null.isUndefined ? ScriptValue.isUndefined(value) : ScriptValue.isNull(value)
    }
    if left.kind == .milliseconds || right.kind == .milliseconds { return nil }
    let (left, right) = (left.beside(right), right.beside(left))
    return ScriptValue.comparison(
      "==", compared(left, with: right, &host), compared(right, with: left, &host))
  }

  /// Returns the expression of a value beside another one, whose name may say that it is secret.
  func compared(
    _ value: ScriptValue, with other: ScriptValue, _ host: inout Host
  ) -> String {
    guard let literal = value.literal, let name = other.answer?.name, !name.isEmpty else {
      return value.operand(beside: other)
    }
    let hidden = host.compared(literal, with: name, line: line)
    return hidden == literal ? value.operand(beside: other) : hidden.exactCode
  }

}

// MARK: - Members and calls

extension ScriptEvaluator {
  private mutating func reference(
    _ expression: ScriptExpression, _ host: inout Host
  ) -> ScriptValue? {
    if let path = path(expression), let value = reading(path, &host) { return value }
    switch expression {
    case .name(let name):
      if case .value(let value)? = names[name] { return value }
      return nil
    case .member(let object, let name):
      if let path = path(object), dialect.scopes.contains(path) {
        return variable(name, &host)
      }
      return value(object, &host).flatMap { ScriptValue.member(name, of: $0) }
    case .index(let object, let index):
      guard let key = value(index, &host) else { return nil }
      if let path = path(object), dialect.scopes.contains(path) {
        return key.text.flatMap { variable($0, &host) }
      }
      return value(object, &host).flatMap { ScriptValue.element(key, of: $0) }
    case .call(let function, let arguments): return call(function, arguments, &host)
    default: return nil
    }
  }

  /// Returns the value of a variable of the file.
  private mutating func variable(_ name: String, _ host: inout Host) -> ScriptValue {
    if let known = variables[name] { return known }
    read.insert(name)
    let text = host.variable(named: name, line: line)
    guard text.literal == nil else { return ScriptValue(literal: .text(text)) }
    var value = ScriptValue(text.code, .any, text.pieces.count > 1 ? .sum : .member)
    value.isVariable = true
    return value
  }

  // MARK: - Calls

  private mutating func call(
    _ function: ScriptExpression, _ arguments: [ScriptExpression], _ host: inout Host
  ) -> ScriptValue? {
    if let path = path(function), let value = global(path, arguments, &host) { return value }
    if case .name(let name) = function, let function = self.function(name) {
      return result(of: function, arguments, &host)
    }
    if case .member(.pattern(let pattern, let flags), "test") = function, arguments.count == 1 {
      guard let text = value(arguments[0], &host) else { return nil }
      return ScriptPattern(pattern, flags)?.condition(on: text)
    }
    if let path = path(function), path == "moment" || path == "moment.utc" {
      return moment(arguments, &host)
    }
    guard case .member(let object, let name) = function, let object = value(object, &host) else {
      return nil
    }
    if object.kind == .time, let time = moment(name, of: object, arguments, &host) { return time }
    if arguments.count == 1, case .function(let function) = arguments[0] {
      return over(object, name, function, &host)
    }
    var values: [ScriptValue] = []
    for argument in arguments {
      var argument = argument
      if name.hasPrefix("replace"), case .pattern(let text, "g") = argument, text.isPlainPattern {
        argument = .text(text)
        if arguments.count == 2, let other = value(arguments[1], &host) {
          return ScriptValue.method(
            "replaceAll", of: object, [ScriptValue(literal: .text(ImportedText(text))), other])
        }
      }
      guard let value = value(argument, &host) else { return nil }
      values.append(value)
    }
    return ScriptValue.method(name, of: object, values)
  }

  /// Returns the value of a function of the script that only returns one.
  private mutating func result(
    of function: ScriptFunction, _ arguments: [ScriptExpression], _ host: inout Host
  ) -> ScriptValue? {
    let outer = names
    guard let body = function.result, bind(function, arguments, &host) else { return nil }
    defer {
      leave(to: outer)
      calls -= 1
    }
    return value(body, &host)
  }

  /// Gives the parameters of a function their values.
  ///
  /// False if one of them is not known, or for a function in too many others. Otherwise `calls` is
  /// to be counted down.
  mutating func bind(
    _ function: ScriptFunction, _ arguments: [ScriptExpression], _ host: inout Host
  ) -> Bool {
    guard calls < 4, function.parameters.count == arguments.count else { return false }
    var values: [ScriptValue] = []
    for argument in arguments {
      guard let value = value(argument, &host) else { return false }
      values.append(value)
    }
    for (name, value) in zip(function.parameters, values) { names[name] = .value(value) }
    calls += 1
    return true
  }

  /// Returns the value of a function that belongs to no value.
  private mutating func global(
    _ path: String, _ arguments: [ScriptExpression], _ host: inout Host
  ) -> ScriptValue? {
    if path == "Math.floor" || path == "Math.round" || path == "parseInt",
      let number = randomNumber(arguments, &host)
    {
      return number
    }
    guard let first = arguments.first, let value = value(first, &host) else { return nil }
    if dialect.getters.contains(path) { return value.text.map { variable($0, &host) } }
    if dialect.headers.contains(path) {
      return subject.flatMap { subject in value.text.map { ScriptValue(.header($0), of: subject) } }
    }
    if dialect.templates.contains(path), let text = value.text {
      let replaced = host.templated(text, line: line)
      if replaced.literal != nil { return ScriptValue(literal: .text(replaced)) }
      return ScriptValue(
        replaced.asText.code, replaced.pieces.count > 1 ? .text : .any,
        replaced.pieces.count > 1 ? .sum : .member)
    }
    switch path {
    case "JSON.stringify": return ScriptValue("toJSON(\(value.code))", .text)
    case "JSON.parse":
      return value.kind == .text ? ScriptValue("json(\(value.code))", .any) : nil
    case "String": return ScriptValue.asText(value).map { ScriptValue($0, .text) }
    case "Array.isArray": return ScriptValue.type("array", of: value)
    case "Object.keys":
      return [.any, .map].contains(value.kind)
        ? ScriptValue("\(value.operand).map(key, key)", .list) : nil
    case "Number.isInteger":
      return ScriptValue("type(\(value.lenient ?? value.code)) == int", .bool, .comparison)
    case "parseInt", "Number", "parseFloat":
      let name = path == "parseInt" ? "int" : "decimal"
      return [.any, .text, .number].contains(value.kind)
        ? ScriptValue("\(name)(\(value.code))", .number) : nil
    default: return nil
    }
  }

  /// Returns a random number for `Math.floor(Math.random() * 1000)`, also with a number added.
  private func randomNumber(
    _ arguments: [ScriptExpression], _ host: inout Host
  ) -> ScriptValue? {
    guard let argument = arguments.first, subject == nil else { return nil }
    var (product, least) = (argument, 0)
    if case .binary("+", let left, .number(let text)) = argument {
      guard let number = Int(text) else { return nil }
      (product, least) = (left, number)
    }
    let random = ScriptExpression.call(.member(.name("Math"), "random"), [])
    guard case .binary("*", let left, let right) = product else { return nil }
    guard case .number(let text) = left == random ? right : left, left == random || right == random,
      let count = Int(text), 0 < count, count < 1 << 53, least < 1 << 53
    else { return nil }
    return ScriptValue(host.randomNumber(from: least, to: least + count - 1), .number)
  }

  /// Returns the time of the library `moment`.
  private mutating func moment(
    _ arguments: [ScriptExpression], _ host: inout Host
  ) -> ScriptValue? {
    guard subject == nil else { return nil }
    guard let first = arguments.first else { return ScriptValue(host.now(), .time) }
    guard arguments.count == 1, let value = value(first, &host), value.kind == .time else {
      return nil
    }
    return value
  }

  /// The lengths of the units of `moment` that are always the same, in seconds.
  private static var units: [String: Int] {
    [
      "week": 604_800, "w": 604_800, "day": 86_400, "d": 86_400, "hour": 3600, "h": 3600,
      "minute": 60, "m": 60, "second": 1, "s": 1,
    ]
  }

  /// Returns the value of a method of the library `moment`.
  private mutating func moment(
    _ name: String, of time: ScriptValue, _ arguments: [ScriptExpression], _ host: inout Host
  ) -> ScriptValue? {
    switch name {
    case "utc", "clone": return arguments.isEmpty ? time : nil
    case "unix": return ScriptValue("int(\(time.code))", .number)
    case "add", "subtract":
      guard arguments.count == 2, let count = value(arguments[0], &host)?.int,
        let word = value(arguments[1], &host)?.text, abs(count) < 100_000
      else { return nil }
      let unit = word.count > 1 && word.hasSuffix("s") ? String(word.dropLast()) : word
      guard let seconds = Self.units[unit] else { return nil }
      let sign = name == "add" ? "+" : "-"
      return ScriptValue("\(time.code) \(sign) duration('\(count * seconds)s')", .time, .sum)
    case "format":
      guard arguments.count == 1, let text = value(arguments[0], &host)?.text,
        let format = text.timeFormat
      else { return nil }
      return ScriptValue(host.formatted(time.code, as: format), .text)
    default: return nil
    }
  }

  /// Returns the value of a method with a function, such as `map`.
  private mutating func over(
    _ list: ScriptValue, _ name: String, _ function: ScriptFunction, _ host: inout Host
  ) -> ScriptValue? {
    guard function.parameters.count == 1, let body = function.result,
      [.any, .list].contains(list.kind)
    else { return nil }
    let outer = names
    let variable = bind(function.parameters[0])
    defer { leave(to: outer) }
    guard let value = value(body, &host) else { return nil }
    let source = list.kind == .any ? list.loose : list.operand
    let code = "(\(variable), \(name == "map" ? value.code : value.truth.code))"
    switch name {
    case "every": return ScriptValue("\(source).all\(code)", .bool)
    case "some": return ScriptValue("\(source).exists\(code)", .bool)
    case "filter": return ScriptValue("\(source).filter\(code)", .list)
    case "map": return ScriptValue("\(source).map\(code)", .list)
    case "find":
      let found = "\(source).filter\(code)"
      var value = ScriptValue("\(found)[0]", .any)
      value.lenient = "\(found)[?0].orValue(null)"
      return value
    default: return nil
    }
  }

  /// Gives an element of a list a name, and returns it.
  mutating func bind(_ parameter: String) -> String {
    var variable = parameter.scenarioName(or: "element")
    if !variable.isFieldName || ["inputs", "steps", "loop", "it", "key"].contains(variable) {
      variable += "_element"
    }
    names[parameter] = .value(ScriptValue(variable, .any))
    return variable
  }

}

extension String {
  /// A format of `moment` as one of `strftime`, or nil for one with other parts.
  fileprivate var timeFormat: String? {
    let parts = [
      ("YYYY", "%Y"), ("MM", "%m"), ("DD", "%d"), ("HH", "%H"), ("mm", "%M"), ("ss", "%S"),
      ("SSS", "%L"),
    ]
    // It stands between quotes of YAML.
    if contains(where: { "\"\\$".contains($0) || $0.isNewline }) { return nil }
    var (format, rest) = ("", self[...])
    while let first = rest.first {
      if let part = parts.first(where: { rest.hasPrefix($0.0) }) {
        format += part.1
        rest = rest.dropFirst(part.0.count)
      } else if rest.hasPrefix("[") {
        guard let end = rest.firstIndex(of: "]") else { return nil }
        format += rest[rest.index(after: rest.startIndex)..<end].replacing("%", with: "%%")
        rest = rest[end...].dropFirst()
      } else if first.isLetter && first != "T" {
        return nil
      } else {
        format += first == "%" ? "%%" : String(first)
        rest.removeFirst()
      }
    }
    return format
  }

  /// True for a pattern without signs that mean something in patterns.
  fileprivate var isPlainPattern: Bool {
    !isEmpty && utf8.allSatisfy { $0.isLetter || $0.isDigit || " -_/:=,@#".utf8.contains($0) }
  }
}
