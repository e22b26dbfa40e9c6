internal import FlowCore
internal import FlowEngine
internal import FlowExplore
internal import FlowReport
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

/// What `flow explore --generate` is asked for.
struct GenerationOptions: Sendable {
  private static let outputs: [Output<GenerationReport>] = [.text, .json]

  fileprivate var generator = ScenarioGenerator.Options()
  fileprivate let output: Output<GenerationReport>

  /// The options; nil where nothing is to be generated.
  init?(
    _ arguments: ParsedArguments, _ plan: Plan, _ explorer: Explorer.Options
  ) throws(UsageError) {
    guard let names = try arguments.only("generate") else { return nil }
    for other in ["faults", "delays", "svg", "crashes"] where arguments.has(other) {
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
  /// Looks for calls after which a component is wrong.
  func generate(
    _ plan: Plan, _ inputs: [Value], _ options: GenerationOptions, _ secrets: GivenSecrets
  ) async -> ExitCode {
    let file = plan.file
    guard let bytes = try? FileSystem.contents(of: file, limit: ScenarioSource.largest),
      let frame = ScenarioFrame(
        String(decoding: SourceText.utf8(bytes), as: UTF8.self),
        name: "Found by exploring \(file.split(separator: "/").last ?? "")")
    else {
      world.errorOutput(
        "flow: '\(file.onOneLine)' must have each key on a line of its own, and its steps below 'steps:'\n"
      )
      return .badInput
    }
    var options = options
    options.generator.explorer = explorerOptions(options.generator.explorer, secrets)
    let paths = Self.generatedPaths(beside: file)
    guard let path = paths.last else { return .cannotWrite }
    let loader = ScenarioLoader(registry: registry.limited(to: permissions.network))
    let generator = ScenarioGenerator(frame, of: plan, inputs: inputs, options.generator) {
      text throws(ScenarioError) in
      try loader.plan(ScenarioSource(file: path, bytes: Array(text.utf8)))
    }
    if generator.operationNames.isEmpty {
      world.errorOutput("flow: '\(file.onOneLine)' has no operation whose inputs can be drawn\n")
      return .badInput
    }
    let (generation, wasInterrupted) = await interruptibly { await generator.generate() }
    plan.hideSecrets(inputs: inputs, by: redactor)
    let written = generation.found.flatMap { keep($0, at: paths) }
    write(
      GenerationReport(
        generation, of: file, operations: generator.operationNames, written: written),
      as: options.output)
    guard let found = generation.found else { return wasInterrupted ? .interrupted : .passed }
    print(found.run.report.diagnostics)
    return wasInterrupted ? .interrupted : written == nil ? .cannotWrite : .failed
  }

  /// `shop.generated.yaml` for `shop.yaml`, and then with numbers; all that are there, and the first that is not.
  ///
  /// What was found earlier may be a test by now, so it is not replaced.
  private static func generatedPaths(beside file: String) -> [String] {
    let stem = Path.transcript(of: file).dropLast(Path.transcriptEnding.count) + ".generated"
    var paths = ["\(stem).yaml"]
    while let last = paths.last, FileSystem.exists(last) {
      paths.append("\(stem)-\(paths.count + 1).yaml")
    }
    return paths
  }

  /// Writes what was found to the last path unless it is there already; nil after the reason why that could not be
  /// done was printed.
  private func keep(
    _ found: Generation.Found, at paths: [String]
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
      let transcript = Path.transcript(of: path)
      try FileSystem.replace(
        path, with: bytes, followsLinks: false,
        isPrivate: found.run.transcript.isPrivate)
      try write(found.run.transcript, at: transcript)
      return GenerationReport.Written(scenario: path, transcript: transcript)
    } catch {
      world.errorOutput("flow: \(error)\n")
      return nil
    }
  }
}
