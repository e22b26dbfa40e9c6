import FlowCommand
import TestKit
import Testing

/// Recorded answers that are served for other inputs, because a live answer differs.
@Suite struct OtherInputTests {
  @Test func `an answer that was recorded for another input is named`() async throws {
    let suite = try Self.recorded()
    _ = try await suite.flow("run", "@/s.yaml", "--record")
    try suite.folder.write("other", to: "page.txt")

    let run = try await suite.test()

    #expect(run.code == .passed)
    #expect(
      run.errors == """
        note: these answers were recorded for other inputs, which follow from live answers: \
        'judge.say#1' (text)

        """)
  }

  @Test func `nothing is named while the live answers are the recorded ones`() async throws {
    let suite = try Self.recorded()
    _ = try await suite.flow("run", "@/s.yaml", "--record")

    let run = try await suite.test()

    #expect(run.code == .passed)
    #expect(run.errors == "")
  }

  /// A project whose page is read by a live component, and given to a served one.
  private static func recorded() throws -> SuiteFolder {
    let suite = try SuiteFolder()
    try suite.folder.write("page", to: "page.txt")
    try suite.folder.write(
      """
      flow: 1
      components:
        pages: {plugin: notebook, live: true}
        judge: {plugin: notebook}
      steps:
        - {id: page, uses: pages.read, volatile: [text]}
        - {uses: judge.say, with: {text: "${{ steps.page.text }}"}}
        - {uses: pages.say, with: {text: "${{ steps.page.text }}"}}

      """, to: "s.yaml")
    return suite
  }
}
