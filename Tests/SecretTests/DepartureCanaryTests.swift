import FlowCommand
import TestKit
import Testing

/// Messages about runs that differ from their transcripts, which show no secret.
@Suite struct DepartureCanaryTests {
  private static let recorded = """
    flow: 1
    inputs: {token: {type: string, secret: true}}
    components:
      keeper: {plugin: keeper, with: {password: "c4n-ary=three%&;?", asks: asked}}
      probe: {plugin: probe}
    steps:
      - {id: asked, uses: keeper.asked}
      - {id: issue, uses: keeper.issue, with: {text: "${{ inputs.token }}"}}
      - {id: sign, uses: keeper.sign, with: {key: "${{ inputs.token }}"}}
      - {id: told, uses: keeper.tell, with: {text: "${{ steps.asked.text }}"}}
      - {id: echo, uses: probe.echo, with: {value: {"a key": "${{ steps.issue.token }}"}}}
    outputs: {told: "${{ steps.told.text }}", echo: "${{ steps.echo.value }}"}

    """

  /// The same with every secret in another place, and one call more.
  private static let changed =
    recorded
    .replacing(existing: "keeper.issue, with: {text: \"", with: "keeper.issue, with: {text: \"new ")
    .replacing(existing: #"{key: "${{ inputs.token }}"}"#, with: #"{key: "c4n-ary=three%&;?"}"#)
    .replacing(
      existing: #"tell, with: {text: ""#, with: #"tell, with: {text: "${{ inputs.token }}"#
    )
    .replacing(
      existing: #"{"a key": "${{ steps.issue.token }}"}"#,
      with: #""${{ {inputs.token: base64.encode(bytes('1' + steps.issue.token))} }}""#
    )
    .replacing(
      existing: "outputs: {",
      with: #"  - {uses: keeper.tell, with: {text: "<${{ inputs.token }}>"}}"#
        + "\noutputs: {more: \"${{ strings.quote(inputs.token) }}\", ")

  private let canary: Canary

  init() async throws {
    canary = try Canary()
    try canary.folder.write("flow: 1\n", to: "flow.yaml")
    try canary.folder.write(Self.recorded, to: "s.yaml")
    try await canary.flow("run", "@/s.yaml", "--record")
    try canary.folder.write(Self.changed, to: "s.yaml")
  }

  @Test(arguments: ["text", "json"], [false, true])
  func `a replay that departs shows no secret`(_ format: String, isTerminal: Bool) async throws {
    for command in ["replay", "test"] {
      let file = command == "replay" ? "@/s.transcript.jsonl" : "@/s.yaml"
      for allowed in [[], ["--allow", "unused,changed"]] {
        let code = try await canary.flow(
          [command, file, "--format", format] + allowed, secrets: false, isTerminal: isTerminal)

        #expect(code == .failed)
      }
    }

    #expect(canary.text.contains("[F3003]") || canary.text.contains(#""code":"F3003""#))
    #expect(canary.text.contains("${secret:keeper.password}"))
    #expect(try canary.sightings() == [])
  }

  @Test(arguments: ["text", "json"], [false, true])
  func `a live run that departs shows no secret`(_ format: String, isTerminal: Bool) async throws {
    let test = try await canary.flow(
      "test", "@/s.yaml", "--live", "--format", format, isTerminal: isTerminal)
    let diff = try await canary.flow("diff", "@/s.transcript.jsonl", "--format", format)
    let run = try await canary.flow("run", "@/s.yaml", "--record=@/now.jsonl")
    let files = try await canary.flow(
      "diff", "@/s.transcript.jsonl", "@/now.jsonl", "--format", format)

    #expect([test, diff, run, files] == [.failed, .failed, .passed, .failed])
    #expect(canary.text.contains("new ${secret:token}"))
    #expect(try canary.sightings() == [])
  }

  @Test(arguments: ["all", "failed"])
  func `a transcript that takes the place of another shows no secret`(_ mode: String) async throws {
    let test = try await canary.flow("test", "@/s.yaml", "--update", mode)

    #expect(test == .passed)
    #expect(canary.text.contains("recorded"))
    #expect(canary.text.contains("now \"new ${secret:token}\""))
    #expect(try canary.folder.text(".flow/last-failed").contains("s.yaml"))
    #expect(try canary.sightings() == [])
  }
}
