import FlowCommand
import TestKit
import Testing

/// The output of `flow test` about scenarios, and its exit codes.
@Suite struct TestCommandTests {
  private let suite: SuiteFolder

  init() throws {
    suite = try SuiteFolder()
  }

  private func record(_ path: String) async throws {
    _ = try await suite.flow("run", "@/\(path)", "--record")
  }

  @Test func `a scenario is replayed by the transcript beside it`() async throws {
    try suite.writeReader(page: "old")
    try await record("reader.yaml")
    try suite.folder.remove("page.txt")
    let run = try await suite.test()

    #expect(
      run.output == "passed   @/reader.yaml  (T)\npassed in T: scenarios 1 passed\nreplayed: n\n")
    #expect(run.code == .passed)
  }

  @Test func `a replay takes inputs and seed from the transcript`() async throws {
    try suite.folder.write(
      """
      flow: 1
      inputs: {by: {type: int}}
      components: {p: {plugin: probe}}
      steps: [{id: count, uses: p.count, with: {by: "${{ inputs.by }}"}}, {uses: p.random}]

      """, to: "s.yaml")
    _ = try await suite.flow("run", "@/s.yaml", "--record", "--input", "by=5", "--seed", "3")
    let run = try await suite.test()
    let live = try await suite.test("--live")

    #expect([run.code, live.code] == [.passed, .passed])
    #expect(
      live.output == "passed   @/s.yaml  (live, T)\npassed in T: scenarios 1 passed\nlive: p\n")
  }

  @Test(arguments: [
    (#""ok":{"text":"old"}"#, #""ok":{"text":"new"}"#, "error: the outputs have changed [F3008]"),
    (#""end":"passed""#, #""end":"failed""#, "error: the recorded run failed, this one passed"),
    (
      #"{"at":"steps","#, #"{"at":"x#1","invoke":"n.read","input":{}}"#, "1 recorded call was never"
    ),
  ]) func `a replay is strict, also about the end`(
    _ old: String, _ new: String, _ message: String
  ) async throws {
    try suite.writeReader(page: "old")
    try await record("reader.yaml")
    let isMore = old.hasPrefix("{")
    let answer = #"{"at":"x#1","ok":{"text":""}}"#
    let text = try suite.folder.text("reader.transcript.jsonl").unsealed
    try suite.folder.write(
      text.replacing(existing: old, with: isMore ? "\(new)\n\(answer)\n\(old)" : new),
      to: "reader.transcript.jsonl")
    let run = try await suite.test()

    #expect(run.errors.contains(message))
    #expect(run.output.hasPrefix("failed   @/reader.yaml  (T)\n"))
    #expect(run.code == .failed)
  }

  @Test func `what has changed since the recording is told when the replay fails`() async throws {
    try suite.writeReader(page: "old")
    try await record("reader.yaml")
    let text = try suite.folder.text("reader.yaml")
    try suite.folder.write(text + "# a comment\n", to: "reader.yaml")
    let fine = try await suite.test()
    try suite.folder.write(
      text.replacing(existing: "id: read", with: "id: other").replacing(
        existing: "steps.read", with: "steps.other"),
      to: "reader.yaml")
    let recorded = try suite.folder.text("reader.transcript.jsonl").unsealed
    try suite.folder.write(
      recorded.replacing(existing: #""notebook":"1.0""#, with: #""notebook":"0.9""#),
      to: "reader.transcript.jsonl")
    let run = try await suite.test()

    #expect(fine.errors == "")
    #expect(run.errors.contains("error: 'other#1' is not in the transcript [F3001]\n"))
    #expect(
      run.errors.contains(
        "  note: if the change is intended, record again with 'flow test @/reader.yaml --update fai"
      ))
    #expect(
      run.errors.hasSuffix(
        """
        note: '@/reader.yaml' has changed since it was recorded
        note: the plugin 'notebook' is version 1.0 now, and was version 0.9 when recorded

        """))
  }

  @Test func `a transcript that cannot be read is exit 65 and the others run`() async throws {
    try suite.write("a.yaml")
    try suite.write("b.yaml", passes: false)
    try suite.folder.write("nonsense\n", to: "a.transcript.jsonl")
    let run = try await suite.test()

    #expect(run.errors.hasPrefix("@/a.transcript.jsonl:1:1: error: this is not a transcript"))
    #expect(run.output.hasSuffix("\nfailed in T: scenarios 0 passed, 2 failed\nlive: p\n"))
    #expect(run.code == .badInput)
  }

  @Test func `a failure comes with its place, in the order of the scenarios`() async throws {
    for path in ["c.yaml", "a.yaml", "b.yaml"] { try suite.write(path, passes: false) }
    let run = try await suite.test("--jobs", "3")

    #expect(run.errors.matches(of: /@\/(.)\.yaml:5:/).map { String($0.1) } == ["a", "b", "c"])
    #expect(run.code == .failed)
  }

  @Test(arguments: [2, 21])
  func `what components logged is told of a scenario that failed, the latest lines`(
    _ count: Int
  ) async throws {
    let steps = """
      flow: 1
      components: {n: {plugin: notebook}}
      steps:
        - for: i
          in: ${{ lists.range(\(count)) }}
          do: [{id: say, uses: n.say, with: {text: "line ${{ i }}\\n"}}]

      """
    try suite.folder.write(steps, to: "a.yaml")
    try suite.folder.write(steps + "  - assert: [\"${{ 1 == 2 }}\"]\n", to: "b.yaml")
    let run = try await suite.test()

    #expect(
      run.errors.split(separator: "\n").filter { $0.hasPrefix("note: ") }
        == (count > 20 ? ["note: 1 earlier line was logged"] : [])
        + (max(0, count - 20)..<count).map { #"note: for/say#\#($0 + 1) logged: line \#($0)\n"# })
  }

  @Test(.timeLimit(.minutes(30)))
  func `a pipe in the place of a transcript is told and not waited for`()
    async throws
  {
    try suite.write("a.yaml")
    try suite.folder.makePipe("a.transcript.jsonl")
    let run = try await suite.test()

    #expect(
      run.errors == "@/a.yaml: error: cannot read '@/a.transcript.jsonl': not a file [F3101]\n")
    #expect(run.code == .badInput)
  }

  @Test(arguments: ["--quiet", "-q"])
  func `quiet leaves out what passed`(_ option: String) async throws {
    try suite.write("a.yaml")
    try suite.write("b.yaml", passes: false)
    let run = try await suite.test(option)

    #expect(
      run.output
        == "[2/2] failed   @/b.yaml  (live, no transcript, T)\n"
        + "failed in T: scenarios 1 passed, 1 failed\n")
  }

  @Test func `the project file says what the report is like, and an option goes before it`()
    async throws
  {
    try suite.folder.write("flow: 1\nreport: {quiet: true}\n", to: "flow.yaml")
    try suite.write("a.yaml")
    #expect(try await suite.test().output == "passed in T: scenarios 1 passed\n")
    #expect(try await suite.test("--no-quiet").paths == ["a.yaml"])

    try suite.folder.write("flow: 1\nreport: {format: json}\n", to: "flow.yaml")
    #expect(try await suite.test().output.hasPrefix(#"{"format":"flow-verdict""#))
    #expect(try await suite.test("--format", "text").paths == ["a.yaml"])
  }

  @Test func `a report is not quiet and the opposite`() async throws {
    let run = try await suite.test("--quiet", "--no-quiet")

    #expect(
      run.errors
        == "flow: '--quiet' cannot be combined with '--no-quiet'\nsee 'flow help test'\n")
    #expect(run.code == .badCommandLine)
  }

  @Test func `nothing begins after a failure when that is wanted`() async throws {
    for path in ["a.yaml", "b.yaml", "c.yaml"] { try suite.write(path, passes: path != "b.yaml") }
    let run = try await suite.test("--fail-fast", "--jobs", "1")

    #expect(run.paths == ["a.yaml", "b.yaml"])
    #expect(
      run.output.hasSuffix("\nfailed in T: scenarios 1 passed, 1 failed, 1 not run\nlive: p\n"))
    #expect(run.code == .failed)
  }

  @Test(arguments: [("pass", "passed", ExitCode.passed), ("fail", "failed", .failed)])
  func `a scenario that passes and fails is flaky, and fails if it should`(
    _ mode: String, _ verdict: String, _ code: ExitCode
  ) async throws {
    try suite.folder.write(
      "flow: 1\ncomponents: {n: {plugin: notebook}}\nsteps: [{uses: n.flip}]\n", to: "flip.yaml")
    let run = try await suite.flow(
      "test", "@/", "--repeat", "3", "--update", "missing", "--flaky", mode)

    #expect(
      run.output == """
        flaky    @/flip.yaml  (live, no transcript, 2 of 3 failed, T)
        \(verdict) in T: scenarios 0 passed, 1 flaky
        live: n

        """)
    #expect(run.errors.contains("error: 'n.flip#1' failed with the error 'torn' [F2002]"))
    #expect(run.code == code)
    let again = try await suite.test("--rerun-failed")
    #expect(again.paths == (code == .passed ? [] : ["flip.yaml"]))
    try suite.folder.remove("torn")
    let document = try await suite.test(
      "--repeat", "3", "--flaky", mode, "--format", "json", "--details", "-")
    let head = #"{"passed":\#(code == .passed),"scenarios":[{"path":"#
    #expect(document.output.commandReport.hasPrefix(head))
    #expect(document.output.contains(#""verdict":"flaky""#))
  }

  @Test func `live runs are compared with the transcript`() async throws {
    try suite.writeReader(page: "old")
    try await record("reader.yaml")
    try suite.folder.write("new", to: "page.txt")
    let replayed = try await suite.test()
    let live = try await suite.test("--live")

    #expect(replayed.code == .passed)
    #expect(
      live.output
        == "failed   @/reader.yaml  (live, T)\nfailed in T: scenarios 0 passed, 1 failed\nlive: n\n"
    )
    #expect(
      live.errors == """
        @/reader.yaml: error: the components differ from the transcript [F3009]
          note: calls
                changed read#1, n.read
                  ok.text: recorded "old", now "new"
          note: if it differs in each run, declare 'volatile: [text]' in the step 'read'
          note: if the change is intended, record again with 'flow test --live @/reader.yaml --update failed'

        """)
    #expect(live.code == .failed)
    let accepted = try await suite.flow("test", "--live", "@/reader.yaml", "--update", "failed")
    #expect(accepted.output.hasPrefix("recorded @/reader.yaml  (@/reader.transcript.jsonl, T)\n"))
  }

  @Test func `a live run that departs and fails says where, and not how it would be recorded`()
    async throws
  {
    try suite.folder.write(
      """
      flow: 1
      components: {n: {plugin: notebook}}
      steps:
        - {id: read, uses: n.read}
        - assert: ${{ steps.read.text == "old" }}

      """, to: "reader.yaml")
    try suite.folder.write("old", to: "page.txt")
    try await record("reader.yaml")
    try suite.folder.write("new", to: "page.txt")

    let live = try await suite.test("--live=n")

    #expect(
      live.errors == """
        @/reader.yaml: error: the components differ from the transcript [F3009]
          note: calls
                changed read#1, n.read
                  ok.text: recorded "old", now "new"
          note: if it differs in each run, declare 'volatile: [text]' in the step 'read'
        @/reader.yaml:5:17: error: 'assert#1': assertion failed [F2004]
            5 |   - assert: ${{ steps.read.text == "old" }}
              |                 ^^^^^^^^^^^^^^^^^^^^^^^^
          note: steps.read.text is "new", from line 4

        """)
  }

  @Test func `a scenario that waits for an event is recorded, replayed and compared`() async throws
  {
    try suite.folder.write(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - parallel:
            one: [{uses: p.count}]
            two: [{await: p.counted, timeout: 1h}]

      """, to: "a.yaml")
    let recorded = try await suite.flow("test", "@/")
    let replayed = try await suite.test()
    let live = try await suite.test("--live")

    #expect(recorded.output.hasPrefix("recorded @/a.yaml  ("))
    #expect([recorded.errors, replayed.errors, live.errors] == ["", "", ""])
    #expect([recorded.code, replayed.code, live.code] == [.passed, .passed, .passed])
  }

  @Test func `an interrupted scenario runs its finally and is not run`() async throws {
    try suite.folder.write(
      """
      flow: 1
      components: {n: {plugin: notebook}}
      steps: [{uses: n.interrupt}]
      finally: [{uses: n.write, with: {text: done}}]

      """, to: "a.yaml")
    let run = try await suite.flow("test", "@/")

    #expect(
      run.output
        == "not run  @/a.yaml  (interrupted, T)\nfailed in T: scenarios 0 passed, 1 not run\n")
    #expect(
      run.errors == """
        @/a.yaml:3:9: error: 'n.interrupt#1' was cancelled [F2009]
            3 | steps: [{uses: n.interrupt}]
              |         ^^^^^^^^^^^^^^^^^^^

        """)
    #expect(run.code == .interrupted)
    #expect(try suite.folder.text("page.txt") == "done")
    #expect(try suite.folder.names == [".flow", "a.yaml", "flow.yaml", "page.txt"])
  }

  @Test func `nothing runs when the suite is interrupted at its beginning`() async throws {
    try suite.write("a.yaml")
    let folder = suite
    let run = try await Task {
      unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
      return try await folder.flow("test", "@/a.yaml")
    }.value

    #expect(run.code == .interrupted)
  }
}
