internal import FlowCore

/// The role of an MCP server, with its calls and events.
struct StandInRole: Sendable {
  let role: Role
  /// The call for a request of an agent.
  let exchange: RoleCall<AgentAnswer, AgentRequest>
  /// The notifications of the server.
  let said: RoleEvent<ServerMessage>
  /// The questions of the server.
  let asked: RoleEvent<ServerQuestion>
  /// The call for the agent's answer to a question.
  let reply: RoleCall<Void, AgentReply>

  /// The declared roles, each with separate recorded calls.
  static let anyName = StandInRole(
    Role(anyName: "Answers the requests to 'flow stand-in' with this name: a component of 'mcp'."))

  /// All that it asks of a component.
  var uses: [any DeclaredRoleUse] { [exchange, said, asked, reply] }

  /// The role with a name of the scenario's choice, or nil for a name that no role can have.
  init?(named name: String) {
    guard Role.isName(name) else { return nil }
    self.init(Role(name, "", optional: true))
  }

  private init(_ role: Role) {
    self.role = role
    exchange = role.call(
      "exchange", input: AgentRequest.record, answers: AgentAnswer.record,
      errors: ["malformed", "unavailable", "timeout"].map { ErrorCode($0, "") },
      fromOutside: true)
    said = role.event("said", ServerMessage.record)
    asked = role.event("asked", ServerQuestion.record)
    reply = role.call(
      "exchange-answer", input: AgentReply.record, answers: .none,
      errors: ["unavailable", "timeout"].map { ErrorCode($0, "") })
  }
}

/// A notification of a server.
struct ServerMessage: Sendable {
  let method: String
  let params: Value
  /// The method and the parameters of the request whose progress it is.
  let request: Value?

  static let record = Record(
    ServerMessage.init(method:params:request:),
    Field("method", \.method, "The method."), Field("params", \.params, "The parameters."),
    Field("request", \.request, "The request whose progress it is."))

  /// The message for an agent, with other parameters.
  func line(_ params: Value) -> Value { .request(method, params, id: nil) }

  /// The list that has changed, such as `tools`, or nil for another message.
  var changedList: String? {
    ["tools", "prompts", "resources"].first { method == "notifications/\($0)/list_changed" }
  }

  /// True for a line of the server's log.
  var isOfLog: Bool { method == "notifications/message" }
}

/// A question of a server.
struct ServerQuestion: Sendable {
  let number: Int
  let method: String
  let params: Value

  static let record = Record(
    ServerQuestion.init(number:method:params:), Field("number", \.number, "The number."),
    Field("method", \.method, "The method."), Field("params", \.params, "The parameters."))

  private static let prefix = "flow-"

  /// The message for an agent.
  var line: Value { .request(method, params, id: .string(Self.prefix + String(number))) }

  /// The number of the question in the id of an agent's response, or nil for another id.
  static func number(of id: Value?) -> Int? {
    guard case .string(let text)? = id, text.hasPrefix(prefix) else { return nil }
    return Int(text.dropFirst(prefix.count))
  }

  /// The ability that an agent needs to be asked, such as `sampling`.
  var ability: String { String(method.prefix { $0 != "/" }) }
}

/// The answer of an agent to a question.
struct AgentReply: Sendable {
  let number: Int
  let result: Value?
  let failure: Value?

  static let record = Record(
    AgentReply.init(number:result:failure:), Field("number", \.number, "The number."),
    Field("result", \.result, "The result."), Field("failure", \.failure, "The error."))
}

extension Value {
  /// A request, or a notification without an id.
  fileprivate static func request(_ method: String, _ params: Value, id: Value?) -> Value {
    var map = ValueMap([("jsonrpc", .string("2.0"))])
    if let id { map[.string("id")] = id }
    map[.string("method")] = .string(method)
    if params != .null { map[.string("params")] = params }
    return .map(map)
  }
}
