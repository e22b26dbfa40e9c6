internal import FlowCore
internal import FlowScenario
internal import FlowTranscript

extension Command {
  /// `flow mutate SCENARIO`.
  static let mutate = Command(
    syntax: CommandSyntax(
      name: "mutate", summary: "Finds recorded values that a scenario does not test.",
      operands: .one("SCENARIO"),
      options: [
        Option(
          name: "transcript", value: .required("PATH"),
          summary: "The transcript; unless given, the one beside the scenario."),
        Option(
          name: "limit", value: .required("N"),
          summary: "Tries at most N changes; 10000 unless given."),
        Option(
          name: "threshold", value: .required("PERCENT"),
          summary: "Exits with 1 when less is noticed, 0 to 100."),
        Option(
          name: "jobs", value: .required("N"),
          summary: "Tries so many at once; one for each core unless given."),
        Option(
          name: "format", value: .required("FORMAT"),
          summary: "text, or json for machines; to standard output."),
      ],
      details: """
        Changes one recorded answer at a time, replays the scenario, and tells which changes no expectation
        and no assertion noticed. A change is noticed when the scenario fails, or asks for another call;
        what only went on to a later call or to an output of the scenario is told as such.

          flow mutate shop.yaml --threshold 80
        """)
  ) { (flow, arguments) throws(UsageError) in
    await flow.mutate(arguments.operands[0], try MutateOptions(arguments))
  }
}

/// The options of `flow mutate`, read.
private struct MutateOptions {
  let transcript: String?
  var limit = 10_000
  var threshold: Int?
  var jobs = FileSystem.coreCount
  var isJSON = false

  init(_ arguments: ParsedArguments) throws(UsageError) {
    transcript = try arguments.only("transcript")
    if let limit = try Self.number("limit", 1...10_000_000, arguments) { self.limit = limit }
    threshold = try Self.number("threshold", 0...100, arguments)
    if let jobs = try Self.number("jobs", 1...1_000, arguments) { self.jobs = jobs }
    let format = try arguments.only("format") ?? "text"
    guard format == "text" || format == "json" else {
      throw .malformed(option: "format", value: format, expected: "text or json")
    }
    isJSON = format == "json"
  }

  private static func number(
    _ option: String, _ range: ClosedRange<Int>, _ arguments: ParsedArguments
  ) throws(UsageError) -> Int? {
    guard let text = try arguments.only(option) else { return nil }
    if let number = Int(text), range.contains(number) { return number }
    throw .malformed(
      option: option, value: text,
      expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
  }
}

extension FlowCommand {
  fileprivate func mutate(_ file: String, _ options: MutateOptions) async -> ExitCode {
    guard let plan = plan(file) else { return .badInput }
    let path = options.transcript ?? Path.transcript(of: file)
    do throws(TranscriptError) {
      let transcript = try TranscriptReader.read(path)
      let inputs = try transcript.header.inputValues(for: plan, file: path)
      let replay = MutatedReplay(transcript, plan: plan, inputs: inputs)
      guard let mutations = await replay.mutations() else {
        world.errorOutput(
          "flow: '\(path)' does not replay as it is; 'flow replay \(path)' says why\n")
        return .badInput
      }
      return await mutate(replay, mutations, file, options)
    } catch {
      print([error.diagnostic], isQuoting: false)
      return .badInput
    }
  }

  private func mutate(
    _ replay: MutatedReplay, _ mutations: [Mutation], _ file: String, _ options: MutateOptions
  ) async -> ExitCode {
    var report = MutationReport(scenario: file, all: mutations.count)
    await Jobs(limit: options.jobs).run(
      Array(mutations.prefix(options.limit)), work: { ($0, await replay.effect(of: $0)) },
      receive: { report.add($0.0, $0.1) })
    world.output(options.isJSON ? report.json : report.text)
    guard let threshold = options.threshold, report.score < threshold else { return .passed }
    world.errorOutput("flow: \(report.score) % is less than the threshold of \(threshold) %\n")
    return .failed
  }
}
