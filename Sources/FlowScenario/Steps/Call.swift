internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowSystem
internal import FlowYAML

/// `uses`: calls an operation of a component.
struct WrittenCall: WrittenAction {
  static let kind = StepKind(
    Key("uses", "The operation to call, such as balance.load.", .operation, isRequired: true),
    companions: [
      Key("with", "The input of the operation.", .input),
      Key("expect", "The expected parts of the answer, or its error.", .expectation),
      .retry, .comparison,
      Key(
        "volatile", "The parts of the answer that differ from run to run, such as json.id.",
        .list(.text)),
      Key("secret", "The secret parts of the answer, such as json.token.", .list(.text)),
    ]
  ) { reader in
    reader.textNode("uses").map {
      WrittenCall(
        uses: $0, input: reader["with"], expectation: reader["expect"],
        volatile: reader.items("volatile"), secret: reader.items("secret"))
    }
  }

  let uses: Node
  let input: Node?
  let expectation: Node?
  let volatile: [Node]
  let secret: [Node]

  var word: String? { uses.text }

  func plan(_ context: StepContext, by planner: inout Planner) -> PlannedResult? {
    guard let operation = planner.components.operation(uses) else {
      planner.keepSecrets(in: input)
      return nil
    }
    let type = operation.description.input
    let input = planner.templates(misplaced: context.step.unknown, of: type).record(
      input, type, owner: "'\(operation.name)'", missingAt: uses.span)
    if let input {
      check(input, of: operation, planner.diagnostics)
    } else {
      noteSettings(of: operation, planner.diagnostics)
    }
    let contract = input.flatMap { ContractCheck(self, operation, $0) }
    contract?.report(planner.templates)
    let narrowed =
      operation.narrowedOutput(for: input) ?? contract?.output(operation.description.output)
    let demand = expectation.flatMap {
      ExpectationCompiler(templates: planner.answerTemplates).expectation(
        $0, operation, narrowed ?? operation.description.output)
    }
    let planned = PlannedCall(
      operation: operation, input: input ?? .constant(.null), expectation: demand,
      parts: parts(of: operation, planner.diagnostics), contract: contract?.call,
      place: Place(place(of: demand)))
    let known = demand?.narrowed(narrowed ?? operation.description.output) ?? narrowed
    return (.call(planned), known.map(ExpressionType.record) ?? operation.answerType)
  }

  /// The parts of its answers with rules of their own.
  private func parts(
    of operation: OperationReference, _ diagnostics: DiagnosticCollector
  ) -> PlannedCall.Parts {
    func places(_ key: String) -> AnswerPlaces {
      AnswerPlaces(
        key: key, record: operation.description.output, owner: "the answer of '\(operation.name)'",
        diagnostics: diagnostics)
    }
    return PlannedCall.Parts(
      volatile: volatile.compactMap(places("volatile").path),
      secret: secret.compactMap(places("secret").secretPath))
  }

  /// Checks the known part of an input before the run, as the operation does, unless the step
  /// expects a refusal.
  private func check(
    _ template: Template, of operation: OperationReference, _ diagnostics: DiagnosticCollector
  ) {
    // Few operations have a check, and finding the known fields takes time.
    guard let check = operation.description.check, expectation?["error"] == nil else { return }
    do { try check(template.knownFields) } catch {
      let reason = (error as? ComponentError)?.message ?? "\(error)"
      diagnostics.add(.refusedInput(reason, of: operation.name), at: place(ofInput: reason))
    }
  }

  /// Returns the place for a reason against the input: the field it names first, or the whole
  /// input.
  private func place(ofInput reason: String) -> Span {
    guard let input else { return uses.span }
    let named = input.entries.compactMap { entry in
      reason.firstRange(of: "'\(entry.key.text)'").map { ($0.lowerBound, entry.value.span) }
    }
    return named.min { $0.0 < $1.0 }?.1 ?? input.span
  }

  /// Notes the settings of the component that are passed to the operation, because they may be
  /// secret.
  private func noteSettings(of operation: OperationReference, _ diagnostics: DiagnosticCollector) {
    guard let entries = input?.entries else { return }
    for entry in entries {
      let name = entry.key.text
      guard operation.description.input.index(of: name) == nil,
        let setting = operation.plugin.settings.field(name)
      else { continue }
      diagnostics.note(
        Problem.isSetting(name, of: operation.componentName), code: .unknownField,
        at: entry.key.span)
      if setting.isSecret { diagnostics.keep(secret: entry.value, of: name) }
    }
  }

  /// Returns the place of a failure without its own: the call, or its expectation of an error.
  private func place(of demand: Expectation?) -> Span {
    if case .error? = demand, let expectation { return expectation.span }
    return uses.span
  }
}

private struct ExpectationCompiler {
  let templates: TemplateCompiler

  private var diagnostics: DiagnosticCollector { templates.diagnostics }

  func expectation(
    _ node: Node, _ operation: OperationReference, _ output: RecordType
  ) -> Expectation? {
    if node.kind == .mapping, let code = node["error"] { return error(code, node, operation) }
    return matcher(node, .record(output), owner: "the answer of '\(operation.name)'")
      .map(Expectation.output)
  }

  private func error(_ code: Node, _ node: Node, _ operation: OperationReference) -> Expectation? {
    var message: ExpectedValue?
    for entry in node.entries where entry.key.text != "error" {
      guard entry.key.text == "message" else {
        diagnostics.add(.notAllowed(entry.key.text, with: "error"), at: entry.key.span)
        continue
      }
      message = matcher(entry.value, .string, owner: "'message' of 'expect'").map {
        .written($0, at: entry.place)
      }
    }
    return OptionReader(diagnostics: diagnostics, templates: templates)
      .errorCode(code, owner: "'error' of 'expect'", of: operation)
      .map { .error($0, message: message) }
  }

  private func matcher(
    _ node: Node, _ type: ValueType, owner: @autoclosure () -> String
  ) -> ExpectedValue? {
    if let (value, reference) = SchemaReference.entry(of: node, on: type) {
      return schema(reference, value, in: node, type, owner: owner())
    }
    return switch (node.kind, type.unwrapped) {
    case (.scalar, _) where templates.isCondition(node, on: type):
      templates.condition(node, on: type, owner: owner()).map { .condition($0) }
    case (.mapping, .record(let record)): fields(node.entries, record, owner())
    case (.mapping, .map(let element)): entries(node.entries, element, owner())
    case (.mapping, .dynamic): entries(node.entries, .dynamic, owner())
    case (.sequence, .list(let element)): elements(node, element, owner())
    case (.sequence, .dynamic): elements(node, .dynamic, owner())
    default: templates.value(node, as: type, owner: owner()).map { .equal($0.template) }
    }
  }

  /// The schema named by a mapping, and the other expectations in it.
  private func schema(
    _ reference: SchemaReference, _ value: Node, in node: Node, _ type: ValueType, owner: String
  ) -> ExpectedValue? {
    let schema = templates.schema(reference, at: value.span)
    let others = node.entries.filter { $0.key.text != SchemaReference.key }
    guard let first = others.first else { return schema.map { .schema($0, and: nil) } }
    let rest: ExpectedValue?
    switch type.unwrapped {
    case .record(let record): rest = fields(others, record, owner)
    case .map(let element): rest = entries(others, element, owner)
    case .dynamic: rest = entries(others, .dynamic, owner)
    default:
      return diagnostics.reject(
        .notAllowed(first.key.text, with: SchemaReference.key), at: first.key.span)
    }
    guard let schema, let rest else { return nil }
    return .schema(schema, and: rest)
  }

  private func fields(
    _ entries: some Collection<Node.Entry>, _ type: RecordType, _ owner: @autoclosure () -> String
  ) -> ExpectedValue? {
    if type.others != .none, entries.contains(where: { type.position(of: $0.key.text) == nil }) {
      return openFields(entries, type, owner())
    }
    var fields: [(index: Int, matcher: ExpectedValue)] = []
    var isWhole = true
    for entry in entries {
      let name = entry.key.text
      guard let index = type.position(of: name) else {
        let known = (type.fields + type.computedFields).map(\.name)
        diagnostics.add(
          .unknownField(name, owner: owner(), known: known), at: entry.key.span)
        isWhole = false
        continue
      }
      let field = type.field(at: index)
      guard let matcher = matcher(entry.value, field.type, owner: "'\(name)'") else {
        isWhole = false
        continue
      }
      fields.append((index, .written(matcher, at: entry.place)))
    }
    return isWhole ? .fields(type, fields) : nil
  }

  /// The parts of a record, some of which its type does not declare.
  private func openFields(
    _ written: some Collection<Node.Entry>, _ type: RecordType, _ owner: String
  ) -> ExpectedValue? {
    let entries = written.compactMap { entry in
      let name = entry.key.text
      let field = type.field(name)
      if field == nil { templates.doubtAnswer(entry.key, type, owner) }
      return matcher(
        entry.value, field?.type ?? type.others.type ?? .dynamic, owner: "'\(name)'"
      ).map { (name, ExpectedValue.written($0, at: entry.place)) }
    }
    return entries.count == written.count ? .entries(entries) : nil
  }

  private func entries(
    _ written: some Collection<Node.Entry>, _ element: ValueType, _ owner: String
  ) -> ExpectedValue? {
    let entries = written.compactMap { entry in
      let key = entry.key.text
      return matcher(entry.value, element, owner: owner.words(ofPart: ".\(key)")).map {
        (key, ExpectedValue.written($0, at: entry.place))
      }
    }
    return entries.count == written.count ? .entries(entries) : nil
  }

  private func elements(_ node: Node, _ element: ValueType, _ owner: String) -> ExpectedValue? {
    let matchers = node.items.enumerated().compactMap { index, item in
      matcher(item, element, owner: owner.words(ofPart: "[\(index)]")).map {
        ExpectedValue.written($0, at: Place(item.span))
      }
    }
    return matchers.count == node.items.count ? .elements(matchers) : nil
  }
}

extension Node.Entry {
  /// The stretch from the key to the end of the value.
  fileprivate var place: Place { Place(Span(start: key.span.start, end: value.span.end)) }
}

/// The check of a written call against the description of its service.
struct ContractCheck {
  private let contract: any CallContract
  private let operation: OperationReference
  private let step: WrittenCall
  private let known: KnownCall
  private let rules: CallRules

  /// Creates the check of a step's call, or nil if its component has no description.
  init?(_ step: WrittenCall, _ operation: OperationReference, _ input: Template) {
    guard let contract = operation.plugin.contract else { return nil }
    self.contract = contract
    self.operation = operation
    self.step = step
    let call = ContractCall(
      operation: operation.description.name,
      expected: Self.literals(of: step.expectation, operation.description.output),
      names: Self.names(of: step.expectation))
    known = KnownCall(call, input: input.known)
    rules = contract.rules(for: known)
  }

  /// The call as the run judges it.
  var call: ContractCall { known.call }

  /// The fields of the answer with the types of the description, or nil for those of the operation.
  func output(_ output: RecordType) -> RecordType? {
    if rules.answer.isEmpty { return nil }
    return output.with(
      output.fields.map { field in
        var copy = field
        copy.type = rules.answer[field.name] ?? field.type
        return copy
      })
  }

  /// Reports everything that the description does not allow.
  func report(_ templates: TemplateCompiler) {
    if !rules.faults.isEmpty {
      templates.diagnostics.add(
        .unusableDescription(contract.file, of: operation.name, rules.faults), at: step.uses.span)
      return
    }
    let before = templates.diagnostics.all.count
    for (name, type) in rules.input.sorted(by: { $0.key < $1.key }) {
      guard let node = step.input?[name] else { continue }
      let before = templates.diagnostics.all.count
      _ = templates.value(node, as: type, owner: "'\(name)'")
      if isAllowed(name) { templates.diagnostics.dropErrors(since: before) }
    }
    // The types explain the same mistakes better, with the nearest name.
    if templates.diagnostics.all.count > before { return }
    for problem in rules.problems {
      let (span, isPlaced) = place(of: problem)
      templates.diagnostics.add(
        .contradictedContract(problem, of: operation.name, file: contract.file, isPlaced: isPlaced),
        at: span)
    }
  }

  /// True for a field without expressions in which the description finds no mistake.
  private func isAllowed(_ field: String) -> Bool {
    rules.judged.contains(field) && !known.input.unknown.contains(field)
      && !rules.problems.contains { $0.side == .input && $0.path.steps.first == .field(field) }
  }

  /// The place of a problem: the part of the written text, or the innermost written part around it.
  ///
  /// True for the part of the text.
  private func place(of problem: ContractProblem) -> (Span, Bool) {
    let root = problem.side == .input ? step.input : step.expectation
    guard var node = root, !problem.path.isEmpty else { return (step.uses.span, false) }
    for part in problem.path.steps {
      let next: Node? =
        switch part {
        case .field(let name): node[name]
        case .index(let index): node.items.dropFirst(index).first
        }
      guard let next else { break }
      node = next
    }
    if let part = problem.part, let span = ScalarText(node).writtenSpan(part.characters) {
      return (span, true)
    }
    return (node.span == root?.span ? step.uses.span : node.span, false)
  }

  /// The names of the fields of an expected answer, or nil for a condition.
  private static func names(of node: Node?) -> Set<String>? {
    if node?.kind == .scalar { return nil }
    return Set(node?.entries.map(\.key.text) ?? [])
  }

  /// The fields of an expected answer that are written without an expression.
  private static func literals(of node: Node?, _ output: RecordType) -> [String: Value] {
    var values: [String: Value] = [:]
    guard let node else { return values }
    for entry in node.entries where entry.value.kind == .scalar {
      guard !Interpolation.contains(entry.value.text), let field = output.field(entry.key.text),
        let value = Value(entry.value, as: field.type)
      else { continue }
      values[field.name] = value
    }
    return values
  }
}
