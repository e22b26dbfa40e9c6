import FlowCore
import FlowOpenAPI
import FlowScenario
import TestKit
import Testing

@testable import FlowExplore

/// The scenario of a finding.
@Suite struct FindingTextTests {
  private static let description = """
    openapi: 3.1.0
    info: {title: Files, version: "1"}
    servers: [{url: /v1}]
    security: [{key: [], token: []}]
    paths:
      /files:
        post:
          parameters:
            - {name: X-Mode, in: header, required: true, schema: {type: string, example: "a b"}}
            - {name: view, in: cookie, required: true, schema: {type: string, example: list}}
          requestBody:
            required: true
            content:
              application/json:
                schema: {type: object, example: {name: "${{ x }}"}}
          responses: {"201": {description: made}}
      /files/{name}:
        parameters: [{name: name, in: path, required: true, schema: {type: string, example: "a/b"}}]
        get:
          parameters: [{name: tag, in: query, required: true, schema: {type: string, example: "a&b"}}]
          responses: {"200": {description: one}}
    components:
      securitySchemes:
        key: {type: apiKey, in: query, name: api-key}
        token: {type: apiKey, in: header, name: X-Token}

    """

  private static func service() throws -> DescribedService {
    let folder = try TemporaryFolder()
    try folder.write(description, to: "api.yaml")
    let description = try OpenAPIDescription("api.yaml") {
      try DocumentReader.read(folder.directory, $0)
    }
    let login = ServiceLogin(description) { ["api_key", "x_token"].contains($0) }
    return DescribedService(
      description, at: "http://127.0.0.1:8000", contract: "api.yaml", login: login)
  }

  private static func calls(_ service: DescribedService) throws -> (post: DrawnCall, get: DrawnCall)
  {
    let usual = service.description.operations.map { CallDrawer($0).usual }
    return (try #require(usual[0].first), try #require(usual[1].first))
  }

  private static func text(
    _ calls: [DrawnCall], _ rule: ContractRule = .serverError, of service: DescribedService
  ) -> [String] {
    let violation = Violation(
      rule: rule, call: calls.count - 1, operation: "GET /files/{name}", reason: "it is so",
      key: "", others: [])
    let answers = calls.map { _ in DescribedItems.answer(201, .null) }
    return FindingText(
      Trial(calls), violation, answers, of: service, UniqueMembers(start: "0000")
    ).text.split(separator: "\n").map(String.init)
  }

  @Test func `what is given is in the settings, and keys of a query are in each path`() throws {
    let service = try Self.service()
    let (post, get) = try Self.calls(service)

    let lines = Self.text([post, get], of: service)

    #expect(
      lines == [
        "flow: 1", #"name: "server-error: GET /files/{name}, it is so""#, "inputs:",
        #"  base: {type: string, default: "http://127.0.0.1:8000"}"#,
        "  api_key: {type: string, secret: true}", "  x_token: {type: string, secret: true}",
        "components:", "  api:", "    plugin: http", "    with:",
        #"      base: "${{ inputs.base }}""#, "      follow: false", "      timeout: 10s",
        #"      headers: {"X-Token": "${{ inputs.x_token }}"}"#, "steps:",
        "  - uses: api.request",
        #"    with: {method: POST, path: "/v1/files?api-key=${{ inputs.api_key }}", body: "{\"name\":\"${{ '$' }}{{ x }}\"}", headers: {"X-Mode": "a b", "Cookie": "view=list", "content-type": "application/json"}}"#,
        "    expect: {status: 201}", "  - uses: api.request",
        #"    with: {method: GET, path: "/v1/files/a%2Fb?tag=a%26b&api-key=${{ inputs.api_key }}"}"#,
        #"    expect: {status: "${{ it < 500 }}"}"#,
      ])
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let credentials: DrawnCall.Credentials
    let fields: String

    var testDescription: String { fields }
  }

  static let cases = [
    Case(
      credentials: .none,
      fields: #"path: "/v1/files/a%2Fb?tag=a%26b", headers: {"X-Token": null}, auth: {}}"#),
    Case(
      credentials: .wrong,
      fields:
        #"path: "/v1/files/a%2Fb?tag=a%26b&api-key=wrong", headers: {"X-Token": "wrong"}, auth: {}}"#
    ),
  ]

  @Test(arguments: cases)
  func `a request without right credentials leaves them out`(_ example: Case) throws {
    let service = try Self.service()
    var call = try Self.calls(service).get
    call.credentials = example.credentials

    let lines = Self.text([call], .authentication, of: service)

    #expect(lines.contains("    with: {method: GET, " + example.fields))
    #expect(lines.last == #"    expect: {status: "${{ it == 401 || it == 403 }}"}"#)
  }

  @Test func `values of answers are expressions`() throws {
    let service = try Self.service()
    var (post, get) = try Self.calls(service)
    post.body = .value(.map(ValueMap([("name", .string("a"))])), mediaType: "application/json")
    get.arguments[0].link = AnswerLink(call: 0, place: .location)
    var other = get
    other.arguments[0].link = AnswerLink(
      call: 0, place: .json([.field("list"), .index(0), .field("a-b")]))

    let lines = Self.text([post, get, other], .contract, of: service)

    #expect(lines.contains("  - id: call_1"))
    let header = "steps.call_1.headers.location"
    let paths = [
      "${{ \(header).substring(\(header).lastIndexOf('/') + 1) }}",
      "${{ steps.call_1.json.list[0]['a-b'] }}",
    ]
    for path in paths {
      #expect(lines.contains { $0.contains(#"path: "/v1/files/\#(path)?tag=a%26b"#) })
    }
    #expect(lines.contains(#"      contract: {file: "api.yaml", check: answers}"#))
    #expect(lines.dropLast().last == "  - uses: checked.request")
  }
}
