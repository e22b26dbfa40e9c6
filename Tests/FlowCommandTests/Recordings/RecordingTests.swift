import FlowCommand
import FlowCore
import TestKit
import Testing

/// Recording a run and replaying it, by the command line.
@Suite struct RecordingTests {
  private static let scenario = """
    flow: 1
    components: {p: {plugin: probe}}
    inputs: {by: {type: int, default: 2}}
    steps:
      - {id: count, uses: p.count, with: {by: "${{ inputs.by }}"}, expect: {value: "${{ inputs.by }}"}}
      - {id: chance, uses: p.random}

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

  // MARK: - Recording

  @Test(arguments: [
    (["--record"], "s.transcript.jsonl"), (["--record=@/out.txt"], "out.txt"),
    (["--record", "@/x.jsonl"], "x.jsonl"),
  ]) func `a transcript is written where it should be`(_ options: [String], _ name: String)
    async throws
  {
    let before = try await FlowCommandRun(["run"] + options + ["@/s.yaml"], in: folder)
    let after = try await FlowCommandRun(["run", "@/s.yaml"] + options, in: folder)

    for run in [before, after] {
      #expect(run.output.hasSuffix("\nrecorded @/\(name)\n"))
      #expect(run.errors == "")
      #expect(run.code == .passed)
    }
    #expect(try folder.names == ["s.yaml", name].sorted())
  }

  // MARK: - What no transcript can hold

  /// A value of the greatest depth of a scenario, with keys that a transcript escapes.
  private static let deep = """
    flow: 1
    components: {p: {plugin: probe}}
    steps: [{uses: p.echo, with: {value: \(String(repeating: "{$any: ", count: 70))1\(String(repeating: "}", count: 70))}}]

    """
  private static let tooDeep = "a line of 'p.echo#1' would be nested more than 128 levels deep"

  @Test func `a run that no transcript can hold is told and leaves no transcript`() async throws {
    try folder.write(Self.deep, to: "s.yaml")
    let run = try await flow("run", "@/s.yaml", "--record")

    #expect(
      run.errors
        == "flow: the transcript was not written: cannot write '@/s.transcript.jsonl': "
        + Self.tooDeep + "\n")
    #expect(run.code == .cannotWrite)
    #expect(try folder.names == ["s.yaml"])
  }

  @Test func `a test that cannot be recorded fails`() async throws {
    try folder.write(Self.deep, to: "s.yaml")
    let run = try await flow("test", "@/s.yaml", "--update", "missing")

    #expect(run.errors == "@/s.yaml: error: the run cannot be recorded: \(Self.tooDeep) [F3103]\n")
    #expect(run.code == .badInput)
    #expect(try await flow("test", "@/s.yaml", "--update", "never").code == .passed)
  }

  @Test func `a live run that cannot be compared fails`() async throws {
    let shallow = "flow: 1\ncomponents: {p: {plugin: probe}}\nsteps: [{uses: p.count}]\n"
    try folder.write(shallow, to: "s.yaml")
    _ = try await flow("run", "@/s.yaml", "--record")
    try folder.write(Self.deep, to: "s.yaml")

    let test = try await flow(
      "test", "--live", "@/s.yaml", "--allow", "changed,unused,unexpected")
    #expect(test.errors.contains("error: the run cannot be recorded: \(Self.tooDeep) [F3103]\n"))
    #expect(test.code == .badInput)
    let diff = try await flow("diff", "@/s.transcript.jsonl")
    #expect(diff.errors == "error: the run cannot be recorded: \(Self.tooDeep) [F3103]\n")
    #expect(diff.code == .badInput)
  }

  @Test func `a journal is not continued with a line that nobody can read`() async throws {
    try folder.write(Self.deep, to: "s.yaml")
    let run = try await flow("run", "@/s.yaml", "--journal", "@/s.journal")

    #expect(
      run.errors.contains(
        "flow: the journal was not written: cannot write '@/s.journal': \(Self.tooDeep)\n"))
    #expect(run.code == .cannotWrite)
  }

  // MARK: - What is in it

  @Test func `a transcript begins with what was run`() async throws {
    _ = try await flow(
      "run", "@/s.yaml", "--record", "--seed", "18446744073709551615", "--input", "by=5")

    let header = try folder.text("s.transcript.jsonl").split(separator: "\n")[0]
    let digest = "sha256:" + SHA256(Array(Self.scenario.utf8)).hexadecimal
    #expect(
      header
        == #"{"transcript":1,"scenario":"s.yaml","digest":"\#(digest)","plugins":{"probe":"1.2"},"#
        + #""inputs":{"by":5},"seed":"18446744073709551615"}"#)
  }

  @Test func `the seed decides what is drawn`() async throws {
    for (name, seed) in [("a", "7"), ("b", "7"), ("c", "8")] {
      _ = try await flow("run", "@/s.yaml", "--seed", seed, "--record=@/\(name)")
    }

    let answers = try ["a", "b", "c"].map { name in
      try folder.text(name).split(separator: "\n").filter { $0.contains(#""chance#1","ok""#) }
    }
    #expect(answers[0].count == 1)
    #expect(answers[0] == answers[1])
    #expect(answers[0] != answers[2])
    #expect(try folder.text("a") == (try folder.text("b")))
  }

  @Test func `a run that fails is recorded too, and fails again in the replay`() async throws {
    try folder.write(Self.failing, to: "s.yaml")
    let run = try await flow("run", "@/s.yaml", "--record")
    let replay = try await flow("replay", "@/s.transcript.jsonl")

    #expect(run.output.hasSuffix("\nrecorded @/s.transcript.jsonl\n"))
    #expect(
      replay.errors.hasSuffix(
        "  note: value: expected 9, got 2\n  input: {by: 2}\n  answer: {value: 2}\n"))
    #expect(
      run.errors == replay.errors
        + "note: the recorded run failed, so 'flow test' fails until a run that passes is recorded\n"
    )
    #expect([run.code, replay.code] == [.failed, .failed])
  }

  // MARK: - What a failed run leaves alone

  /// The scenario with a first step that fails.
  private static let failing = scenario.replacing(
    "expect: {value: \"${{ inputs.by }}\"}", with: "expect: {value: 9}")

  @Test(arguments: [
    (["--record"], "s.transcript.jsonl", "s.transcript.failed.jsonl"),
    (["--record=@/golden"], "golden", "golden.failed"),
  ]) func `a run that fails keeps the transcript of one that passed, and is recorded beside it`(
    _ options: [String], _ name: String, _ other: String
  ) async throws {
    _ = try await FlowCommandRun(["run", "@/s.yaml"] + options, in: folder)
    let golden = try folder.text(name)
    try folder.write(Self.failing, to: "s.yaml")
    let run = try await FlowCommandRun(["run", "@/s.yaml"] + options, in: folder)

    #expect(
      run.errors.hasSuffix(
        "note: the run failed, so '@/\(name)' is unchanged; remove it to replace it\n"))
    #expect(run.output.hasSuffix("\nrecorded @/\(other)\n"))
    #expect(run.code == .failed)
    #expect(try folder.text(name) == golden)
    #expect(try folder.names == ["s.yaml", name, other].sorted())
    #expect(try await flow("replay", "@/\(other)").errors.contains("expected 9, got 2\n"))
  }

  @Test func `a run that fails replaces the transcript of one that failed`() async throws {
    try folder.write(Self.failing, to: "s.yaml")
    _ = try await flow("run", "@/s.yaml", "--record")
    let run = try await flow("run", "@/s.yaml", "--record", "--input", "by=7")

    #expect(run.output.hasSuffix("\nrecorded @/s.transcript.jsonl\n"))
    #expect(try folder.text("s.transcript.jsonl").contains(#""inputs":{"by":7}"#))
    #expect(try folder.names == ["s.transcript.jsonl", "s.yaml"])
  }

  @Test func `a run that fails keeps a file that is no transcript`() async throws {
    try folder.write("<<<<<<< ours\n", to: "s.transcript.jsonl")
    try folder.write(Self.failing, to: "s.yaml")

    _ = try await flow("run", "@/s.yaml", "--record")

    #expect(try folder.text("s.transcript.jsonl") == "<<<<<<< ours\n")
  }

  // MARK: - What is left behind

  @Test(arguments: [
    (["--input", "by=x"], #"error: the input 'by': expected int, got "x" [F1403]"#),
    (["--input", "yb=1"], "error: the scenario has no input 'yb'; did you mean 'by'? [F1401]"),
  ]) func `nothing is written when the inputs are wrong`(_ options: [String], _ error: String)
    async throws
  {
    let run = try await FlowCommandRun(["run", "@/s.yaml", "--record"] + options, in: folder)

    #expect(run.errors == error + "\n")
    #expect(run.output == "")
    #expect(run.code == .badInput)
    #expect(try folder.names == ["s.yaml"])
  }

  @Test func `an old transcript stays when the scenario does not load`() async throws {
    try folder.write("flow: 2\nsteps: []\n", to: "s.yaml")
    try folder.write("old", to: "s.transcript.jsonl")
    let run = try await flow("run", "@/s.yaml", "--record")

    #expect(
      run.errors.hasPrefix("@/s.yaml:1:7: error: unknown format version '2', expected 1 [F1101]\n"))
    #expect(run.output == "")
    #expect(run.code == .badInput)
    #expect(try folder.names == ["s.transcript.jsonl", "s.yaml"])
    #expect(try folder.text("s.transcript.jsonl") == "old")
  }

  @Test func `a missing folder is exit 73 before anything runs`() async throws {
    let run = try await flow("run", "@/s.yaml", "--record=@/no/t.jsonl")

    #expect(
      run.errors
        == "flow: the transcript was not written: cannot write '@/no/t.jsonl': there is no folder '@/no'\n"
    )
    #expect(run.output == "")
    #expect(run.code == .cannotWrite)
    #expect(try folder.names == ["s.yaml"])
  }

  @Test func `a folder in the transcript's place is exit 73`() async throws {
    try folder.write("", to: "t.jsonl/x")
    let run = try await flow("run", "@/s.yaml", "--record", "@/t.jsonl")

    #expect(
      run.errors == "flow: the transcript was not written: cannot write '@/t.jsonl': not a file\n")
    #expect(run.code == .cannotWrite)
    #expect(try folder.names == ["s.yaml", "t.jsonl"])
  }

  // MARK: - Replaying

  @Test func `a replay of a changed scenario says so`() async throws {
    _ = try await flow("run", "@/s.yaml", "--record")
    let same = try await flow("replay", "@/s.transcript.jsonl")
    try folder.write(Self.scenario + "# a comment\n", to: "s.yaml")
    let changed = try await flow("replay", "@/s.transcript.jsonl", "--quiet")

    #expect(same.errors == "")
    #expect(changed.errors == "note: '@/s.yaml' has changed since it was recorded\n")
    #expect(changed.output.hasPrefix("@/s.yaml\npassed in "))
    #expect([same.code, changed.code] == [.passed, .passed])
  }

  @Test func `a replay uses the recorded inputs and seed`() async throws {
    _ = try await flow("run", "@/s.yaml", "--record", "--input", "by=40", "--seed", "3")
    let replay = try await flow("replay", "@/s.transcript.jsonl")

    #expect(replay.errors == "")
    #expect(replay.code == .passed)
  }

  @Test func `a replay can take the scenario from elsewhere`() async throws {
    _ = try await flow("run", "@/s.yaml", "--record=@/t.jsonl")
    try folder.write(Self.scenario, to: "moved/other.yaml")
    try folder.remove("s.yaml")
    let lost = try await flow("replay", "@/t.jsonl")
    let found = try await flow("replay", "@/t.jsonl", "--scenario", "@/moved/other.yaml")

    #expect(
      lost.errors
        == "@/t.jsonl:1:1: error: the scenario '@/s.yaml' named here does not exist; if it was renamed, pass "
        + "its new path with '--scenario' [F3126]\n")
    #expect(lost.code == .badInput)
    #expect(found.errors == "")
    #expect(found.code == .passed)
  }

  // MARK: - Arguments

  @Test(arguments: [
    (["replay", "t.jsonl", "--scenario", "a", "--scenario", "b"], "scenario"),
    (["run", "@/s.yaml", "--record", "--record=x"], "record"),
    (["run", "@/s.yaml", "--seed", "1", "--seed=1"], "seed"),
    (["run", "@/s.yaml", "--input", "by=1", "--input", "to=2", "--input=by=3"], "input by"),
  ]) func `an option that says one thing is given once`(_ arguments: [String], _ option: String)
    async throws
  {
    let run = try await FlowCommandRun(arguments, in: folder)

    #expect(
      run.errors == "flow: '--\(option)' is given twice\nsee 'flow help \(arguments[0])'\n")
    #expect(run.code == .badCommandLine)
  }

  @Test func `what follows two dashes is no option`() async throws {
    let option = try await flow("run", "--", "--help")
    let tooMany = try await flow("run", "--", "@/s.yaml", "--quiet")
    let path = try await flow("run", "--quiet", "--", "@/s.yaml")

    #expect(option.errors == "error: cannot read '--help': no such file [F1001]\n")
    #expect(option.code == .badInput)
    #expect(tooMany.errors == "flow: unexpected argument '--quiet'\nsee 'flow help run'\n")
    #expect(tooMany.code == .badCommandLine)
    #expect(path.errors == "")
    #expect(path.code == .passed)
  }
}
