import Foundation
import TestKit
import Testing

@testable import UpstreamPlugin

/// Many requests at once.
@Suite(.serialized) struct LoadTests {
  @Test func `10,000 requests, 64 at once, are all answered`() async throws {
    let output = try await serving(
      Listener(port: 0), { $0.answer($1, AnswerHead(status: 200), body: Array($1.target.utf8)) }
    ) { listener in
      try await run("python3", ["-c", Self.client, "\(listener.port)"])
    }

    #expect(output.errors == "")
    #expect(output.output == "10000\n")
  }

  private static let client = """
    import http.client, sys, threading
    done = []
    def work(first):
      connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
      for number in range(first, 10000, 64):
        connection.request("GET", f"/{number}")
        if connection.getresponse().read() == f"/{number}".encode(): done.append(number)
    threads = [threading.Thread(target=work, args=(first,)) for first in range(64)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    print(len(set(done)))
    """
}
