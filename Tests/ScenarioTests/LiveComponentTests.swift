import FlowCommand
import TestKit
import Testing

/// Components that a scenario declares `live: true`, beside others served from a transcript.
@Suite struct LiveComponentTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "flow.yaml")
    try folder.write("in,out\n1,2\n2,4\n", to: "cases.csv")
  }

  private func write(live: String = "true", with column: String = "int") throws {
    try folder.write(
      """
      flow: 1
      components:
        files: {plugin: file, live: \(live)}
        sh: {plugin: process}
      steps:
        - {id: table, uses: files.read, with: {path: cases.csv, as: csv, columns: {in: int, out: \(column)}}}
        - for: c
          in: ${{ steps.table.data }}
          do:
            - uses: sh.run
              with: {argv: [sh, -c, "echo $(( ${{ c['in'] }} * 2 ))"]}
              expect: {stdout: "${{ string(c.out) + '\\\\n' }}"}

      """, to: "s.yaml")
  }

  private func record() async throws {
    try write()
    let run = try await flow("run", "s.yaml", "--record", "--quiet")
    #expect(run.code == .passed, "\(run.errors)")
  }

  private func flow(_ command: String, _ arguments: String...) async throws -> FlowRun {
    var all = [command] + arguments
    all[1] = folder.path(all[1])
    return try await FlowRun(all)
  }

  @Test(arguments: [[], ["--live=sh"], ["--live=files"]])
  func `a component with live is called in each test, and others as an option says`(
    _ options: [String]
  ) async throws {
    try await record()
    let run = try await FlowRun(["test", folder.path("s.yaml"), "--update", "never"] + options)

    #expect(run.code == .passed, "\(run.errors)")
    let sources = options == ["--live=sh"] ? "live: files, sh" : "replayed: sh; live: files"
    #expect(run.output.hasSuffix("scenarios 1 passed\n\(sources)\n"), "\(run.output)")
    #expect(run.errors == "")
  }

  @Test(arguments: ["in,out\n1,2\n2,5\n", "in,out\n1,2\n2,4\n3,6\n"])
  func `a changed row and an added one are found through the answer that has them`(
    _ table: String
  ) async throws {
    try await record()
    try folder.write(table, to: "cases.csv")
    let test = try await flow("test", "s.yaml", "--update", "never")
    let replay = try await flow("replay", "s.transcript.jsonl")

    #expect([test.code, replay.code] == [.failed, .failed])
    for run in [test, replay] {
      #expect(run.errors.contains("the components differ from the transcript [F3009]"))
      #expect(run.errors.contains("changed table#1, files.read"), "\(run.errors)")
    }
  }

  @Test(
    arguments: [
      (
        ["test", "s.yaml", "--update", "never"],
        "note: not run, but served from the transcript: 'random'\n"
      ),
      (["test", "s.yaml", "--live"], ""),
    ])
  func `an unmet expectation of a live component is reported with its answer`(
    _ command: [String], _ note: String
  ) async throws {
    try folder.write("1\n", to: "count.txt")
    try folder.write(
      """
      flow: 1
      components: {files: {plugin: file, live: true}, random: {plugin: random}}
      steps:
        - {uses: random.uuid}
        - uses: files.read
          with: {path: count.txt}
          expect: {text: "1\\n"}

      """, to: "s.yaml")
    #expect(try await flow("run", "s.yaml", "--record", "--quiet").code == .passed)
    try folder.write("2\n", to: "count.txt")
    let run = try await FlowRun([command[0], folder.path(command[1])] + command.dropFirst(2))

    #expect(run.code == .failed)
    #expect(
      run.errors.replacing(folder.path("s.yaml"), with: "@/s.yaml") == #"""
        @/s.yaml:7:14: error: 'files.read#1' did not answer as expected [F2001]
            7 |     expect: {text: "1\n"}
              |              ^^^^^^^^^^^
          note: text: expected "1\n", got "2\n"
          input: {path: "count.txt", as: "text"}
          answer: {text: "2\n", size: 2}

        """# + note)
  }

  @Test func `flow mutate alters the answers of the other components alone`() async throws {
    try await record()
    let run = try await flow("mutate", "s.yaml", "--all")

    #expect(run.code == .passed, "\(run.errors)")
    #expect(!run.output.contains("files.read"))
  }

  @Test func `a test in CI needs no transcript if all components have live`() async throws {
    try folder.write(
      """
      flow: 1
      components: {files: {plugin: file, live: true}}
      steps: [{uses: files.read, with: {path: cases.csv, as: csv}}]

      """, to: "s.yaml")
    let run = try await FlowCommandRun(
      ["test", folder.path("s.yaml"), "--update", "never"], environment: ["CI": "true"],
      components: FlowRun.shipped)

    #expect(run.code == .passed, "\(run.errors)")
  }

  @Test func `a component is refused if nothing may be opened that it reaches`() async throws {
    try await record()
    let run = try await flow("test", "s.yaml", "--deny", "files", "--update", "never")

    #expect(run.code == .badInput)
    #expect(run.errors.contains("'files' (plugin file)"), "\(run.errors)")
  }

  @Test func `live is true or false`() async throws {
    try write(live: "always")
    let run = try await flow("check", "s.yaml")

    #expect(
      run.errors.contains(
        "'live' of the component 'files' must be true or false, not the string \"always\" [F1104]"),
      "\(run.errors)")
  }
}
