internal import FlowCore
internal import FlowScenario

extension Command {
  /// `flow check PATH...`.
  static let check = Command(
    syntax: CommandSyntax(
      name: "check", summary: "Finds the mistakes of scenarios without running them.",
      operands: .many("PATH"),
      options: [
        Option(
          name: "format", value: .required("FORMAT"),
          summary: "text, or json or sarif for machines, to standard output."),
        Option(name: "strict", value: .none, summary: "Takes warnings for errors."),
      ],
      details: """
        A PATH is a scenario, or a folder whose scenarios are checked.

        Prints every mistake with file, line and column, and where a name is unknown what it may mean.
        Exits with 0 when all scenarios can run, with 65 when one cannot. 'flow explain CODE' tells more
        about a mistake.
        """)
  ) { (flow, arguments) throws(UsageError) in
    let name = arguments.values("format").last ?? "text"
    guard let format = DiagnosticFormat(rawValue: name) else {
      throw .malformed(option: "format", value: name, expected: "text, json or sarif")
    }
    guard let project = flow.project(around: arguments.operands[0]) else { return .badInput }
    flow.redactor.use(project.file?.patterns ?? [])
    let excluded = (project.file?.exclude ?? []).map { project.path($0.value) }
    let files: [FoundFile]
    do throws(FileError) {
      files = try flow.files(at: arguments.operands, excluding: excluded)
    } catch {
      flow.world.errorOutput("flow: \(error)\n")
      return .badInput
    }
    let found = files.compactMap(flow.diagnostics)
    if found.isEmpty { throw .noScenario(in: arguments.operands) }
    return flow.tell(found, format, isStrict: arguments.has("strict"))
  }
}

extension FlowCommand {
  /// How many problems of one file are shown.
  private static let mostShown = 100

  /// The files that are named, and those in the folders that are, each once.
  fileprivate func files(
    at paths: [String], excluding excluded: [String]
  ) throws(FileError) -> [FoundFile] {
    let finder = ScenarioFinder(excluding: excluded)
    var (files, known): ([FoundFile], Set<[UInt8]>) = ([], [])
    for path in paths {
      let found = try finder.files(at: [path])
      tell(of: found.projects, "checked")
      files += found.files.filter { known.insert(Array($0.fullPath.utf8)).inserted }
    }
    return files
  }

  /// Tells which folders are projects of their own, and what is not done with them.
  func tell(of projects: [String], _ action: String) {
    for project in projects {
      let name = Value.onOneLine(project)
      world.errorOutput(
        "note: '\(name)' is a project of its own and is not \(action) with this one\n")
    }
  }

  /// Prints what was found in each file.
  fileprivate func tell(
    _ files: [[Diagnostic]], _ format: DiagnosticFormat, isStrict: Bool
  ) -> ExitCode {
    let diagnostics = Array(files.joined())
    let isClean = !diagnostics.contains { isStrict || $0.severity == .error }
    if let document = format.document(of: diagnostics, redactor) {
      write(document)
      return isClean ? .passed : .badInput
    }
    print(diagnostics)
    guard isClean else { return .badInput }
    let count = "\(files.count) \(files.count == 1 ? "scenario" : "scenarios") checked"
    let warnings = diagnostics.count
    let found =
      switch warnings {
      case 0: "no mistakes"
      case 1: "1 warning"
      default: "\(warnings) warnings"
      }
    world.output("\(count), \(found)\n")
    return .passed
  }

  /// What is wrong with a file; nil for one that was found in a folder and is not a scenario.
  fileprivate func diagnostics(of file: FoundFile) -> [Diagnostic]? {
    do throws(ScenarioError) {
      let source = try ScenarioSource(reading: file.path)
      do throws(ScenarioError) {
        return try ScenarioLoader(registry: registry)
          .check(source, hidingSecretsBy: redactor)
      } catch {
        guard file.isMeant(source) else { return nil }
        throw error
      }
    } catch {
      return error.diagnostics
    }
  }

  /// The plan of a scenario file; nil after its problems were printed.
  func plan(_ file: String) -> Plan? {
    guard hidePatterns(around: file) else { return nil }
    do throws(ScenarioError) {
      return try ScenarioLoader(registry: registry).plan(try ScenarioSource(reading: file))
    } catch {
      error.hideSecrets(by: redactor)
      print(error.diagnostics)
      return nil
    }
  }

  /// Prints problems to standard error in their order, with the lines of scenarios they are about.
  ///
  /// A file with more than 100 problems has another one behind them, so the rest is counted.
  func print(_ diagnostics: [Diagnostic], isQuoting: Bool = true) {
    var sources: [String: [UInt8]] = [:]
    for file in Set(diagnostics.compactMap { $0.span?.file }) where isQuoting {
      // A file that cannot be read again is not quoted.
      let bytes = try? FileSystem.contents(of: file, limit: ScenarioSource.largest)
      // First in UTF-8, in which the redactor looks for secrets, too.
      sources[file] = bytes.map(SourceText.utf8).map(redactor.masked)
    }
    let renderer = DiagnosticRenderer(sources: sources)
    var counts: [String?: Int] = [:]
    var text = ""
    for diagnostic in diagnostics {
      counts[diagnostic.span?.file, default: 0] += 1
      guard counts[diagnostic.span?.file, default: 0] <= Self.mostShown else { continue }
      text += renderer.render(diagnostic.redacted(by: redactor))
    }
    world.errorOutput(text)
    noteRest(counts)
  }

  /// Says how many problems of each file were not shown, in the order of the files.
  private func noteRest(_ counts: [String?: Int]) {
    let files = counts.filter { $0.value > Self.mostShown }.sorted {
      ($0.key ?? "") < ($1.key ?? "")
    }
    note(
      files.map { file, count in
        "\(file.map { "\($0): " } ?? "")\(count - Self.mostShown) further problems are not shown"
      })
  }

  /// Prints notes to standard error, a line for each whatever they hold.
  func note(_ notes: [String]) {
    world.errorOutput(notes.map { "note: \(Value.onOneLine($0))\n" }.joined())
  }
}
