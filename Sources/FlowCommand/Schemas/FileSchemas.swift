internal import FlowCore
internal import FlowPlan
internal import FlowScenario
internal import FlowSystem

/// The schemas of the files of a project.
struct FileSchemas: Sendable {
  private let forms: FormSchema

  /// Creates the schemas for these plugins, and for those that a project can declare.
  init(_ plugins: [RegisteredPlugin], families: [RegisteredFamily]) {
    forms = FormSchema(plugins: PluginSchemas(plugins: plugins, families: families))
  }

  /// The schema of `flow.yaml`.
  var project: JSON { Self.document("A project of flow", forms.object(.project)) }

  /// The schema of scenarios.
  var scenario: JSON {
    let steps = StepSyntax.all.map { JSON.Member(Self.name(of: $0), forms.object($0.keys).json) }
    return Self.document(
      "A scenario of flow", forms.object(.scenario),
      [
        .init("step", step.json),
        .init(ValueSchema.described.name, ValueSchema.described.part.json),
      ] + steps + forms.plugins.definitions)
  }

  /// Returns the schema of a file with values for the inputs of a scenario.
  ///
  /// A file may leave out any of them, because options can give them. Secrets are never in files.
  static func inputs(_ inputs: [PlannedInput]) -> JSON {
    let values = ValueSchema(place: .plain)
    let properties = inputs.filter { !$0.isSecret }.map { input in
      let type = "Type: \(input.type)."
      let text = input.summary.isEmpty ? type : "\(input.summary)\n\(type)"
      return (name: input.name, part: values.part(input.type).described(text))
    }
    return document("Inputs of a scenario of flow", .object(properties))
  }

  private static func document(
    _ title: String, _ root: SchemaPart, _ definitions: [JSON.Member] = []
  ) -> JSON {
    guard case .object(let members) = root.json else { return root.json }
    let comment = "Written by 'flow schema' of flow \(FlowCommand.version)."
    return .object(
      [
        .init("$schema", .string(SchemaPart.dialect)), .init("$comment", .string(comment)),
        .init("title", .string(title)),
      ] + members + (definitions.isEmpty ? [] : [.init("definitions", .object(definitions))]))
  }

  // MARK: - Steps

  /// A step of any kind: the first kind with its key decides.
  private var step: SchemaPart {
    // A key that yields counts only without any other, and the last such key counts.
    let kinds = StepSyntax.all.filter { !$0.yields } + StepSyntax.all.filter(\.yields).reversed()
    return kinds.reversed().reduce(unknownStep) { rest, kind in
      let isIt = FormSchema.having([kind.head.name])
      return isIt.implies(.reference(Self.name(of: kind)), otherwise: rest)
    }.with("type", .string("object"))
  }

  /// A step whose kind is still to be written, with all keys of all kinds.
  private var unknownStep: SchemaPart {
    var known: Set<String> = []
    let keys = StepSyntax.all.map(\.head) + StepSyntax.all.flatMap(\.keys.keys)
    let properties = keys.filter { known.insert($0.name).inserted }.map { key in
      (key.name, SchemaPart.any.described(key.summary))
    }
    let heads = StepSyntax.all.map { FormSchema.having([$0.head.name]).json }
    return .object(properties, required: [], [.init("anyOf", .array(heads))])
  }

  private static func name(of kind: StepSyntax) -> String { "step.\(kind.head.name)" }
}
