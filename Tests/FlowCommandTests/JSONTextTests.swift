import FlowCommand
import TestKit
import Testing

/// `json` in scenarios: on recorded texts, and on texts with secrets in them.
@Suite struct JSONTextTests {
  @Test func `a JSON text is read again in a replay, and another one fails it`() async throws {
    let suite = try SuiteFolder()
    try suite.write(assertion: "json(steps.read.text).users[0].name == 'Ann'")
    try suite.folder.write(#"{"users": [{"name": "Ann"}]}"#, to: "page.txt")
    let recorded = try await suite.flow("run", "@/s.yaml", "--record")
    try suite.folder.remove("page.txt")
    let replayed = try await suite.flow("test", "@/s.yaml")
    try suite.write(assertion: "json(steps.read.text).users[0].age == 7")
    let changed = try await suite.flow("replay", "@/s.transcript.jsonl")

    #expect(recorded.errors + replayed.errors == "")
    #expect([recorded.code, replayed.code, changed.code] == [.passed, .passed, .failed])
    #expect(
      changed.errors.contains(
        "'assert#1': json(steps.read.text).users[0].age: no such field; it has name [F2005]"))
  }

  @Test(arguments: ["s3cret+token", String(repeating: "s3cret+token", count: 20)])
  func `what is quoted of a text that is not JSON has placeholders`(
    _ secret: String
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      inputs: {key: {type: string, secret: true}}
      steps:
        - assert: ["${{ json('{\\"key\\": ' + inputs.key + '}') == 1 }}"]

      """, to: "s.yaml")

    let run = try await FlowCommandRun(
      ["run", "@/s.yaml"], in: folder, environment: ["FLOW_SECRET_KEY": secret])

    let rest = secret.count > 20 ? "…" : "}"
    #expect(
      run.errors == #"""
        @/s.yaml:4:19: error: 'assert#1': '{"key": ${secret:key}\#(rest)' is not JSON: line 1, column 9: expected a value [F2005]
            4 |   - assert: ["${{ json('{\"key\": ' + inputs.key + '}') == 1 }}"]
              |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

        """#)
    #expect(!run.output.contains("s3cret"))
  }
}

extension SuiteFolder {
  /// Writes a scenario with an assertion about the page.
  fileprivate func write(assertion: String) throws {
    try folder.write(
      """
      flow: 1
      components: {n: {plugin: notebook}}
      steps:
        - {id: read, uses: n.read}
        - assert: ["${{ \(assertion) }}"]

      """, to: "s.yaml")
  }
}
