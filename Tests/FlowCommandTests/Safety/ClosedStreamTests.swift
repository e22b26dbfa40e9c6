import TestKit
import Testing

/// Runs of the tool itself, started with closed standard streams.
@Suite struct ClosedStreamTests {
  private static let scenario = """
    flow: 1
    components: {balance: {plugin: balance, with: {opening: 100.00}}}
    steps:
      - {uses: balance.subtract, with: {amount: 1.00}}
      - {uses: balance.load}

    """

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.scenario, to: "s.yaml")
  }

  private func flow(_ arguments: String, closing streams: String = "") throws -> Int32 {
    try BuiltFlow("exec \"$0\" \(arguments) \(streams)", in: folder).code
  }

  /// The lines of a journal without its header, which has the run's random name, and without the
  /// checksums that depend on it.
  private func lines(_ journal: String) throws -> ArraySlice<Substring> {
    try folder.text(journal).unsealed.split(separator: "\n").dropFirst()
  }

  @Test(arguments: [
    ("<&-", 0), ("2>&-", 0), ("<&- 2>&-", 0), (">&-", 73), ("<&- >&-", 73), (">&- 2>&-", 73),
    ("<&- >&- 2>&-", 73),
  ]) func `what is printed to a closed stream goes into no file, and lost output is told`(
    _ streams: String, _ code: Int32
  ) throws {
    #expect(try flow("run s.yaml --record=open.jsonl --journal open") == 0)

    let recorded = try flow("run s.yaml --record=closed.jsonl", closing: streams)
    let journaled = try flow("run s.yaml --journal closed", closing: streams)

    #expect([recorded, journaled] == [code, code])
    #expect(try folder.text("closed.jsonl") == (try folder.text("open.jsonl")))
    #expect(try lines("closed") == (try lines("open")))
    #expect(try lines("open").count == 8)
  }
}
