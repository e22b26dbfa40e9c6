internal import FlowCore
internal import FlowRedaction
internal import FlowScenario
internal import FlowSystem

extension Command {
  static let plugin = Command(
    syntax: CommandSyntax(
      name: "plugin", summary: "Describes the plugins of flow.yaml in flow.lock.",
      operands: .many("lock [NAME]"),
      options: [
        Option("check", .none, "Writes nothing. Exits with 1 if flow.lock would change."),
        Option("project", .required("FOLDER"), "The project. Default: the working directory's."),
        .secret,
      ],
      details: """
        lock [NAME]...   starts the programs of the plugins, all or those named, and writes to flow.lock
                         which operations they have: their schemas, descriptions and annotations

        Prints every difference from the present flow.lock. Review it: scenarios are checked by
        flow.lock, and a run fails if a program differs from it.

          flow plugin lock
          flow plugin lock clock --check
        """)
  ) { (flow, arguments) throws(UsageError) in
    guard arguments.operands[0] == "lock" else {
      throw .unknownCommand(arguments.operands[0], of: "plugin", known: ["lock"])
    }
    let secrets = try GivenSecrets(arguments, flow.process, flow.redactor)
    let folder = try arguments.only("project") ?? "."
    guard let project = flow.project(around: folder) else { return .badInput }
    let (names, isChecking) = (Array(arguments.operands.dropFirst()), arguments.has("check"))
    let (code, wasInterrupted) = await flow.interruptibly {
      await flow.lockPlugins(names, of: project, isChecking: isChecking, secrets)
    }
    return wasInterrupted ? .interrupted : code
  }
}

extension CommandContext {
  fileprivate func lockPlugins(
    _ names: [String], of project: Project, isChecking: Bool, _ secrets: GivenSecrets
  ) async -> ExitCode {
    redactor.use(project.file?.patterns ?? [])
    guard let declared = declarations(names, in: project) else { return .badInput }
    do {
      let lock = try LockFile(inFolder: project.folder)
      let old = lock?.entries ?? ValueMap()
      // Plugins that are not declared any more are left out, unless only some are to be described.
      let known = Set((project.file?.plugins ?? []).map(\.name.value))
      var new = ValueMap(old.named.filter { known.contains($0.0) })
      for declaration in declared {
        let name = declaration.name.value
        guard let entry = await described(declaration, in: project, secrets) else {
          return .badInput
        }
        new[.string(name)] = entry
      }
      return try finish(from: old, to: new, in: project, isChecking: isChecking, isNew: lock == nil)
    } catch let error as LockFileError {
      process.say(error.message)
      return .badInput
    } catch {
      process.say("\(error)")
      return .cannotWrite
    }
  }

  /// Returns the declarations with these names, or all of them, or nil after printing a problem.
  private func declarations(
    _ names: [String], in project: Project
  ) -> [ProjectFile.PluginDeclaration]? {
    let all = project.file?.plugins ?? []
    if all.isEmpty {
      process.say("flow.yaml declares no 'plugins'")
      return nil
    }
    for name in names where !all.contains(where: { $0.name.value == name }) {
      let near = Suggestion.ending(for: name, among: all.map(\.name.value))
      process.say("flow.yaml declares no plugin '\(name)'\(near)".onOneLine)
      return nil
    }
    return names.isEmpty ? all : all.filter { names.contains($0.name.value) }
  }

  /// Returns the entry of a plugin, or nil after printing the problem.
  private func described(
    _ declaration: ProjectFile.PluginDeclaration, in project: Project, _ secrets: GivenSecrets
  ) async -> Value? {
    let name = declaration.name.value
    guard let family = registry.family(declaration.family) else { return nil }
    let folder = Directory(FileSystem.realPath(project.folder) ?? project.folder)
    var options = ContextServices.Options(directory: folder)
    options.network = permissions.adding(project.file).network
    options.secrets = Secrets(redactor: redactor) { secrets.value($0) }
    options.log = { [self] _, message in note(["\(name): \(message)"]) }
    let context = Context(
      address: Address(path: name), services: ContextServices(options) { _, _, _ in })
    do {
      return try await family.describe(name, declaration.fields, in: folder, context)
    } catch {
      if Task.isCancelled { return nil }
      process.say("the plugin '\(name)' cannot be described: \(error)".onOneLine)
      return nil
    }
  }

  private func finish(
    from old: ValueMap, to new: ValueMap, in project: Project, isChecking: Bool, isNew: Bool
  ) throws(FileError) -> ExitCode {
    let differences = LockDifference.between(.map(old), and: .map(new))
    for difference in differences { process.output("\(difference)".onOneLine + "\n") }
    let path = project.path(LockFile.name)
    if differences.isEmpty && !isNew {
      if !isChecking { refreshSchemas(of: project) }
      process.output("\(path.onOneLine) is up to date\n")
      return .passed
    }
    if isChecking {
      process.output("\(path.onOneLine) is out of date; '\(LockFile.command)' writes it\n")
      return .failed
    }
    try FileSystem.replace(path, with: Array(LockFile.text(of: new).utf8))
    process.output("wrote \(path.onOneLine); review it\n")
    refreshSchemas(of: project)
    return .passed
  }
}

extension ValueMap {
  /// The entries with names.
  fileprivate var named: [(String, Value)] {
    entries.compactMap { entry in
      if case .string(let name) = entry.key { (name, entry.value) } else { nil }
    }
  }
}
