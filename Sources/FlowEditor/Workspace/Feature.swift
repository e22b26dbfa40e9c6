internal import FlowSystem
private import Synchronization

/// A request of the protocol, its answer, and how the server announces it.
struct Feature: Sendable {
  /// An answer.
  enum Answer: Sendable {
    case now(JSON)
    /// One that takes longer than the time between two keystrokes.
    ///
    /// It is found while the next messages are read, and asks now and then whether it is still wanted.
    case later(@Sendable (AnswerStop) async -> JSON)
  }

  let method: String
  /// The member of the server's capabilities, or nil if another feature announces it.
  let capability: (name: String, value: JSON)?
  let answer: @Sendable (inout Workspace, JSON) throws(RPCError) -> Answer

  /// Creates a feature that answers at once.
  init(
    method: String, capability: (name: String, value: JSON)?,
    answer: @escaping @Sendable (inout Workspace, JSON) throws(RPCError) -> JSON
  ) {
    self.init(method: method, capability: capability) { (workspace, params) throws(RPCError) in
      Answer.now(try answer(&workspace, params))
    }
  }

  /// Creates a feature that may answer later.
  init(
    method: String, capability: (name: String, value: JSON)?,
    answering answer: @escaping @Sendable (inout Workspace, JSON) throws(RPCError) -> Answer
  ) {
    (self.method, self.capability, self.answer) = (method, capability, answer)
  }
}

/// The end of the search for an answer.
final class AnswerStop: Sendable {
  private let state = Mutex<RPCError?>(nil)

  /// The reason why the answer is not wanted any more, or nil if it is.
  var error: RPCError? { state.withLock { $0 } }
  /// True if the answer is not wanted any more, or the session has ended.
  var isStopped: Bool { Task.isCancelled || error != nil }

  /// Ends the search for a reason, unless there was one before.
  func stop(_ reason: RPCError) { state.withLock { $0 = $0 ?? reason } }
}

/// A request whose answer comes later.
struct LaterAnswer: Sendable {
  let id: JSON
  let stop = AnswerStop()
  let find: @Sendable (AnswerStop) async -> JSON

  /// Finds the answer.
  ///
  /// Returns the message for the client.
  func message() async -> JSON {
    let result = await find(stop)
    return stop.error.map { RPCMessage.response(id, $0) } ?? RPCMessage.response(id, result)
  }
}
