import FlowCommand
import FlowCore
import Foundation
import TestKit
import Testing

/// The output of `flow list` for people and for programs.
@Suite struct ListTests {
  @Test func `the overview has a line for each plugin`() async throws {
    let run = try await FlowCommandRun(["list"], in: try TemporaryFolder())

    #expect(
      run.output == """
          probe 1.2           Counts, echoes and fails.

        'flow list PLUGIN' shows the settings and operations of a plugin.

        """)
    #expect(run.errors == "")
    #expect(run.code == .passed)
  }

  @Test func `the page of a tool has the type of its outputSchema`() throws {
    let folder = try TemporaryFolder()
    try folder.write("flow: 1\nplugins: {t: {mcp: [x], state: none}}\n", to: "flow.yaml")
    try folder.write(
      """
      flow-lock: 1
      plugins:
        t:
          revision: "2025-06-18"
          tools:
            sum:
              inputSchema: {type: object}
              outputSchema:
                {type: object, properties: {total: {type: integer}}, required: [total]}
            any: {inputSchema: {type: object}}

      """, to: "flow.lock")
    let json = "The structured content, or else the text if it is JSON, or null."

    let page = try BuiltFlow(#""$0" list t"#, in: folder)
    let document = try BuiltFlow(#""$0" list t --json"#, in: folder)

    let rows = page.output.split(separator: "\n").filter { $0.hasPrefix("  json") }
    #expect(
      rows == [
        "  json                record. \(json)", "  json.total          int. ",
        "  json                any value. \(json)",
      ])
    #expect(document.output.contains(#""name":"total","type":"int""#), "\(document.output)")
  }

  @Test func `examples are listed after the other plugins`() async throws {
    let run = try await FlowCommandRun(
      ["list"], in: try TemporaryFolder(), components: [Model.self, Real.self])
    let page = try await FlowCommandRun(
      ["list", "model"], in: try TemporaryFolder(), components: [Model.self, Real.self])

    #expect(
      run.output == """
          real 1.0            Does work.

        examples:
          model 1.0           Imitates work.

        'flow list PLUGIN' shows the settings and operations of a plugin.

        """)
    #expect(page.output == "model 1.0 (example): Imitates work.\n")
  }

  @Test func `a program reads examples after the other plugins`() async throws {
    let run = try await FlowCommandRun(
      ["list", "--json"], in: try TemporaryFolder(), components: [Model.self, Real.self])
    let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8))

    let plugins = try #require(json as? [[String: Any]])
    #expect(plugins.map { $0["name"] as? String } == ["real", "model"])
    #expect(plugins.map { $0["example"] as? Bool } == [false, true])
  }

  @Test func `one operation is listed alone`() async throws {
    let run = try await FlowCommandRun(["list", "probe.random"], in: try TemporaryFolder())
    let unknown = try await FlowCommandRun(["list", "probe.randm"], in: try TemporaryFolder())

    #expect(run.output.hasPrefix("probe.random: Draws a number.\n answers\n  "))
    #expect(!run.output.contains("probe.count"))
    #expect(
      unknown.errors
        == "flow: unknown operation 'probe.randm'; did you mean 'probe.random'?\n")
    #expect(unknown.code == .badCommandLine)
  }

  @Test(arguments: [["list", "--json"], ["list", "probe", "--json"]])
  func `a program reads what plugins there are`(_ arguments: [String]) async throws {
    let run = try await FlowCommandRun(arguments, in: try TemporaryFolder())
    let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8))

    let plugins = try #require(json as? [[String: Any]])
    #expect(plugins.map { $0["name"] as? String } == ["probe"])
    #expect(
      Set(plugins[0].keys) == [
        "name", "version", "summary", "example", "state", "reaches", "settings", "roles",
        "operations",
        "events",
      ])
    #expect(plugins[0]["version"] as? String == "1.2")
    #expect(
      plugins[0]["settings"] as? NSArray == [
        [
          "name": "start", "type": "int", "required": false, "secret": false,
          "summary": "Where to count from.",
        ],
        [
          "name": "title", "type": "optional(string)", "required": false, "secret": false,
          "summary": "A text.",
        ],
      ])
  }

  @Test func `a program reads what an operation takes, answers and refuses`() async throws {
    let run = try await FlowCommandRun(["list", "--json"], in: try TemporaryFolder())
    let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8))

    let plugins = try #require(json as? [[String: Any]])
    let operations = try #require(plugins[0]["operations"] as? [NSDictionary])
    #expect(
      operations[0] == [
        "name": "count", "summary": "Adds to the count.", "retry": "never", "readOnly": false,
        "input": [
          [
            "name": "by", "type": "int", "required": false, "secret": false,
            "summary": "How much to add.",
          ]
        ],
        "output": [
          [
            "name": "value", "type": "int", "required": true, "secret": false,
            "summary": "The count.",
          ]
        ],
        "errors": [["name": "too-many", "summary": "The step is more than 100."]],
        "example": "- uses: probe.count\n",
      ])
    #expect(
      operations.map { $0["name"] as? String }
        == ["count", "echo", "types", "fail", "crash", "random", "flaky", "sleep"])
    #expect(
      plugins[0]["events"] as? NSArray == [
        [
          "name": "counted", "summary": "The count changed.",
          "payload": [
            [
              "name": "value", "type": "int", "required": true, "secret": false,
              "summary": "The count.",
            ]
          ],
        ]
      ])
  }
}

private struct Real: Component {
  static let plugin = Plugin("real", version: "1.0", "Does work.", state: .none, operations: []) {
    _ in Real()
  }
}

private struct Model: Component {
  static let plugin = Plugin(
    "model", version: "1.0", "Imitates work.", state: .none, operations: []
  ) { _ in Model() }
  .example
}
