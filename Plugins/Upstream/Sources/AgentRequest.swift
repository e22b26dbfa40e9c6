internal import FlowCore

/// A request of an agent as it is passed on: without its id and its metadata, which belong to the
/// connection.
struct AgentRequest: Sendable {
  let method: String
  let params: ValueMap

  static let record = Record(
    { method, params in AgentRequest(method: method, params: params.map ?? ValueMap()) },
    Field("method", \.method, "The method."),
    Field("params", \.value, "The parameters."))

  private var value: Value { .map(params) }

  /// The methods that are passed on.
  ///
  /// What they return may differ from call to call, except for those of `fixed`.
  private static let passed: Set<String> = [
    "tools/call", "resources/read", "prompts/get", "completion/complete", "logging/setLevel",
    "resources/subscribe", "resources/unsubscribe",
  ]

  /// The methods by which an agent gets to know a server, asked once for each parameters in a run.
  private static let fixed: Set<String> = [
    "initialize", "server/discover", "tools/list", "prompts/list", "resources/list",
    "resources/templates/list",
  ]

  /// True if a method is passed on.
  var isPassed: Bool { Self.passed.contains(method) || isFixed }
  /// True if the answer holds for the whole run.
  var isFixed: Bool { Self.fixed.contains(method) }

  /// A part of the address of its call: the name of the tool, or the method.
  func label(in context: Context) -> String {
    guard method == "tools/call", case .string(let name)? = params["name"] else {
      return context.label(method)
    }
    return context.label(name)
  }

  /// The list that it asks for, such as `tools`, or nil for another request.
  var list: String? {
    method.hasSuffix("/list") ? String(method.prefix { $0 != "/" }) : nil
  }

  /// True for a method and parameters as an event has them.
  func isRequest(_ event: Value) -> Bool {
    event.map?["method"] == .string(method) && (event.map?["params"] ?? .map(ValueMap())) == value
  }

  /// A key for the answer of a fixed request.
  var key: String { "\(method) \(value.json)" }
}

/// The answer to a request of an agent: a result, or an error of the protocol.
struct AgentAnswer: Sendable {
  let result: Value?
  var layout: String?
  let failure: Value?

  static let record = Record(
    AgentAnswer.init(result:layout:failure:),
    Field("result", \.result, "The result, as the server returns it."),
    Field("layout", \.layout, "The order of the members of the result."),
    Field("failure", \.failure, "The error in place of a result: 'code', 'message' and 'data'."))

  /// The result with its members in the order of the server, which a recording does not keep.
  ///
  /// A value of another shape, as an altered one may be, has no layout.
  var orderedResult: Value {
    let result = result ?? .map(ValueMap())
    guard let layout, let text = JSONLayout(text: layout).json(of: result) else { return result }
    return (try? Value(json: text)) ?? result
  }

  /// An error with a number of JSON-RPC.
  static func error(_ code: Int, _ message: String) -> AgentAnswer {
    AgentAnswer(
      result: nil, failure: .map(ValueMap([("code", .int(code)), ("message", .string(message))])))
  }

  /// The number for a fault on this side of the protocol.
  static let internalError = -32603
  static let methodNotFound = -32601
}

/// A message of an agent, JSON-RPC 2.0.
struct AgentMessage: Sendable {
  /// Nil for a notification, and for a response, which have no answer.
  let id: Value?
  let request: AgentRequest
  /// The answer to a question of a server, or nil for another message.
  let reply: AgentReply?
  /// True for a revision without a handshake, in which each request says its own.
  let isStateless: Bool
  /// True if such a request asks for the lines of the server's log.
  let wantsLog: Bool
  /// The token for notes on the progress of the request, or nil if it asks for none.
  let progressToken: Value?
  /// The parameters as they came.
  private let params: ValueMap

  private static let prefix = "io.modelcontextprotocol/"
  private static let versionKey = prefix + "protocolVersion"
  private static let logKey = prefix + "logLevel"
  static let subscriptionKey = prefix + "subscriptionId"

  /// Reads a message, or returns nil for another value.
  init?(_ body: [UInt8]) {
    guard case .map(let map)? = try? Value(json: body), map["jsonrpc"] == .string("2.0") else {
      return nil
    }
    params = map["params"]?.map ?? ValueMap()
    let meta = params["_meta"]?.map ?? ValueMap()
    isStateless = meta[Self.versionKey] != nil
    wantsLog = meta[Self.logKey] != nil
    progressToken = meta["progressToken"]
    guard case .string(let method)? = map["method"] else {
      guard map["result"] != nil || map["error"] != nil else { return nil }
      (id, request) = (nil, AgentRequest(method: "", params: ValueMap()))
      reply = ServerQuestion.number(of: map["id"]).map {
        AgentReply(number: $0, result: map["result"], failure: map["error"])
      }
      return
    }
    reply = nil
    switch map["id"] {
    case .string?, .int?: id = map["id"]
    case nil: id = nil
    default: return nil
    }
    request = AgentRequest(method: method, params: Self.passed(params, of: method))
  }

  /// What the agent can be asked for, in its first request.
  var abilities: Value? { params["capabilities"] }

  /// The id of the request that it cancels, or nil for another message.
  var cancelled: Value? {
    request.method == "notifications/cancelled" ? params["requestId"] : nil
  }

  /// The lists whose changes a subscription is for.
  var wantedLists: Set<String> {
    let wanted = params["notifications"]?.map
    return Set(
      ["tools", "prompts", "resources"].filter { wanted?["\($0)ListChanged"] == .bool(true) })
  }

  /// The first message of a subscription: what it has of what was asked for.
  var acknowledgement: Value {
    let lists = ValueMap(wantedLists.sorted().map { ("\($0)ListChanged", .bool(true)) })
    let params = ValueMap([
      ("_meta", .map(ValueMap([(Self.subscriptionKey, id ?? .null)]))),
      ("notifications", .map(lists)),
    ])
    return .map(
      ValueMap([
        ("jsonrpc", .string("2.0")),
        ("method", .string("notifications/subscriptions/acknowledged")),
        ("params", .map(params)),
      ]))
  }

  /// The parameters that mean something to the server, whatever agent asks.
  private static func passed(_ params: ValueMap, of method: String) -> ValueMap {
    let dropped =
      method == "initialize" ? ["_meta", "clientInfo", "capabilities"] : ["_meta"]
    return ValueMap(
      params.entries.map { ($0.key.interpolated, $0.value) }.filter { !dropped.contains($0.0) })
  }

  /// Returns the response in the form of the agent's revision, or nil for a notification.
  func response(_ answer: AgentAnswer) -> String? {
    guard let id else { return nil }
    var part = ("error", answer.failure ?? .null)
    if answer.failure == nil { part = ("result", shaped(answer.orderedResult)) }
    let map = ValueMap([("jsonrpc", .string("2.0")), ("id", id), part])
    return Value.map(map).json
  }

  /// Adds the members that a revision without a handshake demands, which a server of an older one
  /// leaves out.
  private func shaped(_ result: Value) -> Value {
    guard isStateless, var map = result.map else { return result }
    var members: [(String, Value)] = [("resultType", .string("complete"))]
    if request.isFixed || request.method == "resources/read" {
      members += [("ttlMs", .int(0)), ("cacheScope", .string("private"))]
    }
    for (name, value) in members where map[name] == nil { map[.string(name)] = value }
    return .map(map)
  }
}

extension Value {
  /// The map, or nil for another value.
  fileprivate var map: ValueMap? { if case .map(let map) = self { map } else { nil } }
}
