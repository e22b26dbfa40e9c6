internal import FlowCore

/// The exchange of requests and answers between agents and the components in the roles.
struct StandInDesk: Sendable {
  let listener: Listener
  let token: String
  let unasked: Unasked

  /// The bounds of the port: an agent asks less at once than a service.
  static var limits: ListenerLimits {
    var limits = ListenerLimits()
    (limits.connections, limits.bodySize, limits.allBodiesSize) = (200, 4 << 20, 64 << 20)
    return limits
  }

  /// The most answers that are kept for the run.
  private static let mostKept = 1_000

  /// Serves the requests until the listener ends.
  func serve(_ context: Context) async {
    var kept: [String: AgentAnswer] = [:]
    await withDiscardingTaskGroup { group in
      for await request in listener.requests {
        guard let (message, role) = message(of: request, context) else { continue }
        guard message.request.isFixed else {
          group.addTask { await serve(message, by: role, request, context) }
          continue
        }
        // One after the other, so that an agent that asks twice at once has one recorded call.
        let key = "\(role.role.name) \(message.request.key)"
        if let answer = kept[key] {
          send(answer, message, to: request)
          continue
        }
        let (answer, isWhole) = await self.answer(to: message, by: role, context)
        if isWhole, kept.count < Self.mostKept { kept[key] = answer }
        send(answer, message, to: request)
      }
    }
  }

  private func serve(
    _ message: AgentMessage, by role: StandInRole, _ request: IncomingRequest, _ context: Context
  ) async {
    let answer = try? await listener.whileHere(request) {
      await self.answer(to: message, by: role, context).answer
    }
    if let answer { send(answer, message, to: request) } else { listener.end(request, by: .reset) }
  }

  // MARK: - Requests

  /// Returns a message for a role, or answers what is none and returns nil.
  private func message(
    of request: IncomingRequest, _ context: Context
  ) -> (AgentMessage, StandInRole)? {
    let parts = request.target.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[1] == token else {
      context.log(Messages.noToken)
      return refuse(request, 403, Messages.noToken)
    }
    unasked.settle()
    // No stream of the server's own messages, and no session to end.
    guard request.method == "POST" else { return refuse(request, 405, Messages.onlyPost) }
    let name = String(parts[2])
    guard let role = StandInRole(named: name), role.role.isFilled(in: context) else {
      let text = Messages.noStandIn(name)
      context.fail(ComponentError(.unanswered, text))
      return refuse(request, 404, text)
    }
    guard let message = AgentMessage(request.body) else {
      return refuse(request, 400, Messages.noMessage)
    }
    guard message.id != nil else {
      listener.answer(request, AnswerHead(status: 202))
      return nil
    }
    if message.request.method == "ping" {
      send(AgentAnswer(result: .map(ValueMap()), failure: nil), message, to: request)
      return nil
    }
    guard message.request.isPassed else {
      let error = AgentAnswer.error(
        AgentAnswer.methodNotFound, Messages.noMethod(message.request.method))
      send(error, message, to: request)
      return nil
    }
    return (message, role)
  }

  private func refuse<Result>(_ request: IncomingRequest, _ status: Int, _ text: String) -> Result?
  {
    let head = AnswerHead(status: status, headers: [("content-type", "text/plain; charset=utf-8")])
    listener.answer(request, head, body: Array("flow: \(text)\n".utf8))
    return nil
  }

  private func send(_ answer: AgentAnswer, _ message: AgentMessage, to request: IncomingRequest) {
    let head = AnswerHead(status: 200, headers: [("content-type", "application/json")])
    listener.answer(request, head, body: message.response(answer) ?? [])
  }

  // MARK: - Roles

  /// The answer of the component in the role, or the error that the agent gets in place of one.
  private func answer(
    to message: AgentMessage, by role: StandInRole, _ context: Context
  ) async -> (answer: AgentAnswer, isWhole: Bool) {
    let request = message.request
    do {
      let answer = try await role.exchange(request, as: request.label(in: context), in: context)
      return (answer, true)
    } catch let error as ComponentError {
      // An agent may hide it, and what contradicts flow.lock is no answer of the server.
      if error.code.name == "malformed" { context.fail(error) }
      return (.error(AgentAnswer.internalError, "flow: \(error.message)"), false)
    } catch {
      return (.error(AgentAnswer.internalError, "flow: the run has ended"), false)
    }
  }
}
