import FlowCore
import FlowSystem
import TestKit
import Testing

@testable import FlowCommand
@testable import FlowEditor

/// Launches and ends of the Debug Adapter Protocol, and requests out of order.
@Suite struct AdapterRunTests {
  private static let scenario = """
    flow: 1
    inputs: {by: {type: int, default: 2}}
    components: {probe: {plugin: probe}}
    steps:
      - {id: first, uses: probe.count, with: {by: "${{ inputs.by }}"}}
      - {id: last, uses: probe.echo, with: {value: "${{ steps.first.value }}"}}
      - {assert: "${{ steps.last.value == 2 }}"}

    """

  private func client(
    _ launch: String, initialize: String = "", options: [String] = [],
    run: (@Sendable () async -> Void)? = nil
  ) async throws -> AdapterClient {
    let folder = try TemporaryFolder()
    try folder.write(Self.scenario, to: "sum.yaml")
    _ = try await FlowCommandRun(["run", "@/sum.yaml", "--record"], in: folder)
    let client = try AdapterClient(in: folder, options: options, run: run)
    _ = try await client.request("initialize", #"{"adapterID": "flow"\#(initialize)}"#)
    let answer = try await client.request("launch", #"{"program": "@/sum.yaml"\#(launch)}"#)
    try #require(answer["success"] == .bool(true), "\(answer)")
    return client
  }

  @Test func `a line with a secret of a pattern is hidden wherever it is shown`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("flow: 1\nredact: [\"sk-[a-z0-9]{10,}\"]\n", to: "flow.yaml")
    try folder.write(
      """
      flow: 1
      components: {probe: {plugin: probe, with: {start: sk-abcdef123456789}}}
      steps: [{uses: probe.count}]

      """, to: "main.yaml")
    let client = try AdapterClient(in: folder)

    let answer = try await client.request("launch", #"{"program": "@/main.yaml"}"#)
    let shown = await client.event("output")
    await client.close()

    let text = #"@/main.yaml:2:51: 'start': expected int, got the string "${redacted:1}" [F1206]"#
    #expect(answer["message"] == .string(text))
    #expect(shown["output"] == .string(text + "\n"))
  }

  @Test func `numbers beyond those of the protocol do no harm`() async throws {
    let client = try await client("", initialize: #", "linesStartAt1": false"#)
    _ = try await client.request("configurationDone")
    _ = await client.event("stopped")

    for number in [Int.max, .min, Int(Int32.max), Int(Int32.min)] {
      _ = try await client.request("stackTrace", #"{"threadId": 1, "startFrame": \#(number)}"#)
      _ = try await client.request("scopes", #"{"frameId": \#(number)}"#)
      _ = try await client.request("variables", #"{"variablesReference": \#(number)}"#)
      _ = try await client.request(
        "variables", #"{"variablesReference": 1, "start": \#(number), "count": \#(number)}"#)
      _ = try await client.request(
        "setBreakpoints",
        #"{"source": {"path": "@/sum.yaml"}, "breakpoints": [{"line": \#(number)}]}"#)
      _ = try await client.request(
        "breakpointLocations", #"{"source": {"path": "@/sum.yaml"}, "line": \#(number)}"#)
    }
    let stack = try await client.request("stackTrace", #"{"threadId": 1}"#)
    await client.close()

    #expect(stack["body"]?["totalFrames"] == .number("1"))
  }

  @Test func `the reason of a refusal is shown as it is, braces and all`() async throws {
    let client = try await client("")
    _ = try await client.request("configurationDone")

    let answer = try await client.request(
      "evaluate", #"{"expression": "{'a': 1}.b", "frameId": 1}"#)
    await client.close()

    let reason = try #require(answer["message"]?.string)
    #expect(reason.contains("{'a': 1}"))
    #expect(answer["body"]?["error"]?["format"] == .string("{reason}"))
    #expect(answer["body"]?["error"]?.at("variables", "reason") == .string(reason))
    #expect(client.violations == [])
  }

  @Test func `a live run is terminated while its end takes time`() async throws {
    let (permits, permit) = AsyncStream.makeStream(of: Void.self)
    let client = try await client(#", "live": true"#) {
      // As a component that pays no heed to cancellation.
      await Task { for await _ in permits { return } }.value
    }
    _ = try await client.request("configurationDone")

    let answer = try await client.request("terminate", "{}")
    let early = try await client.request("stackTrace", #"{"threadId": 1}"#)
    permit.yield()
    let code = await client.event("exited")
    let end = await client.event("terminated")
    await client.close()

    #expect(answer["success"] == .bool(true))
    #expect(early["message"] == .string("the run is not stopped"))
    #expect(code["exitCode"] == .number("1"))
    #expect(end == .null)
    #expect(client.violations == [])
  }

  @Test func `a recording is terminated at once`() async throws {
    let client = try await client("")
    _ = try await client.request("configurationDone")

    let answer = try await client.request("terminate", "{}")
    _ = await client.event("terminated")
    let stack = try await client.request("stackTrace", #"{"threadId": 1}"#)
    await client.close()

    #expect(answer["success"] == .bool(true))
    #expect(stack["success"] == .bool(true))
  }

  @Test func `a recording that is not debugged runs to its end`() async throws {
    let client = try await client(#", "noDebug": true"#)

    _ = try await client.request("configurationDone")
    let shown = await client.event("output")
    let code = await client.event("exited")
    await client.close()

    #expect(shown["output"] == .string("the run has ended: passed\n"))
    #expect(code["exitCode"] == .number("0"))
    #expect(client.violations == [])
  }

  @Test func `the option of the command makes every launch live`() async throws {
    let client = try await client("", options: ["--live"])

    let ability = await client.event("capabilities")
    await client.close()

    #expect(ability["capabilities"]?["supportsStepBack"] == .bool(false))
  }

  @Test func `the client is told when the console sets the run going`() async throws {
    let client = try await client("", initialize: #", "columnsStartAt1": false"#)
    _ = try await client.request("configurationDone")
    _ = await client.event("stopped")
    let stack = try await client.request("stackTrace", #"{"threadId": 1}"#)

    _ = try await client.request("evaluate", #"{"expression": "live", "context": "repl"}"#)
    let live = await client.event("continued")
    _ = await client.event("stopped")
    _ = try await client.request("continue", #"{"threadId": 1}"#)
    await client.close()

    let frame = stack["body"]?["stackFrames"]?.elements.first
    #expect([frame?["line"]?.int, frame?["column"]?.int] == [5, 4])
    #expect(live.text == #"{"threadId":1,"allThreadsContinued":true}"#)
    #expect(client.violations == [])
  }

  @Test(arguments: [
    (#", "inputs": {"by": 3}"#, "the recording has its own inputs; 'inputs' needs 'live'"),
    (
      #", "live": true, "inputs": {"bye": 3}"#,
      "the scenario has no input 'bye'; did you mean 'by'? [F1401]"
    ),
  ])
  func `inputs that would not be used are refused`(_ launch: String, _ message: String) async throws
  {
    let folder = try TemporaryFolder()
    try folder.write(Self.scenario, to: "sum.yaml")
    _ = try await FlowCommandRun(["run", "@/sum.yaml", "--record"], in: folder)
    let client = try AdapterClient(in: folder)

    let answer = try await client.request(
      "launch",
      #"{"program": "@/sum.yaml", "recording": "@/sum.transcript.jsonl"\#(launch)}"#)
    await client.close()

    #expect(answer["message"] == .string(message))
  }
}
