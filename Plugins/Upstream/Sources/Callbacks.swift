public import FlowCore
private import Synchronization

/// A port for the calls that a server makes back into a program under test, such as webhooks.
///
/// It is a role of an `upstream`, which hands its address to the server and passes the calls on to the
/// program. A replay opens no port: it has the recorded calls.
public final class Callbacks: Component {
  /// `callbacks`.
  public static let pluginName = "callbacks"

  /// The declaration.
  public static let plugin = Plugin(
    pluginName, version: "1.0",
    "Receives the calls that a server makes back into a program, for the role of an 'upstream'.",
    state: .memory, reaches: [.network],
    settings: CallbackSettings.record, events: [received],
    operations: [
      Operation(
        "address", "Returns the address for the server.", answers: UpstreamAddress.record,
        retry: .safe
      ) { callbacks, _ in UpstreamAddress(port: callbacks.listener.port) },
      Operation(
        "answer", "Answers a call with what the program said.", input: CallbackAnswer.record,
        answers: .none
      ) { callbacks, _, answer in callbacks.give(answer) }
      .failing(Record.none, []),
    ]
  ) { context, settings in try Callbacks(settings, in: context) }

  static let received = EventKind(
    "received", "The server has called the program.", Callback.record)

  private let listener: Listener
  /// The calls without an answer, by their numbers.
  private let open = Mutex<[Int: IncomingRequest]>([:])

  private init(_ settings: CallbackSettings, in context: Context) throws {
    do {
      listener = try Listener(
        port: settings.port, clients: settings.anyone == true ? .anyone : .ownUser,
        refused: { context.log(Messages.refused($0)) })
    } catch {
      throw ComponentError(.settings, "\(error)")
    }
    let headers = PassedHeaders(dropping: settings.drop)
    context.spawn("receive") { [self] context in
      var count = 0
      for await request in listener.requests {
        count += 1
        open.withLock { $0[count] = request }
        context.emit(
          Self.received, Callback(number: count, request: PassedRequest(request, headers)))
      }
    }
  }

  private func give(_ answer: CallbackAnswer) {
    guard let request = open.withLock({ $0.removeValue(forKey: answer.number) }) else { return }
    listener.answer(request, answer.answer.head, body: answer.answer.body)
  }

  /// Ends all connections, and closes the port.
  public func close() async { await listener.close() }
}

/// The settings of a port for callbacks.
struct CallbackSettings: Sendable {
  let port: Int
  let drop: [String]
  let anyone: Bool?

  static let record = Record(
    CallbackSettings.init(port:drop:anyone:),
    Field("port", \.port, "The port on 127.0.0.1. Any free one for 0.", default: 0),
    Field(
      "drop", \.drop, "Headers that are neither passed on nor compared, such as ids of a trace.",
      default: []),
    Field("anyone", \.anyone, "Accepts the servers of all users at the port."))
}

/// A call of the server.
struct Callback: Sendable {
  let number: Int
  let request: PassedRequest

  static let record = Record(
    Callback.init(number:request:),
    Field("number", \.number, "The number of the call, from 1, for its answer."),
    Field("request", \.request, "The request."))
}

/// The answer of the program to a call of the server.
struct CallbackAnswer: Sendable {
  let number: Int
  let answer: ServerAnswer

  static let record = Record(
    CallbackAnswer.init(number:status:headers:json:layout:text:bytes:),
    Field("number", \.number, "The number of the call."),
    Field("status", \.answer.status, "The status code."),
    Field("headers", \.answer.headers, "The headers."),
    Field("json", \.answer.json, "A body that is JSON."),
    Field("layout", \.answer.layout, "How the program wrote `json`."),
    Field("text", \.answer.text, "Another text."),
    Field("bytes", \.answer.bytes, "Another body."))

  private init(
    number: Int, status: Int, headers: [String: String], json: Value?, layout: String?,
    text: String?, bytes: Bytes?
  ) {
    self.init(
      number: number,
      answer: ServerAnswer(
        status: status, headers: headers, json: json, layout: layout, text: text, bytes: bytes,
        stream: nil))
  }

  init(number: Int, answer: ServerAnswer) { (self.number, self.answer) = (number, answer) }
}
