/// A connection to PostgreSQL: a request at its start, and then messages.
struct PostgreSQLConversation: Conversation {
  private enum Stage {
    /// The bytes of an incomplete request.
    case start([UInt8])
    case messages
    /// A request to cancel, which has no statements.
    case cancel
  }

  private var stage = Stage.start([])
  private var watch = StatementWatch()

  var isLost: Bool { watch.isLost }

  mutating func takeFromClient(_ bytes: [UInt8]) -> Passage {
    switch stage {
    case .start(let first): return start(with: first + bytes)
    case .messages: watch.takeFromClient(bytes[...])
    case .cancel: break
    }
    return Passage(toServer: bytes)
  }

  mutating func takeFromServer(_ bytes: [UInt8]) -> Passage {
    guard case .messages = stage else { return Passage(toClient: bytes) }
    return Passage(toClient: bytes, statements: watch.takeFromServer(bytes[...]))
  }

  /// Takes all bytes of the program up to now, and refuses encryption.
  private mutating func start(with bytes: [UInt8]) -> Passage {
    guard let (request, count) = StartupRequest.read(bytes) else {
      stage = .start(bytes)
      return Passage()
    }
    switch request {
    case .encryption:
      stage = .start([])
      guard bytes.count == count else {
        return Passage(end: "a program did not wait for the answer to its request for encryption")
      }
      // With 'N' libpq goes on without encryption, unless it must not.
      return Passage(toClient: Array("N".utf8))
    case .login:
      stage = .messages
      watch.takeFromClient(bytes[count...])
    case .cancel: stage = .cancel
    case .unknown:
      return Passage(end: "a connection was ended, because it is not one of PostgreSQL")
    }
    return Passage(toServer: bytes)
  }
}
