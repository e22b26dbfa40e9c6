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
    "tools/call", "resources/read", "prompts/get", "completion/complete",
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
  /// True for a revision without a handshake, in which each request says its own.
  let isStateless: Bool

  private static let versionKey = "io.modelcontextprotocol/protocolVersion"

  /// Reads a message, or returns nil for another value.
  init?(_ body: [UInt8]) {
    guard case .map(let map)? = try? Value(json: body), map["jsonrpc"] == .string("2.0") else {
      return nil
    }
    guard case .string(let method)? = map["method"] else {
      guard map["result"] != nil || map["error"] != nil else { return nil }
      (id, request, isStateless) = (nil, AgentRequest(method: "", params: ValueMap()), false)
      return
    }
    switch map["id"] {
    case .string?, .int?: id = map["id"]
    case nil: id = nil
    default: return nil
    }
    let params = map["params"]?.map ?? ValueMap()
    isStateless = params["_meta"]?.map?[Self.versionKey] != nil
    request = AgentRequest(method: method, params: Self.passed(params, of: method))
  }

  /// The parameters that mean something to the server, whatever agent asks.
  private static func passed(_ params: ValueMap, of method: String) -> ValueMap {
    let dropped =
      method == "initialize" ? ["_meta", "clientInfo", "capabilities"] : ["_meta"]
    return ValueMap(
      params.entries.map { ($0.key.interpolated, $0.value) }.filter { !dropped.contains($0.0) })
  }

  /// Returns the response in the form of the agent's revision, or nil for a notification.
  func response(_ answer: AgentAnswer) -> [UInt8]? {
    guard let id else { return nil }
    var part = ("error", answer.failure ?? .null)
    if answer.failure == nil { part = ("result", shaped(answer.orderedResult)) }
    let map = ValueMap([("jsonrpc", .string("2.0")), ("id", id), part])
    return Array(Value.map(map).json.utf8)
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
