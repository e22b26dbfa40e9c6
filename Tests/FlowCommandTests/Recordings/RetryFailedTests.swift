import FlowCommand
import FlowCore
import TestKit
import Testing

/// Continued journals of failed runs, and calls that a person recorded as done.
@Suite struct RetryFailedTests {
  private static let scenario = """
    flow: 1
    components: {d: {plugin: desk}}
    steps:
      - for: i
        in: ${{ lists.range(5) }}
        do: [{id: add, uses: d.add, with: {text: "${{ string(i) }}"}}]
      - {id: last, uses: d.add, with: {text: last}}
    finally: [{id: clean, uses: d.add, with: {text: clean}}]

    """

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.scenario, to: "s.yaml")
    try folder.write("3", to: "refused")
  }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(arguments, in: folder, components: [Desk.self, Probe.self])
  }

  /// The strings received by the component.
  private var added: [Substring] { get throws { try folder.text("added").split(separator: "\n") } }

  private func journal(keeping count: Int) throws {
    let lines = try folder.text("j").split(separator: "\n").prefix(count)
    try folder.write(lines.joined(separator: "\n") + "\n", to: "j")
  }

  @Test func `a failed run goes on at the failed step`() async throws {
    let failed = try await flow("run", "@/s.yaml", "--journal", "@/j")
    let told = try await flow("resume", "@/j")
    try folder.write("", to: "refused")
    let resumed = try await flow("resume", "@/j", "--retry-failed")
    let replayed = try await flow("replay", "@/j", "--quiet")

    let advice =
      "flow: the run in '@/j' failed at 'for/add#4'; continue with: "
      + "flow resume @/j --scenario @/s.yaml --retry-failed\n"
    #expect(failed.errors.hasSuffix(advice))
    #expect(told.errors == failed.errors)
    #expect([failed, told, resumed, replayed].map(\.code) == [.failed, .failed, .passed, .passed])
    #expect(try added == ["0", "1", "2", "clean", "3", "4", "last", "clean"])
    #expect(
      try folder.text("j").contains(
        #"{"at":"steps","retry":["for/add#4","finally/clean#1"],"crc":""#))
  }

  struct Edit: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let old: String
    let new: String
    /// The line about the journal, without its path.
    let line: String
    /// The code of `flow resume --retry-failed`.
    let code: ExitCode
  }

  @Test(arguments: [
    Edit(
      testDescription: "the scenario is unchanged", old: "flow: 1", new: "flow: 1",
      line: "failed; --retry-failed fits, goes on at 'for/add#4'", code: .passed),
    Edit(
      testDescription: "a later step has another input", old: "text: last", new: "text: end",
      line: "failed; --retry-failed fits, goes on at 'for/add#4'", code: .passed),
    Edit(
      testDescription: "a done step has another id", old: "id: add", new: "id: put",
      line: "failed; --retry-failed does not fit (renamed): 'for/add#1' seems to be 'for/put' now",
      code: .badInput),
    Edit(
      testDescription: "an assertion about what was done does not hold",
      old: "do: [{id: add", new: "do: [{assert: [\"${{ i != 1 }}\"]}, {id: add",
      line: "failed; --retry-failed does not fit (failing): 'for/assert#2' fails on recorded "
        + "answers, before 'for/add#2'",
      code: .badInput),
  ])
  func `a check says if a failed run would go on`(_ edit: Edit) async throws {
    _ = try await flow("run", "@/s.yaml", "--journal", "@/j")
    try folder.write(
      Self.scenario.replacing(existing: edit.old, with: edit.new), to: "s.yaml")
    let journal = try folder.text("j")
    let judged = try await flow("check", "--journals", "@/j")
    let untouched = try folder.text("j")
    try folder.write("", to: "refused")
    let resumed = try await flow("resume", "@/j", "--retry-failed")

    #expect(judged.output == "@/j: \(edit.line)\n1 journal: 1 failed\n")
    #expect(judged.errors == "")
    #expect([judged.code, resumed.code] == [.passed, edit.code], "\(resumed)")
    #expect(untouched == journal)
  }

  @Test func `a check says that a failed run would fail again`() async throws {
    try folder.write(
      """
      flow: 1
      components: {d: {plugin: desk}}
      steps:
        - {id: add, uses: d.add, with: {text: a}}
        - assert: ["${{ steps.add.number == 2 }}"]

      """, to: "s.yaml")
    _ = try await flow("run", "@/s.yaml", "--journal", "@/j")
    let judged = try await flow("check", "--journals", "@/")
    let details = try await flow(
      "check", "--journals", "@/", "--format", "json", "--details", "-")

    #expect(
      judged.output
        == "@/j: failed; --retry-failed fails again, because of recorded answers\n"
        + "1 journal: 1 failed\n")
    #expect(
      details.output.contains(
        #""state":"failed","calls":2,"changed":false,"unknown":[],"retry":"failed"}"#),
      "\(details.output)")
    #expect(judged.code == .passed)
  }

  @Test func `a continued run is resumed after a kill at any line, and after another failure`()
    async throws
  {
    _ = try await flow("run", "@/s.yaml", "--journal", "@/j")
    let again = try await flow("resume", "@/j", "--retry-failed")
    let failedLines = try folder.text("j").split(separator: "\n").count
    try folder.write("", to: "refused")
    _ = try await flow("resume", "@/j", "--retry-failed")
    let whole = try folder.text("j")

    #expect(again.code == .failed)
    let count = whole.split(separator: "\n").count
    for lines in (failedLines + 1)..<count {
      try journal(keeping: lines)
      let run = try await flow("resume", "@/j", "--retry-unknown")

      #expect(run.code == .passed)
      #expect(try folder.text("j") == whole)
      try folder.write(whole, to: "j")
    }
  }

  @Test func `a run that failed on recorded answers is not run again`() async throws {
    try folder.write("", to: "refused")
    try folder.write(
      Self.scenario.replacing(
        existing: "finally:", with: "  - {id: check, assert: [\"${{ 1 == 2 }}\"]}\nfinally:"),
      to: "s.yaml")
    _ = try await flow("run", "@/s.yaml", "--journal", "@/j")
    let before = try folder.text("j")
    let refused = try await flow("resume", "@/j", "--retry-failed")
    let after = try folder.text("j")
    try folder.write(Self.scenario, to: "s.yaml")
    let forced = try await flow("resume", "@/j", "--retry-failed", "--force")

    #expect(
      refused.errors.hasSuffix(
        "flow: the run in '@/j' failed at 'check#1', because of recorded answers; change the scenario "
          + "and continue with: flow resume @/j --scenario @/s.yaml --retry-failed --force\n"))
    #expect(refused.code == .badInput)
    #expect(after == before)
    #expect(forced.code == .passed)
  }

  @Test func `the failed call may be done`() async throws {
    _ = try await flow("run", "@/s.yaml", "--journal", "@/j")
    try folder.write("", to: "refused")
    let run = try await flow(
      "resume", "@/j", "--retry-failed", "--done", #"for/add#4={"number":9}"#)
    let replayed = try await flow("replay", "@/j", "--quiet")

    #expect(run.errors + replayed.errors == "")
    #expect([run.code, replayed.code] == [.passed, .passed])
    #expect(try added == ["0", "1", "2", "clean", "4", "last", "clean"])
    #expect(
      try folder.text("j").contains(#"{"at":"for/add#4","ok":{"number":9},"by":"person","crc":""#))
  }

  @Test func `a call that was done is not made again after a kill at any line`() async throws {
    _ = try await flow("run", "@/s.yaml", "--journal", "@/j")
    let failedLines = try folder.text("j").split(separator: "\n").count
    try folder.write("", to: "refused")
    _ = try await flow("resume", "@/j", "--retry-failed", "--done", #"for/add#4={"number":9}"#)
    let whole = try folder.text("j")

    // Behind the lines that were written before the run went on.
    for lines in (failedLines + 3)..<whole.split(separator: "\n").count {
      try journal(keeping: lines)
      let run = try await flow("resume", "@/j", "--retry-unknown")

      #expect(run.code == .passed, "\(lines): \(run.errors)")
      #expect(try folder.text("j") == whole)
    }
  }

  @Test(arguments: [
    ("for/add#5", "no call at this address waits for its answer; did you mean 'for/add#4'?"),
    ("p.fail#1", "'p' keeps its state in memory, so the call is made again"),
    ("for/add#1", "the call has its answer already"),
    ("finally/clean#1", "the call did not fail, so it is made again"),
  ])
  func `a call that is made again in any case cannot be done`(
    _ call: String, _ problem: String
  ) async throws {
    if call.hasPrefix("p.") {
      try folder.write(
        "flow: 1\ncomponents: {p: {plugin: probe}}\nsteps: [{uses: p.fail, with: {code: refused}}]\n",
        to: "s.yaml")
    }
    _ = try await flow("run", "@/s.yaml", "--journal", "@/j")
    let before = try folder.text("j")
    let run = try await flow("resume", "@/j", "--retry-failed", "--done", call)

    #expect(run.errors == "flow: '--done \(call)': \(problem)\nsee 'flow help resume'\n")
    #expect(try folder.text("j") == before)
  }

  // MARK: - Calls that were done

  private func stopAtUnknown() async throws {
    try folder.write("", to: "refused")
    _ = try await flow("run", "@/s.yaml", "--journal", "@/j")
    // The header, the opening, and a call without its answer.
    try journal(keeping: 4)
    try folder.write("", to: "added")
  }

  @Test func `a call that was done is not made again`() async throws {
    try await stopAtUnknown()
    let unknown = try await flow("resume", "@/j")
    let run = try await flow("resume", "@/j", "--done", #"for/add#1={"number":7}"#)

    #expect(
      unknown.errors.contains(
        #"""
          note: or with --done 'for/add#1={"number":0}' if it took effect, with the values of its answer

        """#))
    #expect(run.errors == "")
    #expect(run.code == .passed)
    #expect(try added == ["1", "2", "3", "4", "last", "clean"])
    #expect(
      try folder.text("j").contains(#"{"at":"for/add#1","ok":{"number":7},"by":"person","crc":""#))
  }

  @Test(arguments: [
    ("for/ad#1", "no call at this address waits for its answer; did you mean 'for/add#1'?"),
    (
      "for/add#1",
      #"the answer lacks 'number' (int), as in --done 'for/add#1={"number":0}'"#
    ),
    (
      #"for/add#1={"number":"x"}"#,
      #"the answer, as in --done 'for/add#1={"number":0}': 'number': expected int, got "x""#
    ),
    ("for/add#1=7", "the answer is not a JSON object"),
  ])
  func `a call that cannot be recorded as done is refused`(
    _ option: String, _ problem: String
  ) async throws {
    try await stopAtUnknown()
    let before = try folder.text("j")
    let run = try await flow("resume", "@/j", "--done", option)

    let address = option.prefix { $0 != "=" }
    #expect(run.errors == "flow: '--done \(address)': \(problem)\nsee 'flow help resume'\n")
    #expect(run.code == .badCommandLine)
    #expect(try folder.text("j") == before)
  }
}
