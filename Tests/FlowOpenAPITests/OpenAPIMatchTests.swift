import FlowCore
import FlowOpenAPI
import Testing

@Suite struct OpenAPIMatchTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let call: String
    let match: String
    var testDescription: String { call }

    init(_ call: String, _ match: String) { (self.call, self.match) = (call, match) }
  }

  static let text = """
    openapi: 3.0.0
    servers: [{url: 'https://a.example/v1'}, {url: '/{stage}/', variables: {stage: {default: test}}}]
    paths:
      /: {get: &a {responses: {200: {description: D}}}}
      /orders: {get: *a, post: *a}
      /orders/mine: {get: *a}
      /orders/{id}: {parameters: &p [{name: id, in: path, schema: {}}], get: *a, delete: *a}
      /orders/{id}/items: {parameters: *p, get: *a}
      /orders/mine/{id}: {parameters: *p, get: *a}
      /files/{id}.json: {parameters: *p, get: *a}
      /files/{id}.{ext}: {parameters: [{name: id, in: path, schema: {}}, {name: ext, in: path, schema: {}}], get: *a}
      /a%20b: {get: *a}
      /users/me: {get: *a}
      /users/you: {get: *a}
      /other: {servers: [{url: /x}], get: *a}
      /shop/{id}: {parameters: *p, get: *a}
      /shop/{id}#sold: {parameters: *p, get: *a}
      /stages: {servers: [{url: '/{stage}', variables: {stage: {default: test, enum: [test, live]}}}], get: *a}
    """

  static let cases = [
    Case("GET /", "/"),
    Case("GET /orders", "/orders"),
    Case("get /orders", "/orders"),
    Case("GET /orders/", "none; near /orders"),
    Case("GET /v1/orders", "/orders"),
    Case("GET /test/orders", "/orders"),
    Case("GET /v2/orders", "none; near /orders"),
    Case("GET /orders/mine", "/orders/mine"),
    Case("GET /orders/7", "/orders/{id}"),
    Case("GET /orders/?", "/orders/{id}"),
    Case("DELETE /orders/?", "/orders/{id}"),
    Case("DELETE /orders/mine", "/orders/{id}"),
    Case("PUT /orders/7", "none; methods GET, DELETE"),
    Case("GET /orders/mine/items", "/orders/mine/{id}"),
    Case("GET /orders/?/items", "/orders/{id}/items"),
    Case("GET /orders/?/?", "several /orders/{id}/items, /orders/mine/{id}"),
    Case("GET /files/a.json", "/files/{id}.json"),
    Case("GET /files/a.b.json", "/files/{id}.json"),
    Case("GET /files/a.txt", "/files/{id}.{ext}"),
    Case("GET /files/.txt", "none; near "),
    Case("GET /a%20b", "/a%20b"),
    Case("GET /a%2", "none; near /a%20b"),
    Case("GET /files/?", "several /files/{id}.json, /files/{id}.{ext}"),
    Case("GET /users/?", "several /users/me, /users/you"),
    Case("GET /x/other", "/other"),
    Case("GET /v1/other", "none; near /other"),
    Case("GET /shop/7", "several /shop/{id}, /shop/{id}#sold"),
    Case("GET /live/stages", "/stages"),
    Case("GET /test/stages", "/stages"),
    Case("GET /else/stages", "none; near "),
    Case("GET /usres/me", "none; near /users/me"),
  ]

  @Test(arguments: cases)
  func `an operation is found by method and path`(_ testCase: Case) throws {
    let description = try OpenAPIDescription(files: ["openapi.yaml": Self.text])
    let parts = testCase.call.split(separator: " ")
    let segments = parts[1].dropFirst().split(separator: "/", omittingEmptySubsequences: false)

    let match = description.match(
      method: String(parts[0]), path: segments.map { $0 == "?" ? .unknown : .text(String($0)) })

    #expect(text(match) == testCase.match)
  }

  private func text(_ match: OpenAPIMatch) -> String {
    switch match {
    case .one(let operation): operation.path
    case .several(let operations):
      "several " + operations.map(\.path).joined(separator: ", ")
    case .none(let mismatch):
      mismatch.pathExists
        ? "none; methods " + mismatch.methods.joined(separator: ", ")
        : "none; near " + mismatch.near.joined(separator: ", ")
    }
  }

  @Test func `parts of a segment are parameters of their own`() throws {
    let operation = try OpenAPIDescription(
      paths: """
        /{a}-{b}.json:
          get:
            operationId: a
            parameters:
              - {name: a, in: path, schema: {type: integer}}
              - {name: b, in: path, schema: {type: integer}}
            responses: {200: {description: D}}
        """
    ).named("a")
    func lines(_ path: String) -> [String] {
      operation.problems(in: OpenAPIRequest(path: path)).lines
    }

    #expect(lines("/1-2.json") == [])
    #expect(
      lines("/1-2-x.json") == [#"path.b: expected integer, got string "2-x""#])
    #expect(lines("/1.json") == ["path: the path is not that of '/{a}-{b}.json'"])
  }
}
