import FlowCore
import FlowOpenAPI
import Testing

@Suite struct DescriptionErrorTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let text: String
    let error: String
    var testDescription: String { text }

    init(_ text: String, _ error: String) { (self.text, self.error) = (text, error) }
  }

  static let roots = [
    Case("[1]", "openapi.yaml:1:1: a description of OpenAPI is a map, not [1]"),
    Case("info: {}", "openapi.yaml:1:1: not an OpenAPI description: 'openapi' is missing"),
    Case(
      "swagger: '2.0'",
      "openapi.yaml:1:10: this is Swagger 2.0, not OpenAPI 3: convert it to OpenAPI 3.0"),
    Case(
      "openapi: 3.2.0",
      #"openapi.yaml:1:10: the version "3.2.0" is not supported; there are 3.0 and 3.1"#),
    Case(
      "openapi: [3]",
      "openapi.yaml:1:10: the version [3] is not supported; there are 3.0 and 3.1"),
    Case(
      "{openapi: 3.1.0, jsonSchemaDialect: 'http://json-schema.org/draft-07/schema#'}",
      "openapi.yaml:1:37: the dialect 'http://json-schema.org/draft-07/schema#' is unknown; there are that of OpenAPI 3.1 and draft 2020-12"
    ),
    Case(
      "{openapi: 3.1.0, jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema'}",
      "no error"),
    Case("{openapi: 3.0.4, $schema: 'https://a.example/editors'}", "no error"),
    Case("{openapi: 3.0.4, paths: []}", "openapi.yaml:1:25: expected a map of paths, got []"),
  ]

  @Test(arguments: roots)
  func `a file that is no description is refused`(_ testCase: Case) throws {
    #expect(try problems(of: ["openapi.yaml": testCase.text]) == testCase.error)
  }

  static let paths = [
    Case("a: {}", "openapi.yaml:4:6: 'a' is no path: it begins with '/', and each '{' has its '}'"),
    Case(
      "/{a: {}",
      "openapi.yaml:4:8: '/{a' is no path: it begins with '/', and each '{' has its '}'"),
    Case("/a: 1", "openapi.yaml:4:7: expected a map of methods, got 1"),
    Case("/a: {get: 1}", "openapi.yaml:4:13: expected a map, got 1"),
    Case(
      "/a: {get: {parameters: [{name: a, in: querry, schema: {}}]}}",
      "openapi.yaml:4:41: 'querry' is not allowed here; did you mean 'query'?"),
    Case(
      "/a: {get: {parameters: [{name: a, in: query, style: simple, schema: {}}]}}",
      "openapi.yaml:4:55: 'simple' is not allowed here; there are form, spaceDelimited, pipeDelimited, deepObject"
    ),
    Case(
      "/a: {get: {parameters: [{in: query, schema: {}}]}}",
      "openapi.yaml:4:27: 'name' is missing"),
    Case(
      "/a: {get: {parameters: [{name: a, in: query}]}}", "openapi.yaml:4:27: 'schema' is missing"),
    Case(
      "/a: {get: {parameters: [{name: a, in: query, schema: {}}, {name: a, in: query, schema: {}}]}}",
      "openapi.yaml:4:61: two parameters of the query have the name 'a'"),
    Case(
      "/a: {get: {parameters: {}}}", "openapi.yaml:4:26: expected a list of parameters, got {}"),
    Case(
      "/a: {get: {parameters: [{name: a, in: query, required: 1, schema: {}}]}}",
      "openapi.yaml:4:58: expected true or false, got 1"),
    Case(
      "/a: {get: {responses: {200: {}, 20: {}, 6XX: {}}}}",
      """
      openapi.yaml:4:39: '20' is no status: there are '404', '4XX' and 'default'
      openapi.yaml:4:48: '6XX' is no status: there are '404', '4XX' and 'default'
      """),
    Case("/a: {get: {requestBody: {}}}", "openapi.yaml:4:27: 'content' is missing"),
    Case(
      "/a: {get: {requestBody: {content: {a/b: {schema: {properties: 1}}}}}}",
      "openapi.yaml:4:65: expected a map, got 1"),
    Case(
      "/a: {get: {requestBody: {content: {a/b: {schema: {allOf: [1]}}}}}}",
      "openapi.yaml:4:61: expected a schema, got 1"),
    Case(
      "/a: {$ref: 'https://a.example/b.yaml'}",
      "openapi.yaml:4:14: 'https://a.example/b.yaml' is on the web: nothing is fetched"),
    Case(
      "/a: {get: {requestBody: {$ref: '#/components/requestBodies/A'}}}",
      "openapi.yaml:4:34: '#/components/requestBodies/A' refers to nothing: 'openapi.yaml' has no 'components'"
    ),
    Case(
      "/a: {get: {requestBody: {$ref: '#a'}}}",
      "openapi.yaml:4:34: '#a' is no reference: its pointer is malformed"),
    Case(
      "/a: {get: {requestBody: {content: {a/b: {schema: {$ref: '#/inf/title'}}}}}}",
      "openapi.yaml:4:59: '#/inf/title' refers to nothing: 'openapi.yaml' has no 'inf'; did you mean 'info'?"
    ),
    Case(
      "/a: {get: {requestBody: {$ref: '#/paths/~1a/get/requestBody'}}}",
      "openapi.yaml:4:34: '#/paths/~1a/get/requestBody' leads back to itself"),
    Case(
      "/a: {get: {requestBody: {content: {a/b: {schema: {$ref: 'b.yaml#/a'}}}}}}",
      "openapi.yaml:4:59: cannot follow 'b.yaml#/a': cannot read 'b.yaml': no such file"),
    Case("/a: {get: {requestBody: {$ref: 1}}}", "openapi.yaml:4:34: expected a text, got 1"),
  ]

  @Test(arguments: paths)
  func `a problem has its place`(_ testCase: Case) throws {
    let text = "openapi: 3.1.0\ninfo: {title: T}\npaths:\n  " + testCase.text
    let description = try OpenAPIDescription(files: ["openapi.yaml": text])

    #expect(description.warnings.map(\.description).joined(separator: "\n") == testCase.error)
  }

  struct Faulty: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let paths: String
    /// The operations that cannot be used.
    let faulty: [String]
  }

  static let faulty = [
    Faulty(
      testDescription: "a parameter of one operation",
      paths: "/a: {get: {parameters: [{name: p, in: qery}]}, put: {}}\n  /b: {get: {}}",
      faulty: ["GET /a"]),
    Faulty(
      testDescription: "a parameter of a path",
      paths: "/a: {parameters: [{in: query}], get: {}, put: {}}\n  /b: {get: {}}",
      faulty: ["GET /a", "PUT /a"]),
    Faulty(
      testDescription: "a shared response",
      paths: "/a: {get: {responses: {200: {$ref: '#/components/responses/R'}}}}\n  /b: {get: {}}",
      faulty: ["GET /a"]),
    Faulty(
      testDescription: "a shared body with a schema",
      paths: "/a: {put: {requestBody: {$ref: '#/components/requestBodies/B'}}}\n  /b: {get: {}}",
      faulty: ["PUT /a"]),
    Faulty(
      testDescription: "a file that is missing, twice",
      paths: "/a: {get: {responses: {200: {$ref: 'x.yaml#/R'}}}}\n  "
        + "/b: {get: {responses: {200: {$ref: 'x.yaml#/S'}}}}\n  /c: {get: {}}",
      faulty: ["GET /a", "GET /b"]),
    Faulty(
      testDescription: "a schema of one status",
      paths: "/a: {get: {responses: {404: {content: {a/json: {schema: {required: true}}}}}}}\n  "
        + "/b: {get: {}}", faulty: ["GET /a"]),
  ]

  @Test func `a mistake belongs to a side of the call`() throws {
    let description = try OpenAPIDescription(
      paths: """
        /a:
          put:
            operationId: a
            requestBody: {content: {a/json: {schema: {$ref: '#/no'}}}}
            responses: {200: {$ref: '#/nothing'}}
        """)
    let operation = try description.named("a")

    #expect(
      operation.faults(requests: false) == [
        "openapi.yaml:8:31: '#/nothing' refers to nothing: 'openapi.yaml' has no 'nothing'"
      ])
    #expect(operation.faults(answers: false).count == 1)
    #expect(operation.faults(requests: false, answers: false) == [])
    #expect(operation.faults().count == 2)
  }

  @Test(arguments: faulty)
  func `a mistake counts for the operations with the part, and for no others`(_ test: Faulty)
    throws
  {
    let text = """
      openapi: 3.0.3
      paths:
        \(test.paths)
      components:
        responses: {R: {headers: {h: {$ref: '#/nowhere'}}}}
        requestBodies: {B: {content: {a/json: {schema: {properties: {$ref: 'p.yaml'}}}}}}
      """
    let description = try OpenAPIDescription(files: ["openapi.yaml": text])

    #expect(description.operations.filter { !$0.faults().isEmpty }.map(\.name) == test.faulty)
  }

  static let doubts = [
    Case(
      "/a/{x}: {}\n  /a/{y}: {}",
      "openapi.yaml:5:11: the paths '/a/{y}' and '/a/{x}' are the same"),
    Case(
      "/a/{id}: {get: {parameters: [{name: di, in: path, required: true, schema: {}}]}}",
      """
      openapi.yaml:4:18: the parameter 'id' of the path '/a/{id}' is not declared; did you mean 'di'?
      openapi.yaml:4:18: the path '/a/{id}' has no parameter 'di'; did you mean 'id'?
      """),
    Case(
      "/a: {get: {operationId: x}, put: {operationId: x}}",
      "openapi.yaml:4:50: two operations have the id 'x'; the first is /paths/~1a/get"),
  ]

  @Test(arguments: doubts)
  func `a mistake that leaves the rest usable is a warning`(_ testCase: Case) throws {
    let text = "openapi: 3.1.0\ninfo: {title: T}\npaths:\n  " + testCase.text

    let description = try OpenAPIDescription(files: ["openapi.yaml": text])

    #expect(description.warnings.map(\.description).joined(separator: "\n") == testCase.error)
  }

  @Test func `an operation may be in a file of its own`() throws {
    let description = try OpenAPIDescription(files: [
      "openapi.yaml": "openapi: 3.0.3\ninfo: {title: T}\npaths:\n  /a: {get: {$ref: parts/a.yaml}}",
      "parts/a.yaml": "operationId: readA\nresponses: {'200': {description: all}}",
    ])

    #expect(description.operation(named: "readA")?.name == "GET /a")
    #expect(description.warnings.map(\.description) == [])
  }

  @Test func `problems come in the order of files and places`() throws {
    let description = try OpenAPIDescription(files: [
      "openapi.yaml": """
      openapi: 3.1.0
      paths:
        /a: {$ref: b.yaml}
        /c: {get: {requestBody: {$ref: '#/x'}}}
        d: {}
      components:
        schemas: {A: {$ref: '#/y'}}
      """,
      "b.yaml": "get: {requestBody: {$ref: '#/z'}}",
    ])

    #expect(
      description.warnings.map(\.description).joined(separator: "\n") == """
        openapi.yaml:4:34: '#/x' refers to nothing: 'openapi.yaml' has no 'x'
        openapi.yaml:5:6: 'd' is no path: it begins with '/', and each '{' has its '}'
        openapi.yaml:7:23: '#/y' refers to nothing: 'openapi.yaml' has no 'y'
        b.yaml:1:27: '#/z' refers to nothing: 'b.yaml' has no 'z'
        """)
  }
}
