import Testing
import WebSocketCoding

/// The frames that each side sends.
@Suite struct SendingTests {
  // The samples of RFC 6455, section 5.7.
  @Test func `a client masks its frames`() {
    let client = Self.connection(.client)

    #expect(
      client.text("Hello") == [
        0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58,
      ])
    #expect(
      client.pong(Array("Hello".utf8)) == [
        0x8A, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58,
      ])
  }

  @Test func `a server does not mask its frames`() {
    let server = Self.connection(.server)

    #expect(server.text("Hello") == [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F])
    #expect(server.ping(Array("Hello".utf8)) == [0x89, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F])
    #expect(server.binary([UInt8](repeating: 0, count: 256)).prefix(4) == [0x82, 0x7E, 0x01, 0x00])
    #expect(
      server.binary([UInt8](repeating: 0, count: 65_536)).prefix(10)
        == [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0])
  }

  @Test func `nothing is sent behind a close frame`() {
    let server = Self.connection(.server)

    #expect(server.close(WebSocketClose(1000, reason: "ok")) == [0x88, 4, 0x03, 0xE8, 0x6F, 0x6B])
    #expect(server.hasSentClose)
    #expect(server.close(WebSocketClose(nil)) == [])
    #expect(server.text("late") == [])
    #expect(server.pong([1]) == [])
  }

  @Test func `a close frame may be empty`() {
    #expect(Self.connection(.server).close(WebSocketClose(nil)) == [0x88, 0])
  }

  @Test func `a closed side still receives`() {
    let (client, server) = (Self.connection(.client), Self.connection(.server))
    _ = server.close(WebSocketClose(1000))
    server.append(client.text("on its way"))

    #expect(server.next() == .text("on its way"))
    #expect(!server.hasEnded)
  }

  @Test func `nothing is received behind the end`() {
    let (client, server) = (Self.connection(.client), Self.connection(.server))
    server.append(client.close(WebSocketClose(1001)))

    #expect(server.next() == .close(WebSocketClose(1001)))
    #expect(server.hasEnded)
    server.append([0x89, 0])
    #expect(server.next() == nil)
  }

  @Test func `a frame above a limit fails`() {
    let client = Self.connection(.client)
    let server = WebSocketConnection(
      side: .server, limits: WebSocketLimits(message: 100, frame: 4), deflate: nil, mask: { 0 })
    server.append(client.text("1234") + client.text("12345"))

    #expect(server.next() == .text("1234"))
    #expect(server.next() == .failure(.longFrame(limit: 4)))
  }

  struct Content: Sendable, CustomTestStringConvertible {
    let close: WebSocketClose
    let expected: String?
    var testDescription: String { "\(close)" }
  }

  static let contents = [
    Content(close: WebSocketClose(nil), expected: nil),
    Content(close: WebSocketClose(4000, reason: "ü"), expected: nil),
    Content(close: WebSocketClose(1005), expected: "1005 is no code of a close frame"),
    Content(close: WebSocketClose(nil, reason: "why"), expected: "a reason needs a code"),
    Content(
      close: WebSocketClose(1000, reason: String(repeating: "ü", count: 62)),
      expected: "the reason has more than 123 bytes"),
  ]

  @Test(arguments: contents)
  func `the content of a close frame has rules`(_ content: Content) {
    #expect(content.close.problem == content.expected)
  }

  private static func connection(_ side: WebSocketSide) -> WebSocketConnection {
    WebSocketConnection(side: side, deflate: nil, mask: { 0x3D21_FA37 })
  }
}
