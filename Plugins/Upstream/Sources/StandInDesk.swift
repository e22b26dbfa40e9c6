internal import FlowCore

/// The exchange of requests and answers between agents and the components in the roles.
struct StandInDesk: Sendable {
  let listener: Listener
  let token: String
  let unasked: Unasked
  /// The longest wait for an agent to give up a request.
  let hold: Duration
  private let streams = AgentStreams()
  private let known = KnownAnswers()
  private let replies = AsyncStream<(StandInRole, AgentReply)>.makeStream()

  init(listener: Listener, token: String, unasked: Unasked, hold: Duration) {
    (self.listener, self.token, self.unasked, self.hold) = (listener, token, unasked, hold)
  }

  /// The bounds of the port: an agent asks less at once than a service.
  static var limits: ListenerLimits {
    var limits = ListenerLimits()
    (limits.connections, limits.bodySize, limits.allBodiesSize) = (200, 4 << 20, 64 << 20)
    return limits
  }

  /// Serves the requests until the listener ends.
  func serve(_ context: Context) async {
    await withDiscardingTaskGroup { group in
      for await request in listener.requests {
        guard let role = role(of: request, context) else { continue }
        if request.method == "GET" {
          let outbox = streams.listen(request, role.role.name)
          group.addTask { await write(outbox, to: request) }
          continue
        }
        guard let message = message(of: request, role) else { continue }
        if message.request.method == "subscriptions/listen" {
          let outbox = streams.subscribe(request, message, role.role.name)
          group.addTask { await write(outbox, to: request) }
        } else if message.request.isFixed {
          // One after the other, so that an agent that asks twice at once has one recorded call.
          await serveFixed(message, by: role, request, context)
        } else {
          // Known before the next request, which may cancel it.
          let outbox = streams.open(request, message, role.role.name)
          group.addTask { await serve(message, by: role, request, outbox, context) }
        }
      }
    }
    replies.continuation.finish()
  }

  /// Passes on the answers of agents to questions, one after the other.
  func passReplies(_ context: Context) async {
    for await (role, reply) in replies.stream {
      do { try await role.reply(reply, as: "\(reply.number)", in: context) } catch {
        // What differs in a replay is told as that, and the server may be gone.
        continue
      }
    }
  }

  // MARK: - Requests

  /// Returns the role of a request, or answers what is for none and returns nil.
  private func role(of request: IncomingRequest, _ context: Context) -> StandInRole? {
    let parts = request.target.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[1] == token else {
      context.log(Messages.noToken)
      return refuse(request, 403, Messages.noToken)
    }
    guard request.method == "POST" || request.method == "GET" && request.takesEvents else {
      return refuse(request, 405, Messages.onlyPost)
    }
    if request.method == "POST" { unasked.settle() }
    let name = String(parts[2])
    guard let role = StandInRole(named: name), role.role.isFilled(in: context) else {
      let text = Messages.noStandIn(name)
      context.fail(ComponentError(.unanswered, text))
      return refuse(request, 404, text)
    }
    if known.isFirst(name) { follow(role, context) }
    return role
  }

  /// Passes on what the server in a role says by itself, from now on.
  private func follow(_ role: StandInRole, _ context: Context) {
    let name = role.role.name
    role.said.follow(in: context) { [streams, known] message in
      if let list = message.changedList { known.forget(list, of: name) }
      streams.send(message, name)
    }
    role.asked.follow(in: context) { [streams, replies] question in
      if streams.ask(question, name) { return }
      let refusal = AgentAnswer.error(
        AgentAnswer.methodNotFound, Messages.unaskable(question.method))
      replies.continuation.yield(
        (role, AgentReply(number: question.number, result: nil, failure: refusal.failure)))
    }
  }

  /// Returns a message for a role, or answers what is none and returns nil.
  private func message(of request: IncomingRequest, _ role: StandInRole) -> AgentMessage? {
    guard let message = AgentMessage(request.body) else {
      return refuse(request, 400, Messages.noMessage)
    }
    guard message.id != nil else {
      take(message, role)
      listener.answer(request, AnswerHead(status: 202))
      return nil
    }
    if message.request.method == "initialize" {
      streams.greet(message.abilities, role.role.name)
    }
    if message.request.method == "ping" {
      send(AgentAnswer(result: .map(ValueMap()), failure: nil), message, to: request)
      return nil
    }
    guard message.request.isPassed || message.isSubscription else {
      let error = AgentAnswer.error(
        AgentAnswer.methodNotFound, Messages.noMethod(message.request.method))
      send(error, message, to: request)
      return nil
    }
    return message
  }

  /// Takes a message that has no answer.
  private func take(_ message: AgentMessage, _ role: StandInRole) {
    if let reply = message.reply, streams.settle(reply.number, role.role.name) {
      replies.continuation.yield((role, reply))
    }
    if let id = message.cancelled {
      streams.cancel(id, role.role.name, listener)
    }
  }

  private func refuse<Result>(_ request: IncomingRequest, _ status: Int, _ text: String) -> Result?
  {
    let head = AnswerHead(status: status, headers: [("content-type", "text/plain; charset=utf-8")])
    listener.answer(request, head, body: Array("flow: \(text)\n".utf8))
    return nil
  }

  // MARK: - Answers

  private func send(_ answer: AgentAnswer, _ message: AgentMessage, to request: IncomingRequest) {
    send(message.response(answer) ?? "", to: request)
  }

  private func send(_ response: String, to request: IncomingRequest) {
    let head = AnswerHead(status: 200, headers: [("content-type", "application/json")])
    listener.answer(request, head, body: Array(response.utf8))
  }

  /// Writes a stream until the agent leaves.
  private func write(_ outbox: EventOutbox, to request: IncomingRequest) async {
    // It has no result, and ends by itself or with the agent.
    try? await listener.whileHere(request) {
      await outbox.write(to: request, of: listener, atOnce: true)
    }
    streams.close(request)
  }

  private func serveFixed(
    _ message: AgentMessage, by role: StandInRole, _ request: IncomingRequest, _ context: Context
  ) async {
    let name = role.role.name
    if let answer = known.answer(to: message.request, of: name) {
      return send(answer, message, to: request)
    }
    let time = known.time(of: name)
    switch await answer(to: message, by: role, context) {
    case .whole(let answer):
      known.keep(answer, to: message.request, of: name, since: time)
      send(answer, message, to: request)
    case .failed(let answer): send(answer, message, to: request)
    case .silent: listener.end(request, by: .reset)
    }
  }

  private func serve(
    _ message: AgentMessage, by role: StandInRole, _ request: IncomingRequest,
    _ outbox: EventOutbox, _ context: Context
  ) async {
    await withTaskGroup(of: Void.self) { group in
      if request.takesEvents { group.addTask { await outbox.write(to: request, of: listener) } }
      let answer = try? await listener.whileHere(request) {
        let answer = await self.answer(to: message, by: role, context)
        await streams.untilAnswered(of: role.role.name, by: request)
        return answer
      }
      streams.close(request)
      switch answer {
      case .whole(let answer)?, .failed(let answer)?:
        let response = message.response(answer) ?? ""
        if !outbox.finish(with: response) || !request.takesEvents { send(response, to: request) }
      case .silent?:
        await holdOn(to: request)
        outbox.finish()
      case nil:
        outbox.finish()
        listener.end(request, by: .reset)
      }
    }
  }

  /// Leaves a request without an answer until the agent gives it up.
  private func holdOn(to request: IncomingRequest) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await listener.untilLeft(request.number) }
      group.addTask { try? await Task.sleep(for: hold) }
      await group.next()
      group.cancelAll()
    }
    listener.end(request, by: .reset)
  }

  // MARK: - Roles

  /// The end of a call of a component.
  private enum Ending: Sendable {
    /// The answer of the server.
    case whole(AgentAnswer)
    /// An error in place of one.
    case failed(AgentAnswer)
    /// The server does not answer.
    case silent
  }

  private func answer(
    to message: AgentMessage, by role: StandInRole, _ context: Context
  ) async -> Ending {
    let request = message.request
    do {
      return .whole(try await role.exchange(request, as: request.label(in: context), in: context))
    } catch let error as ComponentError where error.code.name == "timeout" {
      return .silent
    } catch let error as ComponentError {
      // An agent may hide it, and what contradicts flow.lock is no answer of the server.
      if error.code.name == "malformed" { context.fail(error) }
      return .failed(.error(AgentAnswer.internalError, "flow: \(error.message)"))
    } catch {
      return .failed(.error(AgentAnswer.internalError, "flow: the run has ended"))
    }
  }
}

extension AgentMessage {
  /// True for the request of a stream of the server's changes, in revisions without a handshake.
  fileprivate var isSubscription: Bool { request.method == "subscriptions/listen" }
}

extension IncomingRequest {
  /// True if its answer can be a stream of events.
  var takesEvents: Bool {
    headers.contains { header in
      header.name.lowercased() == "accept" && header.value.contains("text/event-stream")
    }
  }
}
