/// A conversation of a program and a server in the protocol of a database, read along.
///
/// One thread uses it for one connection. Both methods get the bytes as they arrive, in pieces of any
/// length, and both return what is to be sent in their place.
protocol Conversation {
  /// Takes bytes of the program.
  mutating func takeFromClient(_ bytes: [UInt8]) -> Passage

  /// Takes bytes of the server.
  mutating func takeFromServer(_ bytes: [UInt8]) -> Passage

  /// True after bytes that cannot be followed.
  ///
  /// The connection is passed on without being followed from then on.
  var isLost: Bool { get }
}

/// The consequence of some bytes of a conversation.
struct Passage: Equatable, Sendable {
  var toServer: [UInt8] = []
  var toClient: [UInt8] = []
  /// The statements that are complete, in order.
  var statements: [EndedStatement] = []
  /// The reason to end the connection, or nil to go on.
  var end: String?
}

/// A statement that the server has responded to.
struct EndedStatement: Equatable, Sendable {
  var text: StatementText
  /// The rows that were returned or changed.
  var rows = 0
  /// True inside of a transaction of its own `BEGIN`.
  var isInTransaction = false
  /// True if it opens the transaction that it belongs to.
  var begins = false
  /// The SQLSTATE of its error, or nil.
  var error: String?
}
