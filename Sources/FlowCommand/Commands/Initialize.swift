internal import FlowCore
internal import FlowSystem

extension Command {
  static let initialize = Command(
    syntax: CommandSyntax(
      name: "init", summary: "Creates a project with a scenario, its transcript and a CI workflow.",
      operands: .upToOne("FOLDER"),
      options: [
        Option(
          "ci", .required("SERVICE"), "The CI service: github (the default), gitlab or none.",
          completion: .words(StarterWorkflow.Service.allCases.map(\.rawValue))),
        Option(
          "flow", .required("URL"),
          "The .tar.gz or repository of flow for CI. Default: a .tar.gz in the CI variable FLOW_URL."
        ),
        Option(
          "assistant", .none,
          "Also writes \(StarterProject.skill), which teaches an assistant to use flow."),
        .quiet,
      ],
      details: """
        FOLDER is the working directory by default, and may contain other files. Writes flow.yaml, a
        scenario, schemas for editors, a CI workflow and README.md (in Scenarios if the project has a
        README). Adds lines to .gitignore for reports and the state of runs, and to .gitattributes, so
        that Git keeps the line ends of recordings. Then runs the scenario and records it. Existing
        files are not overwritten. In a project with a flow.yaml, '--assistant' writes its file alone.

          flow init shop && cd shop && flow test
        """)
  ) { (flow, arguments) throws(UsageError) in
    let service: StarterWorkflow.Service? = try arguments.choice("ci")
    let source = try arguments.only("flow", "an address such as https://example.org/flow.git") {
      CloneAddress($0)?.text
    }
    let folder = arguments.operands.first ?? "."
    if folder == "" { throw .emptyPath }
    let hasSkill = arguments.has("assistant")
    if hasSkill, FileSystem.isOccupied(Path.joined(folder, "flow.yaml")) {
      return flow.writeSkill(in: folder)
    }
    return try await flow.start(
      folder, StarterWorkflow(for: service ?? .github, flow: source), hasSkill: hasSkill)
  }
}

extension CommandContext {
  fileprivate func start(
    _ folder: String, _ workflow: StarterWorkflow?, hasSkill: Bool
  ) async throws(UsageError) -> ExitCode {
    guard registry.names.contains("file") else {
      process.say(
        "the scenario needs the plugin 'file', which this flow does not have")
      return .badInput
    }
    var new = NewFiles(in: folder)
    new.reserved = StarterProject.reserved
    new.add("flow.yaml", StarterProject.project)
    new.add(StarterProject.scenario, StarterProject.hello)
    new.add(new.hasReadme ? "Scenarios/README.md" : "README.md", StarterProject.readme)
    if let workflow { new.add(workflow.path, workflow.text) }
    if hasSkill { new.add(StarterProject.skill, StarterProject.skillText) }
    new.append(StarterProject.ignored, to: ".gitignore", after: StarterProject.ignoredReason)
    new.append(
      StarterProject.attributes, to: ".gitattributes", after: StarterProject.attributesReason)
    guard write(new), writeSchemas(of: new.folder) else { return .cannotWrite }
    return try await record(new)
  }

  /// Writes the description for an assistant into an existing project.
  fileprivate func writeSkill(in folder: String) -> ExitCode {
    var new = NewFiles(in: folder)
    new.add(StarterProject.skill, StarterProject.skillText)
    return write(new) ? .passed : .cannotWrite
  }

  /// Writes the schemas that the comments of the files name.
  ///
  /// False after printing the reason for a failure.
  private func writeSchemas(of folder: String) -> Bool {
    guard let schemas = schemas(around: folder) else { return false }
    do throws(FileError) {
      for path in try writeSchemas(schemas, in: folder) {
        confirm("wrote \(path.onOneLine)\n")
      }
      return true
    } catch {
      process.say("\(error)")
      return false
    }
  }

  /// Runs the scenario as `flow run` does, and prints the next steps.
  private func record(_ new: NewFiles) async throws(UsageError) -> ExitCode {
    confirm("\n")
    let scenario = new.path(StarterProject.scenario)
    // A path may start with a dash.
    let arguments = try ArgumentParser(syntax: Command.run.syntax)
      .parse(["--record", "--", scenario])
    var runner = self
    if isQuiet { runner.process.output = { _ in } }
    let code = try await Command.run.run(runner, arguments)
    guard code == .passed else { return code }
    let place = new.folder == "." ? "" : ", in \(new.folder.shellWord.onOneLine)"
    let rows = [
      ("flow test", "replays the transcript, without the component"),
      ("flow run \(StarterProject.scenario)", "runs the scenario; --record records it again"),
      ("flow list", "prints what scenarios can use"),
    ]
    confirm("\nnext\(place):\n" + HelpText.columns(rows))
    return .passed
  }
}
