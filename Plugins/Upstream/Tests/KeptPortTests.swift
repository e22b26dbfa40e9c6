import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import UpstreamPlugin

/// Ports that stay open from one run to the next, for programs that know them.
@Suite struct KeptPortTests {
  private let kept = KeptParts()

  private func open(_ settings: String = "{}", answer: String) async throws -> OpenComponent {
    var options = LiveOptions()
    options.kept = kept
    let upstream = try await OpenComponent(
      Upstream.self, with: OpenUpstream.fields(settings), options: options)
    let stub = #"{"path": "/a", "answer": {"text": "ANSWER"}}"#.replacing("ANSWER", with: answer)
    _ = try await upstream.call("stub", OpenUpstream.fields(stub))
    return upstream
  }

  private func url(_ upstream: OpenComponent) async throws -> String {
    try UpstreamAddress.record.decode(await upstream.call("address")).url
  }

  private func count(_ upstream: OpenComponent) async throws -> Int {
    try ReceivedRequests.record.decode(await upstream.call("received")).count
  }

  @Test func `each run answers at the same port, with its own stubs and requests`() async throws {
    let first = try await open(answer: "one")
    let url = try await url(first)
    #expect(try await curl(url + "/a") == "one")
    await first.close()
    let second = try await open(answer: "two")

    #expect(try await self.url(second) == url)
    #expect(try await count(second) == 0)
    #expect(try await curl(url + "/a") == "two")
    #expect(try await count(second) == 1)
    #expect(second.events == [])
    await second.close()
    await kept.end()
  }

  @Test func `a request between two runs is reset, and belongs to neither`() async throws {
    let first = try await open(answer: "one")
    let url = try await url(first)
    await first.close()

    #expect(try await curl(url + "/a").contains("reset by peer"))
    let second = try await open(answer: "two")
    #expect(try await count(second) == 0)
    #expect(try await curl(url + "/a") == "two")
    await second.close()
    await kept.end()
    #expect(try await curl(url + "/a").contains("connect to server"))
  }

  @Test func `a port that a step has closed is open in the next run`() async throws {
    let first = try await open(answer: "one")
    let url = try await url(first)
    _ = try await first.call("refuse")
    await first.close()
    let second = try await open(answer: "two")

    #expect(try await curl(url + "/a") == "two")
    await second.close()
    await kept.end()
  }

  @Test func `the proxy keeps its token and its certificates`() async throws {
    let settings = #"{"hosts": {"pay.example": "server"}}"#
    let variables = { (upstream: OpenComponent) async throws in
      try ProxyEnvironment.record.decode(await upstream.call("environment")).variables
    }
    let first = try await open(settings, answer: "one")
    let given = try await variables(first)
    await first.close()
    let second = try await open(settings, answer: "two")

    #expect(try await variables(second) == given)
    let answer = try await run("curl", ["-sS", "https://pay.example/a"], given)
    #expect(answer.output + answer.errors == "two")
    await second.close()
    await kept.end()
  }

  @Test func `other settings open other ports`() async throws {
    let first = try await open(answer: "one")
    let url = try await url(first)
    await first.close()
    let second = try await open(#"{"drop": ["x-id"]}"#, answer: "two")

    #expect(try await curl(url + "/a").contains("connect to server"))
    #expect(try await curl(try await self.url(second) + "/a") == "two")
    await second.close()
    await kept.end()
  }
}
