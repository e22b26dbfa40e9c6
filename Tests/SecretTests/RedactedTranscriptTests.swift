import FlowCommand
import TestKit
import Testing

/// `flow transcript redact`: existing recordings lose a text, and still replay.
@Suite struct RedactedTranscriptTests {
  private static let scenario = """
    flow: 1
    components: {portal: {plugin: portal}}
    steps:
      - {id: ann, uses: portal.login, with: {text: ann}}
      - {uses: portal.show, with: {text: "${{ steps.ann.json.token }}"}}
      - {uses: portal.show, with: {text: "Basic ${{ base64.encode(bytes('u:' + steps.ann.json.token)) }}"}}
      - {uses: portal.show, with: {text: "number 4711-0815"}}

    """

  private let canary: Canary

  init() async throws {
    canary = try Canary()
    try canary.folder.write("flow: 1\n", to: "flow.yaml")
    try canary.folder.write(Self.scenario, to: "s.yaml")
    try await canary.flow("run", "@/s.yaml", "--record")
  }

  private func bodies() throws -> [String] { try canary.folder.names(in: "blobs") }

  @Test func `a path hides the recorded value in all lines and bodies`() async throws {
    let before = try bodies()
    let dry = try await canary.flow(
      "transcript", "redact", "--dry-run", "--path", "ann.ok.json.token", "@/s.transcript.jsonl")
    let unchanged = try canary.sightings()
    let redact = try await canary.flow(
      "transcript", "redact", "--path", "ann.ok.json.token", "@/s.transcript.jsonl")
    let again = try await canary.flow(
      "transcript", "redact", "--dry-run", "@/s.transcript.jsonl")
    let replay = try await canary.flow("replay", "@/s.transcript.jsonl")
    let prune = try await canary.flow("transcript", "prune", "--check", "@/.")

    #expect([dry, redact, again, replay, prune] == [.failed, .passed, .passed, .passed, .passed])
    #expect(!unchanged.isEmpty)
    #expect(try canary.sightings() == [])
    #expect(before.count == 1)
    #expect(try bodies().count == 1)
    #expect(try bodies() != before)
    #expect(
      canary.text.contains(
        "s.transcript.jsonl:5: ann#1: json.session.keys[0], json.token, body, bytes"))
    #expect(canary.text.contains("write 'secret: [json.token]' on the step 'ann'"))
  }

  @Test func `a redacted transcript is compared with a live run that hides the same`() async throws
  {
    try await canary.flow(
      "transcript", "redact", "--path", "ann.ok.json.token", "@/s.transcript.jsonl")
    try canary.folder.write(
      Self.scenario.replacing(existing: "text: ann}}", with: "text: ann}, secret: [json.token]}"),
      to: "s.yaml")
    let test = try await canary.flow("test", "@/s.yaml")
    let live = try await canary.flow("test", "--live", "@/s.yaml")
    let redacted = try canary.folder.text("s.transcript.jsonl").split(separator: "\n")
    try await canary.flow("run", "@/s.yaml", "--record")
    let recorded = try canary.folder.text("s.transcript.jsonl").split(separator: "\n")

    #expect([test, live] == [.passed, .passed])
    // The header has the digest of the scenario, and the seal follows from it.
    #expect(redacted.dropFirst().dropLast() == recorded.dropFirst().dropLast())
  }

  @Test func `a secret is given by the environment or a file, a pattern as it is`() async throws {
    try canary.folder.write(Canary.secrets["issued"] ?? "", to: "secret/issued")
    let secret = try await canary.flow(
      "transcript", "redact", "--secret", "token=@@/secret/issued", "--pattern",
      "[0-9]{4}-[0-9]{4}",
      "@/s.transcript.jsonl")
    let visible = try await canary.flow(
      "transcript", "redact", "--secret", "token=visible", "@/s.transcript.jsonl")
    let text = try canary.folder.text("s.transcript.jsonl")

    #expect([secret, visible] == [.passed, .badCommandLine])
    #expect(try canary.sightings() == [])
    #expect(text.contains(#""token":"${secret:token}""#))
    #expect(text.contains(#""text":"number ${redacted:1}""#))
    #expect(try await canary.flow("replay", "@/s.transcript.jsonl") != .badInput)
  }

  @Test func `a path to nothing, a wrong path and a journal are refused`() async throws {
    try await canary.flow("run", "@/s.yaml", "--journal", "@/s.journal")
    let before = try canary.folder.text("s.transcript.jsonl")
    let nothing = try await canary.flow(
      "transcript", "redact", "--path", "ann.ok.json.nothing", "@/s.transcript.jsonl")
    let wrong = try await canary.flow(
      "transcript", "redact", "--path", "ann.json", "@/s.transcript.jsonl")
    let journal = try await canary.flow("transcript", "redact", "@/s.journal")

    #expect([nothing, wrong, journal] == [.badInput, .badCommandLine, .badInput])
    #expect(try canary.folder.text("s.transcript.jsonl") == before)
    #expect(
      canary.text.contains("no call of 'ann' has a visible value at 'json.nothing' in its answer"))
    #expect(canary.text.contains("is a journal"))
  }

  @Test func `a body that another transcript names stays and is reported`() async throws {
    try canary.folder.write(
      try canary.folder.text("s.transcript.jsonl"), to: "other.transcript.jsonl")
    try canary.folder.write(Self.scenario, to: "other.yaml")
    let before = try bodies()
    try await canary.flow(
      "transcript", "redact", "--path", "ann.ok.json.token", "@/s.transcript.jsonl")

    #expect(try bodies().count == 2)
    #expect(Set(before).isSubset(of: try bodies()))
    #expect(canary.text.contains("is kept, since another transcript names it"))
  }

  @Test func `values of all types can still be read`() async throws {
    try canary.folder.write(
      """
      flow: 1
      components: {probe: {plugin: probe}}
      steps:
        - {id: all, uses: probe.types}
      outputs: {all: "${{ steps.all }}", name: "${{ steps.all.items[0].name }}"}

      """, to: "s.yaml")
    try await canary.flow("run", "@/s.yaml", "--record")
    let redact = try await canary.flow(
      "transcript", "redact", "--pattern", ".+", "@/s.transcript.jsonl")
    let replay = try await canary.flow("replay", "@/s.transcript.jsonl")
    let text = try canary.folder.text("s.transcript.jsonl")

    #expect([redact, replay] == [.passed, .passed])
    #expect(text.contains(#""color":"green""#))
    #expect(text.contains(#""items":[{"name":"${redacted:1}","size":0.5},{"name":""}]"#))
  }

  @Test func `a secret in a place of its own is reported`() async throws {
    try canary.folder.write("login", to: "secret/word")
    let redact = try await canary.flow(
      "transcript", "redact", "--secret", "word=@@/secret/word", "@/s.transcript.jsonl")

    #expect(redact == .failed)
    #expect(canary.text.contains("s.transcript.jsonl:4: still shows a secret"))
  }
}
