import FlowCore
import FlowTesting
import TestKit
import Testing
import WebSocketCases

@testable import WebSocketPlugin

/// The cases of conversations, as a server sends them on a connection.
@Suite struct LiveCaseTests {
  /// The cases that fit a URL.
  private static let cases = WebSocketCase.all.filter {
    $0.piece == nil && $0.pieces(byClient: false)[0].count <= 2_000
  }

  @Test func `a program receives what the server may send`() async throws {
    let server = try WebSocketServer()

    let results = try await WebSocket.with(server, ["max_bytes": WebSocketCase.limit]) { socket in
      var results: [[String]] = []
      for example in Self.cases { results.append(try await Self.outcomes(of: example, socket)) }
      return results
    }

    for (example, result) in zip(Self.cases, results) {
      // Pongs are for the server alone.
      #expect(result == example.expected.filter { !$0.hasPrefix("pong") }, "\(example)")
    }
  }

  private static func outcomes(
    of example: WebSocketCase, _ socket: OpenComponent
  ) async throws -> [String] {
    let hex = example.pieces(byClient: false)[0].map {
      ($0 < 16 ? "0" : "") + String($0, radix: 16)
    }
    let opened = try await fields(socket, "exchange", ["path": "/bytes?" + hex.joined()])
    guard case .string(let stream)? = opened["stream"] else { return ["no stream"] }
    var outcomes: [String] = []
    while true {
      do {
        let piece = try await fields(socket, "piece", ["stream": stream])
        outcomes.append(outcome(piece))
        if piece["end"] == .bool(true) { return outcomes }
      } catch let error as ComponentError {
        return outcomes + [violation(error, in: example)]
      }
    }
  }

  /// The fields of an answer that are not null.
  private static func fields(
    _ socket: OpenComponent, _ operation: String, _ input: [String: any FieldValue]
  ) async throws -> [String: Value] {
    guard case .record(let answer) = try await socket.call(operation, input) else { return [:] }
    var fields: [String: Value] = [:]
    for name in ["stream", "text", "bytes", "end", "code", "reason"] {
      fields[name] = answer[name].flatMap(present)
    }
    return fields
  }

  private static func present(_ value: Value) -> Value? {
    switch value {
    case .null, .optional(nil): nil
    case .optional(let value?): value
    default: value
    }
  }

  private static func outcome(_ piece: [String: Value]) -> String {
    if case .string(let text)? = piece["text"] {
      return WebSocketCase.outcome("text", Array(text.utf8))
    }
    if case .bytes(let bytes)? = piece["bytes"] {
      return WebSocketCase.outcome("binary", bytes.content)
    }
    let code = piece["code"]?.interpolated ?? ""
    let reason = piece["reason"]?.interpolated ?? ""
    return "close" + (code == "1005" ? "" : " \(code)") + (reason.isEmpty ? "" : " '\(reason)'")
  }

  /// The expected violation if the error has its kind.
  private static func violation(_ error: ComponentError, in example: WebSocketCase) -> String {
    let expected = example.expected.last ?? ""
    let code = expected == "fails 1009" ? "too_large" : "protocol"
    return error.code.name == code ? expected : "\(error)"
  }
}
