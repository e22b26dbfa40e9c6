import FlowCommand
import FlowCore
import TestKit
import Testing

@testable import HTTPPlugin

/// Requests and answers of a run beside the description of the service.
@Suite struct DescribedRunTests {
  private static let steps = """
    - id: made
      uses: api.call
      with: {operation: createOrder, json: {customer: "${{ inputs.name }}", lines: [{sku: a}]}}
    """

  /// A server whose answer is a text of JSON.
  private static func server(
    _ status: String, _ body: String, _ headers: [String] = ["Location: /orders/1"]
  ) throws -> TestServer {
    try TestServer { _, connection in
      connection.send(TestServer.answer(status, ["Content-Type: application/json"] + headers, body))
    }
  }

  private static func run(
    _ server: TestServer, name: String = "Ann", _ options: [String] = []
  ) async throws -> (TemporaryFolder, FlowCommandRun) {
    let folder = try DescribedShop.folder(steps, base: server.url + "/v1")
    var text = try folder.text("shop.yaml")
    text.replace("flow: 1\n", with: "flow: 1\ninputs: {name: {type: string, default: Ann}}\n")
    try folder.write(text, to: "shop.yaml")
    let run = try await FlowCommandRun(
      ["run", "@/shop.yaml", "--input", "name=\(name)"] + options, in: folder,
      components: [HTTP.self])
    return (folder, run)
  }

  struct Answer: Sendable, CustomTestStringConvertible {
    let status: String
    let body: String
    var headers = ["Location: /orders/1"]
    let note: String

    var testDescription: String { note }
  }

  static let answers = [
    Answer(
      status: "201 Created", body: #"{"id":1,"total":"5","state":"open"}"#,
      note: "json.total: expected number, got string \"5\""),
    Answer(
      status: "201 Created", body: #"{"id":1,"total":5}"#, note: "json: 'state' is missing"),
    Answer(
      status: "201 Created", body: #"{"id":1,"total":5,"state":"open"}"#, headers: [],
      note: "headers.location: lacks the required header 'Location'"),
    Answer(
      status: "201 Created", body: #"{"id":1,"total":5,"state":"open"}"#,
      headers: ["Location: /orders/1", "Content-Encoding: gzip"],
      note: "text: the body could not be decoded: the gzip data is damaged; "
        + "the body is left encoded"
    ),
    Answer(
      status: "202 Accepted", body: "{}",
      note: "status: the description has no status 202; it has 201, 409"),
  ]

  @Test(arguments: answers)
  func `an answer that the description does not allow fails its step`(
    _ answer: Answer
  ) async throws {
    let server = try Self.server(answer.status, answer.body, answer.headers)
    defer { server.close() }

    let (_, run) = try await Self.run(server)

    #expect(
      run.errors.hasPrefix(
        "@/shop.yaml:7:9: error: the answer to 'made#1' contradicts 'api.yaml' [F2012]\n"))
    #expect(
      run.errors.contains("  note: \(answer.note) (api.yaml#")
        || run.errors.contains("  note: \(answer.note) (parts/schemas.yaml#"))
    #expect(run.code == .failed)
  }

  @Test func `a request that the description does not allow is not sent`() async throws {
    let server = try Self.server("201 Created", #"{"id":1,"total":5,"state":"open"}"#)
    defer { server.close() }

    let (_, run) = try await Self.run(server, name: "A")

    #expect(
      run.errors.hasPrefix(
        "@/shop.yaml:7:9: error: the request of 'made#1' contradicts 'api.yaml' [F2012]\n"))
    #expect(run.errors.contains("  note: json.customer: expected at least 2 characters, got 1 ("))
    #expect(server.requests.count == 0)
  }

  @Test func `recorded calls are compared with another description`() async throws {
    let server = try Self.server("201 Created", #"{"id":1,"total":5.5,"state":"open"}"#)
    defer { server.close() }
    let (folder, run) = try await Self.run(server, ["--record"])
    try #require(run.code == .passed, "\(run.errors)")
    server.close()
    try folder.write(
      DescribedShop.schemas.replacing("total: {type: number}", with: "total: {type: integer}")
        .replacing("required: [customer, lines]", with: "required: [customer, lines, email]"),
      to: "new/parts/schemas.yaml")
    try folder.write(DescribedShop.description, to: "new/api.yaml")

    let same = try await FlowCommandRun(
      ["check", "--contract", "@/api.yaml", "@/shop.yaml"], in: folder, components: [HTTP.self])
    let other = try await FlowCommandRun(
      ["check", "--contract", "api=@/new/api.yaml", "@/shop.yaml"], in: folder,
      components: [HTTP.self])

    let misspelt = try await FlowCommandRun(
      ["check", "--contract", "apy=@/api.yaml", "@/shop.yaml"], in: folder, components: [HTTP.self])
    let broken = try await FlowCommandRun(
      ["check", "--contract", "@/shop.yaml", "@/shop.yaml"], in: folder, components: [HTTP.self])

    #expect(
      misspelt.errors
        == "flow: no recorded scenario has a component 'apy' that takes a description; did you mean 'api'?\n"
    )
    #expect(misspelt.code == .badInput)
    #expect(
      broken.errors == "flow: @/shop.yaml:1:1: not an OpenAPI description: 'openapi' is missing\n")
    #expect(broken.code == .badInput)
    #expect(same.output == "1 recorded call in 1 transcript compared, no contradictions\n")
    #expect(same.code == .passed)
    let lines = other.errors.split(separator: "\n").filter { $0.hasPrefix("@/") }
    #expect(
      lines == [
        "@/shop.yaml:7:9: error: the recorded request of 'made#1' (@/shop.transcript.jsonl:4): 'json': 'email' is missing [F1223]",
        "@/shop.yaml:7:9: error: the recorded answer to 'made#1' (@/shop.transcript.jsonl:5): 'json.total': expected integer, got number 5.5 [F1223]",
      ])
    #expect(other.output == "1 recorded call in 1 transcript compared, 2 contradictions\n")
    #expect(other.code == .failed)
  }

  @Test func `a recorded answer that no longer fits fails the test`() async throws {
    let server = try Self.server("201 Created", #"{"id":1,"total":5.5,"state":"open"}"#)
    defer { server.close() }
    let (folder, run) = try await Self.run(server, ["--record"])
    try #require(run.code == .passed, "\(run.errors)")
    server.close()

    let before = try await FlowCommandRun(
      ["test", "@/shop.yaml"], in: folder, components: [HTTP.self])
    try folder.write(
      DescribedShop.schemas.replacing("enum: [open, paid]", with: "enum: [new, paid]"),
      to: "parts/schemas.yaml")
    let after = try await FlowCommandRun(
      ["test", "@/shop.yaml"], in: folder, components: [HTTP.self])

    #expect(before.code == .passed)
    #expect(after.errors.contains("the answer to 'made#1' contradicts 'api.yaml' [F2012]"))
    #expect(after.code == .failed)
  }
}
