internal import FlowRedaction
internal import FlowReport
internal import FlowScenario
internal import FlowSystem

/// The scenarios that one process runs, of all of a suite.
struct SuitePart: Sendable {
  /// In the order in which they run.
  let scenarios: [SuiteScenario]
  /// Which one each of them is in the whole suite, from 1; in the same order.
  let numbers: [Int]
  /// How many all parts have together.
  let total: Int
  /// What all parts run, and how they are cut: two processes that agree in it have parts of one whole.
  let digest: String

  init(_ all: [SuiteScenario], of selection: TestSelection) {
    let indices = selection.part(of: all)
    scenarios = indices.map { all[$0] }
    numbers = indices.map { $0 + 1 }
    total = all.count
    let options = selection.options
    var lines = ["flow \(CommandContext.version)", "repeat \(options.repetitions)"]
    for scenario in all {
      let plan = try? scenario.plan.get()
      let known = selection.state.entries[scenario.key]?.microseconds.map(String.init)
      lines.append(
        "\(scenario.key.onOneLine)\t\(plan?.digest ?? "unreadable")\t\(known ?? "")\t"
          + (plan.map(scenario.live.argument) ?? ""))
    }
    digest = "sha256:" + SHA256(Array(lines.joined(separator: "\n").utf8)).hexadecimal
  }
}

/// Keeps what became of a part's scenarios, for the process that makes the reports of the whole suite.
struct ResultKeeper: Sendable {
  private let part: SuitePart
  private let place: ResultsPlace
  private let options: TestOptions
  private let flow: CommandContext
  private let job: GitHubJob?

  /// Nil where no results are asked for.
  init?(_ part: SuitePart, _ options: TestOptions, _ flow: CommandContext) {
    guard let place = options.results else { return nil }
    (self.part, self.place, self.options, self.flow) = (part, place, options, flow)
    job = GitHubJob(flow.process.variable)
  }

  /// Where a crash of the part leaves which of its scenarios were running.
  var running: RunningScenarios {
    RunningScenarios(
      ofPart: shard, in: Path.joined(place.folder, place.run), flow.redactor)
  }

  /// The part; one that is not cut is the whole.
  private var shard: Shard { options.shard ?? .whole }

  /// What is kept of a scenario of the part, by its index; made on the task that tested it.
  func result(of outcome: TestOutcome, _ index: Int) -> ShardResult.Scenario {
    ShardResult.Scenario(
      key: outcome.scenario.key, stored: stored(outcome.report, index), code: outcome.code,
      hasFailed: outcome.countsAsFailed,
      microseconds: outcome.report.verdict == .notRun
        ? nil : min(outcome.microseconds(options), SuiteState.longest))
  }

  /// What is kept of one that was not begun.
  func result(of skipped: ScenarioReport, _ index: Int) -> ShardResult.Scenario {
    ShardResult.Scenario(
      key: part.scenarios[index].key, stored: stored(skipped, index), code: .passed,
      hasFailed: false, microseconds: nil)
  }

  private func stored(_ report: ScenarioReport, _ index: Int) -> StoredScenario {
    StoredScenario(report, number: part.numbers[index], in: job, flow.redactor)
  }

  /// Writes the results; of a part that was interrupted there are none, so that it counts as missing.
  func write(_ scenarios: [ShardResult.Scenario], _ report: SuiteReport) -> ExitCode {
    if report.wasInterrupted {
      flow.process.say("the part was interrupted, so its results are not written")
      return .interrupted
    }
    var result = ShardResult(run: place.run, shard: shard, digest: part.digest, total: part.total)
    result.attempt = place.attempt
    result.host = FileSystem.hostName
    result.elapsed = report.elapsed
    result.scenarios = scenarios
    do throws(FileError) {
      let path = try result.write(to: place.folder, isPrivate: flow.redactor.hasSecrets)
      flow.process.say("results of the part \(shard.text) are in '\(path.onOneLine)'", as: .note)
      return .passed
    } catch {
      flow.process.say("the results were not written: \(error)")
      return .cannotWrite
    }
  }
}
