import FlowCore
import Testing

@testable import MCPPlugin

/// The typical failures of tools.
@Suite struct ToolFaultTests {
  private static func tool(_ output: String?) throws -> Tool {
    var fields = #"{"inputSchema":{"type":"object"},"errors":{"empty":"No."}"#
    if let output { fields += #","outputSchema":\#(output)"# }
    return try Tool("buy", try Value(json: Array((fields + "}").utf8)))
  }

  private static let schema =
    #"{"type":"object","properties":{"n":{"type":"integer","maximum":3}},"required":["n"]}"#

  /// What another client gets in place of an answer, or after it.
  private static func outcome(
    _ name: String, _ request: String, of tool: Tool, answer: String = #"{"content":[]}"#
  ) throws -> String? {
    let faults = ServerExchange.operation([tool]).description.faults
    let fault = try #require(faults.first { $0.name == name })
    let input = Value.map(
      ValueMap([
        ("method", .string("tools/call")), ("params", try Value(json: Array(request.utf8))),
      ]))
    let given = ExchangedAnswer(try Value(json: Array(answer.utf8)))
    let changed: Value? =
      switch fault.effect {
      case .answer(let make): make(input)
      case .changed(let change): change(ExchangedAnswer.record.encode(given), input)
      default: nil
      }
    guard let changed else { return nil }
    let result = try ExchangedAnswer.record.decode(changed)
    return (result.failure ?? result.result)?.json
  }

  @Test(arguments: [
    (
      "failed",
      #"{"content":[{"type":"text","text":"the error is injected by the schedule"}],"isError":true}"#
    ),
    ("protocol-error", #"{"code":-32603,"message":"the error is injected by the schedule"}"#),
    ("gone", #"{"code":-32602,"message":"Unknown tool: buy"}"#),
  ]) func `an agent gets an error`(_ name: String, _ expected: String) throws {
    #expect(try Self.outcome(name, #"{"name":"buy"}"#, of: Self.tool(nil)) == expected)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var output: String?
    let answer: String
    let changed: String?
  }

  @Test(arguments: [
    Row(
      testDescription: "a result with a schema, and the same as text", output: schema,
      answer: #"{"content":[{"type":"text","text":"{\"n\": 3}"}],"structuredContent":{"n":3}}"#,
      changed:
        #"{"content":[{"type":"text","text":"{\"n\":-3}"}],"structuredContent":{"n":-3}}"#),
    Row(
      testDescription: "a result without a schema",
      answer: #"{"structuredContent":{"a":[],"b":true}}"#,
      changed: #"{"structuredContent":{"a":[],"b":false}}"#),
    Row(
      testDescription: "a text that is JSON",
      answer: #"{"content":[{"type":"text","text":"[1]"}]}"#,
      changed: #"{"content":[{"type":"text","text":"[2]"}]}"#),
    Row(
      testDescription: "another text",
      answer: #"{"content":[{"type":"image"},{"type":"text","text":"ok"}]}"#,
      changed: #"{"content":[{"type":"image"},{"type":"text","text":"ok~"}]}"#),
    Row(
      testDescription: "an error", answer: #"{"content":[],"isError":true}"#, changed: nil),
    Row(
      testDescription: "a result that can be no other",
      output: #"{"type":"object","properties":{},"additionalProperties":false}"#,
      answer: #"{"content":[],"structuredContent":{}}"#, changed: nil),
  ]) func `a changed result is one that the schema allows`(_ row: Row) throws {
    let tool = try Self.tool(row.output)

    let changed = try Self.outcome("changed", #"{"name":"buy"}"#, of: tool, answer: row.answer)

    #expect(changed == row.changed)
  }

  @Test func `only calls of tools fail`() throws {
    let faults = ServerExchange.operation([try Self.tool(nil)]).description.faults
    let input = { (method: String) in
      Value.map(ValueMap([("method", .string(method)), ("params", .map(ValueMap()))]))
    }

    #expect(
      faults.map(\.name) == [
        "failed", "protocol-error", "gone", "timeout", "slow", "lost", "changed",
      ])
    #expect(faults.allSatisfy { $0.applies(input("tools/call")) })
    #expect(!faults.contains { $0.applies(input("tools/list")) })
  }

  @Test func `a step's call has the errors of the tool, and no others of the protocol`() throws {
    let tool = try Self.tool(nil)

    #expect(
      tool.declared.description.faults.map(\.name) == [
        "empty", "failed", "timeout", "slow", "lost", "changed",
      ])
    #expect(tool.declared.description.untypicalErrors == [])
  }
}
