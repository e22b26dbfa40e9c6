/// The messages in one direction of a connection to PostgreSQL, as they arrive in pieces.
///
/// Only the kind of a message, its first bytes and its end are kept, so that a message of any length
/// takes no memory. https://www.postgresql.org/docs/current/protocol-message-formats.html
struct MessageStream {
  /// A message, or its beginning.
  struct Message: Equatable {
    let kind: UInt8
    /// The first bytes of its body, up to `mostKept`.
    var body: [UInt8]
  }

  /// The most bytes of a body that are kept.
  static let mostKept = StatementText.greatestLength
  /// A length that no message has.
  ///
  /// The stream is of another protocol then.
  private static let longest = 1 << 30

  private var header: [UInt8] = []
  private var message: Message?
  /// The bytes of the current body that are still to come.
  private var left = 0
  /// True after bytes that are no message.
  private(set) var isBroken = false

  /// Takes bytes, and returns the messages that end in them.
  mutating func append(_ bytes: ArraySlice<UInt8>) -> [Message] {
    var (rest, messages): (ArraySlice<UInt8>, [Message]) = (bytes, [])
    while !rest.isEmpty, !isBroken {
      guard var current = message else {
        begin(&rest)
        if left == 0, let done = message { end(done, &messages) }
        continue
      }
      let part = rest.prefix(left)
      current.body += part.prefix(Self.mostKept - current.body.count)
      rest = rest.dropFirst(part.count)
      left -= part.count
      message = current
      if left == 0 { end(current, &messages) }
    }
    return messages
  }

  /// Takes the bytes of a header, which may end in the middle of it.
  private mutating func begin(_ rest: inout ArraySlice<UInt8>) {
    let part = rest.prefix(5 - header.count)
    header += part
    rest = rest.dropFirst(part.count)
    guard header.count == 5 else { return }
    let length = header[1...].reduce(0) { $0 << 8 | Int($1) }
    guard 4...Self.longest ~= length else {
      isBroken = true
      return
    }
    message = Message(kind: header[0], body: [])
    left = length - 4
    header = []
  }

  private mutating func end(_ done: Message, _ messages: inout [Message]) {
    messages.append(done)
    message = nil
  }
}

/// The request at the start of a connection, which has a length and a code.
enum StartupRequest: Equatable {
  /// The number of bytes of a request that the proxy waits for.
  ///
  /// PostgreSQL refuses longer ones.
  static let longest = 10_000

  /// A request for TLS or GSSAPI, which the proxy refuses.
  case encryption
  /// A request to cancel a statement of another connection.
  case cancel
  /// The login.
  case login
  /// Bytes of another protocol.
  case unknown

  /// Reads the request at the beginning of bytes, with its length, or returns nil if some are missing.
  static func read(_ bytes: [UInt8]) -> (request: StartupRequest, count: Int)? {
    guard bytes.count >= 8 else { return nil }
    let length = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
    guard 8...longest ~= length else { return (.unknown, bytes.count) }
    guard bytes.count >= length else { return nil }
    switch bytes[4..<8].reduce(0, { $0 << 8 | Int($1) }) {
    case 80_877_103, 80_877_104: return (.encryption, length)
    case 80_877_102: return (.cancel, length)
    case 196_608..<262_144: return (.login, length)
    default: return (.unknown, length)
    }
  }
}
