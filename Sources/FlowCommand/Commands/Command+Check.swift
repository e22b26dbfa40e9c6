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
    do throws(ScenarioError) {
      return try ScenarioLoader(registry: registry).plan(try ScenarioSource(reading: file))
    } catch {
      print(error.diagnostics.sorted())
      return nil
    }
  }

  /// Prints problems to standard error in their order, with the lines of scenarios they are about.
  func print(_ diagnostics: [Diagnostic], isQuoting: Bool = true) {
    var sources: [String: [UInt8]] = [:]
    for file in Set(diagnostics.compactMap { $0.span?.file }) where isQuoting {
      // A file that cannot be read again is not quoted.
      sources[file] = try? FileSystem.contents(of: file, limit: ScenarioSource.largest)
    }
    let renderer = DiagnosticRenderer(sources: sources)
    world.errorOutput(diagnostics.map(renderer.render).joined())
  }
}
