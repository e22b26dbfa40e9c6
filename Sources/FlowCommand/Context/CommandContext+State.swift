internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowScenario
internal import FlowSystem

extension CommandContext {
  /// Returns the context of a command whose live runs start from the state of a project, or nil
  /// after printing problems of its scenarios.
  ///
  /// - Throws: `UsageError` for contradictory inputs.
  func starting(
    fromStateOf project: Project, _ given: GivenInputs, _ secrets: GivenSecrets
  ) throws(UsageError) -> CommandContext? {
    guard let rule = project.file?.state else { return self }
    var given = given
    let make, restore: Plan
    do throws(ScenarioError) {
      try given.readFile()
      make = try statePlan(rule.make, project)
      restore = try statePlan(rule.restore, project)
    } catch {
      error.hideSecrets(by: redactor)
      print(error.diagnostics)
      return nil
    }
    var copy = self
    copy.state = ScenarioState(
      make: try part(make, rule.make, given, secrets),
      restore: try part(restore, rule.restore, given, secrets),
      tag: rule.tag?.value, folder: project.folder
    ) { [self] in
      var options = Session.Options()
      options.secret = { secrets.value($0) }
      options.redactor = runRedactor()
      options.name = Session.newName(for: make)
      return options
    }
    return copy
  }

  private func statePlan(
    _ path: ProjectFile.Entry<String>, _ project: Project
  ) throws(ScenarioError) -> Plan {
    let permissions = permissions.adding(project.file)
    let loader = ScenarioLoader(registry: registry.limited(to: permissions.network))
    let plan = try loader.plan(ScenarioSource(reading: project.path(path.value)))
    try permissions.check(
      plan, running: LiveComponents.all.names(in: plan), hidingSecretsBy: redactor)
    return plan
  }

  /// Returns a scenario with its inputs.
  ///
  /// Missing ones are a problem only if something runs live.
  private func part(
    _ plan: Plan, _ path: ProjectFile.Entry<String>, _ given: GivenInputs, _ secrets: GivenSecrets
  ) throws(UsageError) -> ScenarioState.Part {
    let own = given.only(for: plan)
    let texts = try secrets.inputs(own.texts, of: plan)
    let inputs = Result { () throws(ScenarioError) in
      try plan.inputValues(texts: texts, file: own.file)
    }
    return ScenarioState.Part(plan: plan, span: path.span, inputs: inputs)
  }

  /// Runs a scenario, of which some components are live, from the state of the project if it has
  /// one.
  func fromState<Answer>(
    _ plan: Plan, isLive: Bool = true, _ work: () async -> Answer
  ) async -> Result<Answer, ScenarioState.Failure> {
    guard isLive, let state, state.isMeant(for: plan) else { return .success(await work()) }
    do throws(ScenarioState.Failure) {
      return .success(
        try await state.alone { () async throws(ScenarioState.Failure) in
          try await state.prepare()
          return await work()
        })
    } catch {
      return .failure(error)
    }
  }
}

extension CommandContext {
  /// Does work while no other command uses the state that the runs of a scenario start from.
  func withStateAlone<Answer>(_ plan: Plan, _ work: () async -> Answer) async -> Answer {
    guard let state, state.isMeant(for: plan) else { return await work() }
    return await state.alone(work)
  }

  /// Returns a function that restores the state before a run and returns the problems, or nil
  /// without a state.
  func restoring(_ plan: Plan) -> (@Sendable () async -> [Diagnostic])? {
    guard let state, state.isMeant(for: plan) else { return nil }
    return {
      do throws(ScenarioState.Failure) {
        try await state.prepare()
        return []
      } catch {
        return error.diagnostics
      }
    }
  }
}

extension Result<RunReport, ScenarioState.Failure> {
  /// The report of the run, also of one that was not started.
  var report: RunReport {
    switch self {
    case .success(let report): report
    case .failure(let failure): failure.report
    }
  }
}
