import FlowCore
import FlowSystem
import TestKit
import Testing

@testable import FlowCommand
@testable import FlowEditor

/// Sessions of the Debug Adapter Protocol, every message of which fits the protocol's schema.
@Suite struct DebugAdapterTests {
  private static let scenario = """
    flow: 1
    name: Totals
    components: {probe: {plugin: probe}}
    steps:
      - {id: first, uses: probe.count, with: {by: 2}}
      - set: {total: "${{ steps.first.value * 10 }}"}
      - id: rows
        for: row
        in: [1, 2, 3]
        do:
          - {id: inner, uses: probe.count, with: {by: "${{ row }}"}}
          - set: {total: "${{ total + steps.inner.value }}"}
      - id: last
        uses: probe.echo
        with: {value: {sum: "${{ total }}", parts: [1, 2]}}
        expect: {value: {sum: 42}}

    """

  private func launched(
    _ arguments: String = "", breakpoints: [String] = []
  ) async throws -> (client: AdapterClient, TemporaryFolder) {
    let folder = try TemporaryFolder()
    try folder.write(Self.scenario, to: "totals.yaml")
    _ = try await FlowCommandRun(["run", "@/totals.yaml", "--record"], in: folder)
    let client = try AdapterClient(in: folder)
    _ = try await client.request("initialize", #"{"adapterID": "flow"}"#)
    _ = try await client.request("launch", #"{"program": "@/totals.yaml"\#(arguments)}"#)
    _ = await client.event("initialized")
    for breakpoint in breakpoints {
      _ = try await client.request(
        "setBreakpoints", #"{"source": {"path": "@/totals.yaml"}, "breakpoints": [\#(breakpoint)]}"#
      )
    }
    _ = try await client.request("configurationDone")
    return (client, folder)
  }

  private func place(_ client: AdapterClient) async throws -> String {
    let stack = try await client.request("stackTrace", #"{"threadId": 1}"#)
    return (stack["body"]?["stackFrames"] ?? .null).elements.map { frame in
      "\(frame["name"]?.string ?? "") \(frame["line"]?.int ?? 0)"
    }.joined(separator: ", ")
  }

  private func value(_ text: String, _ client: AdapterClient) async throws -> String {
    let answer = try await client.request(
      "evaluate", #"{"expression": "\#(text)", "context": "repl", "frameId": 1}"#)
    return answer["body"]?["result"]?.string ?? answer["message"]?.string ?? ""
  }

  @Test func `a recording is stepped through forward and back`() async throws {
    let (client, _) = try await launched()
    var places = [await client.event("stopped")["reason"]?.string ?? ""]

    places.append(try await place(client))
    for command in ["next", "next", "stepIn", "next", "stepBack", "stepOut", "stepBack"] {
      _ = try await client.request(command, #"{"threadId": 1}"#)
      _ = await client.event("stopped")
      places.append(try await place(client))
    }
    await client.close()

    #expect(
      places == [
        "entry", "first#1 5", "set#1 6", "rows#1 7", "rows/inner#1 11, rows#1 7",
        "rows/set#1 12, rows#1 7", "rows/inner#1 11, rows#1 7", "last#1 13", "rows#1 7",
      ])
    #expect(client.violations == [])
  }

  @Test func `it stops at breakpoints with conditions, and at the failed step`() async throws {
    let (client, _) = try await launched(
      #", "stopOnEntry": false"#, breakpoints: [#"{"line": 12, "condition": "row >= 2"}"#])

    let first = await client.event("stopped")
    let total = try await value("total", client)
    _ = try await client.request("continue", #"{"threadId": 1}"#)
    let second = await client.event("stopped")
    _ = try await client.request("continue", #"{"threadId": 1}"#)
    let third = await client.event("stopped")
    let exception = try await client.request("exceptionInfo", #"{"threadId": 1}"#)
    _ = try await client.request("reverseContinue", #"{"threadId": 1}"#)
    let fourth = await client.event("stopped")
    let totalBefore = try await value("total", client)
    await client.close()

    #expect(first["reason"] == .string("breakpoint"))
    #expect(first["hitBreakpointIds"] == .array([.number("1")]))
    #expect(total == "23")
    #expect(second["reason"] == .string("breakpoint"))
    #expect(third["reason"] == .string("exception"))
    #expect(exception["body"]?["exceptionId"] == .string("F2001"))
    #expect(fourth["reason"] == .string("breakpoint"))
    #expect(totalBefore == "28")
    #expect(client.violations == [])
  }

  @Test func `values have scopes, parts and pages`() async throws {
    let (client, _) = try await launched(#", "stopOnEntry": false"#)
    _ = await client.event("stopped")

    let scopes = try await client.request("scopes", #"{"frameId": 1}"#)
    var lines: [String] = []
    for scope in (scopes["body"]?["scopes"] ?? .null).elements {
      lines.append(scope["name"]?.string ?? "")
      let reference = scope["variablesReference"]?.int ?? 0
      lines += try await variables(reference, client)
    }
    let answer = try await client.request(
      "evaluate", #"{"expression": "it.value.parts", "frameId": 1, "context": "watch"}"#)
    let parts = answer["body"]?["variablesReference"]?.int ?? 0
    lines += try await variables(parts, client, #", "start": 1, "count": 1"#)
    await client.close()

    #expect(
      lines == [
        "Variables", "total = 36", "Steps", "first = {value: 2}", "rows = {}",
        "last = {value: {parts: [1, 2], sum: 36}}", "Last answer",
        "value = {parts: [1, 2], sum: 36}", "1 = 2",
      ])
    #expect(answer["body"]?["indexedVariables"] == .number("2"))
    #expect(client.violations == [])
  }

  private func variables(
    _ reference: Int, _ client: AdapterClient, _ page: String = ""
  ) async throws -> [String] {
    let answer = try await client.request(
      "variables", #"{"variablesReference": \#(reference)\#(page)}"#)
    return (answer["body"]?["variables"] ?? .null).elements.map {
      "\($0["name"]?.string ?? "") = \($0["value"]?.string ?? "")"
    }
  }

  @Test func `the console tells origins and tries changes`() async throws {
    let (client, _) = try await launched(#", "stopOnEntry": false"#)
    _ = await client.event("stopped")

    let origin = try await value("origin total", client)
    let condition = try await value("try it.value.sum == 36", client)
    let change = try await value("try expect: {value: {sum: 36}}", client)
    let unknown = try await value("totl", client)
    await client.close()

    #expect(
      origin == """
        total (36), set at line 12 in iteration 3 from total (28) and steps.inner.value (8) at line 11
          total (28), set at line 12 in iteration 2 from total (23) and steps.inner.value (5) at line 11
          total (23), set at line 12 in iteration 1 from total (20) and steps.inner.value (3) at line 11
          total (20), set at line 6 from steps.first.value (2) at line 5
        """)
    #expect(condition == "true\n  it.value.sum is 36\n")
    #expect(change == "the step passes; the run passes")
    #expect(unknown == "'totl' is not declared; did you mean 'total'?")
    #expect(client.violations == [])
  }

  @Test func `a recording goes on live from a step, when it is asked to`() async throws {
    let (client, _) = try await launched(breakpoints: [#"{"line": 11, "hitCondition": "2"}"#])
    _ = await client.event("stopped")
    _ = try await client.request("continue", #"{"threadId": 1}"#)
    _ = await client.event("stopped")

    let answer = try await client.request("continueLive")
    let ability = await client.event("capabilities")
    let stop = await client.event("stopped")
    let live = try await place(client)
    _ = try await client.request("next", #"{"threadId": 1}"#)
    _ = await client.event("stopped")
    let value = try await value("steps.inner.value", client)
    let back = try await client.request("stepBack", #"{"threadId": 1}"#)
    _ = try await client.request("setExceptionBreakpoints", #"{"filters": []}"#)
    _ = try await client.request("continue", #"{"threadId": 1}"#)
    let code = await client.event("exited")
    await client.close()

    #expect(answer["success"] == .bool(true))
    #expect(ability["capabilities"]?["supportsStepBack"] == .bool(false))
    #expect(stop["reason"] == .string("breakpoint"))
    #expect(live == "rows/inner#2 11, rows#1 7")
    #expect(value == "5")
    #expect(back["message"] == .string("a live run cannot go back"))
    #expect(code["exitCode"] == .number("1"))
    #expect(client.violations == [])
  }

  @Test func `a live run stops, runs a failed step again and ends`() async throws {
    let (client, _) = try await launched(#", "live": true"#)
    let entry = await client.event("stopped")
    _ = try await client.request("continue", #"{"threadId": 1}"#)
    let failed = await client.event("stopped")
    _ = try await client.request("restartFrame", #"{"frameId": 1}"#)
    let again = await client.event("stopped")
    _ = try await client.request("disconnect")
    _ = await client.event("terminated")
    await client.close()

    #expect(entry["reason"] == .string("entry"))
    #expect(failed["reason"] == .string("exception"))
    #expect(again["reason"] == .string("exception"))
    #expect(client.violations == [])
  }

  @Test func `breakpoints that cannot be say why`() async throws {
    let (client, _) = try await launched()
    _ = await client.event("stopped")

    let lines = try await client.request(
      "setBreakpoints",
      """
      {"source": {"path": "@/totals.yaml"}, "breakpoints": [{"line": 14}, {"line": 99},
        {"line": 5, "condition": "stps"}, {"line": 5, "hitCondition": "often"}]}
      """.replacing("\n", with: " "))
    let steps = try await client.request(
      "setFunctionBreakpoints", #"{"breakpoints": [{"name": "inner"}, {"name": "iner"}]}"#)
    let other = try await client.request(
      "setBreakpoints", #"{"source": {"path": "@/other.yaml"}, "breakpoints": [{"line": 1}]}"#)
    let places = try await client.request(
      "breakpointLocations", #"{"source": {"path": "@/totals.yaml"}, "line": 6, "endLine": 12}"#)
    await client.close()

    let told = [lines, steps, other].flatMap { ($0["body"]?["breakpoints"] ?? .null).elements }
    #expect(
      told.map { "\($0["line"]?.int ?? 0) \($0["message"]?.string ?? "")" } == [
        "13 ", "99 '@/totals.yaml' has no step at or after line 99",
        "5 the condition: 'stps' is not declared", "5 write the number of hits as 3, >= 3 or % 3",
        "11 ", "0 no step 'iner'; did you mean 'inner'?",
        "1 '@/other.yaml' is not a file of the scenario",
      ])
    #expect(
      (places["body"]?["breakpoints"] ?? .null).elements.map { $0["line"]?.int } == [
        6, 7, 11, 12,
      ])
    #expect(client.violations == [])
  }

  @Test func `what is no request leaves the session as it is`() async throws {
    let folder = try TemporaryFolder()
    let client = try AdapterClient(in: folder)

    client.send(.notJSON(JSONError(reason: .unexpectedEnd, offset: 0)))
    client.send(.tooLong(1 << 40))
    client.send(.brokenHeader("not a length: 'x'"))
    client.send(.message(.array([])))
    client.send(.message(.object([.init("type", .string("request")), .init("seq", .string("1"))])))
    let early = try await client.request("next", #"{"threadId": 1}"#)
    let unknown = try await client.request("continueLive", "[]")
    let missing = try await client.request("launch", #"{"program": "@/none.yaml"}"#)
    let empty = try await client.request("launch", "{}")
    _ = try await client.request("disconnect")
    await client.close()

    #expect(early["message"] == .string("nothing was launched"))
    #expect(unknown["message"] == .string("nothing was launched"))
    #expect(
      missing["message"] == .string("cannot read '@/none.yaml': no such file [F1001]"))
    #expect(
      empty["message"] == .string("'program' is missing: the path of a scenario or of a recording"))
    #expect(client.violations == [])
  }
}
