internal import FlowCore
internal import FlowReport
internal import FlowScenario
internal import FlowTranscript

extension Command {
  /// `flow mutate SCENARIO`.
  static let mutate = Command(
    syntax: CommandSyntax(
      name: "mutate", summary: "Alters recorded answers and tells what no check notices.",
      operands: .one("SCENARIO"),
      options: [
        Option(
          name: "limit", value: .required("N"),
          summary: "How many alterations are tried; 10000 unless given."),
        Option(
          name: "threshold", value: .required("PERCENT"),
          summary: "Exits with 1 when less than this is noticed."),
        Option(
          name: "all", value: .none,
          summary: "Prints every alteration that is not noticed, not the first of a kind alone."),
        ReportFormat.option,
      ],
      details: """
        Each value of each recorded answer, and each error's code, is altered by itself: a number is one more, then
        negated, a text gets a character more, a list loses its last element. The scenario is replayed each time. An
        alteration that fails no expectation, no assertion and no later call is told: nobody looks at that value.

        Exits with 0, or with 1 when --threshold is missed; 65 without a transcript that replays.

          flow mutate shop.yaml --threshold 80
        """)
  ) { (flow, arguments) throws(UsageError) in
    await flow.mutate(arguments.operands[0], try MutateOptions(arguments))
  }
}

/// The options of `flow mutate`, read.
struct MutateOptions: Sendable {
  /// How many alterations are tried.
  let limit: Int
  /// The least part of them that is to be noticed, in percent; nil for any.
  let threshold: Decimal?
  /// Whether all of a kind are printed.
  let listsAll: Bool
  let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let limit = try arguments.only("limit") ?? "10000"
    guard let number = Int(limit), 1...1_000_000 ~= number else {
      throw .malformed(
        option: "limit", value: limit, expected: "a whole number from 1 to 1000000")
    }
    self.limit = number
    threshold = try arguments.only("threshold").map { text throws(UsageError) in
      guard let percent = Decimal(text), Decimal.zero...Decimal(100) ~= percent else {
        throw .malformed(option: "threshold", value: text, expected: "a number from 0 to 100")
      }
      return percent
    }
    listsAll = arguments.has("all")
    format = try ReportFormat(arguments)
  }
}

extension FlowCommand {
  fileprivate func mutate(_ scenario: String, _ options: MutateOptions) async -> ExitCode {
    guard let plan = plan(scenario) else { return .badInput }
    let file = Path.transcript(of: scenario)
    guard FileSystem.exists(file) else {
      world.errorOutput(
        "flow: '\(scenario)' has no transcript; "
          + "'flow run \(scenario.shellWord) --record' writes one\n")
      return .badInput
    }
    do throws(TranscriptError) {
      let transcript = try TranscriptReader.read(file, allowsPipe: false)
      let inputs = try transcript.header.inputValues(for: plan, file: file)
      return await mutate(transcript, plan, inputs, options)
    } catch {
      print([error.diagnostic], isQuoting: false)
      return .badInput
    }
  }

  private func mutate(
    _ transcript: Transcript, _ plan: Plan, _ inputs: [Value], _ options: MutateOptions
  ) async -> ExitCode {
    let acceptance = MismatchFormat.acceptance(
      of: Path.transcript(of: plan.file), scenario: plan.file)
    let baseline = await TestRun.replay(transcript, plan, inputs, self, acceptance: acceptance)
    guard baseline.passed else {
      print(baseline.diagnostics)
      world.errorOutput("flow: the transcript does not replay as it is, so nothing was altered\n")
      return .badInput
    }
    let clock = ContinuousClock()
    let start = clock.now
    let trial = MutationTrial(
      transcript: transcript, plan: plan, inputs: inputs,
      redactor: { [redactor] in Redactor(patternsOf: redactor) })
    let jobs = Jobs(limit: world.coreCount)
    let alterations = Alterations(of: transcript, plan, limit: options.limit)
    let (results, wasInterrupted) = await interruptibly {
      await trial.results(of: alterations.first, jobs)
    }
    if wasInterrupted { return .interrupted }
    let report = MutationReport(
      results: results, count: alterations.count, elapsed: start.duration(to: clock.now))
    switch options.format {
    case .text: world.output(report.text(listsAll: options.listsAll))
    case .json: write(report.document(redactor))
    }
    guard let threshold = options.threshold else { return .passed }
    return report.isAtLeast(threshold) ? .passed : .failed
  }
}
