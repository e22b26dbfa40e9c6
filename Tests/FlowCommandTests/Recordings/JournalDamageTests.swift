import FlowCommand
import FlowCore
import FlowSystem
import TestKit
import Testing

/// Damaged and changed journals.
@Suite struct JournalDamageTests {
  private static let scenario = """
    flow: 1
    components: {p: {plugin: probe}}
    inputs: {by: {type: int, default: 2}}
    steps:
      - {id: first, uses: p.count, with: {by: "${{ inputs.by }}"}}
      - {id: second, uses: p.count, with: {by: "${{ inputs.by }}"}}
    outputs: {value: "${{ steps.second.value }}"}

    """

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.scenario, to: "s.yaml")
  }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(arguments, in: folder)
  }

  /// Leaves the first lines of a journal, changed.
  private func journal(lines: Int, _ change: (String) -> String) async throws {
    _ = try await flow("run", "@/s.yaml", "--journal", "@/j", "--input", "by=5")
    let kept = try folder.text("j").split(separator: "\n").prefix(lines).joined(separator: "\n")
    let changed = change(kept + "\n")
    try #require(changed != kept + "\n")
    try folder.write(changed, to: "j")
  }

  @Test(arguments: [
    (#""by":5"#, #""by":6"#), (#""run":""#, #""run":"0"#), (#""seed":"0""#, #""seed":"1""#),
  ])
  func `a journal whose header was changed is refused`(_ old: String, _ new: String) async throws {
    try await journal(lines: 3) { $0.replacing(old, with: new) }
    let before = try folder.text("j")
    let run = try await flow("resume", "@/j", "--force")

    #expect(
      run.errors == """
        @/j:1:1: error: the line has changed since it was written, or an earlier one is missing; \
        if that is intended, accept it with 'flow transcript seal' [F3121]

        """)
    #expect(run.output == "")
    #expect(run.code == .badInput)
    #expect(try folder.text("j") == before)
  }

  @Test func `a journal with a missing line is refused, finished or not`() async throws {
    for lines in [6, 100] {
      try await journal(lines: lines) {
        $0.split(separator: "\n").enumerated().filter { $0.offset != 4 }
          .map { $0.element + "\n" }.joined()
      }
      let resume = try await flow("resume", "@/j")
      let replay = try await flow("replay", "@/j")

      #expect([resume, replay].map(\.code) == [.badInput, .badInput])
      #expect(
        [resume, replay].allSatisfy { $0.errors.hasPrefix("@/j:5:1: error: the line has changed") })
      try folder.remove("j")
    }
  }

  @Test func `a journal of an earlier version is resumed when that is forced`() async throws {
    try await journal(lines: 4) { $0.unsealed }
    let refused = try await flow("resume", "@/j")
    let forced = try await flow("resume", "@/j", "--force")

    let missing =
      "the journal was written by an earlier flow and has no checksums, so damage cannot be detected"
    #expect(
      refused.errors == """
        error: \(missing)
        the journal may no longer fit; --force resumes it anyway

        """)
    #expect(forced.errors == "warning: \(missing)\n")
    #expect([refused.code, forced.code] == [.badInput, .passed])
    // It stays one without checksums, and is whole.
    #expect(try !folder.text("j").contains(#""crc""#))
    #expect(try await flow("replay", "@/j").code == .passed)
  }

  @Test func `a change to a journal by hand is accepted by a seal`() async throws {
    try await journal(lines: 4) { $0.replacing(#""by":5"#, with: #""by":6"#) + #"{"at":"torn"# }
    let seal = try await flow("transcript", "seal", "@/j")
    let run = try await flow("resume", "@/j")

    #expect(seal.output == "sealed @/j\n")
    #expect(run.errors == "warning: the last line of '@/j' is incomplete and was dropped\n")
    #expect(run.output.contains("value: 12\n"))
    #expect(try await flow("replay", "@/j").code == .passed)
  }

  @Test func `a journal that is being written is not sealed`() async throws {
    try await journal(lines: 4) { $0.replacing(#""by":5"#, with: #""by":6"#) }
    let holder = try JournalFile(opening: folder.directory.path + "/j")
    let seal = try await flow("transcript", "seal", "@/j")
    withExtendedLifetime(holder) {}

    #expect(seal.errors == "flow: cannot write '@/j': another process is writing it\n")
    #expect(seal.code == .busy)
  }
}
