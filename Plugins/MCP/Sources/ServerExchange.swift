import FlowCore

/// The passing on of requests of another client, such as an agent under test behind a `stand-in`.
enum ServerExchange {
  private static let input = Record(
    { method, params in ExchangedRequest(method: method, params: params) },
    Field("method", \ExchangedRequest.method, "The method, such as 'tools/call'."),
    Field("params", \ExchangedRequest.params, "The parameters.", default: .map(ValueMap())))

  /// The operation, for a server with these tools.
  static func operation(_ tools: [Tool]) -> Operation<MCPServer> {
    let tools = Dictionary(tools.map { ($0.name, $0) }) { first, _ in first }
    return Operation(
      "exchange", "Passes on the request of another client as it is.", input: input,
      answers: ExchangedAnswer.record, errors: [.malformed, .unavailable, .timeout]
    ) { server, context, request in
      try await server.exchange(request, tools, context)
    }
    .readOnly(input) { request in
      guard request.method == "tools/call" else { return true }
      return request.params["name"]?.string.flatMap { tools[$0] }?.isReadOnly ?? false
    }
    .failing(ExchangedAnswer.record, ToolFaults.ofExchanges(input, tools))
    .passingOn
  }

  /// The operation for the answer to a question of the server.
  static var answer: Operation<MCPServer> {
    Operation(
      "exchange-answer", "Passes on the answer of another client to a question of the server.",
      input: ClientReply.record, answers: .none, errors: [.unavailable, .timeout]
    ) { server, context, reply in
      try await server.answer(reply, context)
    }
    .failing(Record.none, []).passingOn
  }

  /// Checks the result of a tool against the protocol and its schema in flow.lock.
  ///
  /// - Throws: `MCPError.malformed`. An error that the tool reports is a result like any other.
  static func check(_ result: Value, of tool: Tool) throws(MCPError) {
    guard ServerQuestion(result) == nil else { return }
    do throws(MCPError) { _ = try ToolAnswer(result, of: tool) } catch {
      if case .malformed = error { throw error }
    }
  }
}

/// A request of another client.
struct ExchangedRequest: Sendable {
  let method: String
  let params: Value
}

/// The answer to a request of another client: a result, or an error of the server.
struct ExchangedAnswer: Sendable {
  let result: Value?
  /// The order of the members, which an agent may write into its next prompt.
  let layout: String?
  let failure: Value?

  static let record = Record(
    ExchangedAnswer.init(result:layout:failure:),
    Field("result", \.result, "The result, as the server returns it."),
    Field(
      "layout", \.layout,
      "The order of the members of `result`. Null if they are sorted, and for a very long one.",
      compared: .whenRead, mutated: .onRequest),
    Field("failure", \.failure, "The error in place of a result: 'code', 'message' and 'data'."))

  private init(result: Value?, layout: String?, failure: Value?) {
    (self.result, self.layout, self.failure) = (result, layout, failure)
  }

  init(_ result: Value) {
    let layout = JSONLayout(of: Array(result.json.utf8), result)
    self.init(result: result, layout: layout?.text, failure: nil)
  }

  init(_ failure: ServerFailure) {
    var error = ValueMap([("code", .int(failure.code)), ("message", .string(failure.message))])
    if failure.data != .null { error[.string("data")] = failure.data }
    self.init(result: nil, layout: nil, failure: .map(error))
  }
}

extension ServerSession {
  /// Answers the first request of another client, which shares this session, or returns nil for any
  /// other request.
  ///
  /// The client gets its own revision if flow knows that.
  func greeting(_ request: ExchangedRequest) -> Value? {
    var result = ValueMap([("capabilities", .map(passedCapabilities))])
    if let instructions { result[.string("instructions")] = .string(instructions) }
    switch request.method {
    case "initialize":
      let wanted = Revision(rawValue: request.params["protocolVersion"]?.string ?? "")
      let revision = wanted.flatMap { $0.isStateless ? nil : $0 } ?? .newestWithHandshake
      result[.string("protocolVersion")] = .string(revision.rawValue)
      result[.string("serverInfo")] = identity
    case "server/discover":
      result[.string("supportedVersions")] = .list(
        Revision.allCases.map { .string($0.rawValue) })
      result[.string("_meta")] = .map(ValueMap([(Greeting.identityKey, identity)]))
    default: return nil
    }
    return .map(result)
  }

  /// The abilities of the server of which everything is passed on.
  ///
  /// A server without a handshake takes the level of its log and the wanted resources with requests
  /// of flow's own.
  private var passedCapabilities: ValueMap {
    var passed = ValueMap()
    for name in ["tools", "prompts", "resources", "completions", "logging"] {
      guard let ability = capabilities[name], name != "logging" || !revision.isStateless else {
        continue
      }
      let members = ["listChanged"] + (revision.isStateless ? [] : ["subscribe"])
      passed[.string(name)] = .map(
        ValueMap(members.filter { ability[$0] == .bool(true) }.map { ($0, .bool(true)) }))
    }
    return passed
  }
}
