import FlowCore
private import Synchronization

/// The client behind a `stand-in` for whom a server works, such as an agent under test.
///
/// What the server says by itself becomes events once it has asked something.
final class OtherClient: Sendable {
  fileprivate struct State {
    var hasCome = false
    /// The requests without an answer, by their numbers on the way to the server.
    var requests: [Int: ExchangedRequest] = [:]
    /// The ids of the server's questions without an answer, by their numbers.
    var questions: [Int: Value] = [:]
    var questionCount = 0
  }

  /// The most questions of a server at the same time.
  fileprivate static let mostQuestions = 100

  /// A message of the server that is no answer.
  static let said = EventKind(
    "said", "The server has sent a notification to the client behind a stand-in.",
    ServerMessage.record)
  /// A request of the server.
  static let asked = EventKind(
    "asked", "The server has asked the client behind a stand-in for something.",
    ServerRequest.record)

  private let state = Mutex(State())

  /// Notes that it has asked something.
  func arrive() { state.withLock { $0.hasCome = true } }

  /// Notes the number of one of its requests.
  func begin(_ id: Int, _ request: ExchangedRequest) {
    state.withLock { $0.requests[id] = request }
  }

  /// Notes the end of a request.
  func end(_ id: Int) { state.withLock { $0.requests[id] = nil } }

  /// Reports what the server says.
  ///
  /// Of the questions of a server that asks without end, the later ones have no answer.
  func hear(_ heard: Heard, _ context: Context) {
    switch heard {
    case .noise: break
    case .notification(let method, let params):
      let message = state.withLock { $0.hasCome ? $0.message(method, params) : nil }
      if let message { context.emit(Self.said, message) }
    case .question(let id, let method, let params):
      let number = state.withLock { $0.add(question: id) }
      guard let number else { return }
      context.emit(Self.asked, ServerRequest(number: number, method: method, params: params))
    }
  }

  /// Takes the id of a question, or returns nil for an unknown number.
  func takeQuestion(_ number: Int) -> Value? {
    state.withLock { $0.questions.removeValue(forKey: number) }
  }
}

extension OtherClient.State {
  /// Returns the number of a new question, or nil for one too many.
  fileprivate mutating func add(question id: Value) -> Int? {
    guard questions.count < OtherClient.mostQuestions else { return nil }
    questionCount += 1
    questions[questionCount] = id
    return questionCount
  }

  /// The message for a notification, or nil for progress of a request that is none of the client's.
  fileprivate func message(_ method: String, _ params: Value) -> ServerMessage? {
    guard method == "notifications/progress", var map = params.map else {
      return ServerMessage(method: method, params: params, request: nil)
    }
    guard case .int(let id)? = map["progressToken"], let request = requests[id] else { return nil }
    map[.string("progressToken")] = nil
    return ServerMessage(method: method, params: .map(map), request: request.value)
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
    Field("method", \.method, "The method, such as 'notifications/message'."),
    Field("params", \.params, "The parameters, without the token of a progress."),
    Field(
      "request", \.request,
      "The 'method' and the 'params' of the request whose progress it is. Otherwise null."))
}

/// A question of a server.
struct ServerRequest: Sendable {
  let number: Int
  let method: String
  let params: Value

  static let record = Record(
    ServerRequest.init(number:method:params:),
    Field("number", \.number, "The number of the question, from 1, for its answer."),
    Field("method", \.method, "The method, such as 'sampling/createMessage'."),
    Field("params", \.params, "The parameters."))
}

/// The answer of a client to a question of its server.
struct ClientReply: Sendable {
  let number: Int
  let result: Value?
  let failure: Value?

  static let record = Record(
    ClientReply.init(number:result:failure:),
    Field("number", \.number, "The number of the question."),
    Field("result", \.result, "The result."),
    Field("failure", \.failure, "The error in place of a result: 'code', 'message' and 'data'."))

  /// The member of the response.
  var part: (String, Value) {
    if let failure { return ("error", failure) }
    return ("result", result ?? .map(ValueMap()))
  }
}

extension ExchangedRequest {
  fileprivate var value: Value {
    .map(ValueMap([("method", .string(method)), ("params", params)]))
  }
}

/// The abilities of a client that a server may be told of, with the methods that it then asks by.
enum ClientAbility: String, Sendable, CaseIterable {
  case sampling, roots, elicitation

  /// The method of the server's questions.
  var method: String {
    switch self {
    case .sampling: "sampling/createMessage"
    case .roots: "roots/list"
    case .elicitation: "elicitation/create"
    }
  }

  /// Reads the setting `offers`.
  ///
  /// - Throws: `MCPError.invalid`.
  static func abilities(_ names: [String]) throws(MCPError) -> [ClientAbility] {
    var abilities: [ClientAbility] = []
    for name in names {
      guard let ability = ClientAbility(rawValue: name) else {
        throw .invalid(
          "'offers' has sampling, roots and elicitation, not '\(ServerText.line(name))'")
      }
      abilities.append(ability)
    }
    return abilities
  }
}
