import FlowCommand
import FlowCore
import HTTPPlugin
import TestKit
import Testing

/// The result of `flow import` at a terminal.
@Suite struct ImportCommandTests {
  private let folder: TemporaryFolder

  private static let scenario = """
    flow: 1
    components:
      api: {plugin: http, with: {base: https://example.org, follow: false}}
    steps:
      - uses: api.get
        with: {path: items}

    """

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("curl -v https://example.org/items\n", to: "a.txt")
    try folder.write("GET https://example.org/items\n[Options]\nhttp3: true\n", to: "a.hurl")
  }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(["import"] + arguments, in: folder, components: [HTTP.self])
  }

  @Test func `the scenario goes to standard output`() async throws {
    let run = try await flow("@/a.txt")

    #expect(run.output == Self.scenario)
    #expect(run.errors == "")
    #expect(run.code == .passed)
  }

  @Test func `what is not supported goes to standard error, with its line`() async throws {
    let run = try await flow("@/a.hurl")

    #expect(run.errors == "@/a.hurl:3: note: the option 'http3' is not supported\n")
    #expect(
      run.output.contains("  # line 3: the option 'http3' is not supported\n  - uses: api.get\n")
    )
    #expect(run.code == .passed)
  }

  @Test(arguments: ["-o", "--output"]) func `the scenario goes to a file`(
    _ option: String
  ) async throws {
    let run = try await flow("@/a.txt", option, "@/a.yaml")

    #expect(run.output + run.errors == "")
    #expect(run.code == .passed)
    #expect(try folder.text("a.yaml") == Self.scenario)
  }

  @Test func `a file that is there is replaced by force alone`() async throws {
    try folder.write("mine\n", to: "a.yaml")

    let refused = try await flow("@/a.txt", "-o", "@/a.yaml")
    let kept = try folder.text("a.yaml")
    let forced = try await flow("@/a.txt", "-o", "@/a.yaml", "--force")

    #expect(refused.errors == "flow: '@/a.yaml' already exists; use --force to replace it\n")
    #expect(refused.code == .cannotWrite)
    #expect(kept == "mine\n")
    #expect(forced.code == .passed)
    #expect(try folder.text("a.yaml") == Self.scenario)
  }

  @Test func `the format can be said`() async throws {
    let right = try await flow("@/a.hurl", "--from", "hurl")
    let wrong = try await flow("@/a.hurl", "--from=har")
    let unknown = try await flow("@/a.hurl", "--from", "insomnia")

    #expect(right.code == .passed)
    #expect(wrong.errors == "@/a.hurl:1:1: error: expected an object [F1701]\n")
    #expect(wrong.code == .badInput)
    #expect(
      unknown.errors
        == "flow: '--from': expected curl, har, hurl, http, postman, bruno or openapi, got 'insomnia'\nsee 'flow help import'\n"
    )
    #expect(unknown.code == .badCommandLine)
  }

  @Test func `a folder of requests is imported with an environment, and a note names its file`()
    async throws
  {
    try folder.write(#"{"name": "Shop", "version": "1"}"#, to: "shop/bruno.json")
    try folder.write("meta {\n  name: All\n}\n", to: "shop/items/folder.bru")
    try folder.write(
      "meta {\n  name: Items\n}\n\nget {\n  url: {{host}}/items\n}\n\nscript:pre-request {\n  go()\n}\n",
      to: "shop/items/all.bru")
    try folder.write("vars {\n  host: http://localhost:5000\n}\n", to: "shop/environments/dev.bru")
    try folder.write("not a request\n", to: "shop/node_modules/a.bru")
    try folder.write("not a request\n", to: "shop/.git/a.bru")

    let run = try await flow(
      "@/shop", "-o", "@/out/", "--environment", "@/shop/environments/dev.bru")
    let none = try await flow("@/out", "-o", "@/b.yaml")

    #expect(
      run.errors == """
        @/shop/items/all.bru:10: note: 'go' in a script is not supported

        """)
    #expect(run.output == "new        @/out/all.yaml\n")
    #expect(
      try folder.text("out/all.yaml") == """
        flow: 1
        name: All
        tags: [all]
        inputs:
          host: {type: string, default: http://localhost:5000}
        components:
          api: {plugin: http, with: {base: "${{ inputs.host }}"}}
        steps:
          # items/all.bru, line 10: 'go' in a script is not supported
          - name: Items
            uses: api.get
            with: {path: items}

        """)
    #expect(
      none.errors
        == "@/out:1:1: error: the folder has no files of Bruno, '.http' or '.rest' [F1701]\n")
  }

  @Test func `a command in place of a file is refused, and not quoted`() async throws {
    let run = try await flow("curl -u ann:correct-horse http://x")

    #expect(
      run.errors == """
        flow: FILE: write the command to a file, or pass it on standard input: flow import - <file
        see 'flow help import'

        """)
    #expect(run.code == .badCommandLine)
  }

  @Test func `a file that cannot be read is exit 65, and its line is not quoted`() async throws {
    try folder.write("curl -u ann:correct-horse 'http://x\n", to: "b.curl")

    let torn = try await flow("@/b.curl")
    let missing = try await flow("@/c.curl")

    #expect(torn.errors == "@/b.curl:1:27: error: unterminated quote ' [F1701]\n")
    #expect(torn.output == "")
    #expect(torn.code == .badInput)
    #expect(missing.errors == "flow: cannot read '@/c.curl': no such file\n")
    #expect(missing.code == .badInput)
  }

  @Test func `a folder that is not there cannot be written to`() async throws {
    let run = try await flow("@/a.txt", "-o", "@/none/a.yaml")

    #expect(run.errors == "flow: cannot write '@/none/a.yaml': there is no folder '@/none'\n")
    #expect(run.code == .cannotWrite)
  }
}
