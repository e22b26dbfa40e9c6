internal import FlowCore
internal import FlowEngine
internal import FlowImport
internal import FlowPlan
internal import FlowRedaction
internal import FlowReport
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

/// A scenario by use: what people and browsers send to a service becomes its steps.
struct Capture: Sendable {
  let flow: CommandContext
  /// The path of the new scenario.
  let file: String
  let scenario: CaptureScenario
  /// The names of credentials that the scenario may show.
  let shown: Set<String>
  let secrets: GivenSecrets

  /// Captures until Ctrl-C, writes the scenario, and records it with the service started anew.
  func run() async throws(UsageError) -> ExitCode {
    for path in [file, Path.transcript(of: file)] where FileSystem.isOccupied(path) {
      flow.process.say("'\(path)' exists; '--file' names another")
      return .cannotWrite
    }
    guard let plan = plan(scenario.waiting) else { return .badInput }
    let (report, captured) = await wait(plan)
    let session = captured.session(
      of: scenario.service, at: "http://127.0.0.1:\(scenario.port)")
    guard session.count > 0 else {
      let reasons = report.diagnostics.filter { $0.code != .cancelled }
      flow.say(unplaced: reasons)
      if reasons.isEmpty { flow.process.say("no request came, so nothing is written") }
      return .failed
    }
    sayLeftOut(session)
    do {
      return try await write(
        session.text, session.count, hasUpstreams: captured.otherCount > 0)
    } catch let error as ImportError {
      flow.process.say(error.message)
      return .badInput
    } catch {
      return flow.code(after: error)
    }
  }

  private func sayLeftOut(_ session: CapturedExchanges.Session) {
    let requests = { (count: Int) in count == 1 ? "1 request" : "\(count) requests" }
    if session.parts > 0 {
      flow.process.say(
        "left out \(requests(session.parts)) for pictures, fonts, styles and scripts of pages",
        as: .note)
    }
    if session.excess > 0 {
      flow.process.say(
        "left out the last \(requests(session.excess)): the capture was full", as: .note)
    }
  }

  /// Passes requests on until the run is cancelled.
  private func wait(_ plan: Plan) async -> (RunReport, CapturedExchanges) {
    var options = Session.Options()
    options.redactor = flow.runRedactor()
    options.secret = { secrets.value($0) }
    options.log = { [flow] in flow.process.say("\($0.path): \($1)", as: .note) }
    let notice = ReadyNotice { [flow, scenario] in
      flow.process.output(
        "use the service at http://127.0.0.1:\(scenario.port), and end the capture by Ctrl-C\n")
    }
    let session = Session(of: plan, sinks: [notice], options: options)
    let captured = CapturedExchanges(before: CaptureScenario.front, session.live())
    let report = await flow.interruptibly {
      await session.run(inputs: [], through: captured)
    }.value
    return (report, captured)
  }

  private func plan(_ text: String) -> Plan? {
    var flow = flow
    flow.input = ScenarioSource(file: file, bytes: Array(text.utf8))
    return flow.plan(file, running: .all)
  }

  // MARK: - The scenario

  /// Records the captured requests twice, since what differs between two runs is volatile.
  private func write(
    _ session: String, _ count: Int, hasUpstreams: Bool
  ) async throws -> ExitCode {
    var steps = try Import(captured: session, showing: shown)
    for note in steps.notes where !note.message.contains("--transcript") {
      flow.process.say(note.message, as: .note)
    }
    try writeFiles(of: steps)
    var text = scenario.completed(steps.scenario, hasUpstreams: hasUpstreams)
    guard let plan = plan(text) else { return .badInput }
    guard let first = try await record(plan, steps), var recording = try await record(plan, steps)
    else { return try keep(text) }
    let volatile = try first.whole(file).volatileParts(
      of: CaptureScenario.service, in: recording.whole(file), plan)
    if !volatile.isEmpty {
      steps = try Import(captured: session, showing: shown, volatile: volatile)
      text = scenario.completed(steps.scenario, hasUpstreams: hasUpstreams)
      guard let plan = self.plan(text), let third = try await record(plan, steps) else {
        return try keep(text)
      }
      recording = third
    }
    try FileSystem.append(Array(text.utf8), to: file)
    try recording.write(to: Path.transcript(of: file))
    flow.confirm("\(file): \(count) \(count == 1 ? "request" : "requests")\n")
    sayHowToTest(steps)
    return .passed
  }

  /// Writes the files that people have sent beside the scenario, unless there are others.
  private func writeFiles(of steps: Import) throws(FileError) {
    for (name, content) in steps.files.sorted(by: { $0.key < $1.key }) {
      let path = Path.joined(Path.folder(of: file), name)
      if FileSystem.isOccupied(path) {
        flow.process.say("'\(path)' exists, and is sent in place of the captured file", as: .note)
      } else {
        try FileSystem.append(Array(content.utf8), to: path)
      }
    }
  }

  /// A live service needs the secrets that are not written.
  private func sayHowToTest(_ steps: Import) {
    let names = steps.secrets.keys.sorted().filter { steps.scenario.contains("inputs.\($0)") }
    guard !names.isEmpty else { return }
    let variables = names.map { "FLOW_SECRET_\($0.uppercased())=…" }.joined(separator: " ")
    flow.process.say(
      "test it with '\(variables) flow test \(file.shellPath)'; '--show \(names.joined(separator: ","))' "
        + "writes what only a user of tests has", as: .note)
  }

  /// Writes a scenario that a second run has not passed, since nobody can send the requests again.
  private func keep(_ text: String) throws -> ExitCode {
    try FileSystem.append(Array(text.utf8), to: file)
    flow.process.say(
      "'\(file)' is written, and has no recording yet: mend it, and record it with 'flow run \(file.shellPath) --record'"
    )
    return .failed
  }

  /// Runs the captured requests on the service, started anew, or returns nil after printing why not.
  private func record(_ plan: Plan, _ steps: Import) async throws -> Recording? {
    let texts = plan.inputs.compactMap { input in
      steps.secrets[input.name].map { (name: input.name, text: $0) }
    }
    let inputs = try plan.inputValues(texts: texts, file: nil)
    plan.hideSecrets(inputs: inputs, by: flow.redactor)
    let (run, wasInterrupted) = await flow.interruptibly { [flow, secrets] in
      await TestRun.live(plan, inputs: inputs, seed: 0, hiding: secrets, flow)
    }
    if wasInterrupted { return nil }
    flow.print(run.diagnostics)
    return run.passed ? run.recording : nil
  }
}

/// Says when the port of a capture is open.
private struct ReadyNotice: EventSink {
  let say: @Sendable () -> Void

  func receive(_ event: Event) {
    guard case .completed(let invocation, .answer) = event,
      invocation.name == "\(CaptureScenario.front).address"
    else { return }
    say()
  }
}
