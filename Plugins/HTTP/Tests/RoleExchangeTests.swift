import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import HTTPPlugin

/// Another component that passes requests on by a role.
@Suite struct RoleExchangeTests {
  private static let scenario = """
    flow: 1
    inputs: {base: {type: string}}
    components:
      server: {plugin: http, with: {base: "${{ inputs.base }}"}}
      gate: {plugin: gate, using: {server: server}}
    steps:
      - {id: events, uses: gate.pass, with: {method: GET, path: /events}}
      - {id: made, uses: gate.pass, with: {method: POST, path: /items}}
    outputs: {events: "${{ steps.events.lines }}", made: "${{ steps.made.lines }}"}

    """

  @Test func `a request and its pieces replay without the server, in their order`() async throws {
    let server = try TestServer { request, connection in
      guard request.path == "/events" else {
        let body = #"{"echo":\#(request.text)}"#
        return connection.send(
          TestServer.answer("201 Created", ["Content-Type: application/json"], body))
      }
      connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
      connection.send("data: 1\n\ndata: 2\n\n: end\n\n")
      return false
    }
    defer { server.close() }
    let folder = try TemporaryFolder()
    try folder.write(Self.scenario, to: "gate.yaml")
    let file = try ScenarioFile(folder.path("gate.yaml"))
    let registry = try Registry([HTTP.self, Gate.self])

    let run = try await file.run(registry, inputs: ["base": server.url])
    try folder.write(run.transcript, to: "gate.transcript.jsonl")
    server.close()
    let problems = await file.problemsOfReplay(registry, live: ["gate"])

    #expect(
      try run.output("events", as: [String].self)
        == ["200", "data: 1\n\n", "data: 2\n\n", ": end\n\n"])
    #expect(try run.output("made", as: [String].self) == ["201", #"{"echo":{"n":1}}"#])
    #expect(problems.map { "\($0)" } == [])
    #expect(server.requests.map(\.line) == ["GET /events", "POST /items"])
  }
}

/// Passes one request on, with the types that such a component has.
struct Gate: Component {
  private struct Answer: Sendable {
    var status: Int
    var headers: [String: String]
    var json: Value
    var text: String?
    var stream: String?

    static let record = Record(
      Answer.init(status:headers:json:text:stream:), Field("status", \.status, "The status."),
      Field("headers", \.headers, "The headers."), Field("json", \.json, "JSON."),
      Field("text", \.text, "Text."), Field("stream", \.stream, "The stream."))
  }

  private struct Part: Sendable {
    var text: String?
    var end: Bool

    static let record = Record(
      Part.init(text:end:), Field("text", \.text, "The piece."), Field("end", \.end, "The end."))
  }

  private static let server = Role("server", "Answers.")
  private static let exchange = server.call(
    "exchange", Parameter<String>("method", "The method."), Parameter<String>("path", "The path."),
    Parameter<[String: Value]>("headers", "The headers."), Parameter<Value?>("json", "The body."),
    answers: Answer.record, errors: ErrorCode.all)
  private static let piece = server.call(
    "piece", Parameter<String>("stream", "The stream."), answers: Part.record,
    errors: ErrorCode.all)

  static let plugin = Plugin(
    "gate", version: "1.0", "Passes requests on.", state: .memory, uses: [exchange, piece],
    operations: [
      Operation(
        "pass", "Passes a request on.", Parameter<String>("method", "The method."),
        Parameter<String>("path", "The path."),
        answers: Record<[String]>("lines", "The status and the parts of the body."),
        errors: ErrorCode.all
      ) { _, context, method, path in try await Self.pass(method, path, context) }
    ]
  ) { _ in Gate() }

  private static func pass(
    _ method: String, _ path: String, _ context: Context
  ) async throws -> [String] {
    let body = method == "POST" ? Value.map(ValueMap([("n", .int(1))])) : nil
    let answer = try await exchange(
      method, path, ["accept": .list([.string("a/b"), .string("c/d")])], body, in: context)
    var lines = ["\(answer.status)"]
    if answer.json != .null { lines.append(answer.json.json) }
    guard let stream = answer.stream else { return lines }
    while case let part = try await piece(stream, in: context), !part.end {
      lines.append(part.text ?? "")
    }
    return lines
  }
}
