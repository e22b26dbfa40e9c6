import FlowCommand
import TestKit
import Testing

/// A secret goes through every component and every command, and must be seen nowhere.
@Suite struct CanaryTests {
  private static let inputs = """
    flow: 1
    name: Canary
    inputs: {token: {type: string, secret: true}}
    components:
      keeper: {plugin: keeper, with: {password: "c4n-ary=three%&;?", asks: asked}}
      probe: {plugin: probe, with: {title: "${{ inputs.token }}"}}

    """

  /// Every expression that derives a string from a secret.
  private static let texts = [
    "${{ inputs.token }}", "<${{ inputs.token }}>", "${{ base64.encode(bytes(inputs.token)) }}",
    "${{ base64.encode(bytes('u' + inputs.token)) }}",
    "Basic ${{ base64.encode(bytes('us' + inputs.token + ':end')) }}",
    "${{ strings.quote(inputs.token) }}", "${{ steps.asked.text }}", "${{ steps.asked.password }}",
    "${{ base64.encode(steps.asked.bytes) }}", "${{ steps.issue.token }}",
    "${{ base64.encode(bytes('1' + steps.issue.token)) }}",
  ]

  private static var passing: String {
    var text =
      inputs + """
        steps:
          - {id: asked, uses: keeper.asked}
          - {id: issue, uses: keeper.issue, with: {text: "${{ inputs.token }}"}}
          - {uses: keeper.sign, with: {key: "${{ inputs.token }}"}}
          - {uses: keeper.fail, with: {text: "${{ inputs.token }}"}, expect: {error: failed}}

        """
    for value in texts {
      text += "  - {id: tell\(text.count), uses: keeper.tell, with: {text: \"\(value)\"}}\n"
      text += "  - {uses: probe.echo, with: {value: {\"k\": [\"\(value)\"]}}}\n"
    }
    text += "outputs:\n"
    for (index, value) in texts.enumerated() { text += "  o\(index): \"\(value)\"\n" }
    return text
  }

  /// Steps that fail with their reason.
  private static let failures = [
    #"{uses: keeper.fail, with: {text: "${{ inputs.token }}"}}"#,
    #"{uses: keeper.crash, with: {text: "${{ base64.encode(bytes(inputs.token)) }}"}}"#,
    #"{uses: keeper.tell, with: {text: "${{ inputs.token }}"}, expect: {text: "no ${{ inputs.token }}"}}"#,
    #"{uses: keeper.tell, with: {text: "${{ inputs.token }}"}, expect: {error: failed}}"#,
    #"{uses: probe.echo, with: {value: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx${{ inputs.token }}"}, expect: {value: 1}}"#,
    #"{assert: ["${{ 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' + inputs.token == '' }}"]}"#,
    #"{assert: ["${{ base64.encode(bytes('xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' + inputs.token)) == '' }}"]}"#,
    #"{assert: ["${{ {'a': 1}[inputs.token] == 1 }}"]}"#,
    #"{wait: "${{ duration(inputs.token) }}"}"#,
  ]

  private let canary: Canary

  init() throws {
    canary = try Canary()
    try canary.folder.write(Self.passing, to: "s.yaml")
    try canary.folder.write("flow: 1\n", to: "flow.yaml")
  }

  @Test func `a run, its recording, its journal and its replays show no secret`() async throws {
    let run = try await canary.flow(
      "run", "@/s.yaml", "--record", "--journal", "@/s.journal", "--secret", "token=@@/secret/token"
    )
    let replay = try await canary.flow("replay", "@/s.transcript.jsonl", secrets: false)
    let test = try await canary.flow("test", "@/s.yaml", secrets: false)
    let live = try await canary.flow("test", "--live", "@/s.yaml")
    let diff = try await canary.flow("diff", "@/s.transcript.jsonl")

    #expect([run, replay, test, live, diff] == [.passed, .passed, .passed, .passed, .passed])
    #expect(try canary.sightings() == [])
    #expect(try canary.folder.text("s.transcript.jsonl").contains("${secret:asked:base64}"))
    if canary.text.contains("rror") { Issue.record("\(canary.text)") }
  }

  @Test func `plans, graphs and checks show no secret`() async throws {
    try await canary.flow("run", "@/s.yaml", "--dry-run", "--secret", "token=@@/secret/token")
    for format in ["mermaid", "dot"] {
      try await canary.flow("graph", "@/s.yaml", "--format", format)
    }
    for format in ["text", "json", "sarif"] {
      try await canary.flow("check", "@/s.yaml", "--format", format)
    }

    #expect(canary.text.contains("token: \"${secret:token}\""))
    #expect(canary.text.contains("password: \"${secret:keeper.password}\""))
    #expect(try canary.sightings() == [])
  }

  @Test(arguments: failures) func `a failure shows no secret`(_ step: String) async throws {
    try canary.folder.write(Self.inputs + "steps:\n  - \(step)\n", to: "s.yaml")
    let run = try await canary.flow("run", "@/s.yaml", "--record", "--journal", "@/s.journal")
    let replay = try await canary.flow("replay", "@/s.transcript.jsonl", secrets: false)
    try await canary.flow("test", "@/s.yaml", secrets: false)
    try await canary.flow("test", "--live", "@/s.yaml")

    #expect([run, replay] == [.failed, .failed])
    #expect(try canary.sightings() == [])
    #expect(!canary.text.contains("[F300"))
  }

  @Test func `a component that cannot be opened shows no secret, nor does the line it stands in`()
    async throws
  {
    try canary.folder.write(
      #"""
      flow: 1
      components: {"c4n-ary": {plugin: keeper, with: {password: "c4n-ary=three%&;?", fails: true}}}
      steps: []

      """#.replacing(existing: "\"c4n-ary\":", with: "keeper:"), to: "s.yaml")
    let run = try await canary.flow("run", "@/s.yaml", "--record")

    #expect(run == .failed)
    #expect(canary.text.contains("the password ${secret:keeper.password} is wrong"))
    #expect(canary.text.contains("password: \"*****************\""))
    #expect(try canary.sightings() == [])
  }

  @Test func `the plugins of flow show no secret`() async throws {
    try canary.folder.write(Self.plugins, to: "s.yaml")
    try canary.folder.write(Self.part, to: "part.yaml")
    for _ in 0..<2 { try await canary.flow("run", "@/s.yaml", "--record") }
    try await canary.flow("replay", "@/s.transcript.jsonl", secrets: false)

    #expect(canary.text.contains("cannot read '${secret:key}'"))
    #expect(try canary.sightings() == [])
  }

  private static let plugins = """
    flow: 1
    inputs: {token: {type: string, secret: true}}
    components:
      images: {plugin: images, with: {directory: .}}
      balance: {plugin: balance, with: {file: "x/${{ base64.encode(bytes(inputs.token)) }}"}}
    steps:
      - {uses: images.fetch, with: {path: "${{ inputs.token }}"}, continue-on-error: true}
      - {uses: images.fetch, with: {path: "../${{ inputs.token }}"}, continue-on-error: true}
      - {uses: balance.add, with: {amount: 1.00}, continue-on-error: true}
      - {scenario: part.yaml, with: {key: "${{ inputs.token }}!"}}

    """

  /// Its input is another secret: the first one with a mark of exclamation.
  private static let part = """
    flow: 1
    inputs: {key: {type: string, secret: true}}
    components: {catalog: {plugin: catalog, with: {file: "${{ inputs.key }}"}}}
    steps: []

    """
}
