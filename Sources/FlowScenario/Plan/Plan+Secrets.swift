package import FlowCore

extension Plan {
  /// Recorded values of the inputs made fit for a run on the components: in the place of what was hidden, the
  /// secrets themselves.
  ///
  /// `secret` finds them by the names of their inputs.
  ///
  /// - Throws: `ScenarioError` with every secret that is not given, and every input of which a part was hidden.
  package func liveInputs(
    _ recorded: [Value], secret: (String) -> String?
  ) throws(ScenarioError) -> [Value] {
    let problems = Problems(file: file)
    var values: [String: Value] = [:]
    for (input, value) in zip(inputs, recorded) {
      if input.isSecret {
        let secret = secret(input.name)
        if secret == nil { problems.add(.missingSecret(input.name), at: nil) }
        values[input.name] = .string(secret ?? "")
      } else {
        if Redactor.hasPlaceholder(value) { problems.add(.redactedInput(input.name), at: nil) }
        values[input.name] = value
      }
    }
    try problems.throwIfAny()
    return try inputValues(values)
  }

  /// Hides the secrets that are given to the scenario, and those that stand in it and in what it includes.
  ///
  /// One that is too short is not hidden: whoever gives it, or the step that uses it, says so.
  package func hideSecrets(inputs: [Value], by redactor: Redactor) {
    if inputType.hasSecrets, inputs.count == self.inputs.count {
      try? redactor.learn(.record(RecordValue(inputType, inputs)))
    }
    for plan in [self] + allScenarios {
      for component in plan.components {
        component.settings.hideSecrets(of: component.name, by: redactor)
      }
      guard plan.takesSecrets else { continue }
      for step in plan.steps + plan.finally { step.hideSecrets(by: redactor) }
    }
  }

  /// Whether a step may be given a secret; most plans have none, and many steps.
  private var takesSecrets: Bool {
    components.contains { $0.plugin.operations.contains(where: \.input.hasSecrets) }
      || scenarios.contains(where: \.inputType.hasSecrets)
  }
}

extension PlannedStep {
  fileprivate func hideSecrets(by redactor: Redactor) {
    for step in options?.finally ?? [] { step.hideSecrets(by: redactor) }
    switch action {
    case .call(let call):
      let component = String(call.operation.name.prefix { $0 != "." })
      call.input.hideSecrets(of: component, by: redactor)
    case .scenario(let scenario): scenario.input.hideSecrets(of: nil, by: redactor)
    case .loop(let loop): for step in loop.steps { step.hideSecrets(by: redactor) }
    case .block(let block):
      for step in block.steps + block.alternative { step.hideSecrets(by: redactor) }
    case .parallel(let parallel):
      for step in parallel.branches.flatMap(\.steps) { step.hideSecrets(by: redactor) }
    case .set, .assert, .wait, .await: return
    }
  }
}

extension Template {
  /// Hides what is written in the secret fields of its records.
  fileprivate func hideSecrets(of component: String?, by redactor: Redactor) {
    switch self {
    case .constant(let value): try? redactor.learn(value, of: component)
    case .record(let type, let fields) where type.hasSecrets:
      for (field, template) in zip(type.fields, fields) {
        guard field.isSecret else {
          template.hideSecrets(of: component, by: redactor)
          continue
        }
        let name = (component.map { $0 + "." } ?? "") + field.name
        for text in template.writtenTexts { try? redactor.add(text, named: name) }
      }
    case .list(let elements):
      for element in elements { element.hideSecrets(of: component, by: redactor) }
    case .map(let entries):
      for entry in entries { entry.value.hideSecrets(of: component, by: redactor) }
    case .record, .expression, .text: return
    }
  }

  /// The texts in it that stand in the scenario, around expressions too.
  private var writtenTexts: [String] {
    switch self {
    case .constant(.string(let text)): [text]
    case .text(let parts), .list(let parts), .record(_, let parts): parts.flatMap(\.writtenTexts)
    case .map(let entries): entries.flatMap(\.value.writtenTexts)
    case .constant, .expression: []
    }
  }
}
