import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import UpstreamPlugin

/// Requests that nothing answers.
@Suite struct MissTests {
  struct Nearest: Sendable, CustomTestStringConvertible {
    let name: String
    var stubs: [String] = []
    let request: [String]
    let expected: String
    var testDescription: String { name }
  }

  private static let stubs = [
    #"{"method": "POST", "path": "/payments", "json": {"amount": 5}, "answer": {}}"#,
    #"{"method": "GET", "path": "/payments/{id}", "headers": {"key": "k"}, "answer": {}}"#,
    #"{"path": "/items", "query": {"page": 2}, "times": 1, "answer": {}}"#,
  ]
  private static let json = ["-H", "content-type: application/json", "-d"]

  @Test(arguments: [
    Nearest(
      name: "none", request: ["/a?token=1"],
      expected: "nothing answers 'GET /a': no stub fits, and the role 'server' is not filled"),
    Nearest(
      name: "another body", stubs: stubs, request: json + [#"{"amount": 7}"#, "/payments"],
      expected: "nothing answers 'POST /payments': no stub fits, and the role 'server' is not "
        + "filled; the nearest stub is 'POST /payments': 'json.amount' is 7, not 5"),
    Nearest(
      name: "another path", stubs: stubs, request: json + [#"{"amount": 5}"#, "/payment"],
      expected: "nothing answers 'POST /payment': no stub fits, and the role 'server' is not "
        + "filled; the nearest stub is 'POST /payments': the path differs"),
    Nearest(
      name: "another method and no value of a header", stubs: stubs,
      request: ["-X", "PUT", "-H", "key: secret", "/payments/1"],
      expected: "nothing answers 'PUT /payments/1': no stub fits, and the role 'server' is not "
        + "filled; the nearest stub is 'GET /payments/{id}': the method differs, 'headers.key' "
        + "differs"),
    Nearest(
      name: "another query", stubs: stubs, request: ["/items"],
      expected: "nothing answers 'GET /items': no stub fits, and the role 'server' is not "
        + "filled; the nearest stub is 'any /items': 'query.page' is null, not 2"),
    Nearest(
      name: "used up", stubs: stubs,
      request: ["-o", "/dev/null", "/items?page=2", "/items?page=2"],
      expected: "nothing answers 'GET /items': no stub fits, and the role 'server' is not "
        + "filled; the nearest stub is 'any /items': it has answered once, as often as 'times' "
        + "allows"),
  ]) func `a miss names the nearest stub, to the program and to the run`(_ row: Nearest)
    async throws
  {
    let upstream = try await OpenUpstream(stubs: row.stubs)

    let arguments = row.request.map {
      $0.hasPrefix("/") && $0 != "/dev/null" ? upstream.url + $0 : $0
    }
    let ending = try await run("curl", ["-sS", "--noproxy", "*", "-w", "%{http_code}"] + arguments)
    await upstream.component.close()

    #expect(ending.output.hasSuffix("flow: \(row.expected)\n501"), "\(ending.output)")
    #expect(
      upstream.component.events == ["upstream#1/serve#1 failed: unanswered: \(row.expected)"])
  }

  private static let start = """
    flow: 1
    components:
      up: {plugin: upstream, live: true}
      program: {plugin: shell, live: true}
    steps:
      - {id: address, uses: up.address}

    """

  @Test func `a miss fails the step during which it came, whatever the program makes of it`()
    async throws
  {
    let scenario = try UpstreamScenario(
      Self.start + """
          - {uses: up.stub, with: {path: /a, answer: {text: a}}}
          - uses: program.run
            with: {line: "curl -s --noproxy '*' ${{ steps.address.url }}/b > /dev/null; echo fine"}
            retry: {attempts: 3, backoff: 1ms}
            expect: {output: "fine\\n"}
          - uses: up.received

        """)

    let run = await scenario.run()

    #expect(
      scenario.messages(run) == [
        ":8:5: error: 'up' notes the error 'unanswered': nothing answers 'GET /b': no stub fits, and "
          + "the role 'server' is not filled; the nearest stub is 'any /a': the path differs [F2011]"
      ])
    #expect(run.calls.map(\.name) == ["up.address", "up.stub", "program.run"])
  }

  @Test func `a miss after the last step fails the run`() async throws {
    let scenario = try UpstreamScenario(
      Self.start + """
          - uses: program.run
            with: {line: "(sleep 0.1; curl -s --noproxy '*' ${{ steps.address.url }}/b) >/dev/null 2>&1 &"}
          - wait: 1s

        """)

    let run = await scenario.run()

    #expect(
      scenario.messages(run) == [
        "error: 'up' notes the error 'unanswered': nothing answers 'GET /b': no stub fits, and the "
          + "role 'server' is not filled [F2011]"
      ])
  }

  @Test func `stubs come before the role, whose calls are recorded`() async throws {
    let scenario = try UpstreamScenario(
      """
      flow: 1
      components:
        server: {plugin: echo, with: {name: one}}
        up: {plugin: upstream, using: {server: server}}
        program: {plugin: shell}
      steps:
        - {id: address, uses: up.address}
        - {uses: up.stub, with: {path: /a, times: 1, answer: {text: "stub\\n"}}}
        - id: ask
          uses: program.run
          with: {line: "for p in a a b; do curl -sS --noproxy '*' ${{ steps.address.url }}/$p; done"}
          expect: {output: "stub\\none /a\\none /b\\n"}
        - {uses: up.received, expect: {count: 3}}

      """)

    let run = await scenario.run()
    let problems = try await scenario.replay(run, live: ["up", "program"])

    #expect(scenario.messages(run) == [])
    #expect(
      run.calls.map { "\($0.address)" }.filter { $0.contains("exchange") } == [
        "components/up#1/serve#1/server.exchange.GET-a#1",
        "components/up#1/serve#1/server.exchange.GET-b#1",
      ])
    #expect(problems == [])
  }
}
