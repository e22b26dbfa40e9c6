import FlowCore
import FlowDatabase
import Foundation
import TestKit
import Testing

/// Runs of the built program with a journal in a database.
@Suite(.enabled(if: DatabaseServer.isHere, Comment(rawValue: DatabaseServer.absence)))
struct TakenOverRunTests {
  private let folder: TemporaryFolder
  private let address: DatabaseAddress
  /// With a password, as it is given.
  private let text: String

  init() async throws {
    folder = try TemporaryFolder()
    text = try await DatabaseServer.shared().url() + "#" + UUID().uuidString
    address = try #require(try DatabaseAddress(text))
  }

  private func flow(_ arguments: String...) async throws -> BuiltProgram {
    try await BuiltProgram.run("flow", arguments, in: folder)
  }

  private func start(_ arguments: String...) throws -> ChildProcess {
    try ChildProcess(BuiltProgram.url("flow").path, arguments, in: folder.directory.path)
  }

  /// Waits for a condition, in a thread that may block.
  private func until(_ isSo: () throws -> Bool) async throws {
    while try !isSo() { try await Task.sleep(for: .milliseconds(5)) }
  }

  private func lineCount() throws -> Int {
    (try? DatabaseJournal.content(of: address).lineCount) ?? 0
  }

  private static let waiting = """
    flow: 1
    components:
      programs: {plugin: process}
      files: {plugin: file}
    steps:
      - {uses: programs.run, with: {argv: ["echo before >>ledger"], shell: true}}
      - {uses: files.wait_for, with: {path: go}}
      - {uses: programs.run, with: {argv: ["echo after >>ledger"], shell: true}}

    """

  @Test func `a stopped process that wakes up when another one goes on is refused`() async throws {
    try folder.write(Array(Self.waiting.utf8), to: "order.yaml")
    let first = try start("run", "order.yaml", "--journal", text)
    try await until { try lineCount() >= 8 }
    first.send(SIGSTOP)

    let second = try start("resume", text)
    try await until { try JournalDatabase(address).journals().contains { $0.name == address.name } }
    try folder.write([], to: "go")
    let resumed = second.ending()
    first.send(SIGCONT)
    let late = first.ending()

    #expect(resumed.code == 0, "\(resumed.errors)")
    #expect(late.code == 75)
    let refusal = """
      cannot write '\(address.description)': another process has taken over the run and continues it
      """
    #expect(
      late.errors.contains("flow: the journal was not written: \(refusal)\n"), "\(late.errors)")
    #expect(try folder.text("ledger") == "before\nafter\n")
    let done = try await flow("resume", text, "--or-run", "order.yaml")
    #expect(
      done.output
        == "the run in '\(address.description)' has finished; there is nothing to resume\n")
    #expect(done.code == 0)
    let report = try await flow("report", text, "--report", "tap=-")
    #expect(report.output.contains("ok 1 - order.yaml"), "\(report.output)\(report.errors)")
  }

  @Test(arguments: [
    (["--force", "--scenario", "none.yaml"], "none.yaml"),
    (["--scenario", "other.yaml"], "'other.yaml' is another scenario"), ([], "key"),
  ])
  func `a resumption that cannot be takes nothing from the run that goes on`(
    _ options: [String], _ reason: String
  ) async throws {
    let secret = "inputs: {key: {type: string, secret: true}}\ncomponents:"
    let scenario = Self.waiting.replacing("components:", with: secret)
    try folder.write(Array(scenario.utf8), to: "order.yaml")
    try folder.write(Array(Self.counting.utf8), to: "other.yaml")
    let run = try start(
      "run", "order.yaml", "--journal", text, "--input", "key=correct-horse-battery")
    try await until { try lineCount() >= 8 }

    let refused = try await BuiltProgram.run("flow", ["resume", text] + options, in: folder)
    try folder.write([], to: "go")
    let ended = run.ending()

    #expect(refused.code == 65)
    #expect(refused.errors.contains(reason), "\(refused.errors)")
    #expect(ended.code == 0, "\(ended.errors)")
    #expect(try folder.text("ledger") == "before\nafter\n")
  }

  @Test func `an interrupted run says how to go on with it`() async throws {
    try folder.write(Array(Self.waiting.utf8), to: "order.yaml")
    let first = try start("run", "order.yaml", "--journal", text)
    try await until { try lineCount() >= 8 }

    first.send(SIGINT)
    let interrupted = first.ending()
    try folder.write([], to: "go")
    let resumed = try await flow("resume", text)

    let hint = "flow: interrupted; continue with: flow resume '\(address.description)'\n"
    #expect(interrupted.errors.hasSuffix(hint), "\(interrupted.errors)")
    #expect(interrupted.code == 130)
    #expect(resumed.code == 0, "\(resumed.errors)")
    #expect(try folder.text("ledger") == "before\nafter\n")
  }

  private static let counting = """
    flow: 1
    components: {account: {plugin: balance, with: {opening: 10.00, file: balance.txt}}}
    steps:
      - for: number
        in: ${{ [1, 2, 3] }}
        do:
          - {uses: account.add, with: {amount: 1.00}}
          - wait: 10ms
      - {id: kept, uses: account.load}
    outputs: {kept: "${{ steps.kept.balance }}"}

    """

  @Test func `it does nothing twice when it is killed at any line and resumed`() async throws {
    try folder.write(Array(Self.counting.utf8), to: "count.yaml")

    for line in [0, 1, 2, 3, 5, 8, 11, 13] {
      let process = try start("resume", text, "--or-run", "count.yaml", "--retry-unknown")
      while process.isRunning, try lineCount() < line { usleep(200) }
      process.send(SIGKILL)
      _ = process.ending()
    }
    let last = try await flow("resume", text, "--or-run", "count.yaml", "--retry-unknown")
    let exported = try await flow("journal", "export", text, "count.journal")
    let replayed = try await flow("resume", "count.journal")

    #expect(last.code == 0, "\(last.errors)")
    #expect(try folder.text("balance.txt").contains("13.00"))
    #expect(exported.output == "exported count.journal\n")
    #expect(replayed.output.contains("has finished"))
    #expect(replayed.code == 0)
  }

  @Test func `journals are listed and pruned by commands`() async throws {
    try folder.write(Array(Self.counting.utf8), to: "count.yaml")
    let database = String(text.prefix { $0 != "#" })
    let name = try #require(address.name)

    let run = try await flow("run", "count.yaml", "--journal", text)
    let again = try await flow("run", "count.yaml", "--journal", text)
    let list = try await flow("journal", "list", database)
    let old = try await flow("journal", "prune", database, "--older-than", "1000h", "--check")

    #expect(run.code == 0, "\(run.errors)")
    #expect(
      again.errors
        == "flow: the journal was not written: cannot write '\(address.description)': "
        + "it already exists; resume it or remove it\n")
    #expect(again.code == 73)
    let line = try #require(list.output.split(separator: "\n").first { $0.hasPrefix(name) })
    #expect(line.hasPrefix("\(name): passed, count.yaml, "))
    #expect(!list.output.contains("none@"))
    #expect(old.output == "")
    #expect(old.code == 0)
  }

  /// Waits for a file unless it is there, and fails while the file `refused` is there.
  private static let judged = """
    flow: 1
    components: {programs: {plugin: process}, files: {plugin: file}}
    inputs: {file: {type: string}}
    steps:
      - {id: before, uses: programs.run, with: {argv: ["true"], shell: true}}
      - {id: gate, uses: files.wait_for, with: {path: "${{ inputs.file }}"}}
      - id: after
        uses: programs.run
        with: {argv: ["test ! -e refused"], shell: true}
        expect: {status: 0}

    """

  /// Creates a schema of the server, and returns the address of the database with its tables there.
  private func schema() async throws -> String {
    let name = "judged" + UUID().uuidString.filter(\.isHexDigit).lowercased()
    let server = try await DatabaseServer.shared()
    try folder.write(
      """
      flow: 1
      inputs: {url: {type: string, secret: true}}
      components: {db: {plugin: sql, with: {url: "${{ inputs.url }}"}}}
      steps: [{uses: db.execute, with: {sql: CREATE SCHEMA \(name)}}]

      """, to: "schema.yaml")
    let made = try await flow("run", "schema.yaml", "--input", "url=\(server.url())")
    try #require(made.code == 0, "\(made.errors)")
    return server.url("options=-c%20search_path%3D\(name)")
  }

  @Test func `a check judges the held, open, passed and failed runs of a database`() async throws {
    try folder.write(Self.judged, to: "judged.yaml")
    let database = try await schema()
    let run = { (name: String, file: String) in
      ["run", "judged.yaml", "--journal", "\(database)#\(name)", "--input", "file=\(file)"]
    }
    var waiting: [ChildProcess] = []
    for name in ["held", "open"] {
      let process = try ChildProcess(
        BuiltProgram.url("flow").path, run(name, "never"), in: folder.directory.path)
      let place = try #require(try DatabaseAddress("\(database)#\(name)"))
      try await until {
        !process.isRunning || ((try? DatabaseJournal.content(of: place).lineCount) ?? 0) >= 8
      }
      waiting.append(process)
    }
    waiting[1].send(SIGKILL)
    _ = waiting[1].ending()
    let passed = try await BuiltProgram.run("flow", run("passed", "judged.yaml"), in: folder)
    try folder.write("", to: "refused")
    let failed = try await BuiltProgram.run("flow", run("failed", "judged.yaml"), in: folder)

    let fits = try await flow("check", "--journals", database)
    try folder.write(
      Self.judged.replacing("id: before", with: "id: first"), to: "judged.yaml")
    let strands = try await flow("check", "--journals", database)
    waiting[0].send(SIGKILL)
    _ = waiting[0].ending()

    #expect([passed, failed].map(\.code) == [0, 1])
    let start = try #require(try DatabaseAddress("\(database)#x")).description.dropLast()
    #expect(
      fits.output == """
        \(start)failed: failed; --retry-failed fits, goes on at 'after#1'
        \(start)held: compatible, unchanged, goes on at 'gate#1'
        \(start)open: compatible, unchanged, goes on at 'gate#1'
        \(start)passed: passed
        4 journals: 2 compatible, 1 passed, 1 failed

        """)
    #expect(
      strands.output.hasSuffix("4 journals: 2 incompatible, 1 passed, 1 failed\n"),
      "\(strands.output)")
    #expect([fits, strands].map(\.code) == [0, 1])
  }
}
