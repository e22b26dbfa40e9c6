internal import FlowCore
internal import FlowScenario

extension Command {
  /// `flow check SCENARIO...`.
  static let check = Command(
    syntax: CommandSyntax(
      name: "check", summary: "Finds the mistakes of scenarios without running them.",
      operands: .many("SCENARIO"), options: [],
      details: """
        Prints every mistake with file, line and column, and where a name is unknown what it may mean.
        Exits with 0 when all scenarios can run, with 65 when one cannot.
        """)
  ) { (flow, arguments) throws(UsageError) in
    var isClean = true
    for file in arguments.operands where flow.plan(file) == nil { isClean = false }
    guard isClean else { return .badInput }
    let count = arguments.operands.count
    flow.world.output("\(count) \(count == 1 ? "scenario" : "scenarios") checked, no mistakes\n")
    return .passed
  }
}

extension FlowCommand {
  /// The plan of a scenario file; nil after its problems were printed.
  func plan(_ file: String) -> Plan? {
    var source: ScenarioSource?
    do throws(ScenarioError) {
      let read = try ScenarioSource(reading: file)
      source = read
      return try ScenarioLoader(registry: registry).plan(read)
    } catch {
      print(error.diagnostics, quoting: source.map { [$0.file: $0.bytes] } ?? [:])
      return nil
    }
  }

  /// Prints problems to standard error, with the lines that they are about.
  func print(_ diagnostics: [Diagnostic], quoting sources: [String: [UInt8]]) {
    world.errorOutput(DiagnosticRenderer(sources: sources).render(diagnostics))
  }
}
