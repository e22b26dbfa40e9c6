internal import FlowSystem

/// A server of the Language Server Protocol 3.17, between its messages.
///
/// It takes the messages of a client one after another, and says what to write to it. The work of
/// checking texts is done by jobs, of which it gives one at a time.
package struct LanguageServer {
  private enum Phase {
    case new, running, shutDown, ended
  }

  private var phase = Phase.new
  var workspace: Workspace
  private let features: [Feature]
  /// The requests that are answered without being performed.
  let cancelled = CancelledRequests()
  /// The requests whose answers are being found, in their order.
  private var running: [LaterAnswer] = []
  /// Those of them that are to start.
  private var waiting: [LaterAnswer] = []
  /// The most requests whose answers are being found.
  private static let mostRunning = 4
  /// The process of the client, until it is taken, or nil.
  private var clientProcess: Int32?

  /// Creates a server for a new client.
  package init(_ settings: EditorSettings) {
    workspace = Workspace(settings)
    features = Feature.all
  }

  /// True after the notification `exit`.
  var hasEnded: Bool { phase == .ended }
  /// True if the client asked for the end before it.
  private(set) var wasShutDown = false

  /// Returns the process of a client that has just told it, or nil.
  mutating func takeClientProcess() -> Int32? {
    defer { clientProcess = nil }
    return clientProcess
  }

  /// Returns the requests whose answers are to be found while the next messages are read.
  ///
  /// Each ends with `end`.
  mutating func takeLaterAnswers() -> [LaterAnswer] {
    defer { waiting = [] }
    return waiting
  }

  /// Forgets a request that is answered.
  mutating func end(_ answer: LaterAnswer) { running.removeAll { $0.stop === answer.stop } }

  /// Returns the next job, or nil if every text is checked.
  mutating func nextJob() -> AnalysisJob? {
    phase == .running ? workspace.nextJob() : nil
  }

  /// Takes the result of a job.
  ///
  /// Returns the messages for the client.
  mutating func finish(_ analysis: FileAnalysis) -> [JSON] {
    workspace.finish(analysis)
    return workspace.takeMessages()
  }

  /// Takes a part of the client's stream.
  ///
  /// Returns the messages for the client.
  mutating func receive(_ part: MessageStream.Part) -> [JSON] {
    switch part {
    case .message(let json): receive(json)
    case .notJSON(let error): refuse(RPCError(.parseError, "not JSON: \(error)"))
    case .tooLong(let count):
      refuse(
        RPCError(
          .invalidRequest, "a message of \(count) bytes, more than \(MessageStream.longest)"))
    case .brokenHeader(let problem): refuse(RPCError(.parseError, problem))
    }
  }

  /// Answers a message that may have been a change of any text.
  private mutating func refuse(_ error: RPCError) -> [JSON] {
    workspace.loseAll()
    return [RPCMessage.response(.null, error)] + workspace.takeMessages()
  }

  private mutating func receive(_ json: JSON) -> [JSON] {
    let message: RPCMessage
    do throws(RPCError) { message = try RPCMessage(json) } catch {
      // A request changes no text.
      guard let id = json["id"], id != .null else { return refuse(error) }
      return [RPCMessage.response(id, error)]
    }
    guard let method = message.method else { return [] }
    guard let id = message.id else {
      note(method, message.params)
      return workspace.takeMessages()
    }
    do throws(RPCError) {
      switch try answer(to: method, message.params, id) {
      case .now(let result):
        return [RPCMessage.response(id, result)] + workspace.takeMessages()
      case .later(let find):
        answerLater(LaterAnswer(id: id, find: find))
        return workspace.takeMessages()
      }
    } catch {
      return [RPCMessage.response(id, error)] + workspace.takeMessages()
    }
  }

  // MARK: - Requests

  private mutating func answer(
    to method: String, _ params: JSON, _ id: JSON
  ) throws(RPCError) -> Feature.Answer {
    if method == "initialize" { return .now(try initialize(params)) }
    switch phase {
    case .new: throw RPCError(.notInitialized, "the first request must be 'initialize'")
    case .shutDown, .ended: throw RPCError(.invalidRequest, "the server is shut down")
    case .running: break
    }
    if method == "shutdown" {
      (phase, wasShutDown) = (.shutDown, true)
      return .now(.null)
    }
    guard let feature = features.first(where: { $0.method == method }) else {
      throw RPCError(.methodNotFound, "there is no method '\(method.onOneLine)'")
    }
    if cancelled.take(id) { throw RPCError(.requestCancelled, "the client has cancelled it") }
    return try feature.answer(&workspace, params)
  }

  /// Finds an answer beside the next messages, in place of the oldest of several ones.
  private mutating func answerLater(_ answer: LaterAnswer) {
    if running.count >= Self.mostRunning {
      running.removeFirst().stop.stop(RPCError(.contentModified, "newer requests took its place"))
    }
    running.append(answer)
    waiting.append(answer)
  }

  private mutating func initialize(_ params: JSON) throws(RPCError) -> JSON {
    guard phase == .new else {
      throw RPCError(.invalidRequest, "the server is initialized already")
    }
    phase = .running
    workspace.client = ClientCapabilities(params)
    clientProcess = params["processId"]?.int.flatMap(Int32.init(exactly:))
    return ServerCapabilities(workspace, features).json
  }

  // MARK: - Notifications

  /// Takes a notification.
  ///
  /// Unknown ones mean nothing. A cancellation was noted when it was read, and its request has been
  /// answered.
  private mutating func note(_ method: String, _ params: JSON) {
    if method == "exit" { phase = .ended }
    guard phase == .running else { return }
    if method.hasPrefix("textDocument/did"), method != "textDocument/didSave" {
      for answer in running {
        answer.stop.stop(RPCError(.contentModified, "the text has changed since"))
      }
    }
    switch method {
    case CancelledRequests.method:
      _ = cancelled.take(params["id"])
      for answer in running where answer.id == params["id"] {
        answer.stop.stop(RPCError(.requestCancelled, "the client has cancelled it"))
      }
    case "initialized": workspace.watchFiles()
    case "textDocument/didOpen": workspace.open(params)
    case "textDocument/didChange": workspace.change(params)
    case "textDocument/didSave": workspace.filesChanged()
    case "textDocument/didClose": workspace.close(params)
    case "workspace/didChangeWatchedFiles": workspace.filesChanged()
    default: break
    }
  }
}
