internal import FlowCore
private import Synchronization

/// The ways to agents: the requests that they have open, and the streams on which they listen.
///
/// A server has no request of its own to an agent: a message goes with the answer to a request that is
/// open, or else on a stream. Until there is one, it is kept.
final class AgentStreams: Sendable {
  /// A request of an agent without an answer, or a stream.
  fileprivate struct Way {
    let request: IncomingRequest
    let role: String
    let outbox: EventOutbox
    let message: AgentMessage?
    /// The lists whose changes it takes, and the id of the subscription, or nil for another way.
    var subscription: (id: Value, lists: Set<String>)?

    /// Returns true if a message of the server that belongs to no request may go there.
    func takes(_ message: ServerMessage?) -> Bool {
      if let subscription { return message?.changedList.map(subscription.lists.contains) ?? false }
      guard let own = self.message else { return true }
      guard request.takesEvents else { return false }
      if !own.isStateless { return true }
      return message?.isOfLog == true && own.wantsLog
    }
  }

  fileprivate struct State {
    var ways: [Way] = []
    /// The messages without a way, by role.
    var kept: [String: [Value]] = [:]
    /// The roles with an agent of a revision with a handshake, in which streams belong to no request.
    var greeted: Set<String> = []
    /// What agents have said they can be asked for, by role.
    var abilities: [String: Set<String>] = [:]
    /// The numbers of the questions that agents have not answered, by role, with true for those that
    /// are on their way.
    var questions: [String: [Int: Bool]] = [:]
    /// The tasks that wait for the answers to the questions of a role.
    var waiters: [UInt64: (role: String, task: CheckedContinuation<Void, Never>)] = [:]

    /// True if an agent has a question of a role to answer.
    func isAsking(_ role: String) -> Bool { questions[role]?.values.contains(true) ?? false }

    /// Takes the tasks that have nothing to wait for any more.
    mutating func takeWaiters(of role: String) -> [CheckedContinuation<Void, Never>] {
      if isAsking(role) { return [] }
      let due = waiters.filter { $0.value.role == role }
      for key in due.keys { waiters[key] = nil }
      return due.values.map(\.task)
    }
  }

  /// The most messages that wait for an agent to listen, the latest ones.
  private static let mostKept = 100

  private let state = Mutex(State())

  // MARK: - Ways

  /// Adds a request, and gives it the messages that were kept.
  func open(_ request: IncomingRequest, _ message: AgentMessage, _ role: String) -> EventOutbox {
    add(Way(request: request, role: role, outbox: EventOutbox(), message: message))
  }

  /// Adds a stream, and gives it the messages that were kept.
  func listen(_ request: IncomingRequest, _ role: String) -> EventOutbox {
    add(Way(request: request, role: role, outbox: EventOutbox(), message: nil))
  }

  /// Adds a subscription, of a revision without a handshake, which is told what it has.
  func subscribe(
    _ request: IncomingRequest, _ message: AgentMessage, _ role: String
  ) -> EventOutbox {
    let way = Way(
      request: request, role: role, outbox: EventOutbox(), message: message,
      subscription: (message.id ?? .null, message.wantedLists))
    way.outbox.send(message.acknowledgement)
    return add(way)
  }

  private func add(_ way: Way) -> EventOutbox {
    state.withLock { state in
      state.ways.append(way)
      if way.takes(nil) {
        for message in state.kept.removeValue(forKey: way.role) ?? [] { way.outbox.send(message) }
      }
    }
    return way.outbox
  }

  /// Removes a way.
  func close(_ request: IncomingRequest) {
    state.withLock { $0.ways.removeAll { $0.request.number == request.number } }
  }

  /// Ends the request with an id that an agent cancels.
  ///
  /// Nothing ends if agents share a role and have two requests with this id.
  func cancel(_ id: Value, _ role: String, _ listener: Listener) {
    let found = state.withLock { state in
      state.ways.filter { $0.role == role && $0.message?.id == id }
    }
    guard found.count == 1 else { return }
    // A stream without a response.
    if !found[0].outbox.finish() { listener.answer(found[0].request, EventOutbox.head) }
  }

  // MARK: - Messages

  /// Sends a notification of the server in a role.
  func send(_ message: ServerMessage, _ role: String) {
    state.withLock { state in
      if let request = message.request { return state.send(progress: message, of: request, role) }
      if let list = message.changedList { state.tellSubscribers(of: list, message, role) }
      state.send(message.line(message.params), role, message, mostKept: Self.mostKept)
    }
  }

  /// Notes the handshake of an agent, with what it can be asked for.
  func greet(_ abilities: Value?, _ role: String) {
    var names: [String] = []
    if case .map(let map)? = abilities { names = map.entries.map { $0.key.interpolated } }
    state.withLock { state in
      state.greeted.insert(role)
      state.abilities[role, default: []].formUnion(names)
    }
  }

  /// Sends a question of the server in a role.
  ///
  /// Returns false if no agent can be asked for that.
  func ask(_ question: ServerQuestion, _ role: String) -> Bool {
    state.withLock { state in
      guard state.abilities[role]?.contains(question.ability) == true else { return false }
      let isSent = state.send(question.line, role, nil, mostKept: Self.mostKept)
      state.questions[role, default: [:]][question.number] = isSent
      return true
    }
  }

  /// Notes the answer to a question.
  ///
  /// Returns false if there is no such question.
  func settle(_ number: Int, _ role: String) -> Bool {
    let (isKnown, due) = state.withLock { state in
      (state.questions[role]?.removeValue(forKey: number) != nil, state.takeWaiters(of: role))
    }
    for task in due { task.resume() }
    return isKnown
  }

  /// Waits until agents have answered the questions of a server, or the task is cancelled.
  ///
  /// A recorded answer is there at once, and comes after the questions that led to it.
  func untilAnswered(of role: String, by request: IncomingRequest) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { task in
        let waits = state.withLock { state in
          guard !Task.isCancelled, state.isAsking(role) else { return false }
          state.waiters[request.number] = (role, task)
          return true
        }
        if !waits { task.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: request.number) }?.task.resume()
    }
  }
}

extension AgentStreams.State {
  /// Sends a message on the first way that takes it, or keeps it and returns false.
  @discardableResult fileprivate mutating func send(
    _ line: Value, _ role: String, _ message: ServerMessage?, mostKept: Int
  ) -> Bool {
    let ways = ways.filter { $0.role == role && $0.subscription == nil && $0.takes(message) }
    // With an answer, so that it comes before that.
    let sorted =
      ways.filter { $0.message != nil }
      + ways.filter { $0.message == nil && greeted.contains(role) }
    if sorted.contains(where: { $0.outbox.send(line) }) { return true }
    kept[role, default: []].append(line)
    if kept[role, default: []].count > mostKept { kept[role]?.removeFirst() }
    return false
  }

  /// Tells those that have subscribed to the changes of a list.
  fileprivate func tellSubscribers(of list: String, _ message: ServerMessage, _ role: String) {
    for way in ways where way.role == role && way.takes(message) {
      guard let id = way.subscription?.id else { continue }
      let meta = ValueMap([(AgentMessage.subscriptionKey, id)])
      var params = ValueMap()
      if case .map(let given) = message.params { params = given }
      params[.string("_meta")] = .map(meta)
      way.outbox.send(message.line(.map(params)))
    }
  }

  /// Sends the progress of a request to the agent that has made it, and asked for its progress.
  fileprivate func send(progress message: ServerMessage, of request: Value, _ role: String) {
    let way = ways.first { way in
      way.role == role && way.request.takesEvents && way.message?.progressToken != nil
        && way.message?.request.isRequest(request) == true
    }
    guard let way, let token = way.message?.progressToken, case .map(var params) = message.params
    else { return }
    params[.string("progressToken")] = token
    way.outbox.send(message.line(.map(params)))
  }
}
