internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowSystem
internal import FlowYAML

/// Compiles the expressions of scalars, with positions in the scenario file.
final class ExpressionCompiler {
  let diagnostics: DiagnosticCollector
  let findsWarnings: Bool
  /// True in an expectation, for the values that an answer should have.
  let isForAnswers: Bool
  private let use: DefiniteAssignment
  private let steps: StepIndex
  let library: ScenarioLibrary
  private let compiled: ExpressionCache
  /// The index of the file, or nil if nobody asks for it.
  private let index: IndexBuilder?

  init(
    diagnostics: DiagnosticCollector, use: DefiniteAssignment, steps: StepIndex,
    library: ScenarioLibrary, index: IndexBuilder?, findsWarnings: Bool
  ) {
    self.index = index
    self.diagnostics = diagnostics
    self.use = use
    self.steps = steps
    self.library = library
    self.findsWarnings = findsWarnings
    compiled = ExpressionCache()
    isForAnswers = false
  }

  /// Creates a compiler for expected values, whose own names do not identify them as such.
  init(forAnswers other: ExpressionCompiler) {
    index = other.index
    diagnostics = other.diagnostics
    use = other.use
    steps = other.steps
    library = other.library
    findsWarnings = other.findsWarnings
    compiled = other.compiled
    isForAnswers = true
  }

  /// A note on an undeclared name without a better explanation, or nil.
  private var hint: String? {
    isForAnswers ? "'it' is the value of the answer here, as in '${{ it > 0 }}'" : nil
  }

  /// A scalar that must be one expression of a type, such as `if:` and `until:`.
  func expression(
    _ node: Node, _ type: ValueType, owner: String, _ environment: Environment
  ) -> PlannedExpression? {
    let scalar = ScalarText(node)
    guard let source = scalar.onlyExpression else {
      reportNoExpression(scalar, owner, environment)
      return nil
    }
    guard let planned = compile(source, as: type, scalar, environment) else { return nil }
    guard accepts(type, planned.expression.type) else {
      reject(planned, as: type, owner: owner, node)
      return nil
    }
    return planned
  }

  /// Returns true if a scalar is a single expression that reads `it`.
  ///
  /// An expression with mistakes counts if it mentions `it`.
  func isCondition(_ node: Node, on type: ValueType, _ environment: Environment) -> Bool {
    guard node.hasBraces, Interpolation.contains(node.text),
      let source = ScalarText(node).onlyExpression,
      Expression.hasIdentifier(ExpectedValue.subject, in: source.text)
    else { return false }
    let environment = self.environment(on: .subject(type), within: environment)
    guard let expression = try? Expression(source.text, in: environment) else { return true }
    return expression.references.contains { $0.name == ExpectedValue.subject }
  }

  private func environment(
    on variable: Variable, within environment: Environment
  ) -> Environment {
    var environment = environment
    environment.declare(
      variable.name, type: variable.type, slot: Slot(level: use.nextLevel, index: 0))
    return environment
  }

  /// A variable that a condition reads, and nothing else.
  struct Variable {
    let name: String
    let type: ValueType

    init(_ name: String, _ type: ValueType) { (self.name, self.type) = (name, type) }

    /// The value at the place of a condition in an answer.
    static func subject(_ type: ValueType) -> Variable { Variable(ExpectedValue.subject, type) }
  }

  /// Returns a condition on a variable of its own, and the level of the variable, or nil after a
  /// problem.
  func condition(
    _ node: Node, on variable: Variable, owner: String, _ environment: Environment
  ) -> (condition: PlannedExpression, level: Int)? {
    let (level, environment) = (use.nextLevel, self.environment(on: variable, within: environment))
    use.open()
    defer { use.close() }
    return expression(node, .bool, owner: owner, environment).map { ($0, level) }
  }

  func template(
    _ node: Node, as type: ValueType, owner: String, _ environment: Environment
  ) -> (Template, ValueType)? {
    let scalar = ScalarText(node)
    if let source = scalar.onlyExpression {
      guard let planned = compile(source, as: type, scalar, environment) else { return nil }
      if let constant = planned.expression.constant {
        return template(constant, of: planned, as: type, owner: owner, node)
      }
      guard accepts(type, planned.expression.type) else {
        reject(planned, as: type, owner: owner, node)
        return nil
      }
      let actual = planned.expression.type.valueType ?? .dynamic
      return (.expression(planned, as: type), type == .dynamic ? actual : type)
    }
    guard type.accepts(.string) else {
      if !reportUnterminated(scalar) {
        diagnostics.add(
          .literalType(owner: owner, expected: type, actual: "text with an expression inside"),
          at: node.span)
      }
      return nil
    }
    return text(scalar, environment).map { ($0, .string) }
  }

  /// An expression of constants alone is computed here, and its value must fit, not only its type.
  private func template(
    _ constant: Value, of planned: PlannedExpression, as type: ValueType, owner: String,
    _ node: Node
  ) -> (Template, ValueType)? {
    guard let value = try? constant.converted(to: type) else {
      let actual = accepts(type, planned.expression.type) ? constant.summary() : nil
      reject(planned, as: type, owner: owner, node, actual: actual)
      return nil
    }
    // Of `dyn(1)` no more is known than the author says.
    let actual = planned.expression.type.valueType ?? .dynamic
    return (.constant(value), type == .dynamic ? actual : type)
  }

  /// Returns a string around expressions with values of any type, or nil without expressions or
  /// after a problem.
  func text(_ node: Node, _ environment: Environment) -> Template? {
    if node.hasBraces, Interpolation.contains(node.text) {
      return text(ScalarText(node), environment)
    }
    if findsWarnings,
      let other = node.text.otherBraces(around: { environment.hasName(beginningWith: $0) })
    {
      diagnostics.add(.otherBraces(other.written, meant: other.meant), at: node.span)
    }
    return nil
  }

  private func text(_ scalar: ScalarText, _ environment: Environment) -> Template? {
    var templates: [Template] = []
    for part in scalar.parts {
      switch part {
      case .text(let text): templates.append(.constant(.string(text)))
      case .expression(let text, let offset):
        guard let planned = compile((text, offset), as: nil, scalar, environment) else { continue }
        templates.append(.expression(planned, as: .dynamic))
      case .unterminated: _ = reportUnterminated(scalar)
      }
    }
    // After a problem there are fewer templates than parts.
    return templates.count == scalar.parts.count ? .text(templates) : nil
  }

  /// Warns of the first expression in the middle of an executed string.
  ///
  /// A lone expression is the whole string.
  func warnOfValues(inCode node: Node, _ field: String) {
    guard findsWarnings, node.kind == .scalar, Interpolation.contains(node.text) else { return }
    let scalar = ScalarText(node)
    guard scalar.onlyExpression == nil else { return }
    for case .expression(let text, let offset) in scalar.parts {
      let end = offset + text.scalarCount
      return diagnostics.add(.valueInCode(field), at: scalar.span((offset - 3)..<(end + 2)))
    }
  }

  private func compile(
    _ source: (text: String, offset: Int), as expected: ValueType?, _ scalar: ScalarText,
    _ environment: Environment
  ) -> PlannedExpression? {
    let (text, offset) = source
    index?.compiled(scalar.node.span)
    var environment = environment
    environment.offersNames = diagnostics.all.count < DiagnosticCollector.mostOffers
    do {
      let end = offset + text.scalarCount
      let trimmed = text.trimmingBlanks
      let start = offset + trimmed.leading
      environment.schemas = library.schemas(
        in: trimmed.text, diagnostics, findsWarnings: findsWarnings
      ) { scalar.span(($0.lowerBound + start)..<($0.upperBound + start)) }
      let expression = try compiled.expression(
        trimmed.text, in: environment, expecting: expected)
      for reference in expression.references {
        let range = (reference.span.lowerBound + start)..<(reference.span.upperBound + start)
        index?.use(reference.name, reference.slot, at: scalar.span(range))
        guard let problem = use.use(reference, among: expression.references) else { continue }
        diagnostics.add(problem, at: scalar.span(range))
      }
      return PlannedExpression(
        expression, at: Place(scalar.span(start..<max(start, end - trimmed.trailing))))
    } catch {
      for problem in error.problems { report(problem, in: text, at: offset, of: scalar) }
      noteNames(in: source, of: scalar, environment) { use.markUsed($0.slot) }
      return nil
    }
  }

  /// Notes the names in an expression with mistakes.
  private func noteNames(
    in source: (text: String, offset: Int), of scalar: ScalarText, _ environment: Environment,
    _ note: (Reference) -> Void = { _ in }
  ) {
    let trimmed = source.text.trimmingBlanks
    let start = source.offset + trimmed.leading
    for reference in Expression.references(inFaulty: trimmed.text, in: environment) {
      note(reference)
      let range = (reference.span.lowerBound + start)..<(reference.span.upperBound + start)
      index?.use(reference.name, reference.slot, at: scalar.span(range))
    }
  }

  /// Notes the names in the expressions of a node that a mistake elsewhere kept from being compiled.
  func noteNames(inUnplanned node: Node, _ environment: Environment) {
    guard let index, diagnostics.hasErrors, !node.isAlias else { return }
    for item in node.items { noteNames(inUnplanned: item, environment) }
    for entry in node.entries { noteNames(inUnplanned: entry.value, environment) }
    guard node.hasBraces, Interpolation.contains(node.text), !index.isCompiled(node.span) else {
      return
    }
    // The step around this one looks here, too.
    index.compiled(node.span)
    let scalar = ScalarText(node)
    for case .expression(let text, let offset) in scalar.parts {
      noteNames(in: (text, offset), of: scalar, environment)
    }
  }

  private func report(
    _ problem: ExpressionProblem, in text: String, at offset: Int, of scalar: ScalarText
  ) {
    let trimmed = text.trimmingBlanks
    let start = offset + trimmed.leading + problem.span.lowerBound
    let place = scalar.span(start..<max(start + 1, start + problem.span.count))
    if problem.code == .unknownField, let step = trimmed.text.stepOfError(at: problem.span) {
      return diagnostics.add(.noError(step), at: place)
    }
    if problem.code == .undeclaredReference,
      let id = trimmed.text.stepID(at: problem.span),
      let known = steps.reason(forUnknown: id, seenFrom: place.start)
    {
      switch known {
      case .problem(let problem): return diagnostics.add(problem, at: place)
      case .broken where diagnostics.hasErrors: return
      case .broken: break
      }
    }
    diagnostics.add(
      Problem(
        problem.diagnosticCode, problem.message,
        notes: notes(on: problem, in: trimmed.text, of: scalar, at: place.start),
        near: problem.suggestions),
      at: place)
  }

  /// The names that other tools offer in expressions, and their equivalents.
  private static let elsewhere = [
    ExpectedValue.subject:
      "'it' is available only in values of 'expect' that are a single expression",
    "env": "scenarios do not read the environment; declare an input and pass it with --input",
    "inputs": "the scenario has no 'inputs'",
    "secrets": "a secret is an input with 'secret: true'",
    "steps": "no step before this one has an 'id' and an answer",
  ]

  private func notes(
    on problem: ExpressionProblem, in text: String, of scalar: ScalarText, at place: Position
  ) -> [String] {
    if let note = problem.note { return [note] }
    if problem.code == .syntax, text.hasDoubledQuote(before: problem.span.lowerBound) {
      return [Problem.doubledQuoteNote]
    }
    if problem.code == .undeclaredReference, problem.suggestions.isEmpty {
      let scalars = Array(text.unicodeScalars)
      let before = String(String.UnicodeScalarView(scalars[..<problem.span.lowerBound]))
      let name = String(String.UnicodeScalarView(scalars[problem.span]))
      let groups = ["inputs", "steps"].filter { before.hasSuffix($0 + ".") }
      if let group = groups.first { return [Problem.list(problem.known, group)] }
      let names = problem.known.isEmpty ? nil : Problem.list(problem.known, "names")
      if name == "steps", steps.isInSettings(place) { return [Problem.settingsNote] }
      let known = Self.elsewhere[name] ?? WorkflowHabits.note(onContext: name)
      let isInText = scalar.onlyExpression == nil && WorkflowHabits.isContext(name)
      let literal = isInText ? WorkflowHabits.literalOpening : nil
      return [known ?? hint ?? names, literal].compactMap(\.self)
    }
    if problem.code == .undeclaredFunction {
      let scalars = Array(text.unicodeScalars)
      let name = String(String.UnicodeScalarView(scalars[problem.span]))
      if let note = WorkflowHabits.note(onFunction: name) { return [note] }
      return problem.suggestions.isEmpty ? [Problem.functionsNote] : []
    }
    guard let record = problem.record else { return [] }
    let fields = problem.suggestions.isEmpty ? [Problem.fieldsNote(record)] : []
    return fields + (library.note(onFieldsOf: record).map { [$0] } ?? [])
  }

  private func reportNoExpression(
    _ scalar: ScalarText, _ owner: String, _ environment: Environment
  ) {
    if reportUnterminated(scalar) { return }
    let node = scalar.node
    if let note = WorkflowHabits.note(onCondition: node.text) {
      return diagnostics.add(.notAnExpression(owner: owner, notes: [note]), at: node.span)
    }
    let notes =
      node.kind == .mapping ? [Problem.mappingNote] : scalar.isMixed ? [Problem.bracesNote] : []
    let meant = node.kind == .scalar ? meant(scalar, environment) : nil
    diagnostics.add(
      .notAnExpression(owner: owner, notes: notes, near: meant.map { [$0] } ?? []), at: node.span)
  }

  /// Returns the probable expression in a string without braces, or with other ones, or nil.
  private func meant(_ scalar: ScalarText, _ environment: Environment) -> String? {
    let text = scalar.node.text
    if let other = text.otherBraces(around: { environment.hasName(beginningWith: $0) }) {
      return other.meant
    }
    let whole = scalar.withoutBraces.trimmingBlanks.text
    guard !whole.isEmpty, !whole.contains("\n"),
      (try? Expression(whole, in: environment))?.type == .bool
    else { return nil }
    return "${{ \(whole) }}"
  }

  private func reportUnterminated(_ scalar: ScalarText) -> Bool {
    guard case .unterminated(let offset)? = scalar.parts.last else { return false }
    let text = scalar.node.text.unicodeScalars.dropFirst(offset)
    diagnostics.add(
      .unterminatedExpression(in: String(text), isPlain: scalar.node.isPlain),
      at: scalar.span(offset..<(offset + 3)))
    return true
  }

  private func accepts(_ type: ValueType, _ actual: ExpressionType) -> Bool {
    actual.valueType.map(type.accepts) ?? (type == .dynamic)
  }

  private func reject(
    _ planned: PlannedExpression, as type: ValueType, owner: String, _ node: Node,
    actual: String? = nil
  ) {
    diagnostics.add(
      .expressionType(
        owner: owner, expected: "\(type)", actual: actual ?? "\(planned.expression.type)"),
      at: node.span)
  }
}

extension ExpressionProblem {
  fileprivate var diagnosticCode: DiagnosticCode {
    switch code {
    case .syntax: .malformedExpression
    case .undeclaredReference: .undeclaredName
    case .unknownField: .unknownAnswerField
    case .limit: .excessiveExpression
    default: .unsuitableOperand
    }
  }
}

extension ScalarText {
  /// True if there is text around expressions.
  fileprivate var isMixed: Bool { parts.count > 1 && Interpolation.contains(node.text) }

  /// The text with its expressions, but not their braces.
  fileprivate var withoutBraces: String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .expression(let text, _): text.trimmingBlanks.text
      case .unterminated: ""
      }
    }.joined()
  }
}
