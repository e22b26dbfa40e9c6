internal import FlowCore
internal import FlowPlan
internal import FlowSystem

extension Command {
  static let schema = Command(
    syntax: CommandSyntax(
      name: "schema", summary: "Prints JSON Schemas of scenarios, of flow.yaml or of inputs.",
      operands: .upToTwo("scenario|project|inputs", "SCENARIO"),
      options: [
        Option(
          "write", .none,
          "Writes \(SchemaFiles.scenario) and \(SchemaFiles.project) of the project."),
        .quiet,
      ],
      details: """
        scenario         the schema of scenarios, with all plugins of this flow and those that the
                         project declares (the default)
        project          the schema of flow.yaml
        inputs SCENARIO  the schema of a file for --inputs

        The project is that of the working directory. Editors find a schema by a comment at the start
        of a file, as 'flow init' writes it:

          \(SchemaFiles.comment(SchemaFiles.scenario, in: "Scenarios"))

        'flow test' and 'flow plugin lock' write both files again if flow.yaml has such a comment.

          flow schema > scenario.schema.json
          flow schema inputs shop.yaml
          flow schema --write
        """)
  ) { (flow, arguments) throws(UsageError) in
    let operands = arguments.operands
    if arguments.has("write") {
      if let first = operands.first { throw .unwantedOperand(first) }
      return flow.writeSchemas()
    }
    let kind = operands.first ?? Kind.scenario.rawValue
    guard let kind = Kind(rawValue: kind) else {
      throw .unknownCommand(kind, of: "schema", known: Kind.allCases.map(\.rawValue))
    }
    if kind == .inputs {
      if operands.count < 2 { throw .missingOperand("SCENARIO") }
      return flow.printInputsSchema(of: operands[1])
    }
    if operands.count > 1 { throw .unwantedOperand(operands[1]) }
    guard let schemas = flow.schemas(around: ".") else { return .badInput }
    flow.print(schema: kind == .project ? schemas.project : schemas.scenario)
    return .passed
  }

  /// The files with schemas.
  private enum Kind: String, CaseIterable {
    case scenario, project, inputs
  }
}

extension CommandContext {
  fileprivate func print(schema: JSON) {
    process.documentOutput(schema.text.shownJSON + "\n")
  }

  fileprivate func printInputsSchema(of scenario: String) -> ExitCode {
    guard let plan = plan(scenario) else { return .badInput }
    print(schema: FileSchemas.inputs(plan.inputs))
    return .passed
  }

  /// Writes the schemas of the project of the working directory, and prints a line for each.
  fileprivate func writeSchemas() -> ExitCode {
    guard let project = project(around: "."), let schemas = schemas(around: project.folder) else {
      return .badInput
    }
    do throws(FileError) {
      let written = try writeSchemas(schemas, in: project.folder)
      for path in written { confirm("wrote \(path.onOneLine)\n") }
      if written.isEmpty { confirm("the schemas are up to date\n") }
      return .passed
    } catch {
      process.say("\(error)")
      return .cannotWrite
    }
  }
}
