import FlowCommand
import FlowCore
import TestKit
import Testing

@testable import HTTPPlugin

/// The knowledge of `flow check` from the description of a service.
@Suite struct DescribedCheckTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let steps: String
    /// The first line of each error, from its line on, or none for a scenario without a mistake.
    var errors: [String] = []
    /// The same of each warning.
    var warnings: [String] = []

    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(
      name: "a described call",
      steps: """
        - id: made
          uses: api.post
          with: {path: /orders, json: {customer: Ann, lines: [{sku: a, count: 2}]}}
          expect: {status: 201, json: {state: open}}
        - uses: api.get
          with: {path: "/orders/${{ steps.made.json.id }}"}
        - assert: ${{ steps.made.json.note == null || steps.made.json.total > 0.0 }}
        """),
    Case(
      name: "a path of the described server",
      steps: "- {uses: api.get, with: {path: /orders, query: {customer: Ann, limit: 5}}}"),
    Case(
      name: "an unknown path",
      steps: "- {uses: api.get, with: {path: /order, query: {customer: Ann}}}",
      errors: [
        "5:32: error: 'api.get' contradicts 'api.yaml': 'path': the description has no operation 'GET /order'; did you mean '/orders'? [F1223]"
      ]),
    Case(
      name: "another method",
      steps: "- {uses: api.delete, with: {path: /orders/7}}",
      errors: [
        "5:35: error: 'api.delete' contradicts 'api.yaml': 'path': the description has no operation 'DELETE /orders/7'; the path has GET [F1223]"
      ]),
    Case(
      name: "a wrong field of the body",
      steps: "- {uses: api.post, with: {path: /orders, json: {custmer: Ann, lines: []}}}",
      errors: ["5:49: error: 'json' has no field 'custmer'; did you mean 'customer'? [F1204]"]),
    Case(
      name: "a missing field inside of the body",
      steps:
        "- {uses: api.post, with: {path: /orders, json: {customer: Ann, lines: [{count: 1}]}}}",
      errors: ["5:72: error: 'lines[0]' needs the field 'sku', string [F1205]"]),
    Case(
      name: "another type in an expression",
      steps: """
        - {id: made, uses: api.post, with: {path: /orders, json: {customer: Ann, lines: []}}, expect: {status: 201}}
        - uses: api.post
          with: {path: /orders, json: {customer: "${{ steps.made.json.id }}", lines: []}}
        """,
      errors: ["7:42: error: 'customer': expected string, the expression returns int [F1305]"]),
    Case(
      name: "a value that a schema forbids",
      steps: "- {uses: api.post, with: {path: /orders, json: {customer: A, lines: []}}}",
      errors: [
        "5:59: error: 'api.post' contradicts 'api.yaml': 'json.customer': expected at least 2 characters, got 1 [F1223]"
      ]),
    Case(
      name: "a missing body",
      steps: "- {uses: api.post, with: {path: /orders}}",
      errors: [
        "5:10: error: 'api.post' contradicts 'api.yaml': 'json': there is no body; the description has application/json [F1223]"
      ]),
    Case(
      name: "a missing parameter",
      steps: "- {uses: api.get, with: {path: /orders, query: {limit: 5}}}",
      errors: ["5:48: error: 'query' needs the field 'customer', any value [F1205]"]),
    Case(
      name: "an unknown parameter",
      steps: "- {uses: api.get, with: {path: /orders, query: {customer: Ann, limt: 5}}}",
      errors: ["5:64: error: 'query' has no field 'limt'; did you mean 'limit'? [F1204]"]),
    Case(
      name: "a wrong parameter beside an expression",
      steps: """
        - {id: one, uses: api.get, with: {path: /orders/1}, expect: {status: 200}}
        - {uses: api.get, with: {path: /orders, query: {customer: "${{ steps.one.json.state }}", limit: 70}}}
        """,
      errors: [
        "6:97: error: 'api.get' contradicts 'api.yaml': 'query.limit': expected at most 50, got 70 [F1223]"
      ]),
    Case(
      name: "a wrong parameter in the path's query",
      steps: "- {uses: api.get, with: {path: '/orders?customer=Ann&limit=many'}}",
      errors: [
        "5:32: error: 'api.get' contradicts 'api.yaml': 'path': the query parameter 'limit': expected integer, got string \"many\" [F1223]"
      ]),
    Case(
      name: "a wrong parameter of the path",
      steps: "- {uses: api.get, with: {path: /orders/seven}}",
      errors: [
        "5:32: error: 'api.get' contradicts 'api.yaml': 'path': the path parameter 'id': expected integer, got string \"seven\" [F1223]"
      ]),
    Case(
      name: "an undeclared status",
      steps: "- {uses: api.get, with: {path: /orders/7}, expect: {status: 204}}",
      errors: [
        "5:61: error: the answer of 'api.get' contradicts 'api.yaml': 'status': the description has no status 204; it has 200, 404 [F1223]"
      ]),
    Case(
      name: "an unknown field of the answer",
      steps: """
        - {id: one, uses: api.get, with: {path: /orders/7}, expect: {status: 200, json: {totl: 1}}}
        - assert: ${{ steps.one.json.stat == 'open' }}
        """,
      errors: ["6:30: error: the record has no field 'stat'; did you mean 'state'? [F1304]"]),
    Case(
      name: "an undeclared field of the expected answer",
      steps: """
        - {uses: api.get, with: {path: /orders/7}, expect: {status: 200, json: {totl: 1, x: 2}}}
        """,
      warnings: [
        "5:73: warning: 'json' has no declared field 'totl'; did you mean 'total'? [F1520]",
        "5:82: warning: 'json' has no declared field 'x' [F1520]",
      ]),
    Case(
      name: "an undeclared field in brackets, and in a test",
      steps: """
        - {id: one, uses: api.get, with: {path: /orders/7}, expect: {status: 200}}
        - assert: "${{ has(steps.one.json.stat) || steps.one.json['stat'] == 1 || steps.one.json.?stat.hasValue() }}"
        """),
    Case(
      name: "an undeclared field of the body",
      steps: """
        - {uses: api.post, with: {path: /orders, json: {customer: Ann, lines: [{sku: a}], x: 2}}}
        """),
    Case(
      name: "a misspelled field of the body that is optional",
      steps: """
        - {uses: api.post, with: {path: /orders, json: {customer: Ann, lines: [{sku: a, cont: 1}]}}}
        """,
      warnings: [
        "5:81: warning: 'lines[0]' has no declared field 'cont'; did you mean 'count'? [F1520]"
      ]),
    Case(
      name: "a misspelled field of the body that is required",
      steps: "- {uses: api.post, with: {path: /orders, json: {custmer: Ann, lines: []}}}",
      errors: ["5:49: error: 'json' has no field 'custmer'; did you mean 'customer'? [F1204]"]),
    Case(
      name: "the fields of each status",
      steps: """
        - {id: none, uses: api.get, with: {path: /orders/7}, expect: {status: 404}}
        - assert: ${{ steps.none.json.reason == 'x' }}
        - assert: ${{ steps.none.json.total == 1.0 }}
        """,
      errors: ["7:31: error: the record has no field 'total' [F1304]"]),
    Case(
      name: "the fields of all statuses without an expected one",
      steps: """
        - {id: any, uses: api.get, with: {path: /orders/7}}
        - assert: "${{ steps.any.status == 404 ? steps.any.json.reason == 'x' : steps.any.json.total > 1.0 }}"
        """),
    Case(
      name: "a value that the answer never has",
      steps: """
        - {id: one, uses: api.get, with: {path: /orders/7}, expect: {status: 200}}
        - assert: ${{ steps.one.json.state == 'payd' }}
        """,
      errors: ["6:39: error: 'payd' is not one of 'open', 'paid'; did you mean 'paid'? [F1303]"]),
    Case(
      name: "a request that is to be refused",
      steps: "- {uses: api.post, with: {path: /orders, json: {custmer: 1}}, expect: {status: 409}}"),
    Case(
      name: "a call by name",
      steps: """
        - {id: all, uses: api.call, with: {operation: listOrders, parameters: {customer: Ann, limit: 1}}, expect: {status: 200}}
        - {uses: api.call, with: {operation: getOrder, parameters: {id: "${{ steps.all.json[0].id }}"}}}
        """),
    Case(
      name: "an unknown operation",
      steps: "- {uses: api.call, with: {operation: listOrder}}",
      errors: [
        "5:38: error: 'api.call' contradicts 'api.yaml': 'operation': the description has no operation 'listOrder'; did you mean 'listOrders'? [F1223]"
      ]),
    Case(
      name: "a wrong parameter of a call by name",
      steps: "- {uses: api.call, with: {operation: getOrder, parameters: {idd: 7}}}",
      errors: [
        "5:61: error: 'parameters' has no field 'idd'; did you mean 'id'? [F1204]"
      ]),
  ]

  @Test func `a call of one of several operations contradicts all of them, or none`() async throws {
    let folder = try DescribedShop.folder(
      """
      - {id: any, uses: api.get, with: {path: /a/7, query: {x: 1}}}
      - {uses: api.get, with: {path: "/${{ steps.any.text }}/${{ steps.any.text }}", query: {x: 1}}}
      - {uses: api.get, with: {path: "/${{ steps.any.text }}/${{ steps.any.text }}", query: {z: 1}}}
      - {uses: api.get, with: {path: "/${{ steps.any.text }}/${{ steps.any.text }}"}, expect: {status: 201}}
      """)
    try folder.write(
      """
      openapi: 3.1.0
      paths:
        /a/{id}:
          parameters: [{name: id, in: path, required: true, schema: {type: string}}]
          get: {parameters: [{name: x, in: query, schema: {}}], responses: {"200": {description: D}}}
        /{kind}/b:
          parameters: [{name: kind, in: path, required: true, schema: {type: string}}]
          get: {parameters: [{name: y, in: query, schema: {}}], responses: {"204": {description: D}}}

      """, to: "api.yaml")

    let run = try await FlowCommandRun(
      ["check", "@/shop.yaml"], in: folder, components: [HTTP.self])

    #expect(
      run.errors.split(separator: "\n").filter { $0.hasPrefix("@/") } == [
        "@/shop.yaml:7:91: error: 'api.get' contradicts 'api.yaml': 'query.z': the description has no query parameter 'z'; did you mean 'x'? [F1223]",
        "@/shop.yaml:8:98: error: the answer of 'api.get' contradicts 'api.yaml': 'status': the description has no status 201; it has 200 [F1223]",
      ])
  }

  @Test(arguments: cases)
  func `a description finds mistakes before the run`(_ test: Case) async throws {
    let folder = try DescribedShop.folder(test.steps)

    let run = try await FlowCommandRun(
      ["check", "@/shop.yaml"], in: folder, components: [HTTP.self])

    let errors = run.errors.split(separator: "\n").filter { $0.hasPrefix("@/") }
    #expect(
      errors.map { String($0.dropFirst("@/shop.yaml:".count)) } == test.errors + test.warnings)
    #expect(run.code == (test.errors.isEmpty ? .passed : .badInput))
  }

  @Test(arguments: [
    ("none.yaml", "'contract': cannot read 'none.yaml': no such file"),
    (
      "7",
      "'contract' is the path of a description, or {file: PATH, check: CHECK} with one of all, answers, requests"
    ),
    (
      "{file: api.yaml, check: some}",
      "'contract' is the path of a description, or {file: PATH, check: CHECK} with one of all, answers, requests"
    ),
  ])
  func `a description that cannot be used is refused at its place`(
    _ contract: String, _ reason: String
  ) async throws {
    let folder = try DescribedShop.folder("- wait: 1ms", contract: contract)

    let run = try await FlowCommandRun(
      ["check", "@/shop.yaml"], in: folder, components: [HTTP.self])

    #expect(
      run.errors.split(separator: "\n").first.map(String.init)
        == "@/shop.yaml:3:71: error: 'api' cannot be opened with these settings: \(reason) [F1218]")
  }

  @Test func `doubtful parts of a description are one warning for all its scenarios`()
    async throws
  {
    let folder = try DescribedShop.folder("- {uses: api.get, with: {path: /orders/7}}")
    try folder.write(try folder.text("shop.yaml"), to: "shop2.yaml")
    try folder.write(
      DescribedShop.schemas.replacing("minLength: 2", with: "minLenght: 2"),
      to: "parts/schemas.yaml")

    let run = try await FlowCommandRun(["check", "@/"], in: folder, components: [HTTP.self])

    #expect(
      run.errors == """
        @/shop.yaml:3:71: warning: parts of 'api.yaml' are not checked [F1517]
            3 |   api: {plugin: http, with: {base: "http://127.0.0.1:9/v1", contract: api.yaml, timeout: 60m}}
              |                                                                       ^^^^^^^^
          note: parts/schemas.yaml:5:41: unknown keyword 'minLenght'; did you mean 'minLength'?

        """)
    #expect(run.code == .passed)
  }

  @Test func `less is checked as the setting says`() async throws {
    let steps = """
      - {uses: api.post, with: {path: /orders, json: {custmer: 1}}, expect: {status: 201}}
      - {uses: api.get, with: {path: /orders/7}, expect: {status: 204}}
      """
    let answers = try DescribedShop.folder(steps, contract: "{file: api.yaml, check: answers}")
    let requests = try DescribedShop.folder(steps, contract: "{file: api.yaml, check: requests}")

    for (folder, line) in [(answers, "6:"), (requests, "5:")] {
      let run = try await FlowCommandRun(
        ["check", "@/shop.yaml"], in: folder, components: [HTTP.self])

      let lines = run.errors.split(separator: "\n").filter { $0.hasPrefix("@/") }
      #expect(!lines.isEmpty)
      #expect(lines.allSatisfy { $0.hasPrefix("@/shop.yaml:\(line)") })
    }
  }
}
