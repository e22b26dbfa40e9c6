import FlowCommand
import FlowCore
import TestKit
import Testing

/// Components that run live by `flow.yaml` or an option, beside others served from a transcript.
@Suite struct PartLiveTests {
  private let suite: SuiteFolder

  init() throws {
    suite = try SuiteFolder()
  }

  /// Records a scenario with a probe that echoes a notebook, then removes the notebook's page.
  private func record(_ path: String = "s.yaml", tags: String = "") async throws {
    try suite.folder.write(
      """
      flow: 1
      tags: [\(tags)]
      components: {n: {plugin: notebook}, p: {plugin: probe}}
      steps:
        - {id: read, uses: n.read}
        - {uses: p.echo, with: {value: "${{ steps.read.text }}"}}
        - {uses: p.count}

      """, to: path)
    let page = path.contains("/") ? "inner/page.txt" : "page.txt"
    try suite.folder.write("a word", to: page)
    #expect(try await suite.flow("run", "@/\(path)", "--record").code == .passed)
    try suite.folder.remove(page)
  }

  @Test(arguments: [
    "{scenario: s.yaml, components: [p]}", "{scenario: ., components: [p]}",
    "{tag: unit, components: [p]}", "{scenario: s.yaml, tag: unit, components: [p]}",
  ]) func `the project file says which components are live in which scenarios`(
    _ rule: String
  ) async throws {
    try await record(tags: "unit")
    try suite.folder.write("flow: 1\nlive: [\(rule)]\n", to: "flow.yaml")
    let run = try await suite.test()

    #expect(
      run.output == "passed   @/s.yaml  (live: p, T)\npassed in T: scenarios 1 passed\n"
        + "replayed: n; live: p\n")
    #expect(run.errors == "")
  }

  @Test(arguments: ["{scenario: inner, components: [p]}", "{tag: other, components: [p]}"])
  func `other scenarios are served from their transcripts`(_ rule: String) async throws {
    try await record(tags: "unit")
    try await record("inner/t.yaml", tags: "other")
    try suite.folder.write("flow: 1\nlive: [\(rule)]\n", to: "flow.yaml")
    let run = try await suite.test("--jobs", "1")

    #expect(
      run.output
        == "[1/2] passed   @/inner/t.yaml  (live: p, T)\n[2/2] passed   @/s.yaml  (T)\n"
        + "passed in T: scenarios 2 passed\nreplayed: n, p; live: p\n")
  }

  @Test(arguments: [
    ("  - {uses: p.count}\n", "p"), ("  - {uses: n.write, with: {text: new}}\n", "n"),
    ("  - {uses: p.count}\n  - {uses: n.write, with: {text: new}}\n", "n,p"),
  ]) func `a component that is live itself is asked for new steps where they may be added`(
    _ steps: String, _ live: String
  ) async throws {
    try await record()
    try suite.folder.write("a word", to: "page.txt")
    let text = try suite.folder.text("s.yaml").replacing("\n\n", with: "\n") + steps
    try suite.folder.write(text, to: "s.yaml")
    let refused = try await suite.flow("test", "@/s.yaml", "--live=\(live)", "--update", "never")
    let added = try await suite.flow("test", "@/s.yaml", "--live=\(live)", "--update", "missing")

    #expect(refused.errors.contains("is not in the transcript [F3001]"))
    #expect(added.errors == "")
    #expect(
      added.output.hasPrefix("recorded @/s.yaml  (@/s.transcript.jsonl, T)\n"), "\(added.output)")
    #expect(
      try suite.folder.text("s.transcript.jsonl").split(separator: "\n")
        .count { $0.contains(#""added":{"date""#) } == steps.split(separator: "\n").count)
    #expect(try await suite.flow("test", "@/s.yaml", "--update", "never").code == .passed)
  }

  /// Records a scenario that writes a secret into a file, then removes the file.
  private func recordSecret() async throws {
    try suite.folder.write(
      """
      flow: 1
      inputs: {token: {type: string, secret: true}}
      components: {n: {plugin: notebook}, p: {plugin: probe}}
      steps:
        - {id: echo, uses: p.echo, with: {value: "it is ${{ inputs.token }}"}}
        - {uses: n.write, with: {text: "${{ steps.echo.value }}"}}

      """, to: "s.yaml")
    let secret = ["FLOW_SECRET_TOKEN": "hunter2-hunter2"]
    let run = try await suite.flow("run", "@/s.yaml", "--record", environment: secret)
    #expect(run.code == .passed)
    try suite.folder.remove("page.txt")
  }

  @Test(arguments: [
    ["test", "@/s.yaml"], ["replay", "@/s.transcript.jsonl"], ["explore", "@/s.yaml"],
    ["mutate", "@/s.yaml"],
  ]) func `a live component gets the secret that is given`(_ command: [String]) async throws {
    try await recordSecret()
    let run = try await suite.flow(
      command + ["--live=n"], environment: ["FLOW_SECRET_TOKEN": "hunter2-hunter2"])

    #expect(run.code == .passed)
    #expect(try suite.folder.text("page.txt") == "it is hunter2-hunter2")
    #expect(!(run.output + run.errors).contains("hunter2"))
  }

  /// A component with a secret, which notes its opening in a file.
  private struct Sender: Component {
    struct Settings: Sendable {
      let key: String
    }

    static let plugin = Plugin(
      "sender", version: "1.0", "Sends.", state: .external, reaches: [.files],
      settings: Record(Settings.init(key:), Field("key", \.key, "The key.", secret: true)),
      operations: [Operation<Sender>("send", "Sends.", answers: .none) { _, _ in }]
    ) { context, settings in
      try context.directory.write(Array(settings.key.utf8), to: "opened")
      return Sender()
    }
  }

  @Test(arguments: [
    ["test", "@/s.yaml"], ["test", "@/s.yaml", "--live=s"],
    ["replay", "@/s.transcript.jsonl", "--live=s"],
  ]) func `a live component that nothing is sent to needs no secret`(
    _ command: [String]
  ) async throws {
    let isDeclared = !command.contains("--live=s")
    let flow = { (arguments: [String], secrets: [String: String]) in
      try await FlowCommandRun(
        arguments, in: suite.folder, environment: secrets, components: [Probe.self, Sender.self])
    }
    let text = """
      flow: 1
      inputs: {token: {type: string, secret: true}, sends: {type: bool, default: false}}
      components:
        p: {plugin: probe}
        s: {plugin: sender, live: \(isDeclared), with: {key: "${{ inputs.token }}"}}
      steps:
        - {uses: p.count}
        - {if: "${{ inputs.sends }}", uses: s.send}

      """
    try suite.folder.write(text, to: "s.yaml")
    let secrets = ["FLOW_SECRET_TOKEN": "hunter2-hunter2"]
    _ = try await flow(["run", "@/s.yaml", "--record"], secrets)
    #expect(try suite.folder.text("opened") == "hunter2-hunter2")
    try suite.folder.remove("opened")

    let without = try await flow(command, [:])
    #expect(without.errors == "")
    #expect(without.code == .passed)
    #expect(try !suite.folder.names.contains("opened"))

    let with = try await flow(command, secrets)
    #expect(with.code == .passed)
    #expect(try suite.folder.text("opened") == "hunter2-hunter2")

    try suite.folder.write(
      text.replacing(existing: "{if: \"${{ inputs.sends }}\", ", with: "{"), to: "s.yaml")
    let sending = try await flow(command, [:])
    #expect(sending.code == .failed)
    #expect(sending.errors.contains("[F1405]"), "\(sending.errors)")
  }

  @Test func `no placeholder is sent by a live component that reaches outside`() async throws {
    try await recordSecret()
    let run = try await suite.flow("test", "@/s.yaml", "--live=n")

    #expect(run.code == .failed)
    #expect(
      run.errors == """
        @/s.yaml:6:5: error: part of the input of 'n.write#1' was hidden in the recording [F1405]
            6 |   - {uses: n.write, with: {text: "${{ steps.echo.value }}"}}
              |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          note: 'n' is live and uses files, so a placeholder cannot be sent
          note: pass it with --secret token=@FILE, or in FLOW_SECRET_TOKEN; in a Swift test, in LiveOptions
        note: not run, but served from the transcript: 'p'

        """)
    #expect(throws: (any Error).self) { try suite.folder.text("page.txt") }
  }

  @Test func `a placeholder is a text to a live component that keeps to itself`() async throws {
    try await recordSecret()
    let run = try await suite.flow("test", "@/s.yaml", "--live=p")

    #expect(run.code == .passed)
  }

  @Test func `what looks like a placeholder in the answer of a live component stays as it is`()
    async throws
  {
    try await recordSecret()
    try suite.folder.write(
      """
      flow: 1
      inputs: {token: {type: string, secret: true}}
      components: {n: {plugin: notebook}, k: {plugin: probe}, p: {plugin: probe}}
      steps:
        - {uses: k.echo, with: {value: "${{ inputs.token }}"}}
        - {id: hostile, uses: p.echo, with: {value: "${secret:token} ${secret:-none}"}}
        - {uses: n.write, with: {text: "${{ steps.hostile.value }}"}}

      """, to: "s.yaml")
    let secret = ["FLOW_SECRET_TOKEN": "hunter2-hunter2"]
    _ = try await suite.flow("run", "@/s.yaml", "--record", environment: secret)
    let run = try await suite.flow("test", "@/s.yaml", "--live=n,p", environment: secret)

    #expect(run.code == .passed)
    #expect(try suite.folder.text("page.txt") == "${secret:token} ${secret:-none}")
  }

  struct HiddenPart: CustomTestStringConvertible {
    let testDescription: String
    let text: String
    var secret = "hunter2-hunter2"
    var given: String?
    let note: String
  }

  @Test(arguments: [
    HiddenPart(
      testDescription: "in base 64", text: "${{ base64.encode(bytes(inputs.token)) }}",
      note:
        "'${secret:token:base64}' hides a whole string that contains the secret, and its value is unknown"
    ),
    HiddenPart(
      testDescription: "several lines", text: "${{ inputs.token }}",
      secret: "hunter2-hunter2\nsecond-line",
      note: "'${secret:token}' may hide only part of the secret, such as one line"),
    HiddenPart(
      testDescription: "too short", text: "${{ inputs.token }}", given: "abc",
      note: "the secret 'token' has fewer than 4 bytes and cannot be hidden"),
  ])
  func `what is hidden and cannot be known is said to be so`(_ part: HiddenPart) async throws {
    try suite.folder.write(
      """
      flow: 1
      inputs: {token: {type: string, secret: true}}
      components: {n: {plugin: notebook}, p: {plugin: probe}}
      steps:
        - {id: echo, uses: p.echo, with: {value: "\(part.text)"}}
        - {uses: n.write, with: {text: "${{ steps.echo.value }}"}}

      """, to: "s.yaml")
    _ = try await suite.flow(
      "run", "@/s.yaml", "--record", environment: ["FLOW_SECRET_TOKEN": part.secret])
    try suite.folder.remove("page.txt")
    let run = try await suite.flow(
      "test", "@/s.yaml", "--live=n",
      environment: ["FLOW_SECRET_TOKEN": part.given ?? part.secret])

    #expect(run.code == .failed)
    #expect(run.errors.contains("[F1405]"))
    #expect(run.errors.contains("  note: \(part.note)\n"))
    #expect(throws: (any Error).self) { try suite.folder.text("page.txt") }
  }

  @Test func `a secret that no live component gets may be too short`() async throws {
    try await recordSecret()
    let run = try await suite.flow(
      "test", "@/s.yaml", "--live=p", environment: ["FLOW_SECRET_TOKEN": "abc"])

    #expect(run.code == .passed)
  }

  @Test func `an option says more than the project file`() async throws {
    try await record()
    try suite.folder.write(
      "flow: 1\nlive: [{scenario: s.yaml, components: [p]}]\n", to: "flow.yaml")
    let run = try await suite.test("--live=n")

    #expect(run.output.hasPrefix("failed   @/s.yaml  (live: n, T)\n"))
    #expect(run.errors.hasSuffix("note: not run, but served from the transcript: 'p'\n"))
    #expect(run.code == .failed)
  }

  @Test func `a component that the scenario does not have is an error of the project file`()
    async throws
  {
    try await record()
    try suite.folder.write(
      "flow: 1\nlive:\n  - {scenario: s.yaml, components: [p, nn]}\n", to: "flow.yaml")
    let run = try await suite.test()

    #expect(
      run.errors == """
        @/flow.yaml:3:40: error: '@/s.yaml' has no component 'nn'; did you mean 'n'? [F1608]
            3 |   - {scenario: s.yaml, components: [p, nn]}
              |                                        ^^

        """)
    #expect(run.code == .badInput)
  }

  @Test func `what others answered is altered, and what the live component overlooks is reported`()
    async throws
  {
    try await record()
    let noticed = try await suite.flow("mutate", "@/s.yaml", "--live=p")
    #expect(noticed.output == "1 of 1 alterations were noticed, 100.0 %, in T\n")

    #expect(
      try await suite.flow("mutate", "@/s.yaml", "--live=n").errors
        .hasSuffix("flow: the unaltered transcript does not replay, so nothing was altered\n"))

    let text = "flow: 1\ncomponents: {n: {plugin: notebook}, p: {plugin: probe}}\n"
    try suite.folder.write(text + "steps: [{uses: n.read}, {uses: p.count}]\n", to: "t.yaml")
    try suite.folder.write("a word", to: "page.txt")
    #expect(try await suite.flow("run", "@/t.yaml", "--record").code == .passed)
    let overlooked = try await suite.flow("mutate", "@/t.yaml", "--live=p")
    #expect(
      overlooked.output == """
        n.read, ok.text: 1 of 1 not noticed
          n.read#1, ok.text: "a word" -> "a word~"
            expect: {text: a word}
        0 of 1 alterations were noticed, 0.0 %, in T

        """)
    #expect(
      try await suite.flow("mutate", "@/s.yaml", "--live").errors
        .hasPrefix("flow: '--live' needs a value, NAME,...\n"))
    #expect(
      try await suite.flow("mutate", "@/s.yaml", "--live=").errors
        .hasPrefix("flow: '--live': expected names of components, got ''\n"))
  }

  @Test func `what does not fit any more is reported before anything is called`() async throws {
    try await record()
    let file = "s.transcript.jsonl"
    let text = try suite.folder.text(file).replacing(
      existing: #""ok":{"text":"a word"}"#, with: #""ok":{"word":"a word"}"#)
    try suite.folder.write(text.unsealed, to: file)
    let run = try await suite.flow("replay", "@/\(file)", "--live=p")

    #expect(
      run.errors == """
        error: recorded answers do not fit the current declarations of the components [F3005]
          note: line 7: 'read#1' called 'n.read': 'word': unknown field; there is only text

        """)
    // No message about a difference from the transcript either, because there was none.
    #expect(run.output == "")
    #expect(run.code == .failed)
  }
}
