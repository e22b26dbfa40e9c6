import FlowCore
import FlowDatabase
import FlowEngine
import FlowScenario
import FlowTranscript
import Foundation

/// Lines of a journal in PostgreSQL, beside plain statements that insert as many under the same
/// fence.
///
/// The variable `FLOW_DATABASE` is the address of a database, `postgres://HOST/DATABASE`. Without
/// it nothing is measured.
enum DatabaseJournals {
  static let benchmark = Benchmark(name: "database", rounds: 9) {
    guard database != nil else { return [] }
    return Mode.allCases.map { mode in
      Case(
        name: mode.rawValue, figures: [.init("a line", "µs")], isReference: mode == .inserts
      ) {
        try ChildProcess.numbers(
          [$0.benchmarks, Child.database.rawValue, mode.rawValue], count: 1
        ).numbers
      }
    }
  }

  private static let database = ProcessInfo.processInfo.environment["FLOW_DATABASE"]
  private static let count = 2_000

  private enum Mode: String, CaseIterable {
    /// The least: a statement and a commit for each line.
    case inserts = "bare fenced inserts"
    /// Each line is waited for.
    case lines = "lines of a journal, one by one"
    /// Calls of a component outside, each with two lines.
    case calls = "lines of a run, calls outside"
    /// The same in four branches.
    case branches = "lines of a run, four branches"
  }

  /// Prints the microseconds of a line, in the child process.
  static func measure(_ name: String) async throws {
    guard let mode = Mode(rawValue: name), let database,
      let address = try DatabaseAddress("\(database)#\(UUID())")
    else { throw Child.Misuse() }
    let journal = try DatabaseJournal.begin(at: address, mayExist: false)
    let line = [UInt8](repeating: UInt8(ascii: "-"), count: 119) + [0x0A]
    let clock = ContinuousClock()
    let start = clock.now
    switch mode {
    case .inserts: try insert(line.dropLast(), address, database)
    case .lines:
      for _ in 0..<count {
        try journal.append(line)
        try journal.reachDisk()
      }
    case .calls: try await run(1, journal)
    case .branches: try await run(4, journal)
    }
    try journal.release()
    print(start.duration(to: clock.now) / .microseconds(1) / Double(count))
    let all = try JournalDatabase(address)
    for stored in try all.journals() where stored.name == address.name {
      _ = try all.remove(stored)
    }
  }

  private static func insert(
    _ line: ArraySlice<UInt8>, _ address: DatabaseAddress, _ database: String
  ) throws {
    let connection = try DatabaseConnection(database)
    let name = DatabaseConnection.Parameter.text(address.name ?? "")
    try connection.run("update flow_journals set epoch = 1 where name = $1", [name])
    for number in 1...count {
      try connection.run(
        """
        insert into flow_journal_lines (journal, number, line)
        select $1, $2::bigint, $3 from flow_journals where name = $1 and epoch = 1 for share
        """,
        [
          .text(address.name ?? ""), .text("\(number)"),
          .text(String(decoding: line, as: UTF8.self)),
        ])
    }
  }

  private static func run(_ branches: Int, _ journal: DatabaseJournal) async throws {
    let calls = count / 2 / branches
    let loop =
      "[{for: i, in: \"${{ lists.range(\(calls)) }}\", do: [{uses: balance.add, with: {amount: 0.01}}]}]"
    let names = (0..<branches).map { "      b\($0): \(loop)" }.joined(separator: "\n")
    let text = """
      flow: 1
      components: {balance: {plugin: balance}}
      steps:
        - parallel:
      \(names)

      """
    let plan = try ScenarioLoader(registry: try Registry([OutsideBalance.self]))
      .plan(ScenarioSource(file: "database.yaml", bytes: Array(text.utf8)))
    let recorder = JournalRecorder(scenario: "database.yaml", run: "run") {
      try journal.append($0)
    } reachDisk: {
      try journal.reachDisk()
    }
    let session = Session(of: plan, sinks: [recorder])
    let caller = ResumingCaller(nil, in: session, recorder: recorder)
    let report = await session.run(inputs: [], through: caller)
    precondition(report.passed, "the run failed: \(report.failures)")
  }
}
