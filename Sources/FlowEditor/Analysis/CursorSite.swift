internal import FlowCore
internal import FlowExpression
internal import FlowScenario

/// The syntax that belongs at a place of a file.
indirect enum Expected {
  case form(Form)
  /// A mapping with the fields of a record.
  case record(RecordType)
  /// A value of a type.
  case value(ValueType)
  /// The expectation of an operation's answer.
  case answer(OperationDescription)
  /// A mapping from some names to values.
  case entries([Naming], Expected)
  /// One of some names.
  case names([Naming])
  case nothing

  /// A name and its meaning.
  struct Naming {
    let name: String
    let detail: String
    let summary: String
  }
}

/// The place of the cursor in the format: what belongs there, and the step around it.
struct CursorSite {
  let context: CursorContext
  /// The syntax of the value or collection at the cursor.
  private(set) var expected: Expected
  /// The keys from the root to the cursor, without the items of lists.
  private(set) var path: [String] = []
  /// The entries of the innermost step, or nil outside of steps.
  private(set) var step: [CursorContext.Entry]?
  /// The line of the innermost step, and that of the step before it.
  private(set) var stepLine: (own: Int, before: Int?)?
  /// The key of the innermost step whose value is at the cursor, or nil.
  private(set) var stepKey: String?

  private let facts: ScenarioFacts

  init(_ context: CursorContext, _ root: KeySet, _ facts: ScenarioFacts) {
    (self.context, self.facts) = (context, facts)
    expected = .form(.keys(root))
    for level in context.levels { enter(level) }
    expected = resolved(expected, context.siblings)
  }

  private mutating func enter(_ level: CursorContext.Level) {
    switch level {
    case .item(let line, let before):
      expected = element(of: expected)
      if case .form(.step) = expected {
        (stepLine, step, stepKey) = ((line, before), context.siblings, nil)
      }
    case .key(let key, let siblings):
      if case .form(.step) = expected { (step, stepKey) = (siblings, key) }
      path.append(key)
      expected = value(of: key, siblings)
    }
  }

  // MARK: - Down the tree

  private func element(of expected: Expected) -> Expected {
    switch expected {
    case .form(.list(let form, mayBeEmpty: _)): return .form(form)
    case .form(.either(let forms)):
      let lists = forms.compactMap { form -> Form? in
        if case .list(let element, mayBeEmpty: _) = form { return element }
        return nil
      }
      return lists.first.map(Expected.form) ?? .nothing
    case .value(let type): return type.elementType.map(Expected.value) ?? .nothing
    case .names: return expected
    default: return .nothing
    }
  }

  private func value(of key: String, _ siblings: [CursorContext.Entry]) -> Expected {
    switch resolved(expected, siblings) {
    case .form(.keys(let set)): form(of: key, in: [set], siblings)
    case .form(.step): form(of: key, in: Self.keySets(of: siblings), siblings)
    case .form(.names(let form, mayBeEmpty: _, reserved: _)), .form(.entries(let form)):
      resolved(.form(form), siblings)
    case .form(.either(let forms)):
      mapping(among: forms).map { value(of: key, in: $0, siblings) } ?? .nothing
    case .record(let record): field(key, of: record)
    case .answer(let operation):
      key == "error" ? .names(facts.codes(of: operation)) : field(key, of: operation.output)
    case .entries(_, let expected): expected
    case .value(let type): member(key, of: type)
    default: .nothing
    }
  }

  private func value(
    of key: String, in form: Form, _ siblings: [CursorContext.Entry]
  ) -> Expected {
    switch form {
    case .keys(let set): self.form(of: key, in: [set], siblings)
    case .names(let form, mayBeEmpty: _, reserved: _), .entries(let form): .form(form)
    default: .nothing
    }
  }

  private func mapping(among forms: [Form]) -> Form? {
    forms.first {
      switch $0 {
      case .keys, .names, .entries: true
      default: false
      }
    }
  }

  private func form(
    of key: String, in sets: [KeySet], _ siblings: [CursorContext.Entry]
  ) -> Expected {
    let form = sets.lazy.flatMap(\.keys).first { $0.name == key }?.form
    return form.map { resolved(.form($0), siblings) } ?? .nothing
  }

  private func field(_ key: String, of record: RecordType) -> Expected {
    record.field(key).map { Expected.value($0.type) } ?? .nothing
  }

  private func member(_ key: String, of type: ValueType) -> Expected {
    if case .record(let record) = type.unwrapped { return field(key, of: record) }
    return type.entryType.map(Expected.value) ?? .nothing
  }

  /// The sets of keys that a step with some keys may have.
  static func keySets(of siblings: [CursorContext.Entry]) -> [KeySet] {
    let keys = Set(siblings.map(\.key))
    let present = StepSyntax.all.filter { keys.contains($0.head.name) }
    let certain = present.filter { !$0.yields }
    return (certain.isEmpty ? present.isEmpty ? StepSyntax.all : present : certain).map(\.keys)
  }

  // MARK: - Forms that depend on their neighbours

  private func resolved(_ expected: Expected, _ siblings: [CursorContext.Entry]) -> Expected {
    guard case .form(let form) = expected else { return expected }
    let operation = { facts.operation(step?.text(of: "uses")) }
    switch form {
    case .input: return operation().map { Expected.record($0.input) } ?? .nothing
    case .expectation: return operation().map(Expected.answer) ?? .nothing
    case .errorCode: return operation().map { Expected.names(facts.codes(of: $0)) } ?? .nothing
    case .inputs:
      return facts.inputs(of: step?.text(of: "scenario")).map { Expected.record($0) } ?? .nothing
    case .settings:
      return facts.plugin(named: siblings.text(of: "plugin"))
        .map { Expected.record($0.settings) } ?? .nothing
    case .ofPlugin(.roles):
      let roles = facts.roles(of: siblings.text(of: "plugin"))
      return .entries(roles, .names(facts.componentNames))
    case .plugin: return .names(facts.plugins)
    case .operation: return .names(facts.operations)
    case .event: return .names(facts.events)
    case .typed: return facts.type(siblings.text(of: "type")).map(Expected.value) ?? .nothing
    case .type: return .names(facts.types)
    default: return dependent(form, operation)
    }
  }

  /// The forms whose syntax says less than their key.
  private func dependent(
    _ form: Form, _ operation: () -> OperationDescription?
  ) -> Expected {
    switch (form, stepKey) {
    case (.text, "scenario"): .names(facts.scenarioFiles)
    case (.list(.text, mayBeEmpty: _), "volatile"), (.list(.text, mayBeEmpty: _), "secret"):
      .form(form)
    case (.text, "volatile"), (.text, "secret"):
      operation().map { Expected.names(facts.fields(of: $0.output)) } ?? .nothing
    case (.entries(.text), "components"):
      .entries(facts.components(of: step?.text(of: "scenario")), .names(facts.componentNames))
    default: .form(form)
    }
  }
}

extension [CursorContext.Entry] {
  /// The text of a key's value, or nil if there is none.
  func text(of key: String) -> String? { first { $0.key == key && !$0.text.isEmpty }?.text }
}
