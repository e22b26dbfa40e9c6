internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowRedaction
internal import FlowSystem
internal import FlowYAML

/// Compiles the values of a scenario against their types.
struct TemplateCompiler {
  private let expressions: ExpressionCompiler
  private let environment: Environment
  /// The fields written beside `with`, or under a misspelt key.
  ///
  /// They are not reported as missing as well.
  var misplaced: Set<String> = []

  init(_ expressions: ExpressionCompiler, _ environment: Environment) {
    self.environment = environment
    self.expressions = expressions
  }

  var diagnostics: DiagnosticCollector { expressions.diagnostics }

  func record(
    _ node: Node?, _ type: RecordType, owner: @autoclosure () -> String, missingAt place: Span
  ) -> Template? {
    guard let node else { return fields([], of: type, owner: owner(), at: place) }
    if node.kind == .scalar, Interpolation.contains(node.text) {
      return whole(node, .record(type), "'with' of \(owner())")?.0
    }
    guard node.kind == .mapping else {
      diagnostics.add(node, is: "'with' of \(owner())", not: "a mapping")
      return nil
    }
    return fields(Array(node.entries), of: type, owner: owner(), at: node.span.firstCharacter)
  }

  /// Returns a value of a type, with the narrowest type known for it, or nil after a problem.
  func value(
    _ node: Node, as type: ValueType, owner: @autoclosure () -> String
  ) -> (template: Template, type: ValueType)? {
    if let tag = node.tag { diagnostics.add(.tag(tag, on: node), at: node.span) }
    switch node.kind {
    case .scalar:
      if node.hasBraces, Interpolation.contains(node.text) { return whole(node, type, owner()) }
      return literal(node, type, owner())
    case .sequence: return list(node, type, owner())
    case .mapping: return map(node, type, owner())
    }
  }

  /// Returns a scalar that must be one expression of a type, or nil after a problem.
  func expression(_ node: Node, _ type: ValueType, owner: String) -> PlannedExpression? {
    expressions.expression(node, type, owner: owner, environment)
  }

  private func whole(_ node: Node, _ type: ValueType, _ owner: String) -> (Template, ValueType)? {
    expressions.template(node, as: type, owner: owner, environment)
  }

  /// Returns true if a scalar is an expression that reads `it`, the value at its place in an
  /// answer.
  func isCondition(_ node: Node, on type: ValueType) -> Bool {
    expressions.isCondition(node, on: type, environment)
  }

  /// Returns a condition on the value at a place of an answer, or nil after a problem.
  func condition(_ node: Node, on type: ValueType, owner: String) -> PlannedExpression? {
    expressions.condition(
      node, on: .subject(type), owner: "the condition on \(owner)", environment)?.condition
  }

  /// Returns the schema that an expectation names, or nil after a problem.
  func schema(_ reference: SchemaReference, at span: Span) -> PlannedSchema? {
    expressions.library.schema(
      reference, at: span, diagnostics, findsWarnings: expressions.findsWarnings)?.planned
  }

  private func literal(
    _ node: Node, _ type: ValueType, _ owner: @autoclosure () -> String
  ) -> (Template, ValueType)? {
    let other = otherBraces(in: node)
    guard let value = Value(node, as: type) else {
      let isWhole = other?.written == node.text
      return diagnostics.reject(
        .literalType(
          owner: owner(), expected: type, actual: node.kindPhrase,
          near: isWhole ? other.map { [$0.meant] } ?? [] : type.names(near: node.text),
          notes: type.notes(on: node)
        ).replacing(with: node.requoted(for: type)),
        at: node.span)
    }
    if expressions.findsWarnings, let (written, meant) = other {
      diagnostics.add(.otherBraces(written, meant: meant), at: node.span)
    }
    return (.constant(value), type == .dynamic ? ValueType(of: value) : type)
  }

  /// Returns braces of another language around a name known to expressions here.
  private func otherBraces(in node: Node) -> (written: String, meant: String)? {
    if !node.hasBraces { return nil }
    return node.text.otherBraces { environment.hasName(beginningWith: $0) }
  }

  private func list(_ node: Node, _ type: ValueType, _ owner: String) -> (Template, ValueType)? {
    guard let element = type.elementType else {
      return diagnostics.reject(
        .literalType(
          owner: owner, expected: type, actual: "a list",
          notes: expressions.isForAnswers ? Problem.choiceNote(node) : []),
        at: node.span)
    }
    let values = node.items.enumerated().compactMap { index, item in
      value(item, as: element, owner: owner.words(ofPart: "[\(index)]"))
    }
    guard values.count == node.items.count else { return nil }
    let common = Self.common(values.map { $0.type })
    return (.folding(values.map { $0.template }), type == .dynamic ? .list(common) : type)
  }

  private func map(_ node: Node, _ type: ValueType, _ owner: String) -> (Template, ValueType)? {
    if case .record(let record) = type.unwrapped {
      return self.record(node, record, owner: owner, missingAt: node.span.firstCharacter)
        .map { ($0, type) }
    }
    guard let element = type.entryType else {
      return diagnostics.reject(
        .literalType(owner: owner, expected: type, actual: "a mapping"), at: node.span)
    }
    let values = node.entries.compactMap { entry in
      value(entry.value, as: element, owner: owner.words(ofPart: ".\(entry.key.text)"))
    }
    guard values.count == node.entries.count else { return nil }
    let entries = zip(node.entries, values).map { (key: $0.key.text, value: $1.template) }
    return (.folding(entries), type == .dynamic ? .map(Self.common(values.map { $0.type })) : type)
  }

  /// Returns the common type of these, or any if they differ or there are none.
  private static func common(_ types: [ValueType]) -> ValueType {
    guard let first = types.first, types.allSatisfy({ $0 == first }) else { return .dynamic }
    return first
  }

  private func fields(
    _ entries: [Node.Entry], of type: RecordType, owner: @autoclosure () -> String, at place: Span
  ) -> Template? {
    var fields = WrittenFields(type)
    for entry in entries {
      if let index = type.index(of: entry.key.text) {
        fields.give(template(entry.value, of: type.fields[index]), at: index)
      } else if let part = type.others.type, !misspells(entry.key, type, entries) {
        doubt(entry.key, type, owner())
        let owner = owner().words(ofPart: ".\(entry.key.text)")
        fields.give(value(entry.value, as: part, owner: owner)?.template, under: entry.key.text)
      } else {
        // What was probably meant is not missing as well.
        for name in reportUnknownField(entry.key, type, owner()) {
          guard let index = type.index(of: name) else { continue }
          fields.give(nil, at: index)
          if type.fields[index].isSecret { diagnostics.keep(secret: entry.value, of: name) }
        }
        fields.isWhole = false
      }
    }
    for field in fields.missing where field.isRequired && !misplaced.contains(field.name) {
      diagnostics.add(
        .missingField(field.name, owner: owner(), type: field.type, summary: field.summary),
        at: place)
    }
    return fields.template
  }

  private func template(_ node: Node, of field: RecordType.Field) -> Template? {
    if field.isSecret { diagnostics.keep(secret: node, of: field.name) }
    if field.isCode { expressions.warnOfValues(inCode: node, field.name) }
    let template = value(node, as: field.type, owner: "'\(field.name)'")?.template
    if field.isSecret, case .constant(.string(let text))? = template, !Redactor.canHide(text) {
      diagnostics.add(.shortSecretField(field.name), at: node.span)
    }
    if template == nil, let hint = field.hint {
      diagnostics.note(hint, code: .wrongFieldType, at: node.span)
    }
    return template
  }

  /// Returns true for an undeclared name that is near a required one, and that one is missing.
  private func misspells(_ key: Node, _ type: RecordType, _ entries: [Node.Entry]) -> Bool {
    guard type.others == .unsaid else { return false }
    let missing = type.fields.filter { field in
      field.isRequired && !entries.contains { $0.key.text.isIdentical(to: field.name) }
    }
    return !Suggestion.nearest(to: key.text, among: missing.map(\.name)).isEmpty
  }

  /// Warns of a name in an expected answer that its description does not have.
  func doubtAnswer(_ key: Node, _ type: RecordType, _ owner: String) {
    guard expressions.findsWarnings, type.others == .unsaid else { return }
    diagnostics.add(
      .undeclaredField(key.text, owner: owner, known: type.fields.map(\.name)), at: key.span)
  }

  /// Warns of a name that may be a misspelled one.
  func doubt(_ key: Node, _ type: RecordType, _ owner: String) {
    guard expressions.findsWarnings, type.others == .unsaid else { return }
    let problem = Problem.undeclaredField(key.text, owner: owner, known: type.fields.map(\.name))
    if !problem.near.isEmpty { diagnostics.add(problem, at: key.span) }
  }

  private func reportUnknownField(_ key: Node, _ type: RecordType, _ owner: String) -> [String] {
    let problem = Problem.unknownField(key.text, owner: owner, known: type.fields.map(\.name))
    diagnostics.add(problem, at: key.span)
    return problem.near
  }
}

/// The fields of a record, as far as a scenario writes them.
private struct WrittenFields {
  private let type: RecordType
  private var templates: [Template?]
  private var given: [Bool]
  private var others: [(key: String, value: Template)] = []
  /// False after a mistake.
  var isWhole = true

  init(_ type: RecordType) {
    self.type = type
    templates = Array(repeating: nil, count: type.fields.count)
    given = Array(repeating: false, count: type.fields.count)
  }

  /// Gives a field its value, or nil after a mistake.
  mutating func give(_ template: Template?, at index: Int) {
    given[index] = true
    templates[index] = template
    if template == nil { isWhole = false }
  }

  /// Gives a value under a name that is no field, or nil after a mistake.
  mutating func give(_ template: Template?, under name: String) {
    if let template { others.append((name, template)) } else { isWhole = false }
  }

  /// The fields that are not written.
  var missing: [RecordType.Field] { zip(type.fields, given).filter { !$1 }.map(\.0) }

  /// The record with its defaults, or a map if it has other names.
  ///
  /// Nil after a mistake.
  var template: Template? {
    guard isWhole, missing.allSatisfy({ !$0.isRequired }) else { return nil }
    if others.isEmpty {
      return .folding(
        type,
        zip(type.fields, templates).map { $1 ?? .constant($0.defaultValue ?? .null) })
    }
    let written = zip(type.fields, templates).compactMap { field, template in
      template.map { (key: field.name, value: $0) }
    }
    return .folding(written + others)
  }
}

extension ValueType {
  /// Notes on the right form of a scalar with another type and no resemblance to a valid one.
  func notes(on node: Node) -> [String] {
    guard node.kind == .scalar, node.scalar != .null, !Interpolation.contains(node.text) else {
      return []
    }
    if unwrapped == .string, node.scalar != .string, node.text.utf8.count < 40 {
      return ["write it in quotes: \"\(node.text)\""]
    }
    return limitNote(on: node).map { [$0] } ?? notes(on: node.text)
  }

  /// A note on the limits of the type, for a number or a duration beyond them, or nil.
  func limitNote(on node: Node) -> String? {
    switch (unwrapped, node.scalar) {
    case (.double, _) where node.isTooLargeForDouble: Problem.doubleNote
    case (.int, .bigInt?): Problem.intNote
    case (.int, .float(let number)?) where node.hasDigits && number.magnitude > 0x1p63:
      Problem.intNote
    case (.decimal, .bigInt?): Problem.decimalNote
    case (.decimal, .float?) where node.hasDigits: Problem.decimalNote
    case (.duration, .string?) where Duration.isTooLong(node.text): Problem.longDurationNote
    default: nil
    }
  }
}

extension String {
  /// Returns the name of a part: `'headers'` and `.x` become `'headers.x'`.
  func words(ofPart step: String) -> String {
    hasSuffix("'") ? "\(dropLast())\(step)'" : self + step
  }
}

extension Duration {
  /// Returns true if a string has the form of a duration, and only its numbers are too large.
  fileprivate static func isTooLong(_ text: String) -> Bool {
    guard Duration(flowText: text) == nil else { return false }
    var short = ""
    for character in text where !("0"..."9" ~= character && short.hasSuffix("1")) {
      short.append("0"..."9" ~= character ? "1" : character)
    }
    return Duration(flowText: short) != nil
  }
}

extension Node {
  /// True if the string may contain an expression of this language or another, as few do.
  var hasBraces: Bool { hasText(with: UInt8(ascii: "{")) }
}

extension Node {
  /// The scalar with other quotes or without them if that has the type, or nil.
  fileprivate func requoted(for type: ValueType) -> String? {
    guard kind == .scalar, !isAlias, !isBlock, !Interpolation.contains(text) else { return nil }
    switch type.unwrapped {
    case .string: return isPlain && scalar != .null ? JSON.string(text).text : nil
    case .bool: return ["true", "false"].contains(text) ? text : nil
    case .int: return !isPlain && Int(text) != nil ? text : nil
    case .decimal: return !isPlain && Decimal(text) != nil ? text : nil
    case .double: return !isPlain && Decimal(text) != nil ? text : nil
    default: return nil
    }
  }
}
