import Foundation
import TestKit
import Testing

@testable import UpstreamPlugin

/// The port, and everything that a listener holds.
@Suite struct PortTests {
  @Test func `a refusing listener has no port, and opens the same one again`() async throws {
    try await serving(Listener(port: 0)) { listener in
      let url = "http://127.0.0.1:\(listener.port)/"
      let idle = try RawSocket(listener.port)
      idle.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let first = try await onThread { idle.text(upTo: "a\n\n") }

      listener.refuse()
      let refused = try await curl(url)
      let kept = try await onThread { idle.rest() }
      #expect(throws: POSIXError(.ECONNREFUSED)) { try RawSocket(listener.port) }
      listener.refuse()
      try listener.accept()
      try listener.accept()
      let accepted = try await curl(url)

      #expect(first.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(refused.hasPrefix("curl: (7) "), "\(refused)")
      #expect(refused.contains("Couldn't connect to server"), "\(refused)")
      #expect(kept == "")
      #expect(accepted.hasPrefix("GET /\n"), "\(accepted)")
    }
  }

  @Test func `a request that arrived before a refusal is answered, on a connection that ends`()
    async throws
  {
    let answer = try await serving(
      Listener(port: 0),
      { listener, request in
        listener.refuse()
        listener.answer(request, AnswerHead(status: 200))
      }
    ) { listener in
      try await exchange(listener.port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    }

    #expect(answer == "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
  }

  @Test func `a port that is taken or none is an error`() async throws {
    let listener = try Listener(port: 0)

    let taken = #expect(throws: ListenerError.self) { try Listener(port: listener.port) }
    let none = #expect(throws: ListenerError.self) { try Listener(port: 65_536) }

    #expect(
      taken?.description == "cannot listen on port \(listener.port): Address already in use")
    #expect(
      none?.description
        == "cannot listen on port 65536: the number is not between 0 and 65535")
    await listener.close()
  }

  @Test func `a port can be used again at once`() async throws {
    // Other tests may take it in between.
    for _ in 1...20 {
      let first = try Listener(port: 0)
      _ = try await serving(first) { try await curl("http://127.0.0.1:\($0.port)/") }
      guard let second = try? Listener(port: first.port) else { continue }
      let answer = try await serving(second) { try await curl("http://127.0.0.1:\($0.port)/") }
      #expect(answer.hasPrefix("GET /\n"), "\(answer)")
      return
    }
    Issue.record("no port could be used again")
  }

  @Test func `nothing listens beyond loopback`() async throws {
    let listener = try Listener(port: 0)

    // A server on all addresses has this one, too.
    let refused = try await curl("http://127.0.0.2:\(listener.port)/")

    #expect(refused.contains("Couldn't connect to server"), "\(refused)")
    await listener.close()
  }

  @Test func `closing resets what has no answer, and sends what has one`() async throws {
    let (arrivals, arrival) = AsyncStream<IncomingRequest>.makeStream()
    let listener = try Listener(port: 0)

    let answers = try await serving(
      listener,
      { listener, request in
        switch request.target {
        case "/answered":
          listener.answer(
            request, AnswerHead(status: 200), body: [UInt8](repeating: 65, count: 3_000_000))
        case "/streamed": listener.begin(request, AnswerHead(status: 200))
        default: break
        }
        arrival.yield(request)
      }
    ) { listener in
      async let answered = exchange(listener.port, "GET /answered HTTP/1.1\r\nHost: a\r\n\r\n")
      async let waiting = exchange(listener.port, "GET /waiting HTTP/1.1\r\nHost: a\r\n\r\n")
      async let streamed = exchange(listener.port, "GET /streamed HTTP/1.1\r\nHost: a\r\n\r\n")
      async let idle = exchange(listener.port, "GET /half HTTP/1.1\r\nHost:")
      var iterator = arrivals.makeAsyncIterator()
      var kept: [IncomingRequest] = []
      while kept.count < 3, let request = await iterator.next() { kept.append(request) }
      await listener.close()
      await listener.close()
      for request in kept { listener.answer(request, AnswerHead(status: 200)) }
      return try await [answered, waiting, streamed, idle]
    }

    #expect(
      answers[0].utf8.count == "HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n".utf8.count
        + 3_000_000)
    #expect(answers[1] == "<reset>")
    #expect(answers[2].hasSuffix("<reset>"), "\(answers[2])")
    #expect(answers[3] == "" || answers[3] == "<reset>")
  }
}
