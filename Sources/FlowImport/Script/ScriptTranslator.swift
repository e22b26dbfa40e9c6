/// Translates the statements of a script to effects on a scenario.
///
/// Whatever may run conditionally in a way that is not understood has no effect but a note.
struct ScriptTranslator<Host: ScriptHost> {
  /// A condition or a loop around a statement.
  private enum Scope {
    case condition(ScriptValue)
    case each(list: String, variable: String)
  }

  private(set) var effects: [(line: Int, effect: ScriptEffect)] = []
  private var evaluator: ScriptEvaluator<Host>
  private var scopes: [Scope] = []
  /// True after a statement that may end the script or the function around.
  private var isUncertain = false
  /// The lines of the file for those of the script.
  private let line: (Int) -> Int

  /// Returns the effects of a script in its order, and the variables that it reads from before.
  ///
  /// `subject` is the expression for the answer, or nil for a script before the request. `line`
  /// returns the line of the file for a line of the script, from 0.
  static func effects(
    of script: String, _ dialect: ScriptDialect, subject: String?, line: @escaping (Int) -> Int,
    _ host: inout Host
  ) -> (effects: [(line: Int, effect: ScriptEffect)], read: Set<String>) {
    var translator = ScriptTranslator(
      evaluator: ScriptEvaluator(dialect, subject: subject), line: line)
    translator.run(ScriptParser.read(script), &host)
    return (translator.effects, translator.evaluator.read)
  }

  private init(evaluator: ScriptEvaluator<Host>, line: @escaping (Int) -> Int) {
    (self.evaluator, self.line) = (evaluator, line)
  }

  private mutating func add(_ effect: ScriptEffect) { effects.append((evaluator.line, effect)) }

  // MARK: - Blocks

  /// Translates the statements of a block.
  private mutating func run(_ statements: [ScriptStatement], _ host: inout Host) {
    let outer = scopes.count
    for statement in statements {
      evaluator.line = line(statement.line)
      if case .end = statement.kind, statement.name.isEmpty {
        isUncertain = true
      } else if isUncertain {
        skip(statement)
      } else if case .end = statement.kind {
        break
      } else {
        self.statement(statement, &host)
      }
    }
    scopes.removeSubrange(outer...)
  }

  private mutating func skip(_ statement: ScriptStatement) {
    if isLog(statement) { return }
    add(.skipped(statement.name))
    forget(statement)
  }

  private mutating func forget(_ statement: ScriptStatement) {
    evaluator.forget(statement.changed)
    if case .declaration(let declared) = statement.kind {
      for name in declared.map(\.name) { evaluator.name(name, .unknown) }
    }
    if statement.kind == .other, let name = statement.name.split(separator: " ").last {
      evaluator.name(String(name), .unknown)
    }
  }

  private func isLog(_ statement: ScriptStatement) -> Bool {
    if case .expression(.call(let function, _)) = statement.kind,
      let path = evaluator.path(function)
    {
      return evaluator.dialect.logs.contains(path)
    }
    return statement.name == "console" || evaluator.dialect.logs.contains(statement.name)
  }

  // MARK: - Statements

  private mutating func statement(_ statement: ScriptStatement, _ host: inout Host) {
    if isLog(statement) { return }
    switch statement.kind {
    case .expression(let expression):
      if !self.expression(expression, &host) { skip(statement) }
    case .declaration(let declared):
      var isKnown = true
      for item in declared where !declare(item, &host) { isKnown = false }
      if !isKnown { add(.skipped(statement.name)) }
    case .branch(let condition, let then, let otherwise):
      branch(statement, condition, then, otherwise, &host)
    case .each(let name, let list, let body):
      if !each(name, of: list, body, &host) { skip(statement) }
    case .function(let name, let function): evaluator.name(name, .function(function))
    case .attempt(let body): attempt(statement, body, &host)
    case .failure: check(ScriptValue("false", .bool))
    case .end: break
    case .other: skip(statement)
    }
    if case .other = statement.kind { isUncertain = isUncertain || mayEnd(statement) }
  }

  /// Translates statements whose failure has no effect, if they cannot fail: reading an answer as
  /// JSON is null in a scenario where it fails in a script.
  private mutating func attempt(
    _ statement: ScriptStatement, _ body: [ScriptStatement], _ host: inout Host
  ) {
    let isHarmless = body.allSatisfy { inner in
      switch inner.kind {
      case .declaration, .expression(.assignment(_, .name, _)): true
      default: isLog(inner)
      }
    }
    if isHarmless { return run(body, &host) }
    skip(statement)
    if Self.hasEnd(body) { isUncertain = true }
  }

  /// Returns true for a statement of unknown content that may end the function around it.
  private func mayEnd(_ statement: ScriptStatement) -> Bool {
    let exits = ["if", "else", "for", "while", "do", "switch", "try"]
    return statement.hasEnd && exits.contains(statement.name)
  }

  private mutating func declare(
    _ declared: ScriptStatement.Declared, _ host: inout Host
  ) -> Bool {
    guard let expression = declared.value else {
      evaluator.name(declared.name, .value(.undefined))
      return true
    }
    if let value = evaluator.value(expression, &host) {
      evaluator.name(declared.name, .value(evaluator.hidden(value, of: declared.name, &host)))
      return true
    }
    if case .function(let function) = expression {
      evaluator.name(declared.name, .function(function))
      return true
    }
    // A library has no effect until it is used.
    if case .call(.name("require"), let arguments) = expression, arguments.count == 1 {
      evaluator.name(declared.name, .alias("\(declared.name)"))
      return true
    }
    // `const res = pm.response`
    if case .call = expression {
    } else if let path = evaluator.path(expression) {
      evaluator.name(declared.name, .alias(path))
      return true
    }
    evaluator.name(declared.name, .unknown)
    return false
  }

  private mutating func branch(
    _ statement: ScriptStatement, _ condition: ScriptExpression, _ then: [ScriptStatement],
    _ otherwise: [ScriptStatement], _ host: inout Host
  ) {
    guard let truth = evaluator.value(condition, &host)?.truth else {
      skip(statement)
      if Self.hasEnd(then + otherwise) { isUncertain = true }
      return
    }
    let outer = evaluator.names
    for (part, condition) in [(then, truth), (otherwise, truth.negation)] where !part.isEmpty {
      scopes.append(.condition(condition))
      run(part, &host)
      scopes.removeLast()
      evaluator.leave(to: outer)
    }
    // What follows runs only if no part has ended the function.
    if otherwise.isEmpty, case .end? = then.last?.kind, !Self.hasEnd(then.dropLast()) {
      scopes.append(.condition(truth.negation))
    } else if Self.hasEnd(then + otherwise) {
      isUncertain = true
    }
  }

  /// Returns true if a statement ends the function around it.
  private static func hasEnd(_ statements: some Sequence<ScriptStatement>) -> Bool {
    statements.contains { statement in
      switch statement.kind {
      case .end: true
      case .branch(_, let then, let otherwise): hasEnd(then) || hasEnd(otherwise)
      case .each(_, _, let body), .attempt(let body): hasEnd(body)
      case .expression, .declaration, .failure, .function, .other: false
      }
    }
  }

  private mutating func each(
    _ name: String, of expression: ScriptExpression, _ body: [ScriptStatement], _ host: inout Host
  ) -> Bool {
    guard let list = evaluator.value(expression, &host), [.any, .list].contains(list.kind),
      !Self.hasEnd(body)
    else { return false }
    let outer = evaluator.names
    let source = list.kind == .any ? list.loose : list.operand
    scopes.append(.each(list: source, variable: evaluator.bind(name)))
    run(body, &host)
    scopes.removeLast()
    evaluator.leave(to: outer)
    return true
  }

  // MARK: - Expressions

  /// Translates an expression that stands alone.
  ///
  /// False for an unknown one.
  private mutating func expression(_ expression: ScriptExpression, _ host: inout Host) -> Bool {
    switch expression {
    case .assignment("=", let left, let right): return assign(left, right, &host)
    case .call(.name(let name), let arguments) where evaluator.function(name) != nil:
      guard let function = evaluator.function(name) else { return false }
      return call(function, arguments, &host)
    case .call(let function, let arguments):
      if let path = evaluator.path(function), call(path, arguments, &host) { return true }
      if case .member(let list, "forEach") = function, arguments.count == 1,
        case .function(let body) = arguments[0], body.parameters.count == 1
      {
        return each(body.parameters[0], of: list, body.body, &host)
      }
    case .unary("await", let inner): return self.expression(inner, &host)
    default: break
    }
    return expectation(expression, &host)
  }

  private mutating func assign(
    _ left: ScriptExpression, _ right: ScriptExpression, _ host: inout Host
  ) -> Bool {
    switch left {
    case .index(.name("tests"), _), .member(.name("tests"), _):
      guard let value = evaluator.value(right, &host) else { return false }
      check(value.truth)
      return true
    case .name(let name):
      let value = evaluator.value(right, &host)
      guard let value, let whole = conditional(value, before: evaluator.names[name]),
        whole.code.utf8.count <= 2 * ScriptEvaluator<Host>.longest
      else {
        evaluator.name(name, .unknown)
        return false
      }
      evaluator.name(name, .value(whole))
      return true
    default: return false
    }
  }

  /// Returns a value that is taken under the conditions around it, and another one before.
  private func conditional(
    _ value: ScriptValue, before: ScriptEvaluator<Host>.Meaning?
  ) -> ScriptValue? {
    switch surroundings {
    case .none: return value
    case .loop: return nil
    case .condition(let truth):
      guard case .value(let old)? = before else { return nil }
      return ScriptValue.choice(truth, value, old)
    }
  }

  /// The conditions around a place together.
  private enum Surroundings {
    case none
    case condition(ScriptValue)
    case loop
  }

  private var surroundings: Surroundings {
    var values: [ScriptValue] = []
    for scope in scopes {
      guard case .condition(let value) = scope else { return .loop }
      values.append(value)
    }
    if values.count < 2 { return values.first.map { .condition($0) } ?? .none }
    let code = values.map { $0.operand(of: .and) }.joined(separator: " && ")
    return .condition(ScriptValue(code, .bool, .and))
  }

  private mutating func call(
    _ path: String, _ arguments: [ScriptExpression], _ host: inout Host
  ) -> Bool {
    let dialect = evaluator.dialect
    if dialect.setters.contains(path), arguments.count >= 2 { return set(arguments, &host) }
    if dialect.removers.contains(path), case .text(let name)? = arguments.first {
      return unset(name, &host)
    }
    // A test of this name without a function passes.
    if dialect.tests.contains(path), arguments.count == 1 { return true }
    if dialect.tests.contains(path), arguments.count == 2,
      case .function(let function) = arguments[1], function.parameters.isEmpty
    {
      test(function, &host)
      return true
    }
    if dialect.assertions.contains(path), let first = arguments.first,
      let value = evaluator.value(first, &host)
    {
      check(value.truth)
      return true
    }
    if dialect.expectations.contains(where: { path == $0 + ".fail" }) || path == "fail" {
      check(ScriptValue("false", .bool))
      return true
    }
    return false
  }

  /// Removes a variable.
  private mutating func unset(_ name: String, _ host: inout Host) -> Bool {
    switch surroundings {
    case .none:
      evaluator.variables[name] = ScriptValue(literal: .null)
      add(.unset(name))
    case .loop: return false
    case .condition(let condition):
      let old = evaluator.variables[name] ?? before(name, &host)
      if old.isNull { return true }
      let value = ScriptValue.choice(condition, ScriptValue(literal: .null), old)
      evaluator.variables[name] = value
      add(.set(name, value))
    }
    return true
  }

  /// Translates the statements of a function of the script where it is called.
  private mutating func call(
    _ function: ScriptFunction, _ arguments: [ScriptExpression], _ host: inout Host
  ) -> Bool {
    let names = evaluator.names
    guard !Self.hasEnd(function.body), evaluator.bind(function, arguments, &host) else {
      return false
    }
    run(function.body, &host)
    evaluator.calls -= 1
    evaluator.leave(to: names)
    return true
  }

  /// Translates the statements in the function of a test, which may end without the script.
  private mutating func test(_ function: ScriptFunction, _ host: inout Host) {
    let (names, wasUncertain) = (evaluator.names, isUncertain)
    run(function.body, &host)
    evaluator.leave(to: names)
    isUncertain = wasUncertain
  }

  private mutating func set(_ arguments: [ScriptExpression], _ host: inout Host) -> Bool {
    guard case .text(let name)? = evaluator.value(arguments[0], &host)?.literal,
      let name = name.literal, var value = evaluator.value(arguments[1], &host),
      ![.milliseconds, .headers, .reason, .type, .time].contains(value.kind)
    else { return false }
    value = evaluator.hidden(value, of: name, &host)
    switch surroundings {
    case .none: break
    case .loop: return false
    case .condition(let condition):
      let old = evaluator.variables[name] ?? before(name, &host)
      var whole = ScriptValue.choice(condition, value, old)
      whole.answer = value.answer
      value = whole
    }
    guard value.code.utf8.count <= 2 * ScriptEvaluator<Host>.longest else { return false }
    evaluator.variables[name] = value
    add(.set(name, value))
    return true
  }

  /// Returns the value of a variable before the request, which is null without any.
  private func before(_ name: String, _ host: inout Host) -> ScriptValue {
    guard let known = host.known(name, line: evaluator.line) else {
      return ScriptValue(literal: .null)
    }
    var value = ScriptValue(known.code, .any, known.pieces.count > 1 ? .sum : .member)
    value.isVariable = true
    return value
  }

  // MARK: - Conditions

  private mutating func expectation(
    _ expression: ScriptExpression, _ host: inout Host
  ) -> Bool {
    guard let (start, links) = expression.chain else { return false }
    var path = evaluator.path(.name(start)) ?? ""
    for (index, link) in links.enumerated() {
      if evaluator.subject != nil, path == "pm.response", link.name == "to" {
        return response(links[index...], &host)
      }
      if !link.name.isEmpty { path += "." + link.name }
      guard let arguments = link.arguments else { continue }
      guard evaluator.dialect.expectations.contains(path), let first = arguments.first else {
        return false
      }
      if evaluator.subject != nil, evaluator.path(first) == "pm.response" {
        return response(links[(index + 1)...], &host)
      }
      let words = links[(index + 1)...].map(\.name).filter { $0 != "to" && $0 != "be" }
      if case .function(let function) = first, words == ["not", "throw"] {
        return reads(function, &host)
      }
      guard let subject = evaluator.value(first, &host) else { return false }
      return check(links[(index + 1)...], on: subject, &host)
    }
    return false
  }

  /// Translates the test that a function succeeds, if it only reads values.
  private mutating func reads(_ function: ScriptFunction, _ host: inout Host) -> Bool {
    for statement in function.body {
      var value: ScriptValue?
      switch statement.kind {
      case .expression(.assignment("=", .name(let name), let right)):
        value = evaluator.value(right, &host)
        if let value { evaluator.name(name, .value(value)) }
      case .expression(let expression), .end(let expression?):
        value = evaluator.value(expression, &host)
      case .declaration(let declared) where declared.count == 1:
        value = declared[0].value.flatMap { evaluator.value($0, &host) }
      default: break
      }
      guard let value else { return false }
      if value.answer == .json([]), let subject = evaluator.subject {
        for condition in ScriptResponse(subject: subject).conditions("json") ?? [] {
          check(condition)
        }
      }
    }
    return true
  }

  private mutating func check(
    _ links: ArraySlice<ScriptExpression.Link>, on subject: ScriptValue, _ host: inout Host
  ) -> Bool {
    let conditions = ScriptExpectation.conditions(of: links, on: subject, &evaluator, &host)
    guard let conditions else { return false }
    for condition in conditions { check(condition) }
    return true
  }

  /// Translates what Postman says of the whole answer, such as `to.have.status(200)`.
  private mutating func response(
    _ links: ArraySlice<ScriptExpression.Link>, _ host: inout Host
  ) -> Bool {
    guard let subject = evaluator.subject else { return false }
    let words = links.map(\.name)
    let isNot = words.contains("not")
    guard let last = links.last,
      words.dropLast().allSatisfy({ ["to", "be", "have", "not", "has", "is"].contains($0) })
    else { return false }
    var values: [ScriptValue] = []
    for argument in last.arguments ?? [] {
      guard let value = evaluator.value(argument, &host) else { return false }
      values.append(value)
    }
    let answer = ScriptResponse(subject: subject)
    guard
      let conditions = last.arguments == nil
        ? answer.conditions(last.name) : answer.conditions(last.name, values)
    else { return false }
    if isNot, conditions.count > 1 { return false }
    for condition in conditions { check(isNot ? condition.negation : condition) }
    return true
  }

  /// Adds a condition under those around it.
  private mutating func check(_ condition: ScriptValue) {
    if scopes.isEmpty, let status = Self.status(in: condition, of: evaluator.subject ?? "") {
      return add(.status(status))
    }
    var code = condition
    for scope in scopes.reversed() {
      switch scope {
      case .condition(let truth):
        let negation = truth.negation
        code =
          code.code == "false"
          ? negation
          : ScriptValue("\(negation.operand(of: .or)) || \(code.operand(of: .or))", .bool, .or)
      case .each(let list, let variable):
        code = ScriptValue("\(list).all(\(variable), \(code.code))", .bool)
      }
    }
    add(.check(code.code))
  }

  /// Returns the status that a condition compares the answer's with, or nil for another condition.
  private static func status(in condition: ScriptValue, of subject: String) -> String? {
    let start = "\(subject).status == "
    guard condition.code.hasPrefix(start) else { return nil }
    let status = String(condition.code.dropFirst(start.count))
    return Int(status).map { 100...999 ~= $0 } == true ? status : nil
  }
}
