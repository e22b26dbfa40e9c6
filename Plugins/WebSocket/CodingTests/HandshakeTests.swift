import Testing
import WebSocketCoding

/// The handshakes of both sides.
@Suite struct HandshakeTests {
  // The key of RFC 6455, section 1.3.
  private static let key = Array("the sample nonce".utf8)
  private static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

  @Test func `a client asks for a connection`() {
    let request = WebSocketRequest(key: Self.key, protocols: ["chat", "superchat"], deflates: true)

    #expect(
      request.headers.map { "\($0.name): \($0.value)" } == [
        "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Protocol: chat, superchat",
        "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits",
      ])
  }

  @Test func `a plain client asks for the least`() {
    let request = WebSocketRequest(key: Self.key, deflates: false)

    #expect(
      request.headers.map(\.name) == [
        "Upgrade", "Connection", "Sec-WebSocket-Key", "Sec-WebSocket-Version",
      ])
  }

  struct Answer: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var headers: [String: String]
    let expected: String

    /// The headers of a good response with changes, of which an empty value removes a header.
    init(_ id: String, _ changes: [String: String] = [:], _ expected: String) {
      (testDescription, self.expected) = (id, expected)
      headers = [
        "upgrade": "websocket", "connection": "Upgrade", "sec-websocket-accept": accept,
      ]
      for (name, value) in changes { headers[name] = value.isEmpty ? nil : value }
    }
  }

  static let answers = [
    Answer("the least", [:], "nil nil"),
    Answer(
      "names in other cases", ["upgrade": "WebSocket", "connection": "keep-alive, UPGRADE"],
      "nil nil"),
    Answer("a protocol", ["sec-websocket-protocol": "superchat"], "superchat nil"),
    Answer(
      "compression", ["sec-websocket-extensions": "permessage-deflate"], "nil 15 false 15 false"),
    Answer(
      "compression with parameters",
      [
        "sec-websocket-extensions":
          "Permessage-Deflate; server_no_context_takeover; client_max_window_bits=10;server_max_window_bits=\"9\""
      ], "nil 9 true 10 false"),
    Answer("no upgrade", ["upgrade": ""], "the response has no header 'upgrade: websocket'"),
    Answer(
      "another upgrade", ["upgrade": "h2c"], "the response has no header 'upgrade: websocket'"),
    Answer(
      "no connection", ["connection": "close"],
      "the response has no header 'connection: upgrade'"),
    Answer(
      "the key of another", ["sec-websocket-accept": "AAAAAAAAAAAAAAAAAAAAAAAAAAA="],
      "the response has a wrong 'sec-websocket-accept'"),
    Answer(
      "another protocol", ["sec-websocket-protocol": "other"],
      "the server chose the protocol 'other', which was not offered"),
    Answer(
      "another extension", ["sec-websocket-extensions": "bzip"],
      "the server chose the extension 'bzip', which was not offered"),
    Answer(
      "compression twice",
      ["sec-websocket-extensions": "permessage-deflate, permessage-deflate"],
      "the server chose the extension 'permessage-deflate, permessage-deflate', which was not offered"
    ),
    Answer(
      "a window without bits",
      ["sec-websocket-extensions": "permessage-deflate; client_max_window_bits"],
      "the server chose the extension 'permessage-deflate; client_max_window_bits', which was not offered"
    ),
    Answer(
      "a window of 16 bits",
      ["sec-websocket-extensions": "permessage-deflate; server_max_window_bits=16"],
      "the server chose the extension 'permessage-deflate; server_max_window_bits=16', which was not offered"
    ),
  ]

  @Test(arguments: answers)
  func `a client checks the response`(_ answer: Answer) {
    let request = WebSocketRequest(key: Self.key, protocols: ["chat", "superchat"], deflates: true)

    #expect(Self.text { try request.agreement { answer.headers[$0] } } == answer.expected)
  }

  @Test func `a client without an offer accepts no compression`() {
    let request = WebSocketRequest(key: Self.key, deflates: false)
    let answer = Answer("", ["sec-websocket-extensions": "permessage-deflate"], "")

    #expect(
      Self.text { try request.agreement { answer.headers[$0] } }
        == "the server chose the extension 'permessage-deflate', which was not offered")
  }

  struct Offer: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let extensions: String
    /// The extension of the response, or nil.
    let expected: String?

    init(_ extensions: String, _ expected: String?) {
      (testDescription, self.extensions, self.expected) = (extensions, extensions, expected)
    }
  }

  static let offers = [
    Offer("", nil),
    Offer("permessage-deflate", "permessage-deflate"),
    Offer("permessage-deflate; client_max_window_bits", "permessage-deflate"),
    Offer("permessage-deflate; client_max_window_bits=10", "permessage-deflate"),
    Offer(
      "permessage-deflate; server_max_window_bits=10; server_no_context_takeover",
      "permessage-deflate; server_no_context_takeover; server_max_window_bits=10"),
    Offer(
      "permessage-deflate; client_no_context_takeover",
      "permessage-deflate; client_no_context_takeover"),
    Offer("permessage-deflate; other, permessage-deflate", "permessage-deflate"),
    Offer("permessage-deflate; other", nil),
    Offer("permessage-deflate; server_max_window_bits", nil),
    Offer("permessage-deflate; server_max_window_bits=7", nil),
    Offer("permessage-deflate; server_max_window_bits=08", nil),
    Offer("permessage-deflate; server_no_context_takeover=1", nil),
    Offer("permessage-deflate; client_max_window_bits; client_max_window_bits", nil),
    Offer("x-webkit-deflate-frame", nil),
  ]

  @Test(arguments: offers)
  func `a server accepts the first offer that it knows`(_ offer: Offer) throws {
    var headers = Self.requestHeaders
    headers["sec-websocket-extensions"] = offer.extensions
    let answer = try WebSocketOffer(method: "GET") { headers[$0] }
      .accepted(protocol: nil, deflates: true)

    #expect(
      answer.headers.first { $0.name == "Sec-WebSocket-Extensions" }?.value == offer.expected)
    #expect((answer.agreement.deflate == nil) == (offer.expected == nil))
  }

  @Test func `a server answers with the key and the protocol`() throws {
    var headers = Self.requestHeaders
    headers["sec-websocket-protocol"] = "chat, superchat"
    let offer = try WebSocketOffer(method: "GET") { headers[$0] }
    let answer = offer.accepted(protocol: "superchat", deflates: false)

    #expect(offer.protocols == ["chat", "superchat"])
    #expect(
      answer.headers.map { "\($0.name): \($0.value)" } == [
        "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Accept: \(Self.accept)", "Sec-WebSocket-Protocol: superchat",
      ])
    #expect(answer.agreement == WebSocketAgreement(protocol: "superchat"))
  }

  struct Refused: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let method: String
    let change: (name: String, value: String)
    let expected: String

    init(
      _ id: String, _ method: String = "GET", _ name: String = "", _ value: String = "",
      _ expected: String
    ) {
      (testDescription, self.method, change) = (id, method, (name, value))
      self.expected = expected
    }
  }

  static let refused = [
    Refused(
      "another method", "POST", "x", "", "400 the request is no handshake: the method is not GET"),
    Refused(
      "no upgrade", "GET", "upgrade", "h2c",
      "400 the request is no handshake: no 'upgrade: websocket'"),
    Refused(
      "no connection", "GET", "connection", "close",
      "400 the request is no handshake: no 'connection: upgrade'"),
    Refused(
      "another version", "GET", "sec-websocket-version", "8",
      "426 the version '8' is not supported, only 13"),
    Refused(
      "a short key", "GET", "sec-websocket-key", "AAAA",
      "400 the request is no handshake: no 'sec-websocket-key' of 16 bytes"),
    Refused(
      "malformed extensions", "GET", "sec-websocket-extensions", "; a",
      "400 the request is no handshake: a malformed 'sec-websocket-extensions'"),
  ]

  @Test(arguments: refused)
  func `a server refuses other requests`(_ refused: Refused) {
    var headers = Self.requestHeaders
    headers[refused.change.name] = refused.change.value

    do throws(WebSocketHandshakeError) {
      _ = try WebSocketOffer(method: refused.method) { headers[$0] }
      Issue.record("the request was accepted")
    } catch {
      #expect("\(error.status) \(error)" == refused.expected)
    }
  }

  private static let requestHeaders = [
    "upgrade": "websocket", "connection": "keep-alive, Upgrade", "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  ]

  private static func text(_ agreement: () throws -> WebSocketAgreement) -> String {
    do {
      let agreement = try agreement()
      let deflate = agreement.deflate.map {
        "\($0.serverWindow) \($0.serverForgets) \($0.clientWindow) \($0.clientForgets)"
      }
      return "\(agreement.protocol ?? "nil") \(deflate ?? "nil")"
    } catch {
      return "\(error)"
    }
  }
}
