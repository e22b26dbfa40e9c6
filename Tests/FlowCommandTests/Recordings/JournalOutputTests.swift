import FlowCommand
import FlowCore
import FlowSystem
import TestKit
import Testing

/// Runs with a journal and resumes them, by the command line.
@Suite struct JournalOutputTests {
  private static let scenario = """
    flow: 1
    components: {p: {plugin: probe}}
    inputs: {by: {type: int, default: 2}}
    steps:
      - {id: first, uses: p.count, with: {by: "${{ inputs.by }}"}}
      - {id: chance, uses: p.random}
      - {id: second, uses: p.count, with: {by: "${{ inputs.by }}"}}
    outputs: {value: "${{ steps.second.value }}", chance: "${{ steps.chance.value }}"}

    """

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.scenario, to: "s.yaml")
  }

  /// Runs a command, with `@` for the folder in its arguments and its output.
  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(arguments, in: folder)
  }

  /// Runs with a journal and leaves its first lines, and perhaps the beginning of another.
  private func journal(lines: Int, torn: String = "") async throws {
    _ = try await flow(
      "run", "@/s.yaml", "--journal", "@/j", "--input", "by=5", "--seed", "7")
    let kept = try folder.text("j").split(separator: "\n").prefix(lines).joined(separator: "\n")
    try folder.write(kept + "\n" + torn, to: "j")
  }

  @Test func `a resumed run ends as the run would have, in the same journal`() async throws {
    try await journal(lines: 100)
    let whole = try folder.text("j")
    let end = whole.split(separator: "\n").last ?? ""
    #expect(end.contains(#""end":"passed","outputs":{"value":10,"#))

    for lines in 1..<whole.split(separator: "\n").count {
      try folder.write(
        whole.split(separator: "\n").prefix(lines).joined(separator: "\n") + "\n", to: "j")
      let run = try await flow("resume", "@/j", "--quiet")

      #expect(run.errors == "")
      #expect(run.code == .passed)
      #expect(try folder.text("j") == whole)
    }
  }

  @Test func `a resumed run says what was served and what was repeated`() async throws {
    try folder.write(
      """
      flow: 1
      components: {p: {plugin: probe}, s: {plugin: line}}
      steps:
        - {id: kept, uses: s.ask, with: {host: a}}
        - {id: counted, uses: p.count}
        - {id: both, do: [{uses: s.ask, with: {host: b}}, {uses: s.ask, with: {host: c}}]}

      """, to: "s.yaml")
    let arguments = ["run", "@/s.yaml", "--journal", "@/j"]
    _ = try await FlowCommandRun(arguments, in: folder, components: [Probe.self, Line.self])
    let lines = try folder.text("j").split(separator: "\n")
    let first = try #require(
      lines.firstIndex { $0.contains("both/s.ask#1") && $0.contains("\"ok\":") })
    try folder.write(lines[...first].joined(separator: "\n") + "\n", to: "j")

    let run = try await FlowCommandRun(
      ["resume", "@/j"], in: folder, components: [Probe.self, Line.self])

    let details = run.output.split(separator: "\n").dropFirst().dropLast().map {
      $0.prefix { $0 != "," }
    }
    #expect(
      details == [
        "  passed kept  (served", "  passed counted  (repeated", "  passed both  (2 steps",
      ])
    #expect(run.output.contains("(2 steps, 1 of 2 calls served, "))
  }

  @Test func `a torn line is dropped with a warning`() async throws {
    try await journal(lines: 4, torn: #"{"at":"first#1","em"#)
    let run = try await flow("resume", "@/j")

    #expect(run.errors == "warning: the last line of '@/j' is incomplete and was dropped\n")
    #expect(run.code == .passed)
    #expect(try folder.text("j").unsealed.hasSuffix("}}\n"))
  }

  @Test func `there is nothing to resume in a journal that has its end`() async throws {
    try await journal(lines: 100)
    let passed = try await flow("resume", "@/j")
    try folder.write(
      try folder.text("j").unsealed.replacing(
        existing: #""end":"passed""#, with: #""end":"failed""#), to: "j")
    let failed = try await flow("resume", "@/j")

    #expect(passed.output == "the run in '@/j' has finished; there is nothing to resume\n")
    #expect([passed.code, failed.code] == [.passed, .failed])
  }

  @Test func `a journal is not overwritten`() async throws {
    try folder.write("mine\n", to: "j")
    let run = try await flow("run", "@/s.yaml", "--journal", "@/j")

    #expect(
      run.errors == "flow: the journal was not written: "
        + "cannot write '@/j': it already exists; resume it or remove it\n")
    #expect(run.code == .cannotWrite)
    #expect(try folder.text("j") == "mine\n")
  }

  @Test func `a body that cannot be written is the journal's`() async throws {
    try folder.write("not a folder", to: "blobs")
    let text = String(repeating: "x", count: 100_000)
    try folder.write(
      "flow: 1\ninputs: {text: {type: string, default: \(text)}}\nsteps: [{assert: ['${{ true }}']}]\n",
      to: "long.yaml")
    let run = try await flow("run", "@/long.yaml", "--journal", "@/j")

    #expect(
      run.errors
        == "flow: the journal was not written: cannot write '@/blobs': it is not a folder\n")
    #expect(run.code == .cannotWrite)
  }

  @Test func `a journal that another process writes is refused`() async throws {
    try await journal(lines: 4)
    let before = try folder.text("j")
    let holder = try JournalFile(opening: folder.directory.path + "/j")
    let refused = try await flow("resume", "@/j")
    let after = try folder.text("j")
    withExtendedLifetime(holder) {}

    #expect(refused.errors == "flow: cannot write '@/j': another process is writing it\n")
    #expect(refused.code == .busy)
    #expect(after == before)
  }

  @Test(arguments: ["", "{\"transcript\":1,\"scen"])
  func `one command begins a run, goes on with it, and says how it ended`(
    _ torn: String
  ) async throws {
    if !torn.isEmpty { try folder.write(torn, to: "j") }
    let command = ["resume", "@/j", "--or-run", "@/s.yaml", "--input", "by=5", "--seed", "7"]
    let begun = try await FlowCommandRun(command, in: folder)
    let whole = try folder.text("j")
    let ended = try await FlowCommandRun(command, in: folder)
    try folder.write(
      whole.split(separator: "\n").prefix(6).joined(separator: "\n") + "\n", to: "j")
    let resumed = try await FlowCommandRun(command, in: folder)

    #expect([begun, ended, resumed].map(\.errors) == ["", "", ""])
    #expect([begun, ended, resumed].map(\.code) == [.passed, .passed, .passed])
    #expect(ended.output == "the run in '@/j' has finished; there is nothing to resume\n")
    #expect(resumed.output.contains("(repeated, "))
    #expect(try folder.text("j") == whole)
  }

  @Test func `a run is not begun while another process holds the journal`() async throws {
    try folder.write("", to: "j")
    let holder = try JournalFile(opening: folder.directory.path + "/j")
    let refused = try await flow("resume", "@/j", "--or-run", "@/s.yaml")
    withExtendedLifetime(holder) {}

    #expect(
      refused.errors == "flow: the journal was not written: cannot write '@/j': "
        + "another process is writing it\n")
    #expect(refused.code == .busy)
  }

  @Test func `a file of somebody else is not begun`() async throws {
    try folder.write("my only copy", to: "j")
    let run = try await flow("resume", "@/j", "--or-run", "@/s.yaml")

    #expect(
      run.errors == "flow: the journal was not written: cannot write '@/j': "
        + "it already exists and is not a journal\n")
    #expect(run.code == .cannotWrite)
    #expect(try folder.text("j") == "my only copy")
  }

  @Test(arguments: [4, 100])
  func `a journal of another scenario is not this one's`(_ lines: Int) async throws {
    try await journal(lines: lines)
    try folder.write(Self.scenario + "# other\n", to: "other.yaml")
    let run = try await flow("resume", "@/j", "--or-run", "@/other.yaml")
    let both = try await flow("resume", "@/j", "--or-run", "@/s.yaml", "--scenario", "@/s.yaml")

    #expect(
      run.errors
        == "error: '@/j' is the journal of 's.yaml', and '@/other.yaml' is another scenario\n")
    #expect(run.code == .badInput)
    #expect(both.code == .badCommandLine)
  }

  @Test(arguments: ["# changed\n", "  - broken: [\n"])
  func `a finished run has finished, whatever was edited since`(_ edit: String) async throws {
    try await journal(lines: 100)
    try folder.write(Self.scenario + edit, to: "s.yaml")

    let runs = [
      try await flow("resume", "@/j"), try await flow("resume", "@/j", "--or-run", "@/s.yaml"),
    ]

    for run in runs {
      #expect(run.errors == "")
      #expect(run.output == "the run in '@/j' has finished; there is nothing to resume\n")
      #expect(run.code == .passed)
    }
  }

  @Test(arguments: [["--scenario", "@/other.yaml"], ["--or-run", "@/other.yaml"]])
  func `a copy of a scenario under another name goes on with its journal`(
    _ options: [String]
  ) async throws {
    try await journal(lines: 4)
    try folder.write(Self.scenario, to: "other.yaml")

    let run = try await FlowCommandRun(["resume", "@/j"] + options, in: folder)

    #expect(run.errors == "")
    #expect(run.code == .passed)
  }

  @Test(arguments: [["--seed", "1"], ["--input", "by=1"], ["--inputs", "@/i.yaml"]])
  func `what a beginning takes needs a scenario that may begin`(_ option: [String]) async throws {
    let run = try await FlowCommandRun(["resume", "@/j"] + option, in: folder)

    #expect(run.errors.hasPrefix("flow: '\(option[0])' needs '--or-run'\n"))
    #expect(run.code == .badCommandLine)
  }

  @Test func `a changed scenario that repeats what was done goes on, and the journal says where`()
    async throws
  {
    try await journal(lines: 4)
    let before = try folder.text("j")
    try folder.write(Self.scenario + "# changed\n", to: "s.yaml")
    let resumed = try await flow("resume", "@/j")
    let replayed = try await flow("replay", "@/j", "--quiet")

    #expect(
      resumed.errors
        == "note: '@/s.yaml' has changed since it was recorded, and goes on with what was done\n")
    let added = try folder.text("j").dropFirst(before.count)
    #expect(added.hasPrefix(#"{"at":"steps","version":"sha256:"#), "\(added)")
    #expect(replayed.errors == "")
    #expect([resumed, replayed].map(\.code) == [.passed, .passed])
  }

  @Test func `a changed plugin goes on if what was done fits it`() async throws {
    try await journal(lines: 4)
    try folder.write(
      try folder.text("j").replacing(existing: #""probe":"1.2""#, with: #""probe":"1.1""#), to: "j")
    #expect(try await flow("transcript", "seal", "@/j").code == .passed)
    let resumed = try await flow("resume", "@/j")

    let change = "the plugin 'probe' is version 1.2 now, and was version 1.1 when recorded"
    #expect(resumed.errors == "note: \(change), and goes on with what was done\n")
    #expect(resumed.code == .passed)
  }

  @Test func `a forced scenario that has lost a step is refused before anything is run`()
    async throws
  {
    try await journal(lines: 6)
    let before = try folder.text("j")
    try folder.write(
      Self.scenario.replacing(
        existing: "{id: first, uses: p.count", with: "{id: other, uses: p.count"
      ), to: "s.yaml")
    let run = try await flow("resume", "@/j", "--force")

    #expect(
      run.errors == """
        warning: '@/s.yaml' has changed since it was recorded
        error: 1 recorded call is no longer in the scenario [F3006]
          note: line 4: 'first#1' called 'p.count'
          note: nothing was run: the journal cannot be resumed with this scenario

        """)
    #expect(run.output == "")
    #expect(run.code == .badInput)
    #expect(try folder.text("j") == before)
  }

  @Test func `a forced run that asks for something else is stopped and leaves its journal`()
    async throws
  {
    try await journal(lines: 6)
    let before = try folder.text("j")
    let text = Self.scenario.replacing("inputs.by }}", with: "inputs.by + 1 }}")
    try folder.write(text, to: "s.yaml")
    let run = try await flow("resume", "@/j", "--force")

    #expect(run.errors.contains("the input of 'first#1' has changed [F3003]"))
    #expect(run.code == .failed)
    #expect(try folder.text("j") == before)
  }

  @Test func `an unknown call stops the run, also where its step may fail`() async throws {
    try folder.write(
      """
      flow: 1
      components: {k: {plugin: keeper, with: {password: secret}}}
      steps:
        - do: [{id: a, uses: k.issue, with: {text: abcd}, continue-on-error: true}]
          finally: [{id: inner, uses: k.issue, with: {text: efgh}}]
      finally: [{id: outer, assert: ["${{ 1 == 1 }}"]}]

      """, to: "s.yaml")
    let components: [any Component.Type] = [Keeper.self]
    _ = try await FlowCommandRun(
      ["run", "@/s.yaml", "--journal", "@/j"], in: folder, components: components)
    let lines = try folder.text("j").split(separator: "\n").prefix(4)
    try folder.write(lines.joined(separator: "\n") + "\n", to: "j")
    let run = try await FlowCommandRun(["resume", "@/j"], in: folder, components: components)

    #expect(run.errors.contains("it is not known whether 'do/a#1' took effect [F3202]"))
    // Nothing else is wrong, and nothing else was done.
    #expect(run.errors.matches(of: /\[F\d+\]/).count == 1)
    #expect(run.output.contains("  not run finally/outer\n"))
    #expect(run.output.hasSuffix(": steps 0 passed, 1 failed, 2 not run\n"))
    #expect(run.code == .failed)
  }

  @Test func `a run that cannot open a component again is worth another try`() async throws {
    try folder.write(
      """
      flow: 1
      components: {d: {plugin: door}}
      steps: [{uses: d.enter}]

      """, to: "s.yaml")
    let command = ["resume", "@/j", "--or-run", "@/s.yaml"]
    _ = try await FlowCommandRun(command, in: folder, components: [Door.self])
    let before =
      try folder.text("j").split(separator: "\n").dropLast().joined(separator: "\n") + "\n"
    try folder.write(before, to: "j")
    try folder.write("", to: "locked")
    let run = try await FlowCommandRun(command, in: folder, components: [Door.self])

    #expect(run.errors.contains("'components/d#1' could not be opened again [F3203]"))
    #expect(run.code == .busy)
    #expect(try folder.text("j") == before)
  }

  @Test func `what is no journal cannot be resumed`() async throws {
    _ = try await flow("run", "@/s.yaml", "--record=@/t.jsonl")
    try folder.write("", to: "empty")

    let golden = try await flow("resume", "@/t.jsonl")
    let empty = try await flow("resume", "@/empty")
    let missing = try await flow("resume", "@/none")

    #expect(golden.errors.contains("this is a transcript, not a journal"))
    #expect(empty.errors.contains("the journal has no complete line"))
    #expect(missing.errors == "flow: cannot read '@/none': no such file\n")
    #expect([golden.code, empty.code, missing.code] == [.badInput, .badInput, .badInput])
  }
}

/// A component that does not open while a file `locked` exists.
private struct Door: Component {
  static let plugin = Plugin(
    "door", version: "1.0", "Lets through.", state: .external, reaches: [.files],
    operations: [Operation("enter", "Enters.", answers: .none) { _, _ in }]
  ) { context in
    if context.directory.contains("locked") { throw ComponentError(.unexpected, "it is locked") }
    return Door()
  }
}
