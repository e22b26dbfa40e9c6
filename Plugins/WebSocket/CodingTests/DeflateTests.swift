import Testing
import WebSocketCases

@testable import WebSocketCoding

/// Compressed messages, by the samples of RFC 7692 and between the two sides.
@Suite struct DeflateTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The payloads of the frames of a server, each list that of a message.
    let messages: [[[UInt8]]]
    let expected: [String]

    init(_ id: String, _ messages: [[[UInt8]]], _ expected: [String]) {
      (testDescription, self.messages, self.expected) = (id, messages, expected)
    }
  }

  private static let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]

  // Section 7.2.3, and what damages them.
  static let examples = [
    Example("one message", [[hello]], ["text Hello"]),
    Example("in two frames", [[[0xF2, 0x48, 0xCD], [0xC9, 0xC9, 0x07, 0x00]]], ["text Hello"]),
    Example(
      "a second message by the first", [[hello], [[0xF2, 0x00, 0x11, 0x00, 0x00]]],
      ["text Hello", "text Hello"]),
    Example(
      "a block that is not compressed",
      [[[0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00]]], ["text Hello"]),
    Example(
      "a block marked as the last", [[[0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]], [hello]],
      ["text Hello", "text Hello"]),
    Example(
      "a block marked as the last without an end",
      [[[0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]], [hello]], ["text Hello", "text Hello"]),
    Example(
      "two blocks",
      [[[0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00]]],
      ["text Hello"]),
    Example("nothing", [[[0x00]]], ["text "]),
    Example("an empty frame", [[[]]], ["fails 1007"]),
    Example("no deflate", [[[0xFF, 0xFF]]], ["fails 1007"]),
    Example("an incomplete block", [[[0xF2, 0x48, 0xCD]]], ["fails 1007"]),
    Example("a reference before the start", [[[0xF2, 0x00, 0x11, 0x00, 0x00]]], ["fails 1007"]),
  ]

  @Test(arguments: examples)
  func `a client decompresses`(_ example: Example) {
    let connection = Self.connection(.client, MessageDeflate())
    var outcomes: [String] = []

    for message in example.messages { connection.append(Self.bytes(message)) }
    while let event = connection.next() { outcomes.append(Self.outcome(event)) }

    #expect(outcomes == example.expected)
  }

  @Test func `only the first frame of a message is marked as compressed`() {
    let connection = Self.connection(.client, MessageDeflate())
    let marked = CaseFrame(0, [0]).with { $0.reserved = 4 }
    connection.append(
      Self.bytes([Self.hello]).with { $0[0] &= 0x7F } + marked.bytes(byClient: false))

    #expect(connection.next() == .failure(.reservedBits))
  }

  @Test func `a control frame is not compressed`() {
    let connection = Self.connection(.client, MessageDeflate())
    connection.append(CaseFrame(9, [0]).with { $0.reserved = 4 }.bytes(byClient: false))

    #expect(connection.next() == .failure(.reservedBits))
  }

  @Test func `a message above the limit fails before it is whole`() {
    let server = Self.connection(.server, MessageDeflate())
    let client = Self.connection(.client, MessageDeflate(), limit: 100_000)
    client.append(server.text(String(repeating: "a", count: 100_000)))
    client.append(server.text(String(repeating: "a", count: 150_000)))

    #expect(client.next() == .text(String(repeating: "a", count: 100_000)))
    #expect(client.next() == .failure(.longMessage(limit: 100_000)))
    #expect(client.next() == nil)
  }

  static let agreements: [MessageDeflate] = [false, true].flatMap { forgets in
    [8, 9, 15].map { window in
      var deflate = MessageDeflate()
      (deflate.serverForgets, deflate.clientForgets) = (forgets, !forgets)
      (deflate.serverWindow, deflate.clientWindow) = (window, 15)
      return deflate
    }
  }

  // The sizes of the Autobahn suite, each several times.
  @Test(arguments: agreements)
  func `messages of all sizes return`(_ deflate: MessageDeflate) {
    let (client, server) = (Self.connection(.client, deflate), Self.connection(.server, deflate))
    for count in [0, 1, 16, 64, 256, 1_024, 4_096, 8_192, 16_384, 32_768, 65_536, 131_072] {
      for round in 0..<4 {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * $0 / 7 + round) }

        server.append(client.binary(bytes))
        #expect(server.next() == .binary(bytes))
        client.append(server.binary(bytes))
        #expect(client.next() == .binary(bytes))
      }
    }
  }

  @Test func `a compressed message is shorter`() {
    let server = Self.connection(.server, MessageDeflate())
    let text = String(repeating: "flow ", count: 1_000)

    let (first, second) = (server.text(text), server.text(text))

    #expect(first.count < 100)
    #expect(second.count < first.count)
    #expect(first[0] == 0xC1)
  }

  @Test func `a window of 256 bytes is not compressed for`() {
    var deflate = MessageDeflate()
    deflate.serverWindow = 8
    let server = Self.connection(.server, deflate)

    #expect(server.text("Hello") == CaseFrame(1, Array("Hello".utf8)).bytes(byClient: false))
  }

  private static func connection(
    _ side: WebSocketSide, _ deflate: MessageDeflate, limit: Int = 1 << 20
  ) -> WebSocketConnection {
    WebSocketConnection(
      side: side, limits: WebSocketLimits(message: limit), deflate: deflate, mask: { 0x1234_5678 })
  }

  /// Returns the frames of a compressed text.
  private static func bytes(_ payloads: [[UInt8]]) -> [UInt8] {
    payloads.enumerated().flatMap { index, payload in
      CaseFrame(index == 0 ? 1 : 0, payload).with {
        $0.reserved = index == 0 ? 4 : 0
        $0.isLast = index == payloads.count - 1
      }.bytes(byClient: false)
    }
  }

  private static func outcome(_ event: WebSocketEvent) -> String {
    switch event {
    case .text(let text): "text \(text)"
    case .failure(let failure): "fails \(failure.code)"
    default: "\(event)"
    }
  }
}

extension [UInt8] {
  fileprivate func with(_ change: (inout [UInt8]) -> Void) -> [UInt8] {
    var copy = self
    change(&copy)
    return copy
  }
}
