internal import FlowCore
internal import FlowScenario

extension ComponentContract {
  /// What is seen of the secrets, and which of them the sample does not put to the test.
  func secretProblems(_ worlds: [ContractRun]) async -> [Diagnostic] {
    var records: [ContractRun.Record] = []
    for world in worlds { records.append(await world.record()) }
    let inputs = Set(worlds[0].plan.inputs.filter(\.isSecret).map(\.name))
    let names = records.reduce(inputs) { $0.union($1.secrets) }
    let faults =
      constantSecrets(inputs) + unusedSecrets(names) + unfilledFields(worlds[0], records[0])
    let problems = faults.map { $0.diagnostic(at: nil) }
    if names.isEmpty { return problems }
    for other in records.dropFirst() {
      let seen = await worlds[0].secretProblems(records[0], other)
      if !seen.isEmpty { return problems + seen }
    }
    return problems
  }

  /// The secrets that are the same in every world.
  private func constantSecrets(_ secretInputs: Set<String>) -> [SecretFault] {
    let constant = options.secrets.filter { Set($0.value).count < 2 }.map(\.key)
    return (constant + secretInputs.filter { inputs[$0] != nil }).sorted().map { .oneValue($0) }
  }

  /// The secrets that are given, and that nothing in the sample asks for.
  private func unusedSecrets(_ names: Set<String>) -> [SecretFault] {
    options.secrets.keys.filter { !names.contains($0) }.sorted().map {
      .unused($0, near: Suggestion.nearest(to: $0, among: names))
    }
  }

  /// The component's secret fields that the sample leaves out, or fills with a text that everybody can read.
  private func unfilledFields(_ run: ContractRun, _ record: ContractRun.Record) -> [SecretFault] {
    let name = Subject.plugin.description.name
    let settings = ([run.plan] + run.plan.allScenarios).flatMap(\.components).map(\.settings)
    let operations = Subject.plugin.operations.map(\.description).flatMap { operation in
      let inputs = record.steps.filter { $0.operation.description.name == operation.name }
        .map(\.input)
      return unfilled(operation.input, inputs, of: "\(name).\(operation.name)")
    }
    return unfilled(Subject.plugin.settings, settings, of: name) + operations
  }

  private func unfilled(
    _ type: RecordType, _ templates: [Template], of owner: String
  ) -> [SecretFault] {
    // What is never used is for the check of the sample to tell.
    if templates.isEmpty { return [] }
    return type.fields.indices.filter { index in
      type.fields[index].isSecret && !templates.contains { $0.isExpression(at: index) }
    }.map { .unfilled("the field '\(type.fields[$0].name)' of '\(owner)'") }
  }
}

extension Template {
  /// Whether the field at an index of a record is more than a constant.
  fileprivate func isExpression(at index: Int) -> Bool {
    switch self {
    case .record(_, let fields): fields[index].constant == nil
    case .constant: false
    case .expression, .text, .list, .map: true
    }
  }
}
