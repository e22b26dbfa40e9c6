import FlowCommand
import TestKit
import Testing

/// Different secrets of one name in a run without patterns.
@Suite struct SeveralSecretTests {
  private static let part = """
    flow: 1
    inputs: {password: {type: string, secret: true}}
    components: {p: {plugin: probe}}
    steps:
      - {uses: p.echo, with: {value: "${{ inputs.password }}"}}

    """

  private static let main = """
    flow: 1
    inputs: {password: {type: string, secret: true}}
    steps:
      - {scenario: ./part.yaml, with: {password: FIRST}}
      - {scenario: ./part.yaml, with: {password: SECOND}}

    """

  private static let (literal, given) = ("battery staple", "\"${{ inputs.password }}\"")

  @Test(arguments: [(literal, given), (given, literal)])
  func `a secret of the scenario and another one of the same name replay`(
    first: String, second: String
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "flow.yaml")
    try folder.write(Self.part, to: "part.yaml")
    let main = Self.main.replacing("FIRST", with: first).replacing("SECOND", with: second)
    try folder.write(main, to: "main.yaml")

    let run = try await FlowCommandRun(
      ["run", "@/main.yaml", "--record"], in: folder,
      environment: ["FLOW_SECRET_PASSWORD": "correct horse"])
    let replay = try await FlowCommandRun(["replay", "@/main.transcript.jsonl"], in: folder)
    let transcript = try folder.text("main.transcript.jsonl")

    #expect(run.errors == "")
    #expect(replay.errors == "")
    #expect(replay.code == .passed)
    #expect(transcript.contains("${secret:password#2}"))
    #expect(!transcript.contains("horse") && !transcript.contains("staple"))
  }
}
