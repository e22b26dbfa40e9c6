import TestKit
import Testing
import WebSocketCases
import WebSocketCoding

@testable import UpstreamPlugin

/// The cases of conversations, as a program sends them on a connection.
@Suite(.serialized) struct SocketCaseTests {
  private static let cases = WebSocketCase.all.filter { $0.piece == nil }

  /// Returns every message, and closes with the program's own code.
  private static let echo: Handler = { listener, request in
    listener.upgrade(request, AnswerHead(status: 101))
    let socket = ProgramSocket(request, of: listener, WebSocketAgreement(), WebSocketCase.limit)
    while let message = try? await socket.next() {
      switch message {
      case .text(let text): try? await socket.send(SocketMessage(text: text))
      case .bytes(let bytes): try? await socket.send(SocketMessage(bytes: bytes))
      case .close(let close): try? await socket.close(close.code, close.reason)
      }
    }
    socket.finish()
  }

  @Test func `a program is answered by the protocol`() async throws {
    let answers = try await serving(Listener(port: 0), Self.echo) { listener in
      try await onThread { try Self.cases.map { try Self.answer(to: $0, listener.port) } }
    }

    for (example, answer) in zip(Self.cases, answers) {
      #expect(Self.outcomes(of: answer, in: example) == example.expected, "\(example)")
    }
  }

  /// The bytes behind the head of the answer, until the end of the connection.
  private static func answer(to example: WebSocketCase, _ port: Int) throws -> [UInt8] {
    let socket = try RawSocket(port)
    socket.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
    _ = socket.text(upTo: "\r\n\r\n")
    for piece in example.pieces(byClient: true) { socket.send(piece) }
    socket.finish()
    return socket.bytes()
  }

  private static func outcomes(of answer: [UInt8], in example: WebSocketCase) -> [String] {
    let connection = WebSocketConnection(side: .client, deflate: nil, mask: { 1 })
    connection.append(answer)
    var outcomes: [String] = []
    while let event = connection.next() { outcomes.append(outcome(event, in: example)) }
    return outcomes
  }

  private static func outcome(_ event: WebSocketEvent, in example: WebSocketCase) -> String {
    switch event {
    case .text(let text): WebSocketCase.outcome("text", Array(text.utf8))
    case .binary(let bytes): WebSocketCase.outcome("binary", bytes)
    case .pong(let bytes): WebSocketCase.outcome("pong", bytes)
    case .close(let close):
      if example.expected.last?.hasPrefix("fails") == true {
        "fails \(close.code ?? 0)"
      } else {
        "close" + (close.code.map { " \($0)" } ?? "")
          + (close.reason.isEmpty ? "" : " '\(close.reason)'")
      }
    case .ping, .failure: "\(event)"
    }
  }
}
