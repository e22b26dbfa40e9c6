import Foundation
import Synchronization
import TestKit
import Testing

@testable import UpstreamPlugin

/// Connections in numbers, and those of other users.
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

  // MARK: - Users

  /// Sends a request as another user if this is root, and prints what comes back.
  private static let client = """
    import os, socket, sys
    if os.getuid() == 0: os.setuid(65534)
    kind = socket.AF_INET6 if sys.argv[2] == "mapped" else socket.AF_INET
    host = "::ffff:127.0.0.1" if sys.argv[2] == "mapped" else "127.0.0.1"
    client = socket.socket(kind, socket.SOCK_STREAM)
    client.connect((host, int(sys.argv[1])))
    try:
      client.sendall(b"DELETE /all HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n")
      print(client.recv(1000).split(b"\\r\\n")[0].decode())
    except ConnectionError: print("reset")
    """

  struct Client: Sendable, CustomTestStringConvertible {
    let name: String
    let clients: ListenerClients
    var family = "four"
    let expected: [String]
    let arrives: Bool
    var testDescription: String { name }
  }

  /// The user of the clients below.
  private static var user: Int64 { getuid() == 0 ? 65534 : Int64(getuid()) }
  private static let refused = ["HTTP/1.1 403 Forbidden\n", "reset\n"]

  @Test(arguments: [
    Client(
      name: "the same user", clients: .user(user), expected: ["HTTP/1.1 200 OK\n"], arrives: true),
    Client(
      name: "the same user in the other family", clients: .user(user), family: "mapped",
      expected: ["HTTP/1.1 200 OK\n"], arrives: true),
    Client(name: "another user", clients: .user(user + 1), expected: refused, arrives: false),
    Client(
      name: "another user in the other family", clients: .user(user + 1), family: "mapped",
      expected: refused, arrives: false),
    Client(name: "anyone", clients: .anyone, expected: ["HTTP/1.1 200 OK\n"], arrives: true),
  ]) func `the port is for the programs of its user`(_ client: Client) async throws {
    let requests = Counter()
    let refusals = Mutex<[Refusal]>([])

    let ending = try await serving(
      Listener(port: 0, clients: client.clients) { refusal in
        refusals.withLock { $0.append(refusal) }
      },
      { listener, request in
        requests.add()
        listener.answer(request, AnswerHead(status: 200))
      }
    ) { listener in
      try await run("python3", ["-c", Self.client, "\(listener.port)", client.family])
    }

    #expect(client.expected.contains(ending.output), "\(ending.output)\(ending.errors)")
    #expect(requests.value == (client.arrives ? 1 : 0))
    #expect(refusals.withLock(\.self) == (client.arrives ? [] : [.stranger]))
  }

  #if os(Linux)
    /// Without root, every client is of the one user who runs the tests.
    @Test(.enabled(if: getuid() == 0))
    func `a client of another user that has gone is not taken for root`() async throws {
      var limits = ListenerLimits()
      limits.connections = 1
      let (events, event) = AsyncStream<String>.makeStream()

      let (ending, next) = try await serving(
        Listener(port: 0, limits: limits) { event.yield("\($0)") },
        { listener, request in
          event.yield(request.target)
          listener.answer(request, AnswerHead(status: 200))
        }
      ) { listener in
        // While this one is open, the next one waits and is over before it is accepted.
        let first = try RawSocket(listener.port)
        first.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = try await onThread { first.text(upTo: "\r\n\r\n") }
        let ending = try await run("python3", ["-c", Self.leaver, "\(listener.port)"])
        first.send("GET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        var iterator = events.makeAsyncIterator()
        return (ending, [await iterator.next(), await iterator.next(), await iterator.next()])
      }

      #expect(ending.errors == "")
      #expect(next == ["/1", "/2", "stranger"])
    }

    private static let leaver = """
      import os, socket, sys
      os.setuid(65534)
      client = socket.socket()
      client.connect(("127.0.0.1", int(sys.argv[1])))
      client.sendall(b"DELETE /all HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n")
      client.shutdown(socket.SHUT_WR)
      # Once its end has arrived (FIN_WAIT2), the system forgets the user with the process.
      while client.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] != 5: pass
      """
  #endif
}
