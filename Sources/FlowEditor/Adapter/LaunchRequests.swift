internal import FlowCore
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

/// The arguments of a launch.
package struct LaunchArguments: Sendable {
  /// The path of a scenario, a transcript or a journal.
  package let program: String
  /// The path of the recording, or nil for the one beside the scenario.
  package let recording: String?
  /// True to run live, although there is a recording.
  package let isLive: Bool
  /// True to stop before the first step.
  package let stopsOnEntry: Bool
  /// True to run without stops.
  package let isWithoutDebugging: Bool
  /// The values of inputs, by their names.
  package let inputs: [(name: String, text: String)]

  init(_ arguments: JSON) {
    program = arguments["program"]?.string ?? ""
    recording = arguments["recording"]?.string
    isLive = arguments["live"]?.truth ?? false
    stopsOnEntry = arguments["stopOnEntry"]?.truth ?? true
    isWithoutDebugging = arguments["noDebug"]?.truth ?? false
    guard case .object(let members)? = arguments["inputs"] else {
      inputs = []
      return
    }
    inputs = members.map { ($0.name, $0.value.string ?? $0.value.text) }
  }
}

extension DebugAdapter {
  func initialize(_ request: AdapterRequest) {
    firstLine = request.arguments["linesStartAt1"]?.truth == false ? 0 : 1
    firstColumn = request.arguments["columnsStartAt1"]?.truth == false ? 0 : 1
    let filter = JSON.fields([
      ("filter", .string("failed")), ("label", .string("Failed steps")), ("default", .bool(true)),
      ("description", .string("Stops at the end of a step that fails.")),
    ])
    let abilities = [
      "supportsConfigurationDoneRequest", "supportsFunctionBreakpoints",
      "supportsConditionalBreakpoints", "supportsHitConditionalBreakpoints",
      "supportsEvaluateForHovers", "supportsTerminateRequest",
      "supportsExceptionInfoRequest", "supportsBreakpointLocationsRequest",
    ]
    var shown: [(String, JSON?)] = [("exceptionBreakpointFilters", .array([filter]))]
    for ability in abilities { shown.append((ability, .bool(true))) }
    output.respond(to: request, .fields(shown))
  }

  func launch(_ request: AdapterRequest) async throws(AdapterError) {
    guard session == nil else { throw AdapterError("a run was launched already") }
    let arguments = LaunchArguments(request.arguments)
    guard !arguments.program.isEmpty else {
      throw AdapterError("'program' is missing: the path of a scenario or of a recording")
    }
    let session = try loaded(arguments)
    (self.session, launched) = (session, arguments)
    session.stopsAtFailures = !arguments.isWithoutDebugging
    listen(to: session)
    output.respond(to: request)
    tellAbilities(of: session)
    output.event("initialized")
  }

  /// Tells that a recording goes back, and that a live run can repeat a step.
  func tellAbilities(of session: DebugSession) {
    let isRecorded = session.target.recording != nil && !session.isLive
    let abilities = JSON.fields([
      ("supportsStepBack", .bool(isRecorded)), ("supportsRestartFrame", .bool(!isRecorded)),
    ])
    output.event("capabilities", .fields([("capabilities", abilities)]))
  }

  private func loaded(_ arguments: LaunchArguments) throws(AdapterError) -> DebugSession {
    do {
      return try DebugSession(try makeTarget(arguments, log), redactor)
    } catch let error as ScenarioError {
      for problem in error.diagnostics { output.show(problem.line, "stderr") }
      throw AdapterError(error.diagnostics.first?.line ?? "the scenario has mistakes")
    } catch {
      throw AdapterError((error as? TranscriptError)?.diagnostic.line ?? "\(error)")
    }
  }

  func configure(_ request: AdapterRequest) async throws(AdapterError) {
    let session = try launchedSession()
    guard !isConfigured else { throw AdapterError("the configuration is done already") }
    isConfigured = true
    output.respond(to: request)
    let stopsOnEntry = launched.stopsOnEntry && !launched.isWithoutDebugging
    guard session.target.recording != nil else {
      reason = .entry
      return session.start(stopsOnEntry: stopsOnEntry)
    }
    await session.replay()
    if launched.isWithoutDebugging {
      session.place = .end
      return ended(session)
    }
    if stopsOnEntry || session.place == .end {
      stopped(session.place == .end ? .end : .entry, session)
    } else if let hit = session.reasonHere {
      stopped(hit, session)
    } else if let reason = session.move(.run) {
      stopped(reason, session)
    }
  }

  /// Ends the session, or only its run for `terminate`.
  ///
  /// The `finally` of a live run takes its time: its end is told later.
  func end(_ request: AdapterRequest) {
    output.respond(to: request)
    session?.control.cancel()
    isOver = request.command == "disconnect"
    guard !isOver, let session, session.isLive, session.end == nil else { return terminate() }
    (session.place, isTerminating) = (.running, true)
  }

  /// Tells once that the run is over.
  func terminate() {
    guard !hasTerminated, session != nil else { return }
    hasTerminated = true
    output.event("terminated")
  }
}

extension Diagnostic {
  /// The problem with its place, and its notes, on lines without the source.
  var line: String {
    let place = span.map { "\($0.file):\($0.start.line):\($0.start.column): " } ?? ""
    return ([place + "\(message) [\(code)]"] + notes.map { "  \($0)" }).joined(separator: "\n")
  }
}
