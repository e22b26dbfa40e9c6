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
    let path = Self.generatedPath(beside: file)
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
    let written = generation.found.flatMap { keep($0, at: path) }
    write(
      GenerationReport(
        generation, of: file, operations: generator.operationNames, written: written),
      as: options.output)
    guard let found = generation.found else { return wasInterrupted ? .interrupted : .passed }
    print(found.run.report.diagnostics)
    return wasInterrupted ? .interrupted : written == nil ? .cannotWrite : .failed
  }

  /// `shop.generated.yaml` for `shop.yaml`.
  private static func generatedPath(beside file: String) -> String {
    let transcript = Path.transcript(of: file)
    return String(transcript.dropLast(Path.transcriptEnding.count)) + ".generated.yaml"
  }

  /// Writes what was found; nil after the reason why that could not be done was printed.
  private func keep(
    _ found: Generation.Found, at path: String
  ) -> GenerationReport.Written? {
    do throws(FileError) {
      let transcript = Path.transcript(of: path)
      try FileSystem.replace(
        path, with: Array(found.text.utf8), followsLinks: false,
        isPrivate: found.run.transcript.isPrivate)
      try write(found.run.transcript, at: transcript)
      return GenerationReport.Written(scenario: path, transcript: transcript)
    } catch {
      world.errorOutput("flow: \(error)\n")
      return nil
    }
  }
}
