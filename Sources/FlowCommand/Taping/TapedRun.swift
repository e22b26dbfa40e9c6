internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowRedaction
internal import FlowReport
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

/// A command on the recorded answers of the servers that it asks.
struct TapedRun: Sendable {
  let flow: CommandContext
  /// The path of the scenario.
  let file: String
  /// The command with its arguments, empty for that of the scenario.
  let command: [String]
  let options: TapeOptions
  /// The streams for the command.
  private let foreground = Foreground()
  private let trace = TapeTrace()
  /// True if the scenario exists.
  private let isWritten: Bool

  init(_ flow: CommandContext, _ file: String, _ command: [String], _ options: TapeOptions) {
    var flow = flow
    // Standard output is the command's alone.
    flow.process.output = flow.process.errorOutput
    (self.flow, self.file, self.command, self.options) = (flow, file, command, options)
    isWritten = FileSystem.isOccupied(file)
  }

  private var transcript: String { Path.transcript(of: file) }
  /// The scenario of a new tape.
  private var newScenario: [UInt8] {
    Array(TapeScenario.text(of: command, direct: options.direct, mcp: options.mcp).utf8)
  }

  /// Records or replays, and returns the code of the command, or else that of flow.
  func run() async throws(UsageError) -> ExitCode {
    guard isWritten || !command.isEmpty else { throw .missingOperand("COMMAND") }
    let records = options.updates || !isWritten || !FileSystem.isOccupied(transcript)
    if records, flow.process.isCI { return refuseInCI() }
    guard let plan = plan(records: records) else { return .badInput }
    do {
      try checkOutputs(records: records)
      let code = records ? try await record(plan) : try await replay(plan)
      return try finished(code, records: records)
    } catch {
      return flow.code(after: error)
    }
  }

  /// Refuses places that cannot be written before the command runs, whose requests may have effects.
  private func checkOutputs(records: Bool) throws(FileError) {
    for path in (records ? [transcript] : []) + [options.receipt].compactMap(\.self) {
      try OutputFile(replacing: path, followsLinks: false, isPrivate: false).discard()
    }
  }

  /// Refuses to record for a machine: nobody would look at the recording.
  private func refuseInCI() -> ExitCode {
    let what = options.updates ? "'--update' records" : "there is no recording of '\(file)'"
    flow.process.say(
      "CI is set, and \(what): record on your machine, and commit '\(file)' and "
        + "'\(transcript)'")
    return .failed
  }

  private func plan(records: Bool) -> Plan? {
    var flow = flow
    if !isWritten { flow.input = ScenarioSource(file: file, bytes: newScenario) }
    guard let plan = flow.plan(file, running: records ? .all : LiveComponents.none) else {
      return nil
    }
    guard command.isEmpty || plan.inputs.contains(where: { $0.name == TapeScenario.command }) else {
      flow.process.say(
        "'\(file)' has no input '\(TapeScenario.command)', so it is no tape; '--file' names another"
      )
      return nil
    }
    return plan
  }

  // MARK: - Recording

  private func record(_ plan: Plan) async throws -> ExitCode {
    let old =
      isWritten && FileSystem.isOccupied(transcript)
      ? try TranscriptReader.read(transcript, allowsPipe: false) : nil
    let inputs = try inputs(of: plan, old)
    let (run, wasInterrupted) = await live(plan, inputs)
    if wasInterrupted { return .interrupted }
    guard run.passed || hasEndedBadly(run), !trace.requests.isEmpty, var recording = run.recording
    else { return unrecorded(run) }
    if let old {
      recording = recording.replacingScopes(of: old).keeping(old, of: plan, flow.redactor)
    }
    guard try await replays(recording, plan) else { return .failed }
    if !isWritten { try FileSystem.append(newScenario, to: file) }
    try recording.write(to: transcript)
    tell(recording, isNew: old == nil)
    return options.isTwice ? try await propose(plan, inputs, recording) : .passed
  }

  private func tell(_ recording: Recording, isNew: Bool) {
    for note in [recording.warning, recording.shownSecrets].compactMap(\.self) {
      flow.process.say(note, as: .note)
    }
    flow.confirm("\(file): \(trace.requests.summary)\(isNew ? "" : " recorded again")\n")
    flow.note(trace.requests.problems)
    if let status = foreground.status, status != 0 {
      flow.process.say(
        "the command ended with \(status), so 'flow test' fails until it passes", as: .note)
    }
  }

  /// Returns true for a run in which nothing failed but the command, after it had asked servers.
  ///
  /// Many suites have a test that fails, and the recording of the others is of use.
  private func hasEndedBadly(_ run: TestRun) -> Bool {
    guard let status = foreground.status, status != 0, !trace.requests.isEmpty else { return false }
    return run.diagnostics.allSatisfy { $0.code == .unexpectedAnswer }
  }

  private func live(
    _ plan: Plan, _ inputs: [Value]
  ) async -> (TestRun, wasInterrupted: Bool) {
    await flow.interruptibly { [self] in
      await TestRun.live(
        plan, inputs: inputs, seed: 0, hiding: options.secrets, flow, sinks: [trace],
        foreground: foreground)
    }
  }

  /// Returns true if a recording replays, as it would the next time.
  private func replays(_ recording: Recording, _ plan: Plan) async throws -> Bool {
    let transcript = try recording.whole(file)
    let inputs = try transcript.header.inputValues(for: plan, file: file)
    let run = await TestRun.replay(transcript, of: plan, inputs: inputs, flow, acceptance: nil)
    if !run.asksTheSame { flow.print(run.diagnostics) }
    return run.asksTheSame
  }

  /// Runs the command again, and prints what to declare as varying.
  private func propose(
    _ plan: Plan, _ inputs: [Value], _ first: Recording
  ) async throws -> ExitCode {
    let (run, wasInterrupted) = await live(plan, inputs)
    if wasInterrupted { return .interrupted }
    guard run.passed, let second = run.recording else { return unrecorded(run) }
    flow.process.output(try Proposal(first.whole(file), second.whole(file), of: plan).text)
    return .passed
  }

  // MARK: - Replaying

  private func replay(_ plan: Plan) async throws -> ExitCode {
    let transcript = try TranscriptReader.read(transcript, allowsPipe: false)
    let inputs = try inputs(of: plan, transcript)
    let live = LiveComponents.none.names(in: plan)
    let (run, wasInterrupted) = await flow.interruptibly { [self] in
      await TestRun.replay(
        transcript, of: plan, inputs: inputs, flow, acceptance: acceptance, sinks: [trace],
        live: live, isSameScenario: true, hiding: options.secrets, checksSources: true,
        foreground: foreground)
    }
    if wasInterrupted { return .interrupted }
    let isMended = !transcript.passed && run.isMended
    guard run.passed || isMended || hasEndedBadly(run) else {
      return failed(run)
    }
    if isMended {
      flow.note([
        "the command passes now, and the recorded one failed; record again with '\(acceptance)'"
      ])
    }
    flow.confirm("\(file): \(trace.requests.countText) served, no server asked\n")
    return .passed
  }

  /// The command that records again what has changed.
  private var acceptance: String {
    let option = file == TapeOptions.usualFile ? "" : " --file \(file.shellPath)"
    let words = command.map(\.shellWord).joined(separator: " ")
    return "flow tape\(option) --update" + (command.isEmpty ? "" : " -- \(words)")
  }

  // MARK: - Ends

  /// The inputs of a run: the given command, and otherwise those of the recording or the defaults.
  private func inputs(of plan: Plan, _ recorded: Transcript?) throws -> [Value] {
    let values =
      try recorded?.header.inputValues(for: plan, file: file) ?? plan.inputValues(texts: [])
    if command.isEmpty { return values }
    return zip(plan.inputs, values).map { input, value in
      input.name == TapeScenario.command ? .list(command.map(Value.string)) : value
    }
  }

  private static let clients =
    ": the command asks no server, or its clients take no proxy from HTTP_PROXY and HTTPS_PROXY"

  /// Prints why nothing is recorded.
  private func unrecorded(_ run: TestRun) -> ExitCode {
    if let status = foreground.status, trace.requests.isEmpty {
      flow.process.say(
        "no request came, so nothing is recorded" + (status == 0 ? Self.clients : ""))
      return .failed
    }
    let code = failed(run)
    flow.note(trace.requests.problems)
    flow.process.say("nothing is recorded")
    return code
  }

  /// Prints why a run failed, unless the command itself has.
  private func failed(_ run: TestRun) -> ExitCode {
    let status = foreground.status ?? 0
    let own = run.diagnostics.filter { status == 0 || $0.code != .unexpectedAnswer }
    let neverRan = foreground.status == nil && own.first?.code == .unexpectedError
    if isWritten, !neverRan { flow.print(own) } else { flow.say(unplaced: own) }
    return neverRan ? .notStarted : .failed
  }

  private func finished(_ code: ExitCode, records: Bool) throws -> ExitCode {
    if let path = options.receipt {
      let receipt = TapeReceipt(
        file: file, command: command, status: foreground.status, passed: code == .passed,
        records: records, requests: trace.requests)
      try FileSystem.replace(
        path, with: Array(receipt.text.utf8), followsLinks: true, isPrivate: false)
    }
    guard code != .interrupted, let status = foreground.status, status != 0 else { return code }
    return ExitCode(rawValue: Int32(truncatingIfNeeded: status & 0xFF))
  }
}

extension ExitCode {
  /// The command could not be started, as shells have it.
  fileprivate static let notStarted = ExitCode(rawValue: 127)
}

extension TestRun {
  /// True for a run that passes and differs from a failed one in its end, and in no request.
  fileprivate var isMended: Bool {
    report.passed && mismatches.allSatisfy(\.isAllowed)
      && difference?.calls.allSatisfy(\.address.calls.isEmpty) ?? true
  }
}
