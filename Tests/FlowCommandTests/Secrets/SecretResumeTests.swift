import FlowCommand
import TestKit
import Testing

/// Resumed runs with placeholders in their journals.
@Suite struct SecretResumeTests {
  private static let scenario = """
    flow: 1
    inputs: {token: {type: string, secret: true}}
    components: {keeper: {plugin: keeper, with: {password: "${{ inputs.token }}"}}}
    steps:
      - {id: told, uses: keeper.tell, with: {text: "<${{ inputs.token }}>"}}
      - {id: again, uses: keeper.tell, with: {text: "${{ steps.told.text }}!"}}
    outputs: {told: "${{ steps.told.text == '<' + inputs.token + '>' }}", text: "${{ steps.again.text }}"}

    """

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.scenario, to: "s.yaml")
    try folder.write("s3cret+token\n", to: "token")
  }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(arguments, in: folder, components: [Probe.self, Keeper.self])
  }

  /// Leaves so many lines of the journal of a whole run.
  private func cutJournal(to count: Int) async throws {
    _ = try await flow(
      "run", "@/s.yaml", "--journal", "@/j", "--secret", "token=@@/token")
    let lines = try folder.text("j").split(separator: "\n").prefix(count)
    try folder.write(lines.joined(separator: "\n") + "\n", to: "j")
  }

  @Test(arguments: 1...8)
  func `a resumed run gets the secret again and puts it into recorded answers`(
    _ count: Int
  ) async throws {
    try await cutJournal(to: count)
    let run = try await flow("resume", "@/j", "--secret", "token=@@/token")

    #expect(run.errors == "")
    #expect(run.output.contains("  told: true\n  text: \"<${secret:token}>!\"\n"))
    #expect(try !folder.text("j").contains("s3cret"))
  }

  @Test func `a run is not resumed without its secret`() async throws {
    try await cutJournal(to: 4)
    let run = try await flow("resume", "@/j")

    #expect(
      run.errors == """
        error: the secret input 'token' is missing [F1402]
          note: pass it with --secret token=@FILE, or in FLOW_SECRET_TOKEN; in a Swift test, in LiveOptions

        """)
    #expect(run.code == .badInput)
  }

  @Test func `a run is not resumed when an answer hides what nobody knows`() async throws {
    try await cutJournal(to: 6)
    try folder.write(
      try folder.text("j").replacing(
        existing: #""text":"<${secret:token}>","#, with: #""text":"<${secret:other}>","#),
      to: "j")
    #expect(try await flow("transcript", "seal", "@/j").code == .passed)
    let before = try folder.text("j")
    let run = try await flow("resume", "@/j", "--secret", "token=@@/token")

    #expect(
      run.errors.contains("part of the answer of 'told#1' is hidden in the journal [F3205]\n"))
    #expect(run.code == .failed)
    #expect(try folder.text("j") == before)
  }

  @Test func `a run is not resumed when a placeholder may stand for a part of the secret`()
    async throws
  {
    try folder.write("s3cret+token\n\n", to: "token")
    try await cutJournal(to: 6)
    let before = try folder.text("j")
    let run = try await flow("resume", "@/j", "--secret", "token=@@/token")

    #expect(
      run.errors.contains("part of the answer of 'told#1' is hidden in the journal [F3205]\n"))
    #expect(try folder.text("j") == before)
  }
}
