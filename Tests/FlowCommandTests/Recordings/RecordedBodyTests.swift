import FlowCommand
import TestKit
import Testing

/// The long bodies beside a transcript that `flow run --record` writes again.
@Suite struct RecordedBodyTests {
  private let suite: SuiteFolder

  init() throws {
    suite = try SuiteFolder()
  }

  /// Writes a scenario that reads the page, and the page.
  private func write(_ path: String, _ step: String, page letter: String) throws {
    try suite.folder.write(
      """
      flow: 1
      components: {n: {plugin: notebook}, p: {plugin: probe}}
      steps: [{uses: p.count}, \(step)]

      """, to: path)
    try suite.folder.write(String(repeating: letter, count: 5_000), to: "page.txt")
  }

  private func record(_ path: String) async throws -> SuiteRun {
    try await suite.flow("run", "@/\(path)", "--record")
  }

  private var bodies: [String] { get throws { try suite.folder.names(in: "blobs") } }

  @Test func `a new recording leaves no body that it does not name`() async throws {
    for letter in ["a", "b", "c"] {
      try write("s.yaml", "{id: read, uses: n.read, volatile: [text]}", page: letter)
      #expect(try await record("s.yaml").code == .passed)
      #expect(try bodies.count == 1)
    }
    #expect(try await suite.flow("test", "@/s.yaml", "--update", "never").code == .passed)
  }

  @Test func `a body that another transcript names stays`() async throws {
    try write("s.yaml", "{uses: n.read, volatile: [text]}", page: "a")
    _ = try await record("s.yaml")
    try write("other.yaml", "{uses: n.read}", page: "b")
    _ = try await record("other.yaml")
    let names = try bodies

    _ = try await record("s.yaml")

    #expect(names.count == 2)
    #expect(try bodies == names)
  }

  @Test func `a recording whose bodies cannot be written leaves the old one`() async throws {
    try write("s.yaml", "{uses: p.count}", page: "a")
    _ = try await record("s.yaml")
    let old = try suite.folder.text("s.transcript.jsonl")
    try write("s.yaml", "{uses: n.read}", page: "a")
    try suite.folder.write("not a folder", to: "blobs")

    let run = try await record("s.yaml")

    #expect(run.code == .cannotWrite)
    #expect(
      run.errors
        == "flow: the transcript was not written: cannot write '@/blobs': it is not a folder\n")
    #expect(try suite.folder.text("s.transcript.jsonl") == old)
  }

  @Test func `a run that cannot be recorded leaves no body`() async throws {
    let deep = String(repeating: "{$any: ", count: 70) + "1" + String(repeating: "}", count: 70)
    try write("s.yaml", "{uses: n.read}, {uses: p.echo, with: {value: \(deep)}}", page: "a")

    #expect(try await record("s.yaml").code == .cannotWrite)
    #expect(try bodies == [])
  }

  @Test func `a transcript without matchers and without a date keeps its answers, too`()
    async throws
  {
    try write("s.yaml", "{uses: n.request}", page: "a")
    try suite.folder.write("a1 k 7", to: "page.txt")
    _ = try await record("s.yaml")
    let recorded = try suite.folder.text("s.transcript.jsonl")
    try suite.folder.write("b2 k 7", to: "page.txt")

    _ = try await record("s.yaml")

    #expect(!recorded.contains(#""date""#))
    #expect(try suite.folder.text("s.transcript.jsonl") == recorded)
  }
}
