internal import FlowCore
internal import FlowEngine
internal import FlowExplore
internal import FlowPlan
internal import FlowReport
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

/// The options of `flow explore --generate`.
struct GenerationOptions: Sendable {
  private static let outputs: [ReportFormat<GenerationReport>] = [.text, .json]

  fileprivate var generator = ScenarioGenerator.Options()
  fileprivate let output: ReportFormat<GenerationReport>

  /// Reads the options.
  ///
  /// Nil without `--generate`.
  init?(
    _ arguments: ParsedArguments, _ plan: Plan, _ explorer: ExplorationOptions
  ) throws(UsageError) {
    guard let names = try arguments.only("generate") else { return nil }
    let others = ["live", "faults", "silence", "duplicates", "delays", "svg", "crashes", "jobs"]
    for other in others where arguments.has(other) {
      throw .conflict(option: "generate", with: other)
    }
    output = try Self.outputs.chosen(by: arguments)
    generator.explorer = explorer
    if arguments.has("budget") { generator.budget = explorer.budget }
    if !names.isEmpty {
      let wanted = names.split(separator: ",").map(String.init)
      try plan.checkNames(wanted, of: "generate")
      generator.names = Set(wanted)
    }
  }
}

extension CommandContext {
  /// Searches for a sequence of calls that makes a component fail.
  func generate(
    _ plan: Plan, inputs: [Value], _ options: GenerationOptions, hiding secrets: GivenSecrets
  ) async -> ExitCode {
    let file = plan.file
    guard let bytes = try? FileSystem.contents(of: file, limit: ScenarioSource.largest),
      let frame = ScenarioFrame(
        String(decoding: SourceText.utf8(bytes), as: UTF8.self),
        name: "Found by exploring \(file.split(separator: "/").last ?? "")"),
      // The unchanged scenario must load before anything is called.
      (try? reading(at: file)(frame.text(with: []))) != nil
    else {
      process.say(
        "'\(file.onOneLine)' must have each key on a separate line, and its steps below 'steps:'"
      )
      return .badInput
    }
    var options = options
    options.generator.explorer = explorerOptions(options.generator.explorer, secrets)
    let paths = Self.generatedPaths(beside: file)
    guard let path = paths.last else { return .cannotWrite }
    let latest = LatestRow()
    options.generator.progress = { latest.row = $0.text }
    let generator = ScenarioGenerator(
      frame, of: plan, inputs: inputs, options.generator, plan: reading(at: path))
    let (generation, wasInterrupted) = await search(latest) { await generator.generate() }
    plan.hideSecrets(inputs: inputs, by: redactor)
    let written = generation.found.flatMap { found in
      found.run.flatMap { keep(found, $0.transcript, at: paths) }
    }
    write(GenerationReport(generation, of: file, written: written), as: options.output)
    print(generation.found?.run?.report.diagnostics ?? generation.problems)
    if wasInterrupted { return .interrupted }
    return generation.exitCode(isWritten: written != nil)
  }

  /// Returns a function that reads text as the scenario at a path.
  private func reading(
    at path: String
  ) -> @Sendable (String) throws(ScenarioError) -> Plan {
    let loader = ScenarioLoader(registry: registry.limited(to: permissions.network))
    return { text throws(ScenarioError) in
      try loader.plan(ScenarioSource(file: path, bytes: Array(text.utf8)))
    }
  }

  /// Returns `shop.generated.yaml` for `shop.yaml`, then numbered paths: all existing ones, and the
  /// first free one.
  ///
  /// An earlier result may be a test by now, so it is not replaced.
  private static func generatedPaths(beside file: String) -> [String] {
    let stem = Path.transcript(of: file).dropLast(Path.transcriptEnding.count) + ".generated"
    var paths = ["\(stem).yaml"]
    while let last = paths.last, isTaken(last) {
      paths.append("\(stem)-\(paths.count + 1).yaml")
    }
    return paths
  }

  private static func isTaken(_ path: String) -> Bool {
    FileSystem.exists(path) || FileSystem.exists(Path.transcript(of: path))
  }

  /// Writes the generated scenario and its transcript to the last path, unless an earlier file is
  /// equal.
  ///
  /// Nil after printing why that failed.
  private func keep(
    _ found: Generation.Found, _ run: Recording, at paths: [String]
  ) -> GenerationReport.Written? {
    let bytes = Array(found.text.utf8)
    let known = paths.dropLast().first {
      (try? FileSystem.contents(of: $0, limit: bytes.count)) == bytes
    }
    if let known {
      return GenerationReport.Written(
        scenario: known, transcript: Path.transcript(of: known), isKnown: true)
    }
    do throws(FileError) {
      let path = paths[paths.count - 1]
      if Self.isTaken(path) {
        // Created by someone else during the search.
        process.say("'\(path.onOneLine)' now exists and was not replaced")
        return nil
      }
      let transcript = Path.transcript(of: path)
      try FileSystem.replace(
        path, with: bytes, followsLinks: false,
        isPrivate: run.isPrivate)
      try run.write(to: transcript)
      return GenerationReport.Written(scenario: path, transcript: transcript)
    } catch {
      process.say("\(error)")
      return nil
    }
  }
}

extension Generation {
  fileprivate func exitCode(isWritten: Bool) -> ExitCode {
    if !problems.isEmpty || standstill != nil { return .failed }
    if let found { return found.run != nil && !isWritten ? .cannotWrite : .failed }
    return callable.names.isEmpty ? .badInput : .passed
  }
}
