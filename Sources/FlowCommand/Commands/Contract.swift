internal import FlowCore
internal import FlowRedaction
internal import FlowScenario
internal import FlowSystem

extension Command {
  static let contract = Command(
    syntax: CommandSyntax(
      name: "contract", summary: "Runs the checks of components on a plugin of flow.yaml.",
      operands: .one("NAME"),
      options: [
        Option("project", .required("FOLDER"), "The project. Default: the working directory's."),
        Option("timeout", .required("DURATION"), "The longest time for each call. Default: 10s."),
        Option(
          "varies", .required("OPERATION"),
          "Does not compare the answers of this operation, such as the time. Can be repeated."),
        .secret,
      ],
      details: """
        Starts the plugin's program several times and calls every operation, with the examples of its
        input and with unusual inputs. The calls are real: what they send is sent, and what they
        delete is deleted. Prints a line for each rule:

          answers       answers fit their schemas, and errors are declared
          inputs        unusual inputs are answered or refused, and the program goes on
          cancellation  a cancelled call ends, and the next one is answered
          instances     two components at once answer as if alone, unless the state is external
          kill          a killed program is 'unavailable', and a new one starts anew
          closing       no process goes on after the end

        Exits with 1 if a rule is broken.

          flow contract weather
          flow contract clock --varies get_current_time --timeout 2s
        """)
  ) { (flow, arguments) throws(UsageError) in
    let secrets = try GivenSecrets(arguments, flow.process, flow.redactor)
    let patience = try arguments.only("timeout", "a duration such as 10s") { text in
      Duration(flowText: text).flatMap { $0 > .zero ? $0 : nil }
    }
    let folder = try arguments.only("project") ?? "."
    guard let project = flow.project(around: folder) else { return .badInput }
    flow.redactor.use(project.file?.patterns ?? [])
    guard let plugin = flow.declaredPlugin(arguments.operands[0], in: project) else {
      return .badInput
    }
    let varying = arguments.values("varies")
    let known = plugin.ownOperations.map(\.name)
    if let name = varying.first(where: { !known.contains($0) }) {
      throw .malformed(option: "varies", value: name, expected: known.alternatives)
    }
    let checks = PluginChecks(
      plugin: plugin, options: flow.services(in: project, secrets),
      patience: patience ?? .seconds(10), varying: Set(varying))
    let run = await flow.interruptibly { await flow.run(checks) }
    return run.wasInterrupted ? .interrupted : run.value
  }
}

extension CommandContext {
  /// Returns a plugin of a project, or nil after printing the problem.
  fileprivate func declaredPlugin(_ name: String, in project: Project) -> RegisteredPlugin? {
    let names = (project.file?.plugins ?? []).map(\.name.value)
    guard names.contains(name) else {
      let near = Suggestion.ending(for: name, among: names)
      process.say("flow.yaml declares no plugin '\(name)'\(near)".onOneLine)
      return nil
    }
    let permissions = permissions.adding(project.file)
    do throws(PluginError) {
      let plugin = try KnownPlugins(registry.limited(to: permissions.network))
        .declaredPlugin(name, around: project.folder)
      guard let refusal = plugin.flatMap(permissions.refusal) else { return plugin }
      process.say(refusal.onOneLine)
      return nil
    } catch {
      process.say(error.message.onOneLine)
      if let note = error.note { self.note([note]) }
      return nil
    }
  }

  fileprivate func services(
    in project: Project, _ secrets: GivenSecrets
  ) -> ContextServices.Options {
    let folder = FileSystem.realPath(project.folder) ?? project.folder
    var options = ContextServices.Options(directory: Directory(folder))
    options.secrets = Secrets(redactor: redactor) { secrets.value($0) }
    return options
  }

  fileprivate func run(_ checks: PluginChecks) async -> ExitCode {
    var broken = 0
    for rule in PluginRule.allCases {
      do {
        let verdict = try await checks.check(rule)
        if Task.isCancelled { return .interrupted }
        report(verdict)
        if !verdict.problems.isEmpty { broken += 1 }
      } catch {
        if Task.isCancelled { return .interrupted }
        process.output("failed   \(rule.rawValue)\n")
        process.say("the plugin cannot be opened: \(error)".onOneLine)
        return .failed
      }
    }
    let count = checks.plugin.ownOperations.count
    process.output(
      "\(broken == 0 ? "every rule holds" : "\(broken) of \(PluginRule.allCases.count) rules are broken")"
        + ": \(count) \(count == 1 ? "operation" : "operations")\n")
    return broken == 0 ? .passed : .failed
  }

  /// Prints the line of a rule, and its problems and notes below.
  private func report(_ verdict: PluginVerdict) {
    let result =
      !verdict.problems.isEmpty ? "failed " : verdict.skipped == nil ? "passed " : "skipped"
    let reason = verdict.skipped.map { ": \($0)" } ?? ""
    process.output("\(result)  \(verdict.rule.rawValue)\(reason)\n")
    for problem in verdict.problems { process.output("  error: \(problem)".onOneLine + "\n") }
    for note in verdict.notes { process.output("  note: \(note)".onOneLine + "\n") }
  }
}
