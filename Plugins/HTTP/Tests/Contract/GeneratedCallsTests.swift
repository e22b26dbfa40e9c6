import FlowCommand
import FlowCore
import TestKit
import Testing

@testable import HTTPPlugin

/// Calls that are drawn from a description, against a service that breaks one of its rules.
@Suite struct GeneratedCallsTests {
  private static func explore(
    _ shop: FaultyShop, _ folder: TemporaryFolder, _ arguments: [String] = ["--budget", "400"]
  ) async throws -> FlowCommandRun {
    try await run(
      ["explore", "@/items.yaml", "--generate", "--to", shop.server.url, "--secret", "bearer"]
        + arguments, folder)
  }

  private static func run(
    _ arguments: [String], _ folder: TemporaryFolder
  ) async throws -> FlowCommandRun {
    try await FlowCommandRun(
      arguments, in: folder, environment: ["bearer": "sesame"], components: [HTTP.self])
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let fault: FaultyShop.Fault
    let findings: String

    var testDescription: String { fault.rawValue }
  }

  static let cases = [
    Case(
      fault: .crash,
      findings: """

        server-error: POST /items
          the status is 500
            POST /items, json/count is 100

        found 1 broken rule

        """),
    Case(
      fault: .textID,
      findings: """

        contract: POST /items
          json/id: expected integer, got string "2"
            POST /items

        contract: GET /items/{id}
          json/id: expected integer, got string "6"
            POST /items
            GET /items/{id}

        found 2 broken rules

        """),
    Case(
      fault: .noHeader,
      findings: """

        contract: POST /items
          headers.x-count: lacks the required header 'X-Count'
            POST /items

        found 1 broken rule

        """),
    Case(
      fault: .effect,
      findings: """

        refused-write: PUT /items/{id}
          'PUT /items/{id}' is refused with 422, and 'GET /items/{id}' has changed
            POST /items
            GET /items/{id}
            PUT /items/{id}, json/count is -1
            GET /items/{id}

        found 1 broken rule

        """),
    Case(
      fault: .undead,
      findings: """

        deleted: DELETE /items/{id}
          'GET /items/{id}' is answered with 200 after 'DELETE /items/{id}'
            POST /items
            GET /items/{id}
            DELETE /items/{id}
            GET /items/{id}

        found 1 broken rule

        """),
    Case(
      fault: .open,
      findings: """

        authentication: GET /items/{id}
          a request without credentials is answered with 200
            POST /items
            GET /items/{id}, without credentials

        found 1 broken rule

        """),
    Case(
      fault: .lenient,
      findings: """

        invalid-input: POST /items
          json/count is 101, and the answer is 201
            POST /items, json/count is 101

        invalid-input: PUT /items/{id}
          json/count is 101, and the answer is 204
            POST /items
            PUT /items/{id}, json/count is 101

        found 2 broken rules

        """),
    Case(
      fault: .strict,
      findings: """

        valid-input: POST /items
          json/count is 0, and the answer is 422
            POST /items, json/count is 0

        valid-input: PUT /items/{id}
          json/count is 0, and the answer is 422
            POST /items
            PUT /items/{id}, json/count is 0

        found 2 broken rules

        """),
    Case(
      fault: .forgetful,
      findings: """

        created: POST /items
          'GET /items/{id}' is answered with 404 after 'POST /items'
            POST /items, json/count is 1
            GET /items/{id}

        found 1 broken rule

        """),
    Case(
      fault: .fragile,
      findings: """

        server-error: DELETE /items/{id}
          the status is 500
            POST /items
            DELETE /items/{id}
            DELETE /items/{id}

        found 1 broken rule

        """),
    Case(
      fault: .silent,
      findings: """

        server-error: POST /items
          there is no answer: 'protocol'
            POST /items, json/count is 100

        found 1 broken rule

        """),
  ]

  @Test(arguments: cases)
  func `a broken rule is found with the fewest calls`(_ example: Case) async throws {
    let shop = try FaultyShop(example.fault)
    defer { shop.server.close() }
    let folder = try FaultyShop.folder()

    let run = try await Self.explore(shop, folder)

    #expect(run.code == .failed)
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(3)
      .filter { !$0.hasPrefix("  wrote") && !$0.hasPrefix("  flow run") }
    #expect(lines.joined(separator: "\n") == example.findings)
  }

  @Test func `a service without a fault breaks no rule`() async throws {
    let shop = try FaultyShop(.none)
    defer { shop.server.close() }
    let folder = try FaultyShop.folder()

    let run = try await Self.explore(shop, folder)

    #expect(run.code == .passed)
    #expect(run.output.hasSuffix("accepted: 4 of 4 operations\n\nno broken rule found\n"))
    #expect(try folder.names == ["items.yaml"])
    let hosts = Set(shop.server.requests.compactMap { $0.headers["host"] })
    #expect(hosts == ["127.0.0.1:\(shop.server.port)"])
  }

  @Test func `a finding is a scenario that fails until the service is right`() async throws {
    let shop = try FaultyShop(.undead)
    let right = try FaultyShop(.none)
    defer { for shop in [shop, right] { shop.server.close() } }
    let folder = try FaultyShop.folder()
    _ = try await Self.explore(shop, folder)
    let path = "@/items.deleted-delete-items-id.yaml"

    let again = try await Self.run(["run", path, "--secret", "bearer"], folder)
    let replay = try await Self.run(["test", path, "--update", "never"], folder)
    let check = try await Self.run(["check", path], folder)
    let other = try await Self.run(
      ["run", path, "--secret", "bearer", "--input", "base=\(right.server.url)"], folder)

    #expect(
      [again.code, replay.code, check.code, other.code] == [.failed, .failed, .passed, .passed])
    let text = try folder.text("items.deleted-delete-items-id.yaml")
    #expect(text.replacing(shop.server.url, with: "http://127.0.0.1:8000") == Self.deleted)
  }

  private static let deleted = """
    flow: 1
    name: "deleted: DELETE /items/{id}, 'GET /items/{id}' is answered with 200 after 'DELETE /items/{id}'"
    inputs:
      base: {type: string, default: "http://127.0.0.1:8000"}
      bearer: {type: string, secret: true}
    components:
      api:
        plugin: http
        with:
          base: "${{ inputs.base }}"
          follow: false
          timeout: 10s
          bearer: "${{ inputs.bearer }}"
    steps:
      - id: call_1
        uses: api.request
        with: {method: POST, path: "/items", json: {"name": "text"}}
        expect: {status: 201}
      - uses: api.request
        with: {method: GET, path: "/items/${{ steps.call_1.json.id }}"}
        expect: {status: 200}
      - uses: api.request
        with: {method: DELETE, path: "/items/${{ steps.call_1.json.id }}"}
        expect: {status: 204}
      - uses: api.request
        with: {method: GET, path: "/items/${{ steps.call_1.json.id }}"}
        expect: {status: "${{ it == 404 || it == 410 }}"}

    """

  @Test func `a name that has to be different each time is an input of the finding`() async throws {
    let shop = try FaultyShop(.undead, hasUniqueNames: true)
    defer { shop.server.close() }
    let folder = try FaultyShop.folder()

    let run = try await Self.explore(shop, folder)
    let again = try await Self.run(
      [
        "run", "@/items.deleted-delete-items-id.yaml", "--secret", "bearer", "--input",
        "unique=other",
      ], folder)
    let second = try await Self.explore(shop, folder)

    #expect(run.output.hasSuffix("\nfound 1 broken rule\n"))
    let text = try folder.text("items.deleted-delete-items-id.yaml")
    #expect(text.contains(#"json: {"name": "${{ inputs.unique }}0text"}}"#))
    #expect(again.errors.contains("status: expected ${{ it == 404 || it == 410 }}, got 200"))
    #expect(second.output.contains("@/items.deleted-delete-items-id.yaml already contains it\n"))
  }

  @Test func `every finding passes on a service without the fault`() async throws {
    let right = try FaultyShop(.none)
    defer { right.server.close() }
    for fault in FaultyShop.Fault.allCases where fault != .none {
      let shop = try FaultyShop(fault)
      defer { shop.server.close() }
      let folder = try FaultyShop.folder()
      _ = try await Self.explore(shop, folder)

      let names = try folder.names.filter { $0.hasSuffix(".yaml") && $0 != "items.yaml" }
      #expect(!names.isEmpty, "\(fault)")
      for name in names {
        let run = try await Self.run(
          ["run", "@/\(name)", "--secret", "bearer", "--input", "base=\(right.server.url)"], folder)
        #expect(run.code == .passed, "\(fault) \(name): \(run.errors)")
      }
    }
  }

  @Test func `the same seed sends the same requests, and a known finding is not written twice`()
    async throws
  {
    let folder = try FaultyShop.folder()
    let shop = try FaultyShop(.crash)
    defer { shop.server.close() }
    let first = try await Self.explore(shop, folder)
    let count = shop.server.requests.count

    let second = try await Self.explore(shop, folder)

    #expect(second.output.contains("  @/items.server-error-post-items.yaml already contains it\n"))
    #expect(first.output.contains("  wrote @/items.server-error-post-items.yaml\n"))
    let lines = shop.server.requests.map { "\($0.method) \($0.path.filter { !$0.isNumber })" }
    #expect(Array(lines.prefix(count)) == Array(lines.dropFirst(count)))
  }

  @Test func `the result for programs has the rule, the operation and the scenario`() async throws {
    let folder = try FaultyShop.folder()
    let shop = try FaultyShop(.open)
    defer { shop.server.close() }

    let run = try await Self.explore(
      shop, folder, ["--budget", "60", "--format", "json", "--details", "-"])

    #expect(run.code == .failed)
    let verdict = try Value(json: Array(run.output.utf8))
    guard case .map(let map) = verdict, case .map(let report)? = map["report"],
      case .list(let findings)? = report["findings"], case .map(let finding)? = findings.first
    else {
      Issue.record("no findings in \(run.output)")
      return
    }
    #expect(report["failed"] == .bool(true))
    #expect(finding["rule"] == .string("authentication"))
    #expect(finding["operation"] == .string("GET /items/{id}"))
    #expect(
      finding["calls"]
        == .list([.string("POST /items"), .string("GET /items/{id}, without credentials")]))
    #expect(finding["written"] == .string("@/items.authentication-get-items-id.yaml"))
  }

  @Test func `scenarios go to another folder of the project`() async throws {
    let folder = try FaultyShop.folder()
    let shop = try FaultyShop(.textID)
    defer { shop.server.close() }

    let outside = try await Self.explore(shop, folder, ["-o", "@/found"])
    try folder.write("flow: 1\n", to: "flow.yaml")
    let inside = try await Self.explore(shop, folder, ["-o", "@/found"])

    #expect(outside.code == .badInput)
    #expect(
      outside.errors
        == "flow: scenarios in '@/found' cannot read '@/items.yaml'; create 'flow.yaml' in a folder around both, or leave out '--output'\n"
    )
    #expect(inside.code == .failed)
    let text = try folder.text("found/items.contract-post-items.yaml")
    #expect(text.contains("contract: {file: \"../items.yaml\", check: answers}"))
  }

  @Test func `a header of the command line is in every request, and in the scenarios`()
    async throws
  {
    let shop = try FaultyShop(.crash)
    defer { shop.server.close() }
    let folder = try FaultyShop.folder()

    _ = try await Self.explore(shop, folder, ["--header", "X-Tenant: a b", "--budget", "400"])

    #expect(Set(shop.server.requests.map { $0.headers["x-tenant"] }) == ["a b"])
    let text = try folder.text("items.server-error-post-items.yaml")
    #expect(text.contains(#"      headers: {"X-Tenant": "a b"}"#))
  }

  @Test func `a service that cannot be reached fails, and nothing is found`() async throws {
    let folder = try FaultyShop.folder()

    let run = try await Self.run(
      ["explore", "@/items.yaml", "--generate", "--to", "http://127.0.0.1:9"], folder)

    #expect(run.code == .failed)
    #expect(run.output.hasSuffix("\nthe service cannot be reached (unreachable)\n"))
  }

  @Test(arguments: [
    (401, "4 operations refused the credentials (401), so little was tried\n"),
    (404, "no operation accepted a request, so little was tried; is the address right?\n"),
  ]) func `a service that refuses everything is not judged`(
    _ status: Int, _ message: String
  ) async throws {
    let folder = try FaultyShop.folder()
    let server = try TestServer { _ in
      TestServer.answer("\(status) No", ["content-type: application/json"], "{}")
    }
    defer { server.close() }

    let run = try await Self.run(
      ["explore", "@/items.yaml", "--generate", "--to", server.url, "--budget", "100"], folder)

    #expect(run.code == .failed)
    #expect(run.output.contains(message), "\(run.output)")
    #expect(run.output.contains("DELETE /items/{id} (\(status))"), "\(run.output)")
  }

  @Test func `a forbidden network is not reached`() async throws {
    let folder = try FaultyShop.folder()
    let shop = try FaultyShop(.crash)
    defer { shop.server.close() }

    let run = try await Self.explore(shop, folder, ["--deny", "network"])

    #expect(run.code == .badInput)
    #expect(run.errors.contains("[F1216]"), "\(run.errors)")
    #expect(shop.server.requests.isEmpty)
  }

  @Test func `a scenario in place of the description is refused`() async throws {
    let folder = try FaultyShop.folder()
    try folder.write("flow: 1\nsteps: []\n", to: "shop.yaml")

    let run = try await Self.run(
      ["explore", "@/shop.yaml", "--generate", "--to", "http://127.0.0.1:9"], folder)

    #expect(run.code == .badInput)
    #expect(
      run.errors
        == "flow: '@/shop.yaml': shop.yaml:1:1: not an OpenAPI description: 'openapi' is missing\n"
    )
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let message: String

    var testDescription: String { message }
  }

  static let refusals = [
    Refusal(
      arguments: ["@/items.yaml", "--generate"], message: "'--generate' needs '--to'"),
    Refusal(
      arguments: ["@/items.yaml", "--generate", "--to", "shop.example"],
      message:
        "'--to': expected an address such as http://127.0.0.1:8000, got 'shop.example'"),
    Refusal(
      arguments: ["@/items.yaml", "--generate", "--to", "http://ann:sesame@shop.example"],
      message: "'--to': expected an address without a user, got 'shop.example'\n"),
    Refusal(
      arguments: ["@/items.yaml", "--generate=api", "--to", "http://127.0.0.1:9"],
      message: "'--generate': expected no names with a description, got 'api'"),
    Refusal(
      arguments: [
        "@/items.yaml", "--generate", "--to", "http://127.0.0.1:9", "--header", "X-Tenant",
      ],
      message: "'--header': expected NAME: VALUE, got 'X-Tenant'"),
    Refusal(
      arguments: [
        "@/items.yaml", "--generate", "--to", "http://127.0.0.1:9", "--header",
        "Authorization: Bearer sesame",
      ],
      message:
        "'--header Authorization': anyone can see a value on the command line; use '--secret' for the credentials of the description"
    ),
    Refusal(
      arguments: ["@/items.yaml", "--generate", "--header", "X-Tenant: a"],
      message: "'--header' needs '--to'"),
    Refusal(
      arguments: ["@/items.yaml", "--to", "http://127.0.0.1:9"],
      message: "'--to' needs '--generate'"),
    Refusal(
      arguments: ["@/items.yaml", "--generate", "-o", "@/found"],
      message: "'--output' needs '--to'"),
    Refusal(
      arguments: ["@/items.yaml", "--generate", "--to", "http://127.0.0.1:9", "--crashes"],
      message: "'--generate' cannot be combined with '--crashes'"),
  ]

  @Test(arguments: refusals)
  func `a wrong command line sends nothing`(_ refusal: Refusal) async throws {
    let folder = try FaultyShop.folder()

    let run = try await Self.run(["explore"] + refusal.arguments, folder)

    #expect(run.code == .badCommandLine)
    #expect(run.errors.contains(refusal.message))
  }
}
