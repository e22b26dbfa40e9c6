import FlowCommand
import FlowCore
import TestKit
import Testing

/// Continued runs of components that call others, in included scenarios, in attempts and with secrets.
@Suite struct CrossedRetryTests {
  private static let secret = "s3cret+token"

  /// A scenario whose run fails while a text is refused.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let steps: String
    let refused: String
    /// The effects of the failed and of the continued run, with `@` for the secret.
    let effects: [String]
  }

  private static let part = """
    flow: 1
    inputs: {token: {type: string, secret: true}}
    components:
      d: {plugin: desk}
      o: {plugin: office, using: {desk: d}}
    steps:
      - {id: one, uses: o.file, with: {text: "b-${{ inputs.token }}"}}
      - {id: two, uses: o.file, with: {text: "c-${{ inputs.token }}"}}

    """

  static let rows = [
    Row(
      testDescription: "a call of a component",
      steps: """
        - {uses: o.file, with: {text: a}}
        - {uses: o.file, with: {text: "b-${{ inputs.token }}"}}
        - {uses: o.file, with: {text: c}}
        """, refused: "b-@/2",
      effects: ["a/1", "a/2", "b-@/1", "b-@/1", "b-@/2", "c/1", "c/2"]),
    Row(
      testDescription: "in an included scenario",
      steps: """
        - {uses: o.file, with: {text: "a-${{ inputs.token }}"}}
        - {id: sub, scenario: part.yaml, with: {token: "${{ inputs.token }}"}}
        - {uses: d.add, with: {text: last}}
        """, refused: "c-@/1",
      effects: ["a-@/1", "a-@/2", "b-@/1", "b-@/2", "c-@/1", "c-@/2", "last"]),
    Row(
      testDescription: "with components of the scenario around it",
      steps: """
        - {scenario: part.yaml, with: {token: "${{ inputs.token }}"}, components: {d: d}}
        - {scenario: part.yaml, with: {token: "${{ inputs.token }}"}, components: {o: o}}
        """, refused: "c-@/2",
      effects: [
        "b-@/1", "b-@/2", "c-@/1", "c-@/1", "c-@/2", "b-@/1", "b-@/2", "c-@/1", "c-@/2",
      ]),
    Row(
      testDescription: "the last attempt of a block",
      steps: """
        - id: block
          retry: {attempts: 2}
          do:
            - {uses: d.add, with: {text: "a-${{ inputs.token }}"}}
            - {uses: o.file, with: {text: "b-${{ inputs.token }}"}}
        - {uses: d.add, with: {text: last}}
        """, refused: "b-@/2",
      effects: ["a-@", "b-@/1", "a-@", "b-@/1", "b-@/1", "b-@/2", "last"]),
    Row(
      testDescription: "a failure after a block that was tried again",
      steps: """
        - retry: {attempts: 2}
          do:
            - {uses: p.flaky, with: {failures: 1}}
            - {uses: d.add, with: {text: "a-${{ inputs.token }}"}}
        - {uses: o.file, with: {text: "b-${{ inputs.token }}"}}
        """, refused: "b-@/1", effects: ["a-@", "b-@/1", "b-@/2"]),
    Row(
      testDescription: "attempts of an included scenario in a loop",
      steps: """
        - for: i
          in: [1, 2]
          do:
            - {scenario: part.yaml, with: {token: "${{ inputs.token }}"}, retry: {attempts: 2}}
        """, refused: "c-@/1",
      effects: [
        "b-@/1", "b-@/2", "b-@/1", "b-@/2", "c-@/1", "c-@/2", "b-@/1", "b-@/2", "c-@/1", "c-@/2",
      ]),
  ]

  @Test(arguments: rows)
  func `a failed run goes on, also after a kill at any line`(_ row: Row) async throws {
    let folder = try folder(row)
    let failed = try await flow(folder, "run", "@/s.yaml", "--journal", "@/j")
    let failedLines = try folder.text("j").split(separator: "\n").count
    try folder.write("", to: "refused")
    let resumed = try await flow(folder, "resume", "@/j", "--retry-failed")
    let replayed = try await flow(folder, "replay", "@/j", "--quiet")

    #expect(failed.code == .failed)
    #expect(resumed.errors + replayed.errors == "")
    #expect([resumed.code, replayed.code] == [.passed, .passed])
    #expect(try effects(folder) == row.effects)
    let whole = try folder.text("j")
    for text in [whole, failed.errors, failed.output, resumed.output] {
      #expect(!text.contains(Self.secret))
    }
    for lines in (failedLines + 1)..<whole.split(separator: "\n").count {
      let kept = whole.split(separator: "\n").prefix(lines).joined(separator: "\n") + "\n"
      try folder.write(kept, to: "j")
      let run = try await flow(folder, "resume", "@/j", "--retry-unknown")

      #expect(run.code == .passed, "\(lines): \(run.errors)")
      #expect(try folder.text("j") == whole)
    }
  }

  @Test func `a call inside of a step that runs again cannot be done alone`() async throws {
    let folder = try folder(Self.rows[0])
    _ = try await flow(folder, "run", "@/s.yaml", "--journal", "@/j")
    let run = try await flow(
      folder, "resume", "@/j", "--retry-failed", "--done", #"o.file[2]#1/desk.add#1={"number":1}"#)

    #expect(
      run.errors
        == "flow: '--done o.file[2]#1/desk.add#1': the call is made again, because 'o.file[2]#1' "
        + "runs again\nsee 'flow help resume'\n")
  }

  private func folder(_ row: Row) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(Self.part, to: "part.yaml")
    try folder.write(
      """
      flow: 1
      inputs: {token: {type: string, secret: true}}
      components:
        p: {plugin: probe}
        d: {plugin: desk}
        o: {plugin: office, using: {desk: d}}
      steps:
      \(row.steps)

      """, to: "s.yaml")
    try folder.write(row.refused.replacing("@", with: Self.secret), to: "refused")
    return folder
  }

  private func flow(
    _ folder: TemporaryFolder, _ arguments: String...
  ) async throws -> FlowCommandRun {
    try await FlowCommandRun(
      arguments, in: folder, environment: ["FLOW_SECRET_TOKEN": Self.secret],
      components: [Desk.self, Office.self, Probe.self])
  }

  private func effects(_ folder: TemporaryFolder) throws -> [String] {
    try folder.text("added").replacing(Self.secret, with: "@").split(separator: "\n")
      .map(String.init)
  }
}
