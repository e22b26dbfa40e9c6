import Testing
import WebSocketCases

@testable import WebSocketCoding

/// The cases of conversations, played to the protocol of each side without a socket.
@Suite struct CaseTests {
  @Test(arguments: WebSocketCase.all)
  func `a client follows the protocol`(_ example: WebSocketCase) {
    #expect(Self.outcomes(of: example, at: .client) == example.expected)
  }

  @Test(arguments: WebSocketCase.all)
  func `a server follows the protocol`(_ example: WebSocketCase) {
    #expect(Self.outcomes(of: example, at: .server) == example.expected)
  }

  /// Plays a case to an endpoint of one side, and returns its behaviour.
  private static func outcomes(of example: WebSocketCase, at side: WebSocketSide) -> [String] {
    let connection = WebSocketConnection(
      side: side, limits: WebSocketLimits(message: WebSocketCase.limit), deflate: nil, mask: { 7 })
    var outcomes: [String] = []
    for piece in example.pieces(byClient: side == .server) {
      connection.append(piece)
      while let event = connection.next() { outcomes += [outcome(event)].compactMap(\.self) }
    }
    return outcomes
  }

  private static func outcome(_ event: WebSocketEvent) -> String? {
    switch event {
    case .text(let text): WebSocketCase.outcome("text", Array(text.utf8))
    case .binary(let bytes): WebSocketCase.outcome("binary", bytes)
    case .ping(let bytes): WebSocketCase.outcome("pong", bytes)
    case .pong: nil
    case .close(let close):
      "close" + (close.code.map { " \($0)" } ?? "")
        + (close.reason.isEmpty ? "" : " '\(close.reason)'")
    case .failure(let failure): "fails \(failure.code)"
    }
  }
}
