import FlowCommand
import TestKit
import Testing

/// Commands about transcripts, scenarios and projects, which show no secret.
@Suite struct ToolCanaryTests {
  private static let scenario = """
    flow: 1
    inputs: {token: {type: string, secret: true}}
    components: {keeper: {plugin: keeper, with: {password: "c4n-ary=three%&;?", asks: asked}}}
    steps:
      - {id: asked, uses: keeper.asked}
      - {id: issue, uses: keeper.issue, with: {text: "${{ inputs.token }}"}}
      - {id: told, uses: keeper.tell, with: {text: "${{ base64.encode(bytes(steps.issue.token)) }}"}}
    outputs: {told: "${{ steps.told.text }}", asked: "${{ steps.asked.any }}"}

    """

  private let canary: Canary

  init() async throws {
    canary = try Canary()
    try canary.folder.write("flow: 1\nscenarios: [s.yaml]\n", to: "flow.yaml")
    try canary.folder.write(Self.scenario, to: "s.yaml")
    try await canary.flow("run", "@/s.yaml", "--record")
  }

  @Test func `alterations show no secret`() async throws {
    for options in [[], ["--all"], ["--format", "json"], ["--all", "--format", "json"]] {
      let mutate = try await canary.flow(["mutate", "@/s.yaml"] + options, secrets: false)

      #expect(mutate == .passed)
    }

    #expect(canary.text.contains(#""${secret:keeper.token}" -> "${secret:keeper.token}~""#))
    #expect(canary.text.contains("${secret:keeper.password}~"))
    #expect(try canary.sightings() == [])
  }

  @Test func `what is shown, sealed and cleared away shows no secret`() async throws {
    let transcript = "@/s.transcript.jsonl"
    var codes: [ExitCode] = []
    for command in [["show"], ["show", "--full"], ["seal"]] {
      codes.append(try await canary.flow(["transcript"] + command + [transcript], secrets: false))
    }
    codes.append(try await canary.flow("config", "@/", secrets: false))
    codes.append(try await canary.flow("transcript", "prune", "--check", "@/", secrets: false))
    let old = try canary.folder.text("s.transcript.jsonl")
    try canary.folder.write(
      old.replacing(existing: "s.yaml", with: "gone.yaml"), to: "t.transcript.jsonl")
    let prune = try await canary.flow("transcript", "prune", "--check", "@/", secrets: false)
    let broken = try await canary.flow("replay", "@/t.transcript.jsonl", secrets: false)

    #expect(codes == Array(repeating: .passed, count: 5))
    #expect([prune, broken] == [.failed, .badInput])
    #expect(canary.text.contains("${secret:token}"))
    #expect(try canary.sightings() == [])
  }

  /// Wrong or odd scenarios, in the line with a secret.
  private static let lines = [
    #"{plugin: keeper, with: {password: "c4n-ary=three%&;?"}}"#,
    #"{plugin: keeper, with: {password: "c4n-ary=three%&;?", fals: true}}"#,
    #"{plugin: keeper, with: {pasword: "c4n-ary=three%&;?"}}"#,
    #"{plugin: keeper, with: {password: "c4n-ary=three%&;?", fails: 3}, oops: 1}"#,
    #"{plugin: keeper, with: {password: ["c4n-ary=three%&;?"]}}"#,
    #"{plugin: keeper, with: {password: "c4n-ary=three%&;?", asks: "${{ nothing }}"}}"#,
  ]

  @Test(arguments: lines) func `a mistake shows no secret that stands beside it`(
    _ line: String
  ) async throws {
    let text = "flow: 1\ncomponents: {keeper: \(line)}\nsteps: []\n"
    try canary.folder.write(text, to: "s.yaml")
    try canary.folder.write(
      "flow: 1\nsteps: [{scenario: part.yaml}]\n", to: "outer.yaml")
    try canary.folder.write(text, to: "part.yaml")
    for format in ["text", "json", "sarif"] {
      try await canary.flow("check", "--strict", "@/s.yaml", "--format", format)
    }
    for command in [["run"], ["graph"], ["test", "--live"], ["check", "--strict"]] {
      try await canary.flow(command + ["@/s.yaml"])
      try await canary.flow(command + ["@/outer.yaml"])
    }
    try await canary.flow("replay", "@/s.transcript.jsonl")

    #expect(canary.text.contains("***"))
    #expect(try canary.sightings() == [])
  }

  @Test func `a mistake in a step shows no secret that stands beside it`() async throws {
    try canary.folder.write(
      """
      flow: 1
      components: {keeper: {plugin: keeper, with: {password: "${{ 'four' }}"}}}
      steps:
        - {uses: keeper.sign, with: {key: "c4n-ary=three%&;?"}, iff: true}
        - {scenario: part.yaml, with: {key: "c4n-ary=three%&;?"}, timeot: 1s}

      """, to: "s.yaml")
    try canary.folder.write(
      "flow: 1\ninputs: {key: {type: string, secret: true}}\nsteps: []\n", to: "part.yaml")
    let check = try await canary.flow("check", "@/s.yaml")

    #expect(check == .badInput)
    #expect(canary.text.contains("***"))
    #expect(try canary.sightings() == [])
  }

  /// Secret inputs with a default beside a mistake, or as the mistake.
  private static let defaults = [
    "{type: string, secret: true, default: SECRET}",
    "{type: string, secret: true, default: [SECRET]}",
    "{type: integer, secret: true, default: SECRET}",
    "{type: strin, secret: true, default: SECRET}",
    "{type: string, secret: 'true', default: SECRET}",
    "{secret: true, default: SECRET, typ: string}",
  ]

  @Test(arguments: defaults) func `a mistake shows no default of a secret input`(
    _ input: String
  ) async throws {
    let text = input.replacing(existing: "SECRET", with: #""c4n-ary=three%&;?""#)
    try canary.folder.write("flow: 1\ninputs: {key: \(text)}\nsteps: []\n", to: "s.yaml")
    for format in ["text", "json", "sarif"] {
      try await canary.flow("check", "@/s.yaml", "--format", format)
    }
    try await canary.flow("test", "--live", "@/s.yaml")

    #expect(canary.text.contains("***"))
    #expect(try canary.sightings() == [])
  }

  /// Steps with an unknown or unusable callee.
  private static let strays = [
    "{uses: keeper.sing, with: {key: SECRET}}",
    "{uses: keper.sign, with: {key: SECRET}}",
    "{uses: keeper, with: {key: [SECRET]}}",
    "{uses: keeper.sign, wait: 1s, with: {key: SECRET}}",
    "{scenario: none.yaml, with: {key: SECRET}}",
    "{scenario: part.yaml, with: {pin: SECRET}, timeot: 1s}",
  ]

  @Test(arguments: strays) func `a mistake in what a step calls shows no secret that it is given`(
    _ step: String
  ) async throws {
    let text = step.replacing(existing: "SECRET", with: #""c4n-ary=three%&;?""#)
    try canary.folder.write(
      """
      flow: 1
      components: {keeper: {plugin: keeper, with: {password: "${{ 'four' }}"}}}
      steps:
        - {uses: keeper.sign, with: {key: "${{ 'four' }}"}}
        - \(text)

      """, to: "s.yaml")
    try canary.folder.write(
      "flow: 1\ninputs: {pin: {type: string, secret: true}}\nsteps: [{wait: soon}]\n",
      to: "part.yaml")
    let check = try await canary.flow("check", "@/s.yaml")

    #expect(check == .badInput)
    #expect(canary.text.contains("***"))
    #expect(try canary.sightings() == [])
  }
}
