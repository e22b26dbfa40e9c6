internal import FlowCore
internal import FlowEngine
internal import FlowExplore
internal import FlowPlan
internal import FlowRedaction
internal import FlowReport
internal import FlowSystem
internal import FlowTranscript

extension CommandContext {
  /// Explores some components on the recorded answers of the others.
  func exploreRecorded(
    _ plan: Plan, _ options: ExploreOptions, _ secrets: GivenSecrets
  ) async -> ExitCode {
    guard let (transcript, inputs) = recorded(beside: plan) else { return .badInput }
    var options = options
    options.explorer.recorded = transcript
    options.explorer.live = options.live.names(in: plan)
    let replay = await Replay(transcript, of: plan).run(inputs: inputs, redactor: runRedactor())
    options.explorer.asksTheSame = replay.asksTheSame
    options.explorer.seed = options.seed ?? transcript.header.seed
    options.explorer.date = transcript.date ?? .epoch
    return await explore(plan, inputs: inputs, options, hiding: secrets)
  }

  func explore(
    _ plan: Plan, inputs: [Value], _ options: ExploreOptions, hiding secrets: GivenSecrets
  ) async -> ExitCode {
    let (exploration, wasInterrupted) = await withStateAlone(plan) {
      await search(plan, inputs: inputs, options.explorer, hiding: secrets)
    }
    plan.hideSecrets(inputs: inputs, by: redactor)
    if !exploration.problems.isEmpty {
      print(exploration.problems)
      let isRefused = exploration.problems.first?.code == .unmadeState
      if options.live != .none, !isRefused {
        let record = Acceptance(plan: plan, given: options.repeated.text).command.onOneLine
        process.say(
          "the transcript does not replay; record again with '\(record)'")
      }
      return .badInput
    }
    guard let found = exploration.found else {
      report(ExplorationReport(exploration, of: plan.file, recording: nil), as: options.output)
      return wasInterrupted ? .interrupted : .passed
    }
    let recording = keep(found, options, plan)
    let isDrawn = draw(found, options)
    report(ExplorationReport(exploration, of: plan.file, recording: recording), as: options.output)
    print(found.report.diagnostics)
    if wasInterrupted { return .interrupted }
    return recording == nil || !isDrawn ? .cannotWrite : .failed
  }

  /// Prints a report, and adds its numbers and the next command to the verdict.
  private func report(_ report: ExplorationReport, as output: ReportFormat<ExplorationReport>) {
    write(report, as: output)
    guard verdict.isActive else { return }
    verdict.count(report.verdictCounts)
    if let again = report.again { verdict.offer(again) }
  }

  /// Explores, and shows the progress if a person can see it.
  private func search(
    _ plan: Plan, inputs: [Value], _ options: ExplorationOptions, hiding secrets: GivenSecrets
  ) async -> (value: Exploration, wasInterrupted: Bool) {
    let latest = LatestRow()
    var options = options
    options.progress = { latest.row = $0.text }
    options.restore = restoring(plan)
    if options.restore != nil { options.jobs = 1 }
    let explorer = explorer(plan, inputs: inputs, options, hiding: secrets)
    return await search(latest) { await explorer.explore() }
  }

  /// Runs a search that Ctrl-C cancels, and shows its latest row meanwhile.
  func search<Found: Sendable>(
    _ latest: LatestRow, _ work: @escaping @Sendable () async -> Found
  ) async -> (value: Found, wasInterrupted: Bool) {
    let rows: @Sendable () -> [String] = { latest.row.map { [$0] } ?? [] }
    let display = LiveDisplay(process, rows: { _ in rows() }, places: rows)
    defer { display.end() }
    return await interruptibly(work)
  }

  /// Returns an exploration with the given secrets and the patterns of the project.
  func explorer(
    _ plan: Plan, inputs: [Value], _ options: ExplorationOptions, hiding secrets: GivenSecrets
  ) -> Explorer {
    // Inputs that do not fit were refused when they were read.
    let revealed = try? plan.partlyLiveInputs(inputs, secret: secrets.value)
    return Explorer(
      plan, inputs: options.recorded == nil ? inputs : revealed ?? inputs,
      explorerOptions(options, secrets))
  }

  /// Returns the options with the given secrets and the patterns of the project.
  func explorerOptions(_ options: ExplorationOptions, _ secrets: GivenSecrets) -> ExplorationOptions
  {
    var options = options
    options.secret = { secrets.value($0) }
    options.redactor = { [redactor] in Redactor(patternsOf: redactor) }
    return options
  }

  /// Records a failing run.
  ///
  /// Nil after printing why that failed.
  private func keep(
    _ found: ScheduledRun, _ options: ExploreOptions, _ plan: Plan
  ) -> ExplorationReport.Recording? {
    do throws(FileError) {
      let path = try keep(found.transcript, of: plan)
      let live = options.live.orAll.argument(for: plan).dropLast()
      return ExplorationReport.Recording(
        at: path, again: "flow replay \(path.shellPath) \(live)\(options.repeated.text)")
    } catch {
      // The result is worth more than its file, so the search does not fail.
      process.say("\(error)")
      return nil
    }
  }

  /// Returns true if a failing run can be drawn at the requested place, or false after printing why
  /// not.
  func canDraw(_ options: ExploreOptions) -> Bool {
    guard let drawing = options.drawing else { return true }
    do throws(FileError) {
      try OutputPlace.check(report: drawing)
      try OutputFile(replacing: drawing, isPrivate: redactor.hasSecrets).discard()
      return true
    } catch {
      process.say("the drawing was not written: \(error)")
      return false
    }
  }

  /// Draws a failing run if requested.
  ///
  /// False after printing why that failed.
  private func draw(_ found: ScheduledRun, _ options: ExploreOptions) -> Bool {
    guard let drawing = options.drawing else { return true }
    do throws(FileError) {
      try OutputPlace.check(report: drawing)
      let svg = redactor.redacted(SequenceDiagram(found.story).svg)
      try FileSystem.replace(
        drawing, with: Array(svg.utf8), followsLinks: true, isPrivate: redactor.hasSecrets)
      return true
    } catch {
      process.say("the drawing was not written: \(error)")
      return false
    }
  }

  /// Writes the transcript of a failing run next to its scenario, and returns its path.
  private func keep(_ run: Recording, of plan: Plan) throws(FileError) -> String {
    let path = String(Path.transcript(of: plan.file).dropLast(".jsonl".count)) + ".explored.jsonl"
    try run.write(to: path)
    return path
  }
}
