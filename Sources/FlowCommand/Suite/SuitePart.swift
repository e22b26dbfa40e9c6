internal import FlowPlan
internal import FlowRedaction
internal import FlowReport
internal import FlowScenario
internal import FlowSystem

/// The scenarios of a suite that one process runs.
struct SuitePart: Sendable {
  /// The scenarios in the order of their runs.
  let scenarios: [SuiteScenario]
  /// The position of each scenario in the whole suite, from 1, in the same order.
  let numbers: [Int]
  /// The number of scenarios in all parts.
  let total: Int
  /// The digest of the work of all parts, and of its division.
  ///
  /// Processes with the same digest run parts of the same suite.
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

/// The writer of a part's results, for the process that reports on the whole suite.
struct ResultKeeper: Sendable {
  private let part: SuitePart
  private let place: ResultsPlace
  private let options: TestOptions
  private let flow: CommandContext
  private let job: GitHubJob?

  /// Creates the writer.
  ///
  /// Nil if no results are requested.
  init?(_ part: SuitePart, _ options: TestOptions, _ flow: CommandContext) {
    guard let place = options.results else { return nil }
    (self.part, self.place, self.options, self.flow) = (part, place, options, flow)
    job = GitHubJob(flow.process.variable)
  }

  /// The file for the scenarios running at a crash of the part.
  var running: RunningScenarios {
    RunningScenarios(
      ofPart: shard, in: Path.joined(place.folder, place.run), flow.redactor)
  }

  /// The part, or the whole if the suite is not divided.
  private var shard: Shard { options.shard ?? .whole }

  /// Returns the stored result of a scenario of the part, by its index.
  ///
  /// Called on the task that tested it.
  func result(of outcome: TestOutcome, _ index: Int) -> ShardResult.Scenario {
    ShardResult.Scenario(
      key: outcome.scenario.key, stored: stored(outcome.report, index), code: outcome.code,
      hasFailed: outcome.countsAsFailed,
      microseconds: outcome.report.verdict == .notRun
        ? nil : min(outcome.microseconds(options), SuiteState.longest))
  }

  /// Returns the stored result of a scenario that was not started.
  func result(of skipped: ScenarioReport, _ index: Int) -> ShardResult.Scenario {
    ShardResult.Scenario(
      key: part.scenarios[index].key, stored: stored(skipped, index), code: .passed,
      hasFailed: false, microseconds: nil)
  }

  private func stored(_ report: ScenarioReport, _ index: Int) -> StoredScenario {
    StoredScenario(report, number: part.numbers[index], in: job, flow.redactor)
  }

  /// Writes the results, except for an interrupted part, which then counts as missing.
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
    result.coverage = report.redacted(by: flow.redactor).coverage
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
