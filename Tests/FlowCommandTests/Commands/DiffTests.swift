import FlowCommand
import TestKit
import Testing

/// The output and exit codes of `flow diff`.
@Suite struct DiffTests {
  private let suite: SuiteFolder

  init() async throws {
    suite = try SuiteFolder()
    try suite.writeReader(page: "old")
    _ = try await suite.flow("run", "@/reader.yaml", "--record=@/a.jsonl")
  }

  private func recordNew() async throws {
    try suite.folder.write("new", to: "page.txt")
    _ = try await suite.flow("run", "@/reader.yaml", "--record=@/b.jsonl")
  }

  private static let tree = """
    calls
      changed read#1, n.read
        ok.text: recorded "old", now "new"
    outputs
      text: recorded "old", now "new"

    """

  @Test func `transcripts that are the same are exit 0`() async throws {
    let run = try await suite.flow("diff", "@/a.jsonl", "@/a.jsonl")
    let json = try await suite.flow(
      "diff", "@/a.jsonl", "@/a.jsonl", "--format", "json", "--details", "-")

    #expect(run.output == "no differences\n")
    #expect(
      json.output.commandReport
        == #"{"same":true,"header":[],"inputs":[],"calls":[],"outputs":[],"end":null}"# + "\n")
    #expect([run.code, json.code] == [.passed, .passed])
  }

  @Test func `what differs is told as a tree`() async throws {
    try await recordNew()
    let run = try await suite.flow("diff", "@/a.jsonl", "@/b.jsonl")

    #expect(run.output == Self.tree)
    #expect(run.errors == "")
    #expect(run.code == .failed)
  }

  @Test func `machines read the same as JSON`() async throws {
    try await recordNew()
    let run = try await suite.flow("diff", "--format=json", "--details=-", "@/a.jsonl", "@/b.jsonl")

    #expect(
      run.output.commandReport == #"{"same":false,"header":[],"inputs":[],"calls":[{"at":"read#1","#
        + #""call":"n.read","change":"changed","fields":[{"path":"ok.text","recorded":"old","#
        + #""now":"new"}]}],"outputs":[{"path":"text","recorded":"old","now":"new"}],"#
        + #""end":null}"# + "\n")
    #expect(run.code == .failed)
  }

  @Test func `one transcript is compared with a live run`() async throws {
    let same = try await suite.flow("diff", "@/a.jsonl")
    try suite.folder.write("new", to: "page.txt")
    let other = try await suite.flow("diff", "@/a.jsonl")
    let elsewhere = try await suite.flow("diff", "@/a.jsonl", "--scenario", "@/reader.yaml")

    #expect(same.output == "no differences\n")
    #expect([other.output, elsewhere.output] == [Self.tree, Self.tree])
    #expect([same.code, other.code] == [.passed, .failed])
  }

  @Test func `why a live run failed is told beside the differences`() async throws {
    try suite.folder.remove("page.txt")
    let run = try await suite.flow("diff", "@/a.jsonl")

    #expect(run.errors.contains("error: 'read#1' failed with the error 'torn' [F2002]"))
    #expect(run.output.contains("    error: recorded nothing, now \"torn\"\n"))
    #expect(run.output.hasSuffix("end: recorded \"passed\", now \"failed\"\n"))
    #expect(run.code == .failed)
  }

  @Test func `what cannot be read is exit 65`() async throws {
    try suite.folder.write("nonsense\n", to: "b.jsonl")
    let torn = try await suite.flow("diff", "@/a.jsonl", "@/b.jsonl")
    let missing = try await suite.flow("diff", "@/none.jsonl")
    try suite.folder.remove("reader.yaml")
    let lost = try await suite.flow("diff", "@/a.jsonl")

    #expect(torn.errors.hasPrefix("@/b.jsonl:1:1: error: this is not a transcript"))
    #expect(missing.errors == "error: cannot read '@/none.jsonl': no such file [F3101]\n")
    #expect(
      lost.errors
        == "@/a.jsonl:1:1: error: the scenario '@/reader.yaml' named here does not exist; if it was renamed, pass "
        + "its new path with '--scenario' [F3126]\n")
    #expect([torn.code, missing.code, lost.code] == [.badInput, .badInput, .badInput])
  }

  @Test(arguments: [
    (["diff"], "TRANSCRIPT is missing"),
    (["diff", "a", "b", "c"], "unexpected argument 'c'"),
    (["diff", "a", "b", "--scenario", "s"], "unexpected argument 'b'"),
    (["diff", "a", "--format", "jsn"], "'--format': expected text or json, got 'jsn'"),
    (["diff", "a", "--fromat", "x"], "unknown option '--fromat'; did you mean '--format'?"),
  ]) func `a wrong command line is exit 64`(_ arguments: [String], _ message: String) async throws {
    let run = try await FlowCommandRun(arguments, in: suite.folder)

    #expect(run.errors == "flow: \(message)\nsee 'flow help diff'\n")
    #expect(run.code == .badCommandLine)
  }
}
