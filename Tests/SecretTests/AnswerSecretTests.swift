import FlowCommand
import Foundation
import TestKit
import Testing

/// Secrets that only an answer has: named by its step, or passed on as a secret later.
@Suite struct AnswerSecretTests {
  private static let head = """
    flow: 1
    components: {portal: {plugin: portal}}
    steps:

    """

  /// Uses of two tokens in every form, at the same time and in another scenario.
  private static let uses = """
      - parallel:
          a:
            - {id: plain, uses: portal.show, with: {text: "${{ steps.ann.json.token }}"}}
          b:
            - {uses: portal.show, with: {text: "x ${{ base64.encode(bytes('u:' + steps.bob.json.token)) }}"}}
          c:
            - {uses: portal.show, with: {text: "${{ strings.quote(steps.ann.json.token) }}"}}
      - {uses: portal.show, with: {text: "${{ string(steps.ann.json.pin) }}"}}
      - {scenario: part.yaml, with: {key: "${{ steps.bob.json.token }}!"}}
    outputs: {told: "${{ steps.plain.text }}", all: "${{ steps.ann.json.session }}"}

    """

  private static let part = """
    flow: 1
    inputs: {key: {type: string, secret: true}}
    components: {portal: {plugin: portal}}
    steps:
      - {uses: portal.show, with: {text: "<${{ inputs.key }}>"}}
      - {uses: portal.open, with: {key: "${{ inputs.key }}"}}

    """

  private static let reports = ["html", "junit", "tap", "jsonl", "markdown"]

  private let canary: Canary

  init() throws {
    canary = try Canary()
    try canary.folder.write("flow: 1\n", to: "flow.yaml")
    try canary.folder.write(Self.part, to: "part.yaml")
  }

  private func write(_ ann: String, _ bob: String) throws {
    try canary.folder.write(
      Self.head + """
          - {id: ann, uses: portal.login, with: {text: ann}\(ann)}
          - {id: bob, uses: portal.login, with: {text: bob}\(bob)}

        """ + Self.uses, to: "s.yaml")
  }

  private var reportOptions: [String] {
    Self.reports.flatMap { ["--report", "\($0)=@/report.\($0)"] }
  }

  /// Everything that shows a secret, or the number that is one.
  private func sightings() throws -> [String] {
    let files = ["s.transcript.jsonl", "s.journal"] + Self.reports.map { "report.\($0)" }
    let numbers = files.filter {
      (try? canary.folder.text($0))?.contains("\(Portal.pin)") ?? false
    }
    return try canary.sightings() + numbers
  }

  @Test func `a secret part of an answer is hidden in it and everywhere after it`() async throws {
    try write(", secret: [json.token, json.session]", ", secret: [json.token]")
    let journaled = try await canary.flow(
      ["run", "@/s.yaml", "--record", "--journal", "@/s.journal", "-vv"] + reportOptions)
    #expect(try sightings() == [])
    let run = try await canary.flow("run", "@/s.yaml", "--record")
    let transcript = try canary.folder.text("s.transcript.jsonl")
    let replay = try await canary.flow("replay", "@/s.transcript.jsonl", "-vv")
    let test = try await canary.flow(["test", "@/s.yaml"] + reportOptions)
    let live = try await canary.flow("test", "--live", "@/s.yaml")
    let diff = try await canary.flow("diff", "@/s.transcript.jsonl")
    let again = try await canary.flow("run", "@/s.yaml", "--record")

    #expect(
      [journaled, run, replay, test, live, diff, again] == Array(repeating: .passed, count: 7))
    #expect(try sightings() == [])
    #expect(try canary.folder.text("s.transcript.jsonl") == transcript)
    #expect(transcript.contains(#""token":"${secret:portal.token}""#))
    #expect(transcript.contains(#""token":"${secret:portal.token#2}""#))
    #expect(transcript.contains(#""pin":"${secret:portal.session}""#))
  }

  @Test func `a value passed on as a secret is hidden in what was recorded before it`()
    async throws
  {
    try write("", "")
    var text = try canary.folder.text("s.yaml")
    text = text.replacing(
      existing: "outputs:",
      with: #"""
          - {uses: portal.open, with: {key: "${{ steps.ann.json.token }}"}}
          - {uses: portal.open, with: {key: "${{ string(steps.ann.json.pin) }}"}}
        outputs:
        """#)
    try canary.folder.write(text, to: "s.yaml")
    try canary.folder.write(
      Self.part.replacing(existing: "<${{ inputs.key }}>", with: "part"), to: "part.yaml")
    let bob = "key: \"${{ steps.bob.json.token }}"
    try canary.folder.write(text.replacing(existing: bob + "!", with: bob), to: "s.yaml")
    let run = try await canary.flow(["run", "@/s.yaml", "--record"] + reportOptions)
    #expect(try sightings() == [])
    let transcript = try canary.folder.text("s.transcript.jsonl")
    let replay = try await canary.flow("replay", "@/s.transcript.jsonl", "-vv")
    let test = try await canary.flow(["test", "@/s.yaml"] + reportOptions)
    let live = try await canary.flow("test", "--live", "@/s.yaml")
    let again = try await canary.flow("run", "@/s.yaml", "--record")

    #expect([run, replay, test, live, again] == Array(repeating: .passed, count: 5))
    #expect(try sightings() == [])
    #expect(try canary.folder.text("s.transcript.jsonl") == transcript)
    #expect(transcript.contains(#""pin":"${secret:portal.key}""#))
    #expect(transcript.contains(#""token":"${secret:portal.key#2}""#))
    #expect(transcript.contains(#""token":"${secret:key}""#))
  }

  @Test func `a new answer of another run is hidden and expected under the same number`()
    async throws
  {
    try write(", secret: [json.token, json.pin]", ", secret: [json.token]")
    try await canary.flow("run", "@/s.yaml", "--record")
    let renewed = try canary.folder.text("s.transcript.jsonl")
    try write(", secret: [json.token, json.pin]", ", secret: [json.token, json.pin]")
    let live = try await canary.flow("test", "--live", "@/s.yaml", "--allow", "changed")

    #expect(live == .passed)
    #expect(renewed.contains(#""pin":"${secret:portal.pin}""#))
  }

  @Test func `a secret part that cannot be hidden fails its call`() async throws {
    try write(", secret: [json.short, json.absent, json.empty]", "")
    let run = try await canary.flow("run", "@/s.yaml")

    #expect(run == .failed)
    #expect(
      canary.text.contains("the secret 'portal.short' has fewer than 4 bytes and cannot be hidden"))
  }

  @Test func `a missing and an empty secret part hide nothing`() async throws {
    try write(", secret: [json.absent, json.empty, json.token, \"json.session.keys[7]\"]", "")
    let run = try await canary.flow("run", "@/s.yaml", "--record")

    #expect(run == .passed)
    #expect(try canary.folder.text("s.transcript.jsonl").contains(#""empty":"""#))
  }

  @Test func `a resumed run stops at a step that needs the hidden part`() async throws {
    try write(", secret: [json.token]", ", secret: [json.token]")
    try await canary.flow("run", "@/s.yaml", "--journal", "@/s.journal")
    let lines = try canary.folder.text("s.journal").split(separator: "\n").prefix(7)
    try canary.folder.write(lines.map { "\($0)\n" }.joined(), to: "s.journal")
    let resume = try await canary.flow("resume", "@/s.journal")

    #expect(resume == .failed)
    #expect(canary.text.contains("[F3205]"))
    #expect(try canary.sightings() == [])
  }

  @Test func `a live answer is hidden like the recorded one before it is passed on as a secret`()
    async throws
  {
    try canary.folder.write(
      """
      flow: 1
      components: {a: {plugin: portal}, b: {plugin: portal}}
      steps:
        - {id: ann, uses: a.login, with: {text: ann}}
        - {uses: b.show, with: {text: "${{ steps.ann.json.token }}"}}
        - {uses: b.open, with: {key: "${{ steps.ann.json.token }}"}}

      """, to: "s.yaml")
    let run = try await canary.flow("run", "@/s.yaml", "--record")
    let part = try await canary.flow("replay", "@/s.transcript.jsonl", "--live=a", "-vv")

    #expect([run, part] == [.passed, .passed])
    let shown = canary.text.split(separator: "$ flow replay").last ?? ""
    #expect(Canary.sightings(in: Data(shown.utf8)) == [])
  }
}
