package import FlowCore
package import FlowEngine
package import FlowPlan
package import FlowRedaction
internal import FlowSystem

/// The parts of a scenario that are as recorded while some components are live.
///
/// The others follow from the answers of these, such as a digest of a port. A run on altered answers
/// is compared in the steady parts.
package struct SteadyParts: Sendable {
  /// The numbers of the steps' calls with their recorded inputs, except for varied values.
  package var calls: Set<Int> = []
  /// True if the outputs are the recorded ones, except for varied values.
  package var hasSameEnd = false
}

/// A run on recorded answers, in virtual time: waiting takes none of the reader's.
package struct Replay: Sendable {
  /// The result of a replay.
  package struct Report: Sendable {
    /// The result of the run itself, whatever the recorded one was.
    package let run: RunReport
    /// The differences from the transcript, including allowed ones.
    package let mismatches: [ReplayMismatch]
    /// The differences from the recorded result.
    package let ends: [ReplayMismatch]
    /// The different calls of live components, or nil.
    package internal(set) var difference: TranscriptDifference?
    /// True if the difference is the cause of a failure without an answer, and includes it.
    package internal(set) var explainsFailure = false
    /// True if the first difference came before the run's own failures.
    package internal(set) var differsFirst = false
    /// Their allowed differences.
    package internal(set) var allowed: [TranscriptDifference.Call] = []
    /// The new recording, if components were asked for calls that the transcript did not have.
    package internal(set) var recording: Recording?
    /// The parts of the scenario that did not follow from the answers of live components.
    package internal(set) var steady = SteadyParts()
    /// A sentence about the recorded answers that were served for other inputs, or nil.
    package internal(set) var servedOtherwise: String?
    /// The reason why live components were not called, or could not be compared.
    package internal(set) var problem: Diagnostic?

    init(run: RunReport, mismatches: [ReplayMismatch], ends: [ReplayMismatch]) {
      (self.run, self.mismatches, self.ends) = (run, mismatches, ends)
    }

    /// Creates the result of a run that could not start.
    init(problem: Diagnostic?) {
      self.init(run: RunReport(), mismatches: [], ends: [])
      self.problem = problem
    }

    /// True if the scenario did what was recorded, whether the recorded run passed or failed.
    package var asksTheSame: Bool {
      mismatches.isEmpty && ends.isEmpty && problem == nil
    }

    /// True if the run passed, with the recorded result.
    package var passed: Bool {
      run.passed && ends.isEmpty && difference == nil && problem == nil
    }

    /// The problems in the order of the run, without the differences of live components.
    package var diagnostics: [Diagnostic] {
      run.diagnostics + ends.map(\.diagnostic) + (problem.map { [$0] } ?? [])
    }
  }

  private let transcript: Transcript
  private let plan: Plan
  private let options: ReplayingCaller.Options
  private let live: Live
  /// True if changed files and defaults are differences.
  private var checksSources = false

  /// The live components of a replay, and their environment.
  package struct Live: Sendable {
    /// Their names in the scenario.
    package var names: Set<String> = []
    /// Finds the secrets of the components by name.
    package var secret: @Sendable (String) -> String? = { _ in nil }
    /// The date at the start of the run.
    ///
    /// Nil means the recorded one, or the system's without one.
    package var date: Timestamp?
    /// The date of today, if the other components may be asked for reads that are not recorded, or
    /// nil.
    package var asking: Timestamp?
    /// Called before a component is asked for an answer that is not recorded.
    package var noteAsked: @Sendable (Address) -> Void = { _ in }
    /// True if the scenario, replayed without components, asks what was recorded.
    ///
    /// Then the inputs of its calls differ only where earlier answers or its own inputs do, and are not
    /// compared.
    package var isSameScenario = false
    /// The parts compared although `isSameScenario` is true, or nil for none.
    package var steady: SteadyParts?
    /// Receives their log lines.
    package var log: @Sendable (Address, String) -> Void = { _, _ in }
    /// Receives news for a person who watches the run, or nil if nobody does.
    package var watch: (@Sendable (RunNews) -> Void)?
    /// The streams of flow for a program that they start, or nil if none may have them.
    package var foreground: Foreground?
    /// The parts of components that outlive the replay, or nil if none may.
    package var kept: KeptParts?

    /// Creates no calls.
    package init() {}
  }

  /// Creates a replay.
  ///
  /// - Parameters:
  ///   - transcript: The recorded answers.
  ///   - plan: The scenario.
  ///   - allowing: The tolerated differences, which are noted and fail nothing.
  ///   - acceptance: The command that records again, shown with every difference. Nil for a
  ///     transcript that was recorded just now.
  ///   - live: The components that are not absent.
  package init(
    _ transcript: Transcript, of plan: Plan, allowing: Set<ToleratedDeparture> = [],
    acceptance: String? = "flow test --update failed", live: Live = Live()
  ) {
    self.live = live
    self.transcript = transcript
    self.plan = plan
    var options = ReplayingCaller.Options()
    options.allowed = allowing
    options.live = live.names
    options.asking = live.asking
    options.noteAsked = live.noteAsked
    options.comparesSteps = live.names.isEmpty || !live.isSameScenario
    options.steady = live.steady
    options.advice =
      acceptance.map { "if the change is intended, record again with '\($0)'" }
      ?? "it was recorded just now, so this run cannot be replayed"
    self.options = options
  }

  /// The same replay, in which changed files and defaults are differences.
  package var checkingSources: Replay {
    var copy = self
    copy.checksSources = true
    return copy
  }

  /// Runs with the values of the plan's inputs.
  ///
  /// The sinks receive the events, redacted. `gate` reads the moments of the run. `judgements`
  /// receives what its steps say of their answers.
  package func run(
    inputs: [Value], sinks: [any EventSink] = [], redactor: Redactor = Redactor(),
    gate: (any StepGate)? = nil, judgements: NotedJudgements? = nil
  ) async -> Report {
    if !live.names.isEmpty, let misfits = transcript.misfits(with: plan, live: live.names) {
      return Report(problem: misfits)
    }
    let given: [Value]
    do throws(ScenarioError) {
      given =
        try live.names.isEmpty
        ? inputs : plan.partlyLiveInputs(inputs, secret: live.secret)
    } catch {
      return Report(problem: error.diagnostics.first)
    }
    let recorder = live.names.isEmpty ? nil : Recorder(of: plan)
    // Also if nothing is hidden yet, since a scenario may pass on its first secret during the run.
    redactor.reserve(transcript.placeholderNumbers)
    let sinks = sinks + (recorder.map { [$0] } ?? [])
    var options = options(redactor)
    options.gate = gate
    if let judgements { options.noteJudgement = { judgements.note($0) } }
    let session = Session(of: plan, sinks: sinks, options: options)
    let caller = ReplayingCaller(transcript, in: session, options: callerOptions)
    caller.use(given)
    let run = await session.run(inputs: given, through: caller, pacing: caller.pacing)
    let ends = ends(
      of: run, caller,
      isCompared: self.options.comparesSteps || live.steady?.hasSameEnd == true)
    let defaults = staleDefaults(given)
    let failures = defaults.filter { !$0.isAllowed } + ends
    var report = Report(
      run: run, mismatches: defaults + caller.mismatches + ends, ends: failures)
    let isWhole = !run.failures.contains(where: \.failure.isBoundary)
    if let recorder, isWhole || !self.options.comparesSteps {
      compare(recorder.recording, caller, &report, isWhole: isWhole)
    }
    report.problem = report.problem ?? caller.inconclusive
    report.servedOtherwise = caller.servedOtherwise
    report.steady = SteadyParts(
      calls: caller.steady, hasSameEnd: self.ends(of: run, caller, isCompared: true).isEmpty)
    return report
  }

  /// The differences between the result of a run and the recorded one.
  ///
  /// A failure is reported already, and is why the end differs.
  private func ends(
    of run: RunReport, _ caller: ReplayingCaller, isCompared: Bool
  ) -> [ReplayMismatch] {
    guard run.passed, isCompared else { return [] }
    return transcript.mismatches(of: run, caller.varied, advice: options.advice)
  }

  private var callerOptions: ReplayingCaller.Options {
    var options = options
    if checksSources, !transcript.files.isEmpty {
      options.sources = StaleSources(transcript.files, in: Session.directory(of: plan))
    }
    return options
  }

  private func staleDefaults(_ inputs: [Value]) -> [ReplayMismatch] {
    guard checksSources else { return [] }
    return transcript.staleDefaults(
      in: plan, inputs: inputs, isAllowed: options.allowed.contains(.stale),
      advice: options.advice)
  }

  private func options(_ redactor: Redactor) -> Session.Options {
    var options = Session.Options()
    options.notesFiles = !live.names.isEmpty
    options.hasAlteredAnswers = transcript.isAltered
    options.files = transcript.files
    options.virtualTime = VirtualTime()
    options.seed = transcript.header.seed
    options.redactor = redactor
    options.secret = live.secret
    options.date = live.date ?? transcript.date
    options.log = live.log
    options.watch = live.watch
    options.foreground = live.foreground
    options.kept = live.kept
    return options
  }

  /// Compares the calls of live components with the transcript.
  ///
  /// `isWhole` is false for a run that failed at a call without an answer: an earlier answer may be the cause.
  private func compare(
    _ recording: Recording, _ caller: ReplayingCaller, _ report: inout Report,
    isWhole: Bool
  ) {
    let added = caller.added
    if !added.isEmpty {
      let additions = Additions(in: transcript).merging(added)
      report.recording = recording
      report.recording?.transcript = recording.transcript.map(additions.marked)
    }
    do {
      let now = try recording.whole(plan.file, isWhole: isWhole)
      var difference = difference(to: now, caller).withoutDigest
      // Calls in neither have failed the run.
      if !added.isEmpty { difference = difference.withoutAdded }
      let steps = Set(caller.mismatches.filter { !$0.isAllowed }.compactMap(\.step))
      if !steps.isEmpty { difference = difference.before(steps, in: now) }
      let (others, allowed) = difference.separating(options.allowed)
      report.allowed = allowed
      let rest = isWhole ? others.explained(by: report.run) : others
      guard isWhole ? !rest.isSameRun : !rest.calls.isEmpty else { return }
      report.difference = rest
      report.explainsFailure = !isWhole
      report.differsFirst = rest.precedes(report.run.failures.map(\.address), in: now)
    } catch {
      report.problem = error.diagnostic
    }
  }

  private func difference(to now: Transcript, _ caller: ReplayingCaller) -> TranscriptDifference {
    let isExpected = { (address: Address) in caller.isExpected(at: address) }
    guard !options.comparesSteps else {
      return TranscriptDifference(from: transcript, to: now, plan: plan, isExpected: isExpected)
        .withoutInputs
    }
    return TranscriptDifference(
      ofAnswersIn: now, from: transcript, plan: plan, live: live.names, isExpected: isExpected)
  }
}

extension Transcript {
  /// The greatest number of the placeholders of each name.
  var placeholderNumbers: [String: Int] {
    var greatest: [String: Int] = [:]
    let note = { (text: String) in
      // As nearly all texts, of which a copy would take longer than everything else here.
      guard text.utf8.contains(UInt8(ascii: "$")) else { return }
      greatest.merge(
        PlaceholderNumbers.greatest(in: Array(text.utf8)), uniquingKeysWith: max)
    }
    for input in header.inputs { input.value.visitTexts(note) }
    for line in lines {
      note(line.at)
      if case .error(let code, let message) = line.kind {
        note(code)
        note(message)
      }
      line.value?.json.visitTexts(note)
    }
    return greatest
  }

  /// The differences between the result of a replayed run and the recorded one, with advice for an
  /// intended change.
  func mismatches(
    of result: RunReport, _ varied: VariedValues, advice: String
  ) -> [ReplayMismatch] {
    guard passed == result.passed else {
      let (then, now) = passed ? ("passed", "failed") : ("failed", "passed")
      let diagnostic = Diagnostic(
        .otherEnd, "the recorded run \(then), this one \(now)", at: nil, notes: [advice])
      return [mismatch(.string(then), .string(now), diagnostic)]
    }
    var (encoder, tree, varied) = (ValueEncoder(), JSONTree(), varied)
    encoder.write(outputs: result.outputs, to: &tree)
    let outputs = tree.json
    let expected = self.outputs.matched(by: .plain(outputs), as: .dynamic).json
    if varied.isSame(expected, outputs) { return [] }
    let fields = FieldChange.between(expected, outputs).filter {
      !varied.explains($0, isGiven: true)
    }
    if fields.isEmpty { return [] }
    let diagnostic = Diagnostic(
      .otherOutputs, "the outputs have changed", at: nil, notes: fields.noteLines + [advice])
    return [mismatch(self.outputs.json, outputs, diagnostic, in: fields)]
  }

  private func mismatch(
    _ expected: JSON, _ actual: JSON, _ diagnostic: Diagnostic, in fields: [FieldChange] = []
  ) -> ReplayMismatch {
    ReplayMismatch(
      subject: .end, address: "steps", line: nil, step: nil, expected: expected, actual: actual,
      fields: fields, nearest: nil, diagnostic: diagnostic, isAllowed: false)
  }
}
