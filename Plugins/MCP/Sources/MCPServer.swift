public import FlowCore
private import Synchronization

/// A running server, a component of scenarios.
public struct MCPServer: PluginInstance {
  private let session: ServerSession
  private let context: Context
  private let client = OtherClient()

  /// Starts the server and compares it with flow.lock.
  init(
    _ declared: DeclaredPlugin<MCPDeclaration>, _ settings: MCPSettings,
    _ known: ServerDescription, _ context: Context
  ) async throws {
    self.context = context
    session = try await context.outside { [client] in
      let session = try await ServerSession(declared, settings, known.revision, context) {
        ServerNews.report($0, $1)
        client.hear($0, $1)
      }
      do {
        let description = try await ServerDescription(of: session)
        let differences = LockDifference.between(known.entry, and: description.entry)
        if !differences.isEmpty { throw MCPError.changed(differences) }
        try await session.listen(to: settings.subscribe)
        return session
      } catch {
        await session.close()
        throw Self.readable(error)
      }
    }
  }

  /// Notes the end of a server a moment ago.
  public func prepareToClose() async { session.link.prepareToClose() }

  /// Ends the server, with everything that it has started.
  public func close() async {
    // Otherwise an exploration would take the return from the server for work that it has to order.
    await context.outside { [session] in await session.close() }
  }

  /// Calls a tool.
  func call(_ tool: Tool, _ input: RecordValue, _ context: Context) async throws -> ToolAnswer {
    var params = ValueMap([
      ("name", .string(tool.name)), ("arguments", .map(tool.input.arguments(input))),
    ])
    let headers = tool.mirrored?.headers(of: tool.input.arguments(input)) ?? []
    let (answers, limit) = (tool.input.answers(input), tool.input.timeout(input))
    for _ in 0..<Self.rounds {
      let result = try await request(
        "tools/call", params, within: limit, mirroring: headers, context)
      guard let question = ServerQuestion(result) else {
        return try ToolAnswer(result, of: tool)
      }
      params = try question.answered(by: answers, in: params)
    }
    throw MCPError.inputRequired("the tool asks again after \(Self.rounds) answers")
  }

  private static let rounds = 10

  /// Reads a resource.
  func read(_ uri: String, _ context: Context) async throws -> [Value] {
    let params = ValueMap([("uri", .string(uri))])
    let result = try await request("resources/read", params, context)
    guard let contents = result["contents"]?.list else {
      throw MCPError.malformed("the answer has no list 'contents'")
    }
    return contents
  }

  /// Gets a prompt.
  func prompt(
    _ name: String, _ arguments: [String: String], _ context: Context
  ) async throws -> PromptAnswer {
    let values = arguments.sorted { $0.key < $1.key }.map { ($0.key, Value.string($0.value)) }
    let params = ValueMap([("name", .string(name)), ("arguments", .map(ValueMap(values)))])
    let result = try await request("prompts/get", params, context)
    guard let messages = result["messages"]?.list else {
      throw MCPError.malformed("the answer has no list 'messages'")
    }
    return PromptAnswer(description: result["description"]?.string, messages: messages)
  }

  /// Passes on a request of another client, and its answer.
  func exchange(
    _ request: ExchangedRequest, _ tools: [String: Tool], _ context: Context
  ) async throws -> ExchangedAnswer {
    client.arrive()
    if let greeting = session.greeting(request) { return ExchangedAnswer(greeting) }
    let params = request.params.map ?? ValueMap()
    let tool = request.method == "tools/call" ? params["name"]?.string.flatMap { tools[$0] } : nil
    let headers = tool?.mirrored?.headers(of: params["arguments"]?.map ?? ValueMap()) ?? []
    do {
      let number = Mutex<Int?>(nil)
      defer { if let number = number.withLock(\.self) { client.end(number) } }
      let result = try await context.outside { [session, client] in
        try await session.request(request.method, params, mirroring: headers) { id in
          number.withLock { $0 = id }
          client.begin(id, request)
        }
      }
      if let tool { try ServerExchange.check(result, of: tool) }
      return ExchangedAnswer(result)
    } catch let failure as ServerFailure {
      return ExchangedAnswer(failure)
    }
  }

  /// Passes on the answer of another client to a question of the server.
  func answer(_ reply: ClientReply, _ context: Context) async throws {
    guard let id = client.takeQuestion(reply.number) else { return }
    try await context.outside { [session] in
      try await session.link.reply(to: id, with: reply.part)
    }
  }

  private func request(
    _ method: String, _ params: ValueMap, within limit: Duration? = nil,
    mirroring headers: [MirroredHeaders.Header] = [], _ context: Context
  ) async throws -> Value {
    do {
      return try await context.outside { [session] in
        try await session.request(method, params, within: limit, mirroring: headers)
      }
    } catch {
      throw Self.readable(error)
    }
  }

  /// The error of a request as a scenario sees it.
  private static func readable(_ error: any Error) -> any Error {
    guard let failure = error as? ServerFailure else { return error }
    return MCPError.failed("\(failure)")
  }
}
