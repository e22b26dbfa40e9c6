import FlowCommand
import FlowCore
import TestKit
import Testing

/// Alterations of recorded answers by the description of a service.
@Suite struct DescribedMutationTests {
  private static let order =
    "{type: object, required: [id], properties: {id: {type: integer, minimum: 1, maximum: 9}, "
    + "item: {type: string, nullable: true, maxLength: 20, example: fine pen}}}"
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["order.yaml", "order.transcript.jsonl"] {
      try folder.write(try ProjectFiles.text("Plugins/HTTP/Scenarios/coverage/" + name), to: name)
    }
    try describe(Self.order)
  }

  /// Writes a description in which a new order has three possible items.
  private func describe(_ order: String) throws {
    try folder.write(
      """
      openapi: 3.0.3
      info: {title: Shop, version: "1"}
      paths:
        /orders:
          post:
            requestBody: {content: {application/json: {schema: {type: object}}}}
            responses:
              "201": {description: New, content: {application/json: {schema: {$ref: '#/components/schemas/New'}}}}
        /orders/{id}:
          parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
          get:
            responses:
              "200": {description: An order, content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
      components:
        schemas:
          New:
            type: object
            required: [id, item]
            properties: {id: {type: integer}, item: {type: string, enum: [ink, pen, cap]}}
          Order: \(order)

      """, to: "shop.openapi.yaml")
  }

  @Test func `the schema of the recorded status names the other values`() async throws {
    let run = try await FlowRun(["mutate", folder.path("order.yaml"), "--all"])

    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(
      lines.filter { $0.contains(", ok.json") } == [
        "shop.post, ok.json.item: 2 of 2 not noticed",
        #"  order#1, ok.json.item: "pen" -> "ink" or "cap""#,
        "shop.get, ok.json.id: 2 of 2 not noticed",
        "  look#1, ok.json.id: 1 -> 2 or 9 (maximum)",
        "shop.get, ok.json.item: 3 of 3 not noticed",
        #"  look#1, ok.json.item: "pen" -> "fine pen" or null or missing"#,
      ], "\(run.output)\(run.errors)")
  }

  @Test func `results are kept until the description changes`() async throws {
    func kept() async throws -> Bool {
      let run = try await FlowRun([
        "mutate", folder.directory.path, "--format", "json", "--details", "-",
      ])
      #expect(run.code == .passed, "\(run.errors)")
      return run.output.contains(#""kept":true"#)
    }

    #expect(try await [kept(), kept()] == [false, true])
    try describe(Self.order.replacing("maximum: 9", with: "maximum: 8"))
    #expect(try await [kept(), kept()] == [false, true])
  }
}
