internal import FlowCore
internal import GRPCCoding

/// The exchange of requests and answers between programs and the components in the roles.
struct Exchange: Sendable {
  /// The result of a request.
  private enum Ending: Sendable {
    case answer(ServerAnswer)
    case failure(ComponentError)
    /// The program has given up.
    case left
  }

  /// The answer to a request, by a stub or a role.
  private enum Source {
    case stub(StubAnswer)
    case role(ServerRole)
    /// The component of WebSockets.
    case socket
    /// The component of calls of gRPC.
    case grpc(any MessageCoding, MessageStreams)
  }

  let listener: Listener
  let headers: PassedHeaders
  let hold: Duration
  let hosts: Hosts
  let desk: StubDesk
  let unasked: Unasked
  let distrust: Distrust
  let addresses: OwnAddress
  let dates: ShiftedDates
  let callbacks: CallbackRoute
  /// The tests that programs tell of, or nil where none may.
  let tests: TestScopes?
  private let texts = SharedTexts()

  /// Serves the requests until the listener ends.
  func serve(_ context: Context) async {
    await withDiscardingTaskGroup { group in
      for await request in listener.requests {
        if let tests, request.host == nil {
          note(request, tests, context, &group)
        } else {
          let context = tests?.context(of: request.user) ?? context
          group.addTask { await serve(request, context) }
        }
      }
    }
    tests?.close()
  }

  /// Notes the beginning or the end of a test, in the order in which programs tell of them.
  private func note(
    _ request: IncomingRequest, _ tests: TestScopes, _ context: Context,
    _ group: inout DiscardingTaskGroup
  ) {
    guard let news = TestNews(request) else {
      return say(400, Messages.noNews, to: request)
    }
    switch news.moment {
    case .begin:
      // The program has come, whatever its tests ask.
      unasked.settle()
      let isBegun = tests.begin(news.test, of: news.user, context)
      say(isBegun ? 204 : 429, isBegun ? "" : Messages.tooManyTests, to: request)
    case .end:
      group.addTask {
        switch await tests.end(news.test, of: news.user) {
        case nil: say(400, Messages.notBegun(news.test), to: request)
        case let departures? where departures.isEmpty: say(204, "", to: request)
        case let departures?: say(409, departures.joined(separator: "\n") + "\n", to: request)
        }
      }
    }
  }

  private func say(_ status: Int, _ text: String, to request: IncomingRequest) {
    let head = AnswerHead(status: status, headers: [("content-type", "text/plain; charset=utf-8")])
    listener.answer(request, head, body: Array(text.utf8))
  }

  private func serve(_ request: IncomingRequest, _ context: Context) async {
    let passed = addresses.passed(
      dates.passed(PassedRequest(request, headers)), at: ownAddress(for: request)
    ).sharing(texts)
    switch source(of: passed, request, context) {
    case .stub(let answer): await send(answer, to: request, context)
    case .role(let role):
      await serve(request, shown(passed, to: role.role, request, context), by: role, context)
    case .socket:
      await serveSocket(request, shown(passed, to: SocketRole.role, request, context), context)
    case .grpc(let coding, let streams):
      await serveCall(request, coding, streams, context)
    case nil: break
    }
  }

  /// Returns the request as a role sees it.
  private func shown(
    _ passed: PassedRequest, to role: Role, _ request: IncomingRequest, _ context: Context
  ) -> PassedRequest {
    let unrecorded = role.traits(in: context).unrecorded
    let shown = passed.settingAside { name in
      unrecorded.contains { $0.contain(name, of: request.server?.text) }
    }
    return callbacks.passed(shown)
  }

  /// Returns the source of the answer, or answers with an error and returns nil.
  private func source(
    of passed: PassedRequest, _ request: IncomingRequest, _ context: Context
  ) -> Source? {
    let host = request.server
    let received = ReceivedRequest(passed, host: host)
    unasked.settle()
    if let host { distrust.ask(host.origin) }
    desk.note(received, request.number, size: request.body.count)
    guard let role = host.map({ hosts.role(of: $0) }) ?? ServerRole.first else {
      refuse(request, 502, .otherHost, Messages.refusedHost(received, hosts.names), context)
      return nil
    }
    if let answer = desk.answer(to: received) { return .stub(answer) }
    if request.isOpen { return callSource(of: received, request, context) }
    let answering = request.wantsUpgrade ? SocketRole.role : role.role
    if answering.isFilled(in: context) { return request.wantsUpgrade ? .socket : .role(role) }
    let text = Messages.unanswered(received, answering.name, nearest: desk.nearest(to: received))
    refuse(request, 501, .unanswered, text, context)
    return nil
  }

  /// Returns the source of the answer to a call of gRPC, or answers with an error and returns nil.
  private func callSource(
    of received: ReceivedRequest, _ request: IncomingRequest, _ context: Context
  ) -> Source? {
    let method = String(received.path.drop { $0 == "/" })
    guard GRPCRole.role.isFilled(in: context) else {
      let text = Messages.unanswered(received, GRPCRole.role.name, nearest: nil)
      refuseCall(request, .unanswered, text, context)
      return nil
    }
    let coding = GRPCRole.role.traits(in: context).messages
    guard let coding, let streams = coding.streams(of: method) else {
      refuseCall(request, .unanswered, Messages.unknownMethod(method), context)
      return nil
    }
    return .grpc(coding, streams)
  }

  /// Fails the run, and tells a program that calls by gRPC why.
  private func refuseCall(
    _ request: IncomingRequest, _ code: ErrorCode, _ text: String, _ context: Context
  ) {
    context.fail(ComponentError(code, text))
    say(GRPCStatus.unimplemented, text, to: request)
  }

  private func say(_ status: GRPCStatus, _ text: String, to request: IncomingRequest) {
    let headers = [
      (name: "content-type", value: "application/grpc"), ("grpc-status", "\(status.rawValue)"),
      ("grpc-message", GRPCMessage.encoded("flow: \(text)")),
    ]
    listener.answer(request, AnswerHead(status: 200, headers: headers))
  }

  /// Fails the run, and tells the program why.
  private func refuse(
    _ request: IncomingRequest, _ status: Int, _ code: ErrorCode, _ text: String,
    _ context: Context
  ) {
    context.fail(ComponentError(code, text))
    let body = "flow: \(text)\n"
    desk.note(GivenAnswer(status: status, text: body), to: request.number, size: body.utf8.count)
    say(status, body, to: request)
  }

  /// The address by which the program of a request knows its server.
  private func ownAddress(for request: IncomingRequest) -> String {
    request.server?.origin ?? "http://127.0.0.1:\(listener.port)"
  }

  // MARK: - Stubs

  private func send(
    _ answer: StubAnswer, to request: IncomingRequest, _ context: Context
  ) async {
    if answer.delay > .zero { await wait(answer.delay, for: request, context) }
    if answer.drop { return listener.end(request, by: .reset) }
    give(answer.answer, to: request)
  }

  /// Sends an answer, and breaks off where the server did.
  private func give(_ answer: ServerAnswer, to request: IncomingRequest) {
    let body = answer.body
    desk.note(GivenAnswer(answer), to: request.number, size: body.count)
    guard let missing = answer.missing, missing > 0 else {
      return listener.answer(request, answer.head, body: body)
    }
    listener.end(request, by: .close, after: body, missing: missing, of: answer.head)
  }

  /// Waits in real time, unless the program gives up before.
  private func wait(_ delay: Duration, for request: IncomingRequest, _ context: Context) async {
    let pace = context.followRealTime()
    defer { pace.end() }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await context.sleep(for: delay) }
      group.addTask { [listener] in await listener.untilLeft(request.number) }
      await group.next()
      group.cancelAll()
    }
  }

  // MARK: - Roles

  private func serve(
    _ request: IncomingRequest, _ passed: PassedRequest, by role: ServerRole, _ context: Context
  ) async {
    switch await ending(of: request, passed, role, context) {
    case .answer(let answer) where answer.stream != nil:
      await send(answer, of: role, to: (request, passed.label(of: role, in: context)), context)
    case .answer(let answer) where (200...599).contains(answer.status):
      let shown = addresses.shown(answer, at: ownAddress(for: request))
      give(dates.shown(shown, in: context).dated(in: context), to: request)
    case .failure(let error): await fail(request, with: error)
    case .answer, .left: listener.end(request, by: .reset)
    }
  }

  /// Serves a WebSocket until it ends.
  private func serveSocket(
    _ request: IncomingRequest, _ passed: PassedRequest, _ context: Context
  ) async {
    do {
      let exchange = SocketExchange(listener: listener, hold: hold)
      if let refusal = try await exchange.serve(request, passed, context) {
        give(refusal.dated(in: context), to: request)
      }
    } catch let error as ComponentError {
      await fail(request, with: error)
    } catch {
      listener.end(request, by: .reset)
    }
  }

  /// Serves a call of gRPC until it ends.
  private func serveCall(
    _ request: IncomingRequest, _ coding: any MessageCoding, _ streams: MessageStreams,
    _ context: Context
  ) async {
    do {
      let exchange = GRPCExchange(listener: listener, headers: headers)
      try await exchange.serve(request, coding, streams, context)
    } catch let error as ComponentError {
      // A server that cannot be reached has such a status, too. No other code is of the server.
      say(GRPCStatus(name: error.code.name) ?? .internal, error.message, to: request)
    } catch {
      listener.end(request, by: .reset)
    }
  }

  /// Shows a program an error of the server's component as it was.
  private func fail(_ request: IncomingRequest, with error: ComponentError) async {
    if error.code.name == "timeout" { return await holdOn(to: request) }
    // No recorded answer, or a fault of flow. Many clients would try again after a reset.
    if error.code == .unexpected { return say(501, "flow: \(error.message)\n", to: request) }
    // As when the server resets the connection, or cannot be reached.
    listener.end(request, by: .reset)
  }

  /// The server's answer, unless the program gives up before.
  private func ending(
    of request: IncomingRequest, _ passed: PassedRequest, _ role: ServerRole, _ context: Context
  ) async -> Ending {
    do {
      return try await listener.whileHere(request) {
        .answer(
          try await role.exchange(passed, as: passed.label(of: role, in: context), in: context))
      }
    } catch let error as ComponentError { return .failure(error) } catch { return .left }
  }

  /// Sends the pieces of a streamed answer as they arrive.
  private func send(
    _ answer: ServerAnswer, of role: ServerRole,
    to target: (request: IncomingRequest, label: String), _ context: Context
  ) async {
    let request = target.request
    desk.note(GivenAnswer(answer), to: request.number, size: 0)
    listener.begin(request, answer.dated(in: context).head)
    do {
      while true {
        let piece = try await listener.whileHere(request) {
          try await role.piece(answer.stream ?? "", as: target.label, in: context)
        }
        if piece.end { return listener.finish(request) }
        try await listener.write(request, piece: piece.content)
      }
    } catch let error as ComponentError where error.code.name == "timeout" {
      await holdOn(to: request)
    } catch {
      listener.end(request, by: .close)
    }
  }

  /// Leaves a request without an answer until the program gives up.
  private func holdOn(to request: IncomingRequest) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [listener] in await listener.untilLeft(request.number) }
      group.addTask { [hold] in try? await Task.sleep(for: hold) }
      await group.next()
      group.cancelAll()
    }
    listener.end(request, by: .reset)
  }
}

extension ErrorCode {
  static let unanswered = ErrorCode("unanswered", "No stub and no role answers a request.")
  static let otherHost = ErrorCode("other_host", "A request is for a host that is not in 'hosts'.")
}
