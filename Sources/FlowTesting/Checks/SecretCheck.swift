internal import FlowCore
internal import FlowPlan
internal import FlowTranscript

extension ComponentChecks {
  /// The visible secrets, and the secrets that the sample does not test.
  func secretProblems(_ worlds: [CheckRun]) async -> [Diagnostic] {
    var records: [CheckRun.Record] = []
    for world in worlds { records.append(await world.record()) }
    let inputs = Set(worlds[0].plan.inputs.filter(\.isSecret).map(\.name))
    let names = records.reduce(inputs) { $0.union($1.secrets) }
    let faults =
      constantSecrets(inputs) + unusedSecrets(names) + unfilledFields(worlds[0], records[0])
    let problems = faults.map { $0.diagnostic() }
    if names.isEmpty { return problems }
    for other in records.dropFirst() {
      let seen = await worlds[0].secretProblems(records[0], other)
      if !seen.isEmpty { return problems + seen }
    }
    return problems
  }

  private func constantSecrets(_ secretInputs: Set<String>) -> [CheckFault] {
    let constant = options.secrets.filter { Set($0.value).count < 2 }.map(\.key)
    return (constant + secretInputs.filter { inputs[$0] != nil }).sorted().map { .oneValue($0) }
  }

  private func unusedSecrets(_ names: Set<String>) -> [CheckFault] {
    options.secrets.keys.filter { !names.contains($0) }.sorted().map {
      .unused($0, near: Suggestion.nearest(to: $0, among: names))
    }
  }

  /// The component's secret fields that the sample leaves out, or fills with a readable text.
  private func unfilledFields(_ run: CheckRun, _ record: CheckRun.Record) -> [CheckFault] {
    let name = Subject.plugin.description.name
    let settings = run.plan.allComponents
      .filter { $0.plugin.plugin.name == name }.map(\.settings)
    let operations = Subject.plugin.operations.map(\.description).flatMap { operation in
      let inputs = record.steps.filter {
        $0.operation.plugin.plugin.name == name && $0.operation.description.name == operation.name
      }.map(\.input)
      return unfilled(operation.input, inputs, of: "\(name).\(operation.name)")
    }
    return unfilled(Subject.plugin.settings, settings, of: name) + operations
  }

  private func unfilled(
    _ type: RecordType, _ templates: [Template], of owner: String
  ) -> [CheckFault] {
    // What is never used is for the check of the sample to tell.
    if templates.isEmpty { return [] }
    return type.fields.indices.filter { index in
      type.fields[index].isSecret && !templates.contains { $0.isExpression(at: index) }
    }.map { .unfilled("the field '\(type.fields[$0].name)' of '\(owner)'") }
  }
}

extension Template {
  fileprivate func isExpression(at index: Int) -> Bool {
    switch self {
    case .record(_, let fields): fields[index].constant == nil
    case .constant: false
    case .expression, .text, .list, .map: true
    }
  }
}

extension CheckRun {
  /// The visible secrets: every difference in records and logs of two runs with other secrets.
  func secretProblems(_ first: Record, _ second: Record) async -> [Diagnostic] {
    let tells = !isSame(first.transcript, second.transcript)
    let logs = first.log != second.log
    guard tells || logs else { return [] }
    let again = await record()
    guard isSame(first.transcript, again.transcript) else {
      return [CheckFault.varying.diagnostic()]
    }
    // A log line may vary for other reasons, and then it proves nothing.
    let logged = logs && first.log == again.log ? loggedSecrets(first, second) : []
    return (tells ? toldSecrets(first, second) : []) + logged
  }

  /// The calls with the same input and another answer.
  private func toldSecrets(_ first: Record, _ second: Record) -> [Diagnostic] {
    guard let difference = difference(first.transcript, second.transcript), !difference.isEmpty
    else { return [CheckFault.form.diagnostic()] }
    var known: Set<[String]> = []
    let problems: [Diagnostic] = difference.calls.compactMap { call in
      guard call.isAskedTheSame, known.insert([call.name] + call.declaredFields).inserted else {
        return nil
      }
      return CheckFault.told(call.name, fields: call.declaredFields)
        .diagnostic(at: first.span(of: "\(call.address)", in: plan.file))
    }
    if !problems.isEmpty { return problems }
    return [CheckFault.sample(difference.declaredFields).diagnostic()]
  }

  private func loggedSecrets(_ first: Record, _ second: Record) -> [Diagnostic] {
    let pair = zip(first.log, second.log).first { $0 != $1 }
    let longer = first.log.count > second.log.count ? first.log : second.log
    guard let address = (pair?.0 ?? longer.last)?.address else { return [] }
    return [
      CheckFault.logged(first.name(of: address))
        .diagnostic(at: first.span(of: "\(address)", in: plan.file))
    ]
  }
}

extension TranscriptDifference.Call {
  /// True if only its answer and its events differ, so its component is the cause.
  fileprivate var isAskedTheSame: Bool {
    kind == .changed && !fields.contains { $0.path == "invoke" || $0.declared.hasPrefix("input") }
  }

  /// The different declared fields, each once, up to the number of lines shown.
  fileprivate var declaredFields: [String] {
    Array(fields.map(\.declared).unique.prefix(CheckRun.mostLines))
  }
}

extension TranscriptDifference {
  /// All differences, each once, up to the number of lines shown.
  fileprivate var declaredFields: [String] {
    let calls = calls.flatMap { call in
      let fields = call.kind == .changed ? call.declaredFields : ["the number of calls"]
      return fields.map { "\($0) of '\(call.name)'" }
    }
    let outputs = outputs.map { "outputs.\($0.path.prefix { $0 != "." && $0 != "[" })" }
    let end = end.map { _ in ["the end of the run"] } ?? []
    return Array((calls + outputs + end).unique.prefix(CheckRun.mostLines))
  }
}

extension FieldChange {
  /// The path up to a field that the component declares: the names below it may be made of a secret.
  fileprivate var declared: String {
    let names = path.split(separator: ".", omittingEmptySubsequences: false)
    return names.prefix(path.hasPrefix("events") ? 3 : 2).joined(separator: ".")
  }
}
