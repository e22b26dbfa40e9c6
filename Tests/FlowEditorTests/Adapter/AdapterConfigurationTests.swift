import FlowCore
import FlowSystem
import TestKit
import Testing

@testable import FlowCommand
@testable import FlowEditor

/// What a client configures: before or after the launch, in its own words for files.
@Suite struct AdapterConfigurationTests {
  private static let scenario = """
    flow: 1
    components: {probe: {plugin: probe}}
    steps:
      - set: {total: 0, word: sum}
      - for: row
        in: [1, 2, 3]
        do:
          - {id: inner, uses: probe.count, with: {by: "${{ row }}"}}
          - set: {total: "${{ total + row }}"}
      - {id: last, uses: probe.echo, with: {value: "${{ total }}"}}

    """

  /// Kept as long as the test, for the client.
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func client(
    _ initialize: String = ""
  ) async throws -> (client: AdapterClient, TemporaryFolder) {
    try folder.write(Self.scenario, to: "real/sum.yaml")
    try folder.link("linked", to: "real")
    _ = try await FlowCommandRun(["run", "@/real/sum.yaml", "--record"], in: folder)
    let client = try AdapterClient(in: folder)
    _ = try await client.request("initialize", #"{"adapterID": "flow"\#(initialize)}"#)
    return (client, folder)
  }

  private func set(
    _ breakpoints: String, in path: String = "@/real/sum.yaml", _ client: AdapterClient
  ) async throws -> [String] {
    let answer = try await client.request(
      "setBreakpoints", #"{"source": {"path": "\#(path)"}, "breakpoints": [\#(breakpoints)]}"#)
    return (answer["body"]?["breakpoints"] ?? .null).elements.map(Self.line)
  }

  private static func line(_ breakpoint: JSON) -> String {
    "\(breakpoint["id"]?.int ?? 0) \(breakpoint["verified"]?.truth ?? false) "
      + "\(breakpoint["line"]?.int ?? 0) \(breakpoint["message"]?.string ?? "")"
  }

  @Test func `a configuration before the launch is kept until then`() async throws {
    let (client, _) = try await client()

    _ = await client.event("initialized")
    let asked = try await set(#"{"line": 8, "condition": "row == 2"}, {"line": 99}"#, client)
    let steps = try await client.request(
      "setFunctionBreakpoints", #"{"breakpoints": [{"name": "last"}]}"#)
    _ = try await client.request("setExceptionBreakpoints", #"{"filters": []}"#)
    let done = try await client.request("configurationDone")
    _ = try await client.request(
      "launch", #"{"program": "@/real/sum.yaml", "stopOnEntry": false}"#)
    var placed: [String] = []
    for _ in 0..<3 {
      placed.append(Self.line(await client.event("breakpoint")["breakpoint"] ?? .null))
    }
    let stops = [await client.event("stopped")]
    _ = try await client.request("continue", #"{"threadId": 1}"#)
    let last = await client.event("stopped")
    await client.close()

    let waiting = "it is placed when the scenario is launched"
    #expect(asked == ["1 false 8 \(waiting)", "2 false 99 \(waiting)"])
    #expect(
      (steps["body"]?["breakpoints"] ?? .null).elements.map(Self.line) == ["3 false 0 \(waiting)"])
    #expect(done["success"] == .bool(true))
    #expect(
      placed == [
        "1 true 8 ", "2 false 99 '@/real/sum.yaml' has no step at or after line 99", "3 true 10 ",
      ])
    #expect((stops + [last]).map { $0["hitBreakpointIds"]?.text } == ["[1]", "[3]"])
    #expect(client.violations == [])
  }

  @Test(arguments: ["", #", "live": true"#])
  func `a log point logs and goes on`(_ launch: String) async throws {
    let (client, _) = try await client()
    let ability = try await client.request("initialize", #"{"adapterID": "flow"}"#)
    let launched = try await client.request(
      "launch", #"{"program": "@/real/sum.yaml", "stopOnEntry": false\#(launch)}"#)
    try #require(launched["success"] == .bool(true), "\(launched)")

    let places = try await set(
      #"{"line": 8, "condition": "row > 1", "logMessage": "{word}: {total} {{'row': row}['row']}"}, "#
        + #"{"line": 10}"#, client)
    _ = try await client.request("configurationDone")
    var lines: [String] = []
    for _ in 0..<2 { lines.append(await client.event("output")["output"]?.string ?? "") }
    let stop = await client.event("stopped")
    await client.close()

    #expect(ability["body"]?["supportsLogPoints"] == .bool(true))
    #expect(places == ["1 true 8 ", "2 true 10 "])
    #expect(lines == ["sum: 1 2\n", "sum: 3 3\n"])
    #expect(stop["hitBreakpointIds"]?.text == "[2]")
    #expect(client.violations == [])
  }

  @Test func `an argument of a launch that cannot be read is refused`() async throws {
    let (client, _) = try await client()
    let launches = [
      #""live": "yes""#, #""stopOnEntry": 1"#, #""inputs": [1]"#, #""recording": 5"#,
    ]
    var messages: [String] = []
    for launch in launches {
      let answer = try await client.request(
        "launch", #"{"program": "@/real/sum.yaml", \#(launch)}"#)
      messages.append(answer["message"]?.string ?? "")
    }
    await client.close()

    #expect(
      messages == [
        "'live' must be true or false", "'stopOnEntry' must be true or false",
        "'inputs' must be an object", "'recording' must be a string",
      ])
  }

  @Test func `a breakpoint or a frame that cannot be read says so`() async throws {
    let (client, _) = try await client()
    _ = try await client.request("launch", #"{"program": "@/real/sum.yaml", "live": true}"#)
    _ = try await client.request("configurationDone")
    _ = await client.event("stopped")
    let places = try await set(
      #"{"line": 8.0}, {"line": "8"}, {}, {"line": 8, "condition": true}, "#
        + #"{"line": 8, "hitCondition": 2}, {"line": 8, "logMessage": "{total"}, "#
        + #"{"line": 8, "logMessage": "{totl}"}"#, client)
    let frame = try await client.request("scopes", #"{"frameId": "1"}"#)
    let stack = try await client.request("stackTrace", #"{"threadId": 1, "levels": 1.5}"#)
    await client.close()

    #expect(
      places == [
        "1 false 0 'line' must be a whole number", "2 false 0 'line' must be a whole number",
        "3 false 0 'line' is missing", "4 false 8 'condition' must be a string",
        "5 false 8 'hitCondition' must be a string",
        "6 false 8 the message has a '{' without its '}'",
        "7 false 8 the message: 'totl' is not declared; did you mean 'total'?",
      ])
    #expect(frame["message"] == .string("'frameId' must be a whole number"))
    #expect(stack["message"] == .string("'levels' must be a whole number"))
  }

  @Test(arguments: [
    ("@/real/sum.yaml", "@/linked/sum.yaml", "@/linked/sum.yaml"),
    ("@/linked/sum.yaml", "@/linked/sum.yaml", "@/linked/sum.yaml"),
    ("@/linked/sum.yaml", "@/real/sum.yaml", "@/real/sum.yaml"),
    ("@/linked/sum.yaml", nil, "@/linked/sum.yaml"),
  ])
  func `a file has the path that the client has given`(
    _ program: String, _ source: String?, _ shown: String
  ) async throws {
    let (client, _) = try await client()
    _ = try await client.request("launch", #"{"program": "\#(program)", "stopOnEntry": false}"#)
    if let source {
      _ = try await set(#"{"line": 8}"#, in: source, client)
    } else {
      _ = try await client.request(
        "setFunctionBreakpoints", #"{"breakpoints": [{"name": "inner"}]}"#)
    }
    _ = try await client.request("configurationDone")
    _ = await client.event("stopped")

    let stack = try await client.request("stackTrace", #"{"threadId": 1}"#)
    await client.close()

    let frames = stack["body"]?["stackFrames"]?.elements ?? []
    #expect(frames.map { $0.at("source", "path")?.string } == [shown, shown])
  }

  @Test func `a client with addresses gives and gets them`() async throws {
    let (client, folder) = try await client(#", "pathFormat": "uri""#)
    let address = DocumentURI.uri(of: folder.directory.path) + "/linked/sum.yaml"
    _ = try await client.request("launch", #"{"program": "\#(address)", "stopOnEntry": false}"#)

    let places = try await set(#"{"line": 8}"#, in: address, client)
    _ = try await client.request("configurationDone")
    _ = await client.event("stopped")
    let stack = try await client.request("stackTrace", #"{"threadId": 1}"#)
    await client.close()

    let shown = stack["body"]?["stackFrames"]?.elements.first?.at("source", "path")?.string
    #expect(places == ["1 true 8 "])
    #expect(shown?.replacing("@/", with: folder.directory.path + "/") == address)
    #expect(client.violations == [])
  }

  @Test(arguments: [
    ("launch", "{}", true), ("stepBack", #"{"threadId": 1}"#, true),
    ("evaluate", #"{"expression": "nope", "context": "repl"}"#, true),
    ("evaluate", #"{"expression": "nope", "context": "hover"}"#, false),
    ("evaluate", #"{"expression": "nope", "context": "watch"}"#, false),
    ("evaluate", #"{"expression": "nope"}"#, false), ("scopes", #"{"frameId": 9}"#, false),
    ("variables", #"{"variablesReference": 9}"#, false),
  ])
  func `a person is told what a person has asked for`(
    _ command: String, _ arguments: String, _ isShown: Bool
  ) async throws {
    let (client, _) = try await client()
    _ = try await client.request("launch", #"{"program": "@/real/sum.yaml", "live": true}"#)
    _ = try await client.request("configurationDone")
    _ = await client.event("stopped")

    let answer = try await client.request(command, arguments)
    await client.close()

    #expect(answer["success"] == .bool(false))
    #expect(answer["body"]?.at("error", "showUser") == .bool(isShown))
  }
}
