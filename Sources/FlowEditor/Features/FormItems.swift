internal import FlowCore
internal import FlowExpression
internal import FlowScenario
internal import FlowSystem

/// The proposals for keys and values of the format.
struct FormItems {
  private let site: CursorSite
  private let facts: ScenarioFacts
  private let environment: Environment

  init(_ site: CursorSite, _ facts: ScenarioFacts, _ environment: Environment) {
    (self.site, self.facts, self.environment) = (site, facts, environment)
  }

  var items: [CompletionItem] {
    let context = site.context
    if context.isBlockText { return [] }
    let given = Set(context.siblings.map(\.key)).subtracting([context.prefix])
    var items: [CompletionItem] = []
    if context.isKey { items += keys(of: site.expected).filter { !given.contains($0.label) } }
    if context.isValue { items += values(of: site.expected) }
    if context.isItem { items += listItems(of: site.expected) }
    return items
  }

  // MARK: - Keys

  private func keys(of expected: Expected) -> [CompletionItem] {
    switch expected {
    case .form(.keys(let set)): return set.keys.map(Self.item)
    case .form(.step): return steps()
    case .form(.either(let forms)): return forms.flatMap { keys(of: .form($0)) }
    case .record(let record): return record.fields.map(field)
    case .value(let type):
      if case .record(let record) = type.unwrapped { return record.fields.map(field) }
      return []
    case .answer(let operation):
      let error = CompletionItem(
        label: "error", kind: .property, detail: "error code",
        documentation: "The expected error of the operation.", text: "error: ")
      let message = CompletionItem(
        label: "message", kind: .property, detail: "string",
        documentation: "The expected message of the error.", text: "message: ")
      let isError = site.context.siblings.contains { $0.key == "error" }
      if isError { return [message] }
      return operation.output.fields.map(field) + (operation.errors.isEmpty ? [] : [error])
    case .entries(let names, _):
      return names.map { Self.item($0, .property, text: "\($0.name): ") }
    default: return []
    }
  }

  /// The keys of a step: those that fit the ones it has, with the keys of kinds first.
  private func steps() -> [CompletionItem] {
    let sets = CursorSite.keySets(of: site.context.siblings)
    var names: Set<String> = []
    let heads = StepSyntax.all.map(\.head)
    let isOpen = sets.count == StepSyntax.all.count
    let all = (isOpen ? heads : []) + sets.flatMap(\.keys)
    return all.filter { names.insert($0.name).inserted }.map(Self.item)
  }

  private static func item(_ key: Key) -> CompletionItem {
    CompletionItem(
      label: key.name, kind: .property, detail: key.form.kindText, documentation: key.summary,
      text: key.name + (key.form.isCollection ? ":" : ": "))
  }

  private func field(_ field: RecordType.Field) -> CompletionItem {
    let isCollection = field.type.unwrapped.isCollection
    let isRequired = field.isRequired && site.stepKey != "expect"
    return CompletionItem(
      label: field.name, kind: .field, detail: "\(field.type)" + (isRequired ? ", required" : ""),
      documentation: field.summary, text: field.name + (isCollection ? ":" : ": "))
  }

  private static func item(
    _ naming: Expected.Naming, _ kind: CompletionItem.Kind, text: String? = nil
  ) -> CompletionItem {
    CompletionItem(
      label: naming.name, kind: kind, detail: naming.detail, documentation: naming.summary,
      text: text)
  }

  // MARK: - Values

  private func values(of expected: Expected) -> [CompletionItem] {
    switch expected {
    case .form(let form): values(of: form)
    case .names(let names): names.map { Self.item($0, .member) }
    case .value(let type): words(of: type) + expressions(as: type)
    default: []
    }
  }

  private func values(of form: Form) -> [CompletionItem] {
    switch form {
    case .version: [CompletionItem(label: "1", kind: .value)]
    case .words(let words): words.map { CompletionItem(label: $0, kind: .enumeration) }
    case .flag: words(of: .bool)
    case .expression: expressions(as: .bool)
    case .template, .value: expressions(as: .dynamic)
    case .computed(let form): values(of: form) + [opening]
    case .duration: ["100ms", "1s", "1m"].map { CompletionItem(label: $0, kind: .value) }
    case .either(let forms): forms.flatMap { values(of: $0) }
    case .format: facts.formats.map { CompletionItem(label: $0, kind: .enumeration) }
    default: []
    }
  }

  private func words(of type: ValueType) -> [CompletionItem] {
    switch type.unwrapped {
    case .bool: ["true", "false"].map { CompletionItem(label: $0, kind: .keyword) }
    case .enumeration(let names): names.map { CompletionItem(label: $0, kind: .enumeration) }
    default: []
    }
  }

  /// The names in sight with a type, each as an expression, after one without a name.
  private func expressions(as type: ValueType) -> [CompletionItem] {
    if !site.context.prefix.isEmpty { return [opening] }
    return [opening]
      + fitting(type).prefix(20).map { name, detail in
        let text =
          site.context.isFlow && site.context.quote == nil
          ? "\"${{ \(name) }}\"" : "${{ \(name) }}"
        return CompletionItem(label: text, kind: .variable, detail: detail)
      }
  }

  private var opening: CompletionItem {
    CompletionItem(
      label: "${{ }}", kind: .snippet, detail: "expression", text: "${{ ",
      snippet: "\\${{ $0 }}")
  }

  private func fitting(_ type: ValueType) -> [(String, String)] {
    let latest = environment.bindings.sorted {
      ($1.slot.level, $1.slot.index, $0.name) < ($0.slot.level, $0.slot.index, $1.name)
    }
    return latest.filter { binding in
      guard let actual = binding.type.valueType, actual != .dynamic else { return false }
      return type == .dynamic || type.accepts(actual)
    }.map { ($0.name, "\($0.type)") }
  }

  // MARK: - Items of lists

  /// The proposals on an empty line below a key with a list.
  private func listItems(of expected: Expected) -> [CompletionItem] {
    guard case .form(let form) = expected, let element = form.element else { return [] }
    if case .step = element {
      return StepSyntax.all.map(\.head).map { key in
        CompletionItem(
          label: "- \(key.name)", kind: .snippet, documentation: key.summary,
          text: "- \(key.name): ")
      }
    }
    return [CompletionItem(label: "- ", kind: .snippet, detail: "item")]
  }
}

extension Form {
  /// The form of the elements, or nil for other forms than lists.
  fileprivate var element: Form? {
    switch self {
    case .list(let element, mayBeEmpty: _): element
    case .either(let forms): forms.lazy.compactMap(\.element).first
    default: nil
    }
  }

  /// True if a value takes more than one line.
  fileprivate var isCollection: Bool {
    switch self {
    case .list, .names, .entries, .keys, .settings, .input, .inputs, .expectation, .step, .ofPlugin:
      true
    case .either(let forms): forms.allSatisfy(\.isCollection)
    default: false
    }
  }

  /// The kind of values, in a few words.
  fileprivate var kindText: String {
    switch self {
    case .list: "list"
    case .names, .entries, .keys, .settings, .input, .inputs, .expectation, .ofPlugin, .step:
      "mapping"
    case .flag: "bool"
    case .expression: "expression"
    case .duration: "duration"
    case .whole, .number: "number"
    case .computed(let form): form.kindText
    case .words(let words): words.joined(separator: " or ")
    case .operation: "operation"
    case .event: "event"
    case .plugin: "plugin"
    case .type: "type"
    default: ""
    }
  }
}

extension ValueType {
  fileprivate var isCollection: Bool {
    switch self {
    case .record, .list, .map: true
    default: false
    }
  }
}
