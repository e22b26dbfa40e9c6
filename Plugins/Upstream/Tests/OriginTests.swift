import FlowTesting
import TestKit
import Testing

@testable import UpstreamPlugin

/// The servers that a program asks the proxy for, in recordings.
@Suite(.serialized) struct OriginTests {
  private static func scenario(_ requests: TemporaryFolder) -> String {
    """
    flow: 1
    components:
      one: {plugin: echo, with: {name: one}}
      up:
        plugin: upstream
        using: {server: one}
        with: {hosts: {one.example: server, also.example: server}}
      program: {plugin: shell}
    steps:
      - {id: port, uses: up.address}
      - {id: proxy, uses: up.environment, with: {add: {PORT: "${{ steps.port.url }}"}}}
      - uses: program.run
        with:
          line: curl -sS -K "\(requests.path("request"))"; curl -sS --noproxy '*' "$PORT/direct"
          env: "${{ steps.proxy.variables }}"

    """
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let request: String
    var problems: [String] = []
    var testDescription: String { name }
  }

  private static let other = [
    ":12:5: error: 'components/up#1/proxy#1/server.exchange.GET-a#1' is not in the transcript "
      + "[F3001]"
  ]

  @Test(arguments: [
    Row(name: "the same, written in full", request: "url = https://ONE.example:443/a"),
    Row(name: "another port", request: "url = https://one.example:8443/a", problems: other),
    Row(name: "plain http", request: "url = http://one.example/a", problems: other),
    Row(name: "another host", request: "url = https://also.example/a", problems: other),
    Row(
      name: "another host inside of the tunnel",
      request: "url = https://one.example/a\nheader = \"Host: also.example\"", problems: other),
    Row(
      name: "the same host inside of the tunnel",
      request: "url = https://one.example/a\nheader = \"Host: One.example:443\""),
  ]) func `a request to the proxy is compared with its server`(_ row: Row) async throws {
    let requests = try TemporaryFolder()
    let scenario = try UpstreamScenario(Self.scenario(requests))

    try requests.write("url = https://one.example/a", to: "request")
    let run = await scenario.run()
    try requests.write(row.request, to: "request")
    let problems = try await scenario.replay(run, live: ["up", "program"])

    #expect(scenario.messages(run) == [])
    #expect(problems == row.problems)
  }

  @Test func `a star stands for the hosts that are not named`() async throws {
    let scenario = try UpstreamScenario(
      """
      flow: 1
      components:
        one: {plugin: echo, with: {name: one}}
        rest: {plugin: echo, with: {name: rest}}
        up:
          plugin: upstream
          using: {server: one, others: rest}
          with: {hosts: {one.example: server, "*": others}}
        program: {plugin: shell}
      steps:
        - {id: proxy, uses: up.environment}
        - uses: program.run
          with:
            line: curl -sS https://one.example/a https://two.example/b http://three.example:81/c
            env: "${{ steps.proxy.variables }}"

      """)
    let run = await scenario.run()
    let calls = String(decoding: run.transcript, as: UTF8.self)
      .matches(of: /(one|rest)\.exchange.*"path":"([^"]+)".*"origin":"([^"]+)"/)
      .map { "\($0.1) \($0.2) \($0.3)" }

    #expect(scenario.messages(run) == [])
    #expect(
      calls == [
        "one /a https://one.example", "rest /b https://two.example",
        "rest /c http://three.example:81",
      ])
    #expect(try await scenario.replay(run, live: ["up", "program"]) == [])
  }

  @Test func `only a request to the proxy is recorded with its server`() async throws {
    let requests = try TemporaryFolder()
    let scenario = try UpstreamScenario(Self.scenario(requests))

    try requests.write("url = https://One.example/a", to: "request")
    let run = await scenario.run()

    let inputs = String(decoding: run.transcript, as: UTF8.self).split(separator: "\n")
      .filter { $0.contains("one.exchange") }
      .map { $0.replacing(/^.*"input":|,"during".*$/, with: "") }.sorted()
    #expect(scenario.messages(run) == [])
    #expect(
      inputs == [
        #"{"method":"GET","path":"/a","query":{},"headers":{"accept":"*/*"},"#
          + #""origin":"https://one.example"}"#,
        #"{"method":"GET","path":"/direct","query":{},"headers":{"accept":"*/*"}}"#,
      ])
  }
}
