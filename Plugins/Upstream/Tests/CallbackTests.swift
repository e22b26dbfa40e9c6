import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import UpstreamPlugin

/// Calls that a server makes back into the program.
@Suite struct CallbackTests {
  /// A scenario whose server calls back what a request names, before it answers.
  private static func scenario(
    _ steps: String, roles: String = "callbacks: hooks, program: program"
  )
    -> String
  {
    """
    flow: 1
    components:
      server: {plugin: caller}
      hooks: {plugin: callbacks}
      program: {plugin: echo, with: {name: program}}
      up: {plugin: upstream, using: {server: server, \(roles)}}
      sh: {plugin: shell}
    steps:
      - {id: up, uses: up.address}
      \(steps)

    """
  }

  private static func run(_ line: String) -> String {
    "- {uses: sh.run, with: {line: '\(line)', env: {UP: '${{ steps.up.url }}'}}}"
  }

  private static func text(_ run: ScenarioRun) -> String {
    String(decoding: run.transcript, as: UTF8.self)
  }

  private static let route = "- {uses: up.callbacks, with: {to: 'http://program.example:81'}}"
  private static let live = ["up", "sh", "program"]

  @Test func `the server calls the program, and a replay does so without the server`() async throws
  {
    let steps = """
      \(Self.route)
        \(Self.run("curl -s $UP/first; curl -sH \"content-type: text/plain\" -d http://program.example:81/cb?x=1 $UP/hook"))
      """
    let scenario = try UpstreamScenario(Self.scenario(steps))
    let run = await scenario.run()

    #expect(scenario.messages(run) == [])
    #expect(Self.text(run).contains(#""output":"none\ncalled: program /cb\n""#))
    #expect(Self.text(run).contains(#""path":"/cb","query":{"x":"1"}"#))
    // The first request had its answer, and the second one not yet.
    #expect(Self.text(run).contains(#""after":2,"open":1}"#))
    #expect(Self.text(run).contains(/"text":"http:\/\/127\.0\.0\.1:[0-9]+\/cb\?x=1"/))
    #expect(try await scenario.replay(run, live: Self.live) == [])
  }

  @Test func `another answer of the program is a difference`() async throws {
    let call = Self.run("curl -sd http://program.example:81/cb $UP/hook")
    let scenario = try UpstreamScenario(Self.scenario("\(Self.route)\n  \(call)"))
    let run = await scenario.run()
    let changed = Self.text(run).unsealed.replacing(
      existing: #""number":1,"status":200,"headers":{},"text":"program"#,
      with: #""number":1,"status":200,"headers":{},"text":"other"#)
    let problems = try await scenario.replay(changed, live: Self.live)

    #expect(problems != [])
    #expect(problems.contains { $0.contains("callbacks.answer.POST-cb#1") })
  }

  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let steps: String
    var roles = "callbacks: hooks, program: program"
    let message: String
  }

  @Test(arguments: [
    Fault(
      testDescription: "no role", steps: route, roles: "callbacks: hooks",
      message: "the role 'program' is not filled; write "
        + "'using: {callbacks: …, program: …}' with a component 'callbacks' and an 'http' component"
    ),
    Fault(
      testDescription: "no address", steps: "- {uses: up.callbacks, with: {to: 'program:81'}}",
      message: "'program:81' is not the address of a program, such as http://127.0.0.1:8080"),
  ]) func `what cannot work is told by the step`(_ fault: Fault) async throws {
    let scenario = try UpstreamScenario(Self.scenario(fault.steps, roles: fault.roles))
    let problems = await scenario.run().problems.map(\.text)

    #expect(problems.count == 1)
    #expect(problems.first?.contains(fault.message) == true, "\(problems)")
  }

  @Test func `a call to a place that no step has named fails the run`() async throws {
    let steps = """
      - {id: hook, uses: hooks.address}
        - {uses: sh.run, with: {line: 'curl -sd $HOOK/cb $UP/hook', env: {UP: '${{ steps.up.url }}', HOOK: '${{ steps.hook.url }}'}}}
      """
    let scenario = try UpstreamScenario(Self.scenario(steps))
    let messages = scenario.messages(await scenario.run())

    #expect(messages.count == 1)
    #expect(
      messages.first?.contains(
        "the server called the program (POST /cb), and no step 'callbacks' has given the program's address in 'to'"
      ) == true,
      "\(messages)")
  }

  struct Signed: Sendable {
    let header: String
    let isText: Bool
  }

  @Test(arguments: [
    Signed(header: "X-Hub-Signature-256: sha256=1", isText: true),
    Signed(header: "Content-Digest: sha-256=:1:", isText: true),
    Signed(header: "X-Amz-Content-Sha256: 1", isText: true),
    Signed(header: "Content-MD5: 1", isText: true), Signed(header: "X-Other: 1", isText: false),
  ]) func `a signed body keeps its bytes`(_ signed: Signed) async throws {
    let line =
      "curl -s -H \"content-type: application/json\" -H \"\(signed.header)\" "
      + "-d \"{ \\\"b\\\": 1, \\\"a\\\": 2 }\" $UP/x"
    let scenario = try UpstreamScenario(Self.scenario(Self.run(line)))
    let run = await scenario.run()

    #expect(scenario.messages(run) == [])
    #expect(Self.text(run).contains(#""text":"{ \"b\": 1, \"a\": 2 }""#) == signed.isText)
    #expect(Self.text(run).contains(#""json":{"a":2,"b":1}"#) == !signed.isText)
  }
}

/// A server that calls the address in the body of a request before it answers.
struct CallingServer: Component {
  static let plugin = Plugin(
    "caller", version: "1.0", "Calls back.", state: .none, reaches: [.network],
    operations: [
      Operation(
        "exchange", "Answers a request.", input: PassedRequest.record,
        answers: ServerAnswer.record
      ) { _, context, request in
        guard
          case .string(let address)? = request.form?.entries.first.map({ .string($0.name) })
            ?? request.text.map(Value.string), address.hasPrefix("http")
        else { return answer("none\n") }
        let ending = try await context.outside {
          try await UpstreamPluginTests.run("curl", ["-s", "-X", "POST", address], [:])
        }
        return answer("called: \(ending.output)")
      },
      Operation(
        "piece", "Has none.", Parameter<String>("stream", "The stream."),
        answers: ServerPiece.record
      ) { _, _, _ in throw ComponentError(.unexpected, "there are no streams") },
    ]
  ) { _ in CallingServer() }

  private static func answer(_ text: String) -> ServerAnswer {
    ServerAnswer(status: 200, headers: [:], json: nil, text: text, bytes: nil, stream: nil)
  }
}
