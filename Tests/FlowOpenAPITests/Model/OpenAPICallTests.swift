import FlowCore
import FlowOpenAPI
import Testing

@Suite struct OpenAPICallTests {
  struct Call: CustomTestStringConvertible, Sendable {
    let id: String
    let operation: String
    let request: OpenAPIRequest
    let problems: [String]
    var testDescription: String { id }
  }

  static let types = "application/json, application/x-www-form-urlencoded, multipart/form-data"

  static let calls = [
    Call(
      id: "a right request", operation: "listOrders",
      request: OpenAPIRequest(
        path: "/v1/orders", query: [("limit", "7"), ("tag", "a"), ("tag", "b"), ("open", "true")],
        headers: [("cookie", "session=7"), ("x-shop", "12"), ("x-other", "a")]), problems: []),
    Call(
      id: "wrong parameters", operation: "listOrders",
      request: OpenAPIRequest(path: "/orders", query: [("limit", "700"), ("limt", "7")]),
      problems: [
        "query.limit: expected at most 100, got 700",
        "query.open: lacks the required query parameter 'open'",
        "query.limt: the description has no query parameter 'limt'; did you mean 'limit'?",
        "headers.x-shop: lacks the required header parameter 'X-Shop'",
      ]),
    Call(
      id: "another path", operation: "order", request: OpenAPIRequest(path: "/v2/orders/7"),
      problems: ["path: the path is not that of '/orders/{id}'"]),
    Call(
      id: "a body for none", operation: "order",
      request: OpenAPIRequest(path: "/orders/7", body: .json(.int(1))),
      problems: ["json: the description has no body for GET /orders/{id}"]),
    Call(
      id: "no body", operation: "addOrder", request: OpenAPIRequest(path: "/orders"),
      problems: ["body: there is no body; the description has \(types)"]),
    Call(
      id: "another media type", operation: "addOrder",
      request: OpenAPIRequest(path: "/orders", contentType: "text/plain", body: .text("a")),
      problems: [
        "headers.content-type: the description has no media type 'text/plain'; it has \(types)"
      ]),
    Call(
      id: "another media type among the headers", operation: "addOrder",
      request: OpenAPIRequest(
        path: "/orders", headers: [("Content-Type", "text/csv")], body: .text("a")),
      problems: [
        "headers.content-type: the description has no media type 'text/csv'; it has \(types)"
      ]),
    Call(
      id: "JSON without what only answers have", operation: "addOrder",
      request: OpenAPIRequest(
        path: "/orders", contentType: "application/json; charset=utf-8",
        body: .json(.map(ValueMap([("items", .list([])), ("secret", .string("a"))])))),
      problems: []),
    Call(
      id: "wrong JSON", operation: "addOrder",
      request: OpenAPIRequest(path: "/orders", body: .json(.map(ValueMap([("items", .int(1))])))),
      problems: ["json: 'secret' is missing", "json/items: expected array, got integer 1"]),
    Call(
      id: "malformed JSON", operation: "addOrder",
      request: OpenAPIRequest(
        path: "/orders", contentType: "application/json", body: .text("{")),
      problems: ["text: expected JSON, got other text"]),
    Call(
      id: "a form", operation: "addOrder",
      request: OpenAPIRequest(
        path: "/orders", body: .form([("count", "7"), ("names", "a"), ("names", "b")])),
      problems: []),
    Call(
      id: "a wrong form", operation: "addOrder",
      request: OpenAPIRequest(path: "/orders", body: .form([("names", "a"), ("count", "x")])),
      problems: [#"form/count: expected integer, got string "x""#]),
    Call(
      id: "a form as text", operation: "addOrder",
      request: OpenAPIRequest(
        path: "/orders", contentType: "application/x-www-form-urlencoded",
        body: .text("names=a+b&names=%20&count=1x")),
      problems: [#"text/count: expected integer, got string "1x""#]),
    Call(
      id: "a form in parts", operation: "addOrder",
      request: OpenAPIRequest(path: "/orders", body: .multipart(["file", "note"])), problems: []),
    Call(
      id: "a form in wrong parts", operation: "addOrder",
      request: OpenAPIRequest(path: "/orders", body: .multipart(["note", "nte"])),
      problems: [
        "multipart: lacks the required part 'file'",
        "multipart: the description has no part 'nte'; did you mean 'note'?",
      ]),
  ]

  @Test(arguments: calls)
  func `a request is compared with the description`(_ call: Call) throws {
    let operation = try OpenAPIDescription(files: Shop.files).named(call.operation)

    #expect(operation.problems(in: call.request).lines == call.problems)
  }

  struct Answer: CustomTestStringConvertible, Sendable {
    let id: String
    let operation: String
    let response: OpenAPIResponseValue
    let problems: [String]
    var testDescription: String { id }
  }

  static let etag = [(name: "ETag", value: "xx")]

  static let answers = [
    Answer(
      id: "a right one", operation: "listOrders",
      response: OpenAPIResponseValue(
        status: 200, headers: etag, contentType: "Application/JSON", body: .json(.list([]))),
      problems: []),
    Answer(
      id: "another status", operation: "listOrders", response: OpenAPIResponseValue(status: 500),
      problems: ["status: the description has no status 500; it has 200, 4XX"]),
    Answer(
      id: "wrong headers", operation: "listOrders",
      response: OpenAPIResponseValue(
        status: 200, headers: [("x-total", "a")], body: .json(.list([]))),
      problems: [
        "headers.etag: lacks the required header 'ETag'",
        #"headers.x-total: expected integer, got string "a""#,
      ]),
    Answer(
      id: "wrong JSON", operation: "listOrders",
      response: OpenAPIResponseValue(
        status: 200, headers: etag,
        body: .json(.list([.map(ValueMap([("id", .string("7")), ("items", .list([]))]))]))),
      problems: [#"json/0/id: expected integer, got string "7""#]),
    Answer(
      id: "another media type", operation: "listOrders",
      response: OpenAPIResponseValue(
        status: 200, headers: etag, contentType: "text/html", body: .text("a")),
      problems: [
        "headers.content-type: the description has no media type 'text/html'; it has application/json"
      ]),
    Answer(
      id: "no media type", operation: "listOrders",
      response: OpenAPIResponseValue(status: 404, body: .text("a")),
      problems: [
        "headers.content-type: there is no media type; the description has application/problem+json"
      ]),
    Answer(
      id: "no body", operation: "listOrders",
      response: OpenAPIResponseValue(status: 404),
      problems: ["body: there is no body; the description has application/problem+json"]),
    Answer(
      id: "malformed JSON", operation: "listOrders",
      response: OpenAPIResponseValue(
        status: 404, contentType: "application/problem+json", body: .text("{")),
      problems: ["text: expected JSON, got other text"]),
    Answer(
      id: "text of a range", operation: "order",
      response: OpenAPIResponseValue(
        status: 200, contentType: "text/plain; charset=utf-8", body: .text("123456")),
      problems: ["text: expected at most 5 characters, got 6"]),
    Answer(
      id: "bytes for JSON", operation: "listOrders",
      response: OpenAPIResponseValue(
        status: 404, contentType: "application/problem+json", body: .bytes(2)),
      problems: ["body: the body could not be decoded: it is not text"]),
    Answer(
      id: "bytes for a text with a schema", operation: "order",
      response: OpenAPIResponseValue(status: 200, contentType: "text/plain", body: .bytes(2)),
      problems: ["body: the body could not be decoded: it is not text"]),
    Answer(
      id: "a body in another coding", operation: "listOrders",
      response: OpenAPIResponseValue(
        status: 200, headers: etag, contentType: "application/json",
        body: .undecoded("the gzip data is cut off")),
      problems: ["body: the body could not be decoded: the gzip data is cut off"]),
    Answer(
      id: "a writeOnly property", operation: "listOrders",
      response: OpenAPIResponseValue(
        status: 200, headers: etag,
        body: .json(
          .list([
            .map(
              ValueMap([("id", .int(7)), ("items", .list([])), ("secret", .string("hidden"))]))
          ]))),
      problems: ["json/0/secret: 'writeOnly' allows no value here"]),
    Answer(
      id: "no body for HEAD", operation: "orderHead", response: OpenAPIResponseValue(status: 200),
      problems: []),
    Answer(
      id: "any body where nothing is said", operation: "addOrder",
      response: OpenAPIResponseValue(status: 503, contentType: "text/html", body: .text("a")),
      problems: []),
    Answer(
      id: "nothing", operation: "myOrders", response: OpenAPIResponseValue(status: 204),
      problems: []),
  ]

  @Test(arguments: answers)
  func `a response is compared with the description`(_ answer: Answer) throws {
    let operation = try OpenAPIDescription(files: Shop.files).named(answer.operation)

    #expect(operation.problems(in: answer.response).lines == answer.problems)
  }

  @Test func `a problem has the value and the place of the rule`() throws {
    let shop = try OpenAPIDescription(files: Shop.files)

    let parameter = try shop.named("listOrders").problems(
      in: OpenAPIRequest(path: "/orders", query: [("limit", "x")], headers: [("x-shop", "1")]))
    let status = try shop.named("listOrders").problems(in: OpenAPIResponseValue(status: 500))

    #expect(
      parameter == [
        CallProblem(
          field: "query.limit", pointer: "", message: #"expected integer, got string "x""#,
          actual: .string("x"),
          rule: "openapi.yaml#/paths/~1orders/get/parameters/0/schema/type (openapi.yaml:12)"),
        CallProblem(
          field: "query.open", pointer: "", message: "lacks the required query parameter 'open'",
          actual: nil, rule: "openapi.yaml#/paths/~1orders/get/parameters/2 (openapi.yaml:14)"),
      ])
    let order = Value.map(
      ValueMap([("id", .int(7)), ("items", .list([])), ("secret", .string("hidden"))]))
    let secret = try shop.named("listOrders").problems(
      in: OpenAPIResponseValue(status: 200, headers: Self.etag, body: .json(.list([order]))))

    // The value is perhaps a password.
    #expect(secret.map(\.actual) == [nil])
    #expect(
      status == [
        CallProblem(
          field: "status", pointer: "",
          message: "the description has no status 500; it has 200, 4XX", actual: .int(500),
          rule: "openapi.yaml#/paths/~1orders/get (openapi.yaml:9)")
      ])
  }

  @Test func `a key in the query is no parameter`() throws {
    let description = try OpenAPIDescription(
      paths: """
        /a: {get: {operationId: a, security: [{key: []}], responses: {200: {description: D}}}}
        /b: {get: {operationId: b, responses: {200: {description: D}}}}
        """,
      components: "securitySchemes: {key: {type: apiKey, in: query, name: api_key}}")
    func lines(_ id: String) throws -> [String] {
      try description.named(id).problems(
        in: OpenAPIRequest(path: "/" + id, query: [("api_key", "1")])
      ).lines
    }

    #expect(try lines("a") == [])
    #expect(
      try lines("b") == ["query.api_key: the description has no query parameter 'api_key'"])
  }
}
