import Foundation
import Synchronization
import TestKit
import Testing

@testable import UpstreamPlugin

/// Connections in numbers.
@Suite(.serialized) struct ConnectionTests {
  /// The most requests that are open at once.
  private final class Crowd: Sendable {
    private let counts = Mutex((open: 0, most: 0))

    var most: Int { counts.withLock(\.most) }

    func enter() {
      counts.withLock { $0 = ($0.open + 1, max($0.most, $0.open + 1)) }
    }

    func leave() { counts.withLock { $0.open -= 1 } }
  }

  @Test(arguments: [1, 7, 100]) func `connections above the limit wait, and all are answered`(
    _ limit: Int
  ) async throws {
    var limits = ListenerLimits()
    limits.connections = limit
    let crowd = Crowd()

    let answers = try await serving(
      Listener(port: 0, limits: limits),
      { listener, request in
        crowd.enter()
        await Task.yield()
        crowd.leave()
        listener.answer(request, AnswerHead(status: 200, keepsAlive: false))
      }
    ) { listener in
      try await onThread {
        let sockets = try (0..<300).map { _ in try RawSocket(listener.port) }
        for socket in sockets { socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
        return Set(sockets.map { $0.rest() })
      }
    }

    #expect(answers == ["HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"])
    #expect(crowd.most <= limit)
  }

  @Test func `a listener with more silent clients than its limit ends`() async throws {
    var limits = ListenerLimits()
    limits.connections = 50
    let listener = try Listener(port: 0, limits: limits)

    let sockets = try (0..<200).map { _ in try RawSocket(listener.port) }
    await listener.close()
    let ends = Set(try await onThread { sockets.map { $0.rest() } })

    #expect(ends.subtracting(["", "<reset>"]) == [])
  }

  @Test(arguments: ["CONNECT ", "CONNECT a:4", "CONNECT a:443 HTTP/1.1\r\nHost:"])
  func `half the head of a tunnel ends with its client`(_ head: String) async throws {
    var limits = ListenerLimits()
    limits.headTime = .seconds(5)
    let refusals = Mutex<[Refusal]>([])
    let access = ProxyAccess(authority: try CertificateAuthority())

    let answer = try await serving(
      Listener(port: 0, limits: limits, proxy: access) { refusal in
        refusals.withLock { $0.append(refusal) }
      }
    ) { listener in try await exchange(listener.port, head, finishing: true) }

    // Bytes that nobody takes any more make a reset of the end.
    #expect(["", "<reset>"].contains(answer))
    #expect(refusals.withLock(\.self) == [])
  }
}
