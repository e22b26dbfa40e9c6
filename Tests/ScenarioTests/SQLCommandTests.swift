import FlowCommand
import TestKit
import Testing

/// What commands show of statements and their parameters.
@Suite struct SQLCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let scenario = """
    flow: 1
    inputs: {token: {type: string, secret: true}}
    components: {shop: {plugin: sql, with: {file: "shop.db"}}}
    steps:
      - uses: shop.execute
        with: {sql: "CREATE TABLE t (v TEXT UNIQUE)"}
      - uses: shop.execute
        with: {sql: "INSERT INTO t VALUES (?)", parameters: ["${{ inputs.token }}"]}
      - uses: shop.query
        with: {sql: "SELECT v, json_array(v) AS j, hex(v) AS h FROM t"}
      - uses: shop.query
        with: {sql: "SELECT v FROM t WHERE v = ?", parameters: ["${{ inputs.token }}"]}
        expect: {rows: []}
    """

  @Test func `a secret parameter is in no transcript, no journal and no report`() async throws {
    try folder.write(Self.scenario, to: "s.yaml")
    try folder.write("t0p\"s3cret", to: "token")
    let run = try await FlowRun(
      "run", folder.path("s.yaml"), "--secret", "token=@\(folder.path("token"))", "--record",
      folder.path("t.jsonl"), "--journal", folder.path("j.jsonl"))

    #expect(run.code == .failed)
    #expect(
      run.errors.contains("expected 0 elements, got 1: [{v: \"${secret:token}\"}]"), "\(run.errors)"
    )
    for text in [run.output, run.errors, try folder.text("t.jsonl"), try folder.text("j.jsonl")] {
      for part in ["t0p", "s3cret", "743070"] { #expect(!text.contains(part), "\(text)") }
    }
    #expect(try folder.text("j.jsonl").contains("\"parameters\":[\"${secret:token}\"]"))
  }

  @Test func `the list of components shows which texts are executed`() async throws {
    let run = try await FlowRun("list", "sql")
    let json = try await FlowRun("list", "sql", "--json")

    #expect(run.output.contains("  sql                 string, code. A single statement."))
    #expect(json.output.matches(of: /"code":\s*true/).count == 3)
  }
}
