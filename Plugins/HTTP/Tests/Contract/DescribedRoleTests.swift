import FlowCommand
import FlowCore
import TestKit
import Testing

@testable import HTTPPlugin

/// The requests of another component beside the description of their service.
@Suite struct DescribedRoleTests {
  private static let description = """
    openapi: 3.0.3
    info: {title: Items, version: "1"}
    paths:
      /items:
        post:
          requestBody:
            content: {application/json: {schema: {type: object, properties: {n: {type: COUNT}}}}}
          responses:
            "201": {description: made, content: {application/json: {schema: {type: object}}}}

    """

  /// A run whose component in the role has a description with a type for `n`, and its transcript.
  private static func run(
    _ type: String, _ headers: [String] = []
  ) async throws -> (TemporaryFolder, FlowCommandRun) {
    let server = try TestServer { _, connection in
      connection.send(
        TestServer.answer("201 Created", ["Content-Type: application/json"] + headers, "{}"))
    }
    defer { server.close() }
    let folder = try TemporaryFolder()
    try folder.write(description.replacing("COUNT", with: type), to: "api.yaml")
    try folder.write(
      """
      flow: 1
      components:
        server: {plugin: http, with: {base: "\(server.url)", contract: api.yaml, timeout: 60m}}
        gate: {plugin: gate, using: {server: server}}
      steps:
        - {uses: gate.pass, with: {method: POST, path: /items}}

      """, to: "gate.yaml")
    let run = try await FlowCommandRun(
      ["run", "--record", "@/gate.yaml"], in: folder, components: [HTTP.self, Gate.self])
    return (folder, run)
  }

  @Test func `a request that the description does not allow fails the step`() async throws {
    let (_, run) = try await Self.run("string")

    #expect(
      run.errors.hasPrefix(
        "@/gate.yaml:6:5: error: the request of 'gate.pass#1/server.exchange#1' contradicts 'api.yaml' [F2012]\n"
          + "    6 |   - {uses: gate.pass, with: {method: POST, path: /items}}\n"))
    #expect(run.errors.contains("  note: json.n: expected string, got integer 1 (api.yaml#"))
    #expect(run.code == .failed)
  }

  @Test func `an answer in a coding that it does not have fails the step`() async throws {
    let (_, run) = try await Self.run("integer", ["Content-Encoding: gzip"])

    #expect(
      run.errors.contains(
        "  note: text: the body could not be decoded: it has the content coding 'gzip' (api.yaml#"),
      "\(run.errors)")
    #expect(run.code == .failed)
  }

  @Test func `recorded requests are compared with another description`() async throws {
    let (folder, run) = try await Self.run("integer")
    try #require(run.code == .passed, "\(run.errors)")
    try folder.write(Self.description.replacing("COUNT", with: "boolean"), to: "new.yaml")

    let check = try await FlowCommandRun(
      ["check", "--contract", "@/new.yaml", "@/gate.yaml"], in: folder,
      components: [HTTP.self, Gate.self])

    #expect(
      check.errors.contains(
        ": error: the recorded request of 'gate.pass#1/server.exchange#1' (@/gate.transcript.jsonl:"
      ))
    #expect(check.errors.contains("'json.n': expected boolean, got integer 1 [F1223]"))
    #expect(check.code == .failed)
  }
}
