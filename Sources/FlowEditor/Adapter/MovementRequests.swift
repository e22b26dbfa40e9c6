internal import FlowCore
internal import FlowRedaction
internal import FlowSystem

extension DebugAdapter {
  func move(_ move: DebugSession.Move, _ request: AdapterRequest) async throws(AdapterError) {
    let session = try stoppedSession()
    if session.isLive, [.back, .reverse].contains(move) {
      throw AdapterError("a live run cannot go back")
    }
    output.respond(
      to: request, move == .run ? .fields([("allThreadsContinued", .bool(true))]) : nil)
    if session.place == .end, ![.back, .reverse].contains(move) { return ended(session) }
    handles = VariableHandles()
    if let reason = session.move(move) { stopped(reason, session) }
  }

  func pause(_ request: AdapterRequest) throws(AdapterError) {
    let session = try launchedSession()
    session.control.pause()
    output.respond(to: request)
  }

  func again(_ request: AdapterRequest) throws(AdapterError) {
    let session = try stoppedSession()
    guard session.again() else {
      throw AdapterError("only a step of a live run that has just ended can be run again")
    }
    handles = VariableHandles()
    output.respond(to: request)
  }

  /// Goes on live from the present step of a recording, which the client has to ask for.
  func goOnLive(_ request: AdapterRequest) throws(AdapterError) {
    try goOnLive()
    output.respond(to: request)
  }

  func goOnLive() throws(AdapterError) {
    let session = try stoppedSession()
    guard !session.isLive, session.goOnLive() else {
      throw AdapterError("only a recorded run goes on live, from one of its steps")
    }
    handles = VariableHandles()
    tellAbilities(of: session)
    continued()
  }

  /// Tells that the run goes on by a request that does not say so itself.
  func continued() {
    output.event(
      "continued",
      .fields(["threadId": .int(Self.thread), "allThreadsContinued": .bool(true)]))
  }

  /// Takes news of the live run.
  func take(_ news: DebugNews) {
    guard let session else { return }
    if isTerminating, case .stopped = news { return }
    handles = VariableHandles()
    let reason = session.take(news)
    if session.place == .end { return ended(session) }
    stopped(reason == .step && self.reason == .entry ? .entry : reason, session)
  }

  /// Tells the client a stop.
  func stopped(_ reason: StopReason, _ session: DebugSession) {
    self.reason = reason
    handles = VariableHandles()
    showLog(of: session)
    if reason == .end { showEnd(of: session) }
    if reason == .failure { for problem in failures(session) { output.show(problem, "stderr") } }
    var fields: [(String, JSON?)] = [
      ("reason", .string(reason.name)), ("threadId", .int(Self.thread)),
      ("allThreadsStopped", .bool(true)),
    ]
    switch reason {
    case .breakpoint(let number): fields.append(("hitBreakpointIds", .array([.int(number)])))
    case .failure:
      fields.append(("description", .string("failed step")))
      fields.append(("text", failures(session).first.map(JSON.string)))
    case .end: fields.append(("description", .string("end of the recording")))
    case .entry, .step, .pause: break
    }
    output.event("stopped", .fields(fields))
    // The next movement is one of a run that has begun.
    if reason == .entry { self.reason = .step }
  }

  /// The problems at the present place.
  func failures(_ session: DebugSession) -> [String] {
    let problems = session.moment.map { session.timeline.moments[$0].problems } ?? []
    return problems.map { redactor.redacted($0.line) }
  }

  /// Shows the messages of the log points that a recorded run has passed.
  private func showLog(of session: DebugSession) {
    for message in session.logged { output.show(message) }
    session.logged = []
  }

  private func showEnd(of session: DebugSession) {
    guard let end = session.end else { return }
    let shown = Set(session.timeline.moments.flatMap(\.problems))
    for problem in end.problems where !shown.contains(problem) {
      output.show(problem.line, "stderr")
    }
    output.show("the run has ended: \(end.passed ? "passed" : "failed")")
  }

  /// Tells the end of the session's run, that of a recording is shown at its last stop.
  func ended(_ session: DebugSession) {
    if session.isLive || launched.isWithoutDebugging { showEnd(of: session) }
    output.event("exited", .fields([("exitCode", .int(session.end?.passed == true ? 0 : 1))]))
    terminate()
  }
}

extension StopReason {
  /// The name of the reason in the protocol.
  fileprivate var name: String {
    switch self {
    case .entry: "entry"
    case .step, .end: "step"
    case .breakpoint: "breakpoint"
    case .failure: "exception"
    case .pause: "pause"
    }
  }
}
