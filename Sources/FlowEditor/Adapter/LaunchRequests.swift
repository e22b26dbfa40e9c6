internal import FlowCore
internal import FlowPlan
internal import FlowSystem
internal import FlowTranscript

/// The arguments of a launch.
package struct LaunchArguments: Sendable {
  /// The path of a scenario, a transcript or a journal.
  package private(set) var program = ""
  /// The path of the recording, or nil for the one beside the scenario.
  package private(set) var recording: String?
  /// True to run live, although there is a recording.
  package private(set) var isLive = false
  /// True to stop before the first step.
  package private(set) var stopsOnEntry = true
  /// True to run without stops.
  package private(set) var isWithoutDebugging = false
  /// The values of inputs, by their names.
  package private(set) var inputs: [(name: String, text: String)] = []

  init() {}

  /// Reads the arguments, and takes the paths in them.
  init(_ arguments: JSON, _ paths: inout ClientPaths) throws(AdapterError) {
    program = try arguments.wantedText("program").map { paths.take($0) } ?? ""
    recording = try arguments.wantedText("recording").map { paths.take($0) }
    isLive = try arguments.wantedTruth("live") ?? false
    stopsOnEntry = try arguments.wantedTruth("stopOnEntry") ?? true
    isWithoutDebugging = try arguments.wantedTruth("noDebug") ?? false
    let members = try arguments.wanted("inputs", \.objectMembers, "an object") ?? []
    inputs = members.map { ($0.name, $0.value.string ?? $0.value.text) }
  }
}

extension DebugAdapter {
  func initialize(_ request: AdapterRequest) throws(AdapterError) {
    firstLine = try request.arguments.wantedTruth("linesStartAt1") == false ? 0 : 1
    firstColumn = try request.arguments.wantedTruth("columnsStartAt1") == false ? 0 : 1
    paths.areAddresses = try request.arguments.wantedText("pathFormat") == "uri"
    let filter = JSON.fields([
      ("filter", .string("failed")), ("label", .string("Failed steps")), ("default", .bool(true)),
      ("description", .string("Stops at the end of a step that fails.")),
    ])
    let abilities = [
      "supportsConfigurationDoneRequest", "supportsFunctionBreakpoints",
      "supportsConditionalBreakpoints", "supportsHitConditionalBreakpoints",
      "supportsEvaluateForHovers", "supportsTerminateRequest",
      "supportsExceptionInfoRequest", "supportsBreakpointLocationsRequest", "supportsLogPoints",
    ]
    var shown: [(String, JSON?)] = [("exceptionBreakpointFilters", .array([filter]))]
    for ability in abilities { shown.append((ability, .bool(true))) }
    output.respond(to: request, .fields(shown))
    // The configuration may come before the launch, and for some clients must.
    output.event("initialized")
  }

  func launch(_ request: AdapterRequest) async throws(AdapterError) {
    guard session == nil else { throw AdapterError("a run was launched already") }
    let arguments = try LaunchArguments(request.arguments, &paths)
    guard !arguments.program.isEmpty else {
      throw AdapterError("'program' is missing: the path of a scenario or of a recording")
    }
    let session = try loaded(arguments)
    (self.session, launched) = (session, arguments)
    session.stopsAtFailures = stopsAtFailures && !arguments.isWithoutDebugging
    session.log = log
    listen(to: session)
    output.respond(to: request)
    tellAbilities(of: session)
    placeAsked(in: session)
    if isConfigured { await begin(session) }
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
    guard !isConfigured else { throw AdapterError("the configuration is done already") }
    isConfigured = true
    output.respond(to: request)
    if let session { await begin(session) }
  }

  /// Starts the run of a launch whose configuration is done.
  private func begin(_ session: DebugSession) async {
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
    session.logHere()
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
