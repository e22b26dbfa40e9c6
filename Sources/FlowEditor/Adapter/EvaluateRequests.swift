internal import FlowCore
internal import FlowEngine
internal import FlowExpression
internal import FlowPlan
internal import FlowSystem

extension DebugAdapter {
  /// The longest text of a value, in characters.
  private static let longest = 4_000

  /// Evaluates an expression, in the console also the words of the terminal's debugger.
  func evaluate(_ request: AdapterRequest) async throws(AdapterError) {
    let session = try stoppedSession()
    let text = try request.arguments.wantedText("expression") ?? ""
    if request.arguments["context"]?.string == "repl",
      let answer = try await answer(to: text, session)
    {
      return respond(to: request, answer)
    }
    let frame = try frame(of: request, session)
    do throws(ValuesInSight.Problem) {
      let evaluated = try session.values(in: frame).evaluate(text)
      var members: [(String, JSON?)] = [
        ("result", .string(evaluated.value.summary(limit: Self.longest))),
        ("type", .string("\(evaluated.type)")),
      ]
      members += reference(to: evaluated.value, ValuesInSight.inner(text))
      output.respond(to: request, .fields(members))
    } catch {
      throw AdapterError(error.text)
    }
  }

  private func respond(to request: AdapterRequest, _ text: String) {
    output.respond(
      to: request, .fields([("result", .string(text)), ("variablesReference", .int(0))]))
  }

  /// The answer to `origin EXPR`, `try EXPR`, `try KEY: VALUE`, `live`, `again` or `reload`, or nil
  /// for an expression.
  private func answer(
    to text: String, _ session: DebugSession
  ) async throws(AdapterError) -> String? {
    let parts = text.trimmed.split(separator: " ", maxSplits: 1)
    let argument = parts.count == 2 ? String(parts[1]) : ""
    switch parts.first {
    case "origin" where !argument.isEmpty: return try await origins(of: argument, session)
    case "try" where !argument.isEmpty: return await session.trial(argument)
    case "live" where parts.count == 1:
      try goOnLive()
      return "going on live"
    case "again" where parts.count == 1:
      guard session.again() else { throw AdapterError("no live step has just ended") }
      handles = VariableHandles()
      continued()
      return "running the step again"
    case "reload" where parts.count == 1: return try await reload(session)
    default: return nil
    }
  }

  private func origins(
    of text: String, _ session: DebugSession
  ) async throws(AdapterError) -> String {
    do throws(ValuesInSight.Problem) {
      return try await session.origins(of: text).joined(separator: "\n")
    } catch {
      throw AdapterError(error.text)
    }
  }

  private func reload(_ session: DebugSession) async throws(AdapterError) -> String {
    guard !session.isLive else { throw AdapterError("the file of a live run stays as it is") }
    do throws(ScenarioError) { try await session.reload() } catch {
      throw AdapterError(error.diagnostics.first?.line ?? "the scenario has mistakes")
    }
    stopped(session.place == .end ? .end : .step, session)
    return "the file was read again"
  }

  func showException(_ request: AdapterRequest) throws(AdapterError) {
    let session = try stoppedSession()
    let problems = session.moment.map { session.timeline.moments[$0].problems } ?? []
    guard let first = problems.first else { throw AdapterError("no step has failed here") }
    output.respond(
      to: request,
      .fields([
        ("exceptionId", .string(first.code.name)),
        ("description", .string(failures(session).joined(separator: "\n"))),
        ("breakMode", .string("unhandled")),
      ]))
  }
}
