import FlowCommand
import FlowCore
import FlowTesting
import TestKit
import Testing

/// Files, defaults and settings that have changed since a scenario was recorded.
@Suite struct StaleTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "flow.yaml")
    try folder.write("in,out\n1,2\n2,4\n", to: "data/cases.csv")
    try folder.write("sizes: {s: 1, m: 2}\n", to: "sizes.yaml")
    try folder.write("flow: 1\nsteps: [{wait: 0s}]\n", to: "suite/empty.yaml")
  }

  private func write(_ steps: String, inputs: String = "", with: String = "") throws {
    try folder.write(
      """
      flow: 1
      inputs: {\(inputs)}
      components:
        files: {plugin: file}
        sh: {plugin: process}
        money: {plugin: balance, with: {opening: 10.00\(with)}}
      steps:
      \(steps)
        - {uses: money.load}
        - {uses: sh.run, with: {argv: ["true"]}}

      """, to: "suite/s.yaml")
  }

  private func record(_ options: String...) async throws {
    let run = try await FlowRun(["run", path, "--record", "--quiet"] + options)
    #expect(run.code == .passed, "\(run.errors)")
  }

  private var path: String { folder.path("suite/s.yaml") }

  private func test(_ options: String...) async throws -> FlowRun {
    try await FlowRun(["test", path, "--update", "never"] + options)
  }

  private var files: String? {
    get throws {
      try folder.text("suite/s.transcript.jsonl").firstMatch(of: /,"files":(\{.*\}),"seal":/)
        .map { String($0.1) }
    }
  }

  private static let table =
    "  - {id: table, uses: files.read, with: {path: ../data/cases.csv, as: csv}}\n"
    + "  - {id: again, uses: files.read, with: {path: ../data/cases.csv}}"

  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let steps: String
    let file: String
    let content: String
    let message: String
  }

  private static let changes = [
    Change(
      testDescription: "a changed expectation in a table", steps: table, file: "data/cases.csv",
      content: "in,out\n1,2\n2,5\n",
      message: "'../data/cases.csv' has changed since 'table' was recorded [F3014]"),
    Change(
      testDescription: "an added row", steps: table, file: "data/cases.csv",
      content: "in,out\n1,2\n2,4\n3,6\n",
      message: "'../data/cases.csv' has changed since 'table' was recorded [F3014]"),
    Change(
      testDescription: "a document, in a loop",
      steps: """
          - for: n
            in: [1, 2]
            do: [{id: sizes, uses: files.read, with: {path: ../sizes.yaml, as: yaml}}]
        """, file: "sizes.yaml", content: "sizes: {s: 1, m: 3}\n",
      message: "'../sizes.yaml' has changed since 'for/sizes' was recorded [F3014]"),
  ]

  @Test(arguments: changes) func `a test fails that was recorded with another file`(
    _ change: Change
  ) async throws {
    try write(change.steps)
    try await record()
    let same = try await test()
    try folder.write(change.content, to: change.file)
    let strict = try await test()
    let replay = try await FlowRun("replay", folder.path("suite/s.transcript.jsonl"))
    let allowed = try await test("--allow", "stale")
    let problems = try await ScenarioFile(path).problemsOfReplay(try Registry(FlowRun.shipped))

    #expect(same.code == .passed, "\(same.errors)")
    #expect([strict.code, replay.code, allowed.code] == [.failed, .failed, .passed])
    #expect(strict.output.contains("s.yaml  (stale, "), "\(strict.output)")
    for errors in [strict.errors, replay.errors, problems.map(\.text).joined()] {
      #expect(errors.contains(change.message), "\(errors)")
    }
    #expect(
      strict.errors.contains(
        """
          note: its recorded answer was made of the old content
          note: if the change is intended, record again with 'flow test \(path) --update failed'
          note: '--allow stale' accepts the recorded answers once

        """), "\(strict.errors)")
    #expect(
      allowed.errors.hasPrefix("note: allowed: \(change.message.dropLast(" [F3014]".count)) ("))
  }

  @Test func `the file is recorded anew with the answers`() async throws {
    try write(Self.table)
    try await record()
    let old = try files
    try folder.write("in,out\n1,3\n", to: "data/cases.csv")
    let update = try await FlowRun("test", path, "--update", "failed")
    let run = try await test()

    #expect(update.output.hasPrefix("recorded "), "\(update.output)\(update.errors)")
    #expect(run.code == .passed, "\(run.errors)")
    #expect(try files != old)
    #expect(
      try files?.matches(of: /"(table|again)":\{"\.\.\/data\/cases\.csv":"sha256:[0-9a-f]{64}"\}/)
        .count == 2)
  }

  @Test func `a missing file, and a file of a step that is not reached, are no difference`()
    async throws
  {
    try write(
      Self.table
        + "\n  - {if: \"${{ inputs.sizes }}\", uses: files.read, with: {path: ../sizes.yaml}}",
      inputs: "sizes: {type: bool, default: false}")
    try await record()
    try folder.remove("data/cases.csv")
    try folder.write("other", to: "sizes.yaml")
    let run = try await test()

    #expect(run.code == .passed, "\(run.errors)")
  }

  struct Substitute: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let put: @Sendable (TemporaryFolder) throws -> Void
    let reason: String
  }

  @Test(arguments: [
    Substitute(
      testDescription: "a folder", put: { try $0.write("", to: "data/cases.csv/file") },
      reason: "not a file"),
    Substitute(
      testDescription: "a pipe", put: { try $0.makePipe("data/cases.csv") }, reason: "not a file"),
    Substitute(
      testDescription: "a link out of the project",
      put: { try $0.link("data/cases.csv", to: "/dev/null") },
      reason: "the path is outside the project's folder"),
    Substitute(
      testDescription: "a circle of links", put: { try $0.link("data/cases.csv", to: "cases.csv") },
      reason: "too many levels of symbolic links"),
  ]) func `something in place of a file that cannot be read is a difference`(
    _ substitute: Substitute
  ) async throws {
    try write(Self.table)
    try await record()
    try folder.remove("data/cases.csv")
    try substitute.put(folder)
    let strict = try await test()
    let allowed = try await test("--allow", "stale")

    #expect([strict.code, allowed.code] == [.failed, .passed])
    #expect(
      strict.errors.contains(
        """
        error: '../data/cases.csv' could be read when 'table' was recorded, but not now [F3014]
            8 |   - {id: table, uses: files.read, with: {path: ../data/cases.csv, as: csv}}
              |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          note: cannot read '../data/cases.csv': \(substitute.reason)
          note: its recorded answer was made of the old content
          note: if the change is intended, record again with 'flow test \(path) --update failed'
          note: '--allow stale' accepts the recorded answers once

        """), "\(strict.errors)")
  }

  @Test func `what the run itself writes is not recorded as a file`() async throws {
    try folder.write("old", to: "data/kept.txt")
    try write(
      """
        - {uses: files.write, with: {path: ../data/own.txt, text: own}}
        - {uses: files.read, with: {path: ../data/own.txt}}
        - {uses: files.read, with: {path: ../data/kept.txt}}
        - {uses: files.append, with: {path: ../data/kept.txt, text: new}}
        - {uses: sh.run, with: {argv: [sh, -c, "sleep 0.05; echo made > ../data/made.txt"]}}
        - {uses: files.read, with: {path: ../data/made.txt}}
        - {uses: files.read, with: {path: ../sizes.yaml}}
      """)
    try await record()

    let files = try files ?? ""
    #expect(files.contains(/^\{"[^"]+":\{"\.\.\/sizes\.yaml":"[^"]+"\}\}$/), "\(files)")
  }

  @Test func `a file with a secret is not recorded by its digest`() async throws {
    try folder.write("a token: s3cret-token\n", to: "data/cases.csv")
    try write(
      Self.table + "\n  - {uses: sh.run, with: {argv: [echo, \"${{ inputs.token }}\"]}}",
      inputs: "token: {type: string, secret: true}")
    try folder.write("s3cret-token", to: "token")
    try await record("--secret", "token=@\(folder.path("token"))")

    #expect(try files == nil)
  }

  @Test func `a live component reads the present file`() async throws {
    try write(Self.table)
    try await record()
    try folder.write("in,out\n1,2\n2,5\n", to: "data/cases.csv")
    let run = try await test("--live=files")

    #expect(run.code == .failed)
    #expect(run.errors.contains("[F3009]") && !run.errors.contains("[F3014]"), "\(run.errors)")
  }

  private static let echo =
    "  - {id: echo, uses: sh.run, with: {argv: [echo, \"${{ inputs.name }}\"]}}"

  @Test func `another default of an input that was not given fails a replay`() async throws {
    try write(Self.echo, inputs: "name: {type: string, default: one}, n: {type: int, default: 3}")
    try await record()
    let same = try await test()
    try write(Self.echo, inputs: "name: {type: string, default: two}, n: {type: int, default: 3}")
    let strict = try await test()
    let allowed = try await test("--allow", "stale")
    let update = try await FlowRun("test", path, "--update", "failed")
    let transcript = try folder.text("suite/s.transcript.jsonl")
    let again = try await test()

    #expect(
      [same.code, strict.code, allowed.code, again.code] == [.passed, .failed, .passed, .passed])
    #expect(
      strict.errors.contains(
        """
        error: the default of the input 'name' has changed since it was recorded [F3014]
          note: recorded "one", now "two"
          note: if the change is intended, record again with 'flow test \(path) --update failed'
          note: '--allow stale' accepts the recorded answers once

        """), "\(strict.errors)")
    #expect(allowed.errors.hasPrefix("note: allowed: the default of the input 'name' has changed"))
    #expect(update.output.hasPrefix("recorded "), "\(update.output)\(update.errors)")
    #expect(
      transcript.contains(#""inputs":{"name":"two","n":3},"seed":"0","defaults":["name","n"]"#))
  }

  @Test func `a live run has the present default, and a given input needs none`() async throws {
    try write(Self.echo, inputs: "name: {type: string, default: one}")
    try await record("--input", "name=three")
    try write(Self.echo, inputs: "name: {type: string, default: two}")
    let given = try await test()
    try await record()
    try write(Self.echo, inputs: "name: {type: string, default: four}")
    let live = try await test("--live")

    #expect(given.code == .passed, "\(given.errors)")
    #expect(live.code == .passed, "\(live.errors)")
  }

  @Test func `another setting of an absent component fails a replay`() async throws {
    try write(Self.echo, inputs: "name: {type: string, default: one}")
    try await record()
    try write(Self.echo, inputs: "name: {type: string, default: one}", with: ", file: m.txt")
    let run = try await test("--live=sh")
    let replay = try await test()

    #expect([run.code, replay.code] == [.failed, .failed])
    for errors in [run.errors, replay.errors] {
      #expect(
        errors.contains("the input of 'components/money#1' has changed [F3003]"), "\(errors)")
    }
  }
}
