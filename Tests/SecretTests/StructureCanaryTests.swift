import FlowCommand
import TestKit
import Testing

/// A secret goes through every kind of step and through bodies of every size, and must be seen nowhere.
@Suite struct StructureCanaryTests {
  private static let head = """
    flow: 1
    inputs: {token: {type: string, secret: true}, filler: {type: string, default: \(filler)}}
    components:
      keeper: {plugin: keeper, with: {password: "c4n-ary=three%&;?", asks: asked}}
      probe: {plugin: probe}

    """
  private static let filler = String(repeating: "filler ", count: 800) + "end"

  private static let steps =
    head + """
      steps:
        - {uses: keeper.tell, with: {text: "${{ inputs.token }}"}}
        - {id: heard, await: keeper.told, where: "${{ event.text == inputs.token }}", timeout: 1h}
        - {id: issue, uses: keeper.issue, with: {text: "${{ steps.heard.text }}"}}
        - {id: inner, scenario: part.yaml, with: {key: "${{ inputs.token }}", text: "${{ steps.issue.token }}"}}
        - id: both
          parallel:
            left: [{uses: keeper.tell, with: {text: "${{ steps.inner.told }}"}}]
            right: [{uses: keeper.tell, with: {text: "${{ base64.encode(bytes(steps.inner.told)) }}"}}]
        - {for: text, in: "${{ [inputs.token, steps.issue.token] }}", do: [{uses: keeper.tell, with: {text: "${{ text }}"}}]}
        - {set: {kept: "${{ 'kept ' + inputs.token }}"}}
        - LAST
      finally:
        - {uses: keeper.tell, with: {text: "finally ${{ inputs.token }}"}}
      outputs: {told: "${{ steps.inner.told }}", kept: "${{ kept }}"}

      """

  private static let part = """
    flow: 1
    inputs: {key: {type: string, secret: true}, text: {type: string}}
    components: {inner: {plugin: keeper, with: {password: "${{ inputs.key }}"}}}
    steps:
      - {id: told, uses: inner.tell, with: {text: "<${{ inputs.text }}>"}}
    finally:
      - {uses: inner.tell, with: {text: "${{ inputs.text }}"}}
    outputs: {told: "${{ steps.told.text }}"}

    """

  /// The end of the scenario.
  private static let ends: [(step: String, code: ExitCode)] = [
    ("{wait: 0s}", .passed), (#"{uses: keeper.fail, with: {text: "${{ kept }}"}}"#, .failed),
    (
      #"{await: keeper.told, where: "${{ event.text == 'no' + inputs.token }}", timeout: 1ms}"#,
      .failed
    ),
    (
      #"{await: keeper.told, where: "${{ duration(event.text) > duration('1s') }}", timeout: 1h}"#,
      .failed
    ),
    (#"{repeat: {while: "${{ inputs.token != '' }}", limit: 2}, do: [{wait: 0s}]}"#, .failed),
  ]

  private let canary: Canary

  init() throws {
    canary = try Canary()
    try canary.folder.write("flow: 1\n", to: "flow.yaml")
    try canary.folder.write(Self.part, to: "part.yaml")
  }

  @Test(arguments: ends.indices) func `no kind of step shows a secret`(_ index: Int) async throws {
    let end = Self.ends[index]
    try canary.folder.write(Self.steps.replacing(existing: "LAST", with: end.step), to: "s.yaml")
    let run = try await canary.flow("run", "@/s.yaml", "--record", "--journal", "@/s.journal")
    let replay = try await canary.flow("replay", "@/s.transcript.jsonl", secrets: false)
    let json = try await canary.flow(
      "test", "@/s.yaml", "--format", "json", secrets: false, isTerminal: true)
    let live = try await canary.flow("test", "--live", "@/s.yaml", isTerminal: true)

    #expect([run, replay, json, live] == Array(repeating: end.code, count: 4))
    #expect(try canary.folder.text("s.journal").contains("finally ${secret:token}"))
    #expect(try canary.sightings() == [])
    #expect(!canary.text.contains("F300"))
  }

  /// Texts and bytes of more than 4 KiB.
  private static let bodies = [
    "inputs.filler + inputs.token + inputs.filler", "inputs.token + inputs.filler",
    "inputs.filler + strings.quote(inputs.token)",
    "base64.encode(bytes(inputs.filler + inputs.token + inputs.filler))",
    "base64.encode(bytes(inputs.filler + ' ' + inputs.token))",
    "base64.encode(bytes(inputs.filler + '  ' + inputs.token))",
    "bytes(inputs.filler + inputs.token) + b'\\\\xff\\\\xfe'",
    "b'\\\\xff\\\\xfe' + bytes(base64.encode(bytes(inputs.filler + inputs.token)))",
  ]

  @Test(arguments: bodies) func `a body in a file shows no secret`(_ body: String) async throws {
    let echo = "  - {id: it, uses: probe.echo, with: {value: \"${{ \(body) }}\"}}\n"
    let tell =
      body.contains("b'") ? "" : "  - {uses: keeper.tell, with: {text: \"${{ \(body) }}\"}}\n"
    let output = "outputs: {it: \"${{ steps.it.value }}\"}\n"
    try canary.folder.write(Self.head + "steps:\n" + echo + tell + output, to: "s.yaml")
    let run = try await canary.flow("run", "@/s.yaml", "--record", "--journal", "@/s.journal")
    let replay = try await canary.flow("replay", "@/s.transcript.jsonl", secrets: false)
    let live = try await canary.flow("test", "--live", "@/s.yaml")
    let show = try await canary.flow("transcript", "show", "--full", "@/s.transcript.jsonl")
    let mutate = try await canary.flow("mutate", "@/s.yaml", "--format", "json")

    #expect([run, replay, live, show, mutate] == Array(repeating: .passed, count: 5))
    #expect(try canary.folder.text("s.transcript.jsonl").contains("$blob"))
    #expect(try canary.sightings() == [])
  }
}
