import Foundation
import TestKit
import Testing

/// The nightly job of `Examples/`: a busy server, and a process that is killed again and again.
@Suite struct NightlyJobTests {
  private let example = Example("nightly")
  private let folder: TemporaryFolder
  private let server: ShopServer

  init() throws {
    folder = try example.copied()
    server = try ShopServer(
      in: TemporaryFolder(), ["--rows", ScenarioFolder.path + "/data/catalog.json"])
  }

  private static let busy = #"{"path":"/rows","status":503,"times":2}"#

  private func flow(
    _ arguments: String..., killedAt line: Int? = nil
  ) async throws -> BuiltProgram {
    try await BuiltProgram.run("flow", arguments, in: folder, killedAt: line)
  }

  private func input() -> String { "base=\(server.url)" }

  /// The effects of a whole night, independent of its interruptions.
  private func expectDone() async throws {
    #expect(try await server.balance() == "157.00")
    #expect(try await server.changes() == "\"30\"")
    let report = try folder.text("reports/2026-01-31.csv")
    #expect(report.hasPrefix("state,places\r\nCalifornia,6\r\n"))
    #expect(report.split(separator: "\r\n").count == 31)
  }

  @Test func `it tries again while the server is busy, and replays with everything absent`()
    async throws
  {
    try await server.fault(Self.busy)

    let run = try await flow(
      "run", "nightly.yaml", "--input", "day=2026-01-31", "--record", "--input", input())

    #expect(run.errors == "")
    #expect(try run.output.withoutDurations == example.shown)
    let transcript = try folder.text(example.transcript)
    #expect(transcript.matches(of: /"status":503/).count == 2)
    try await expectDone()
    try await example.replays(transcript)
  }

  @Test(arguments: [[20, 50, 90], [33, 34, 35], [7, 71, 100]])
  func `it does nothing twice when it is killed and resumed`(_ lines: [Int]) async throws {
    try await server.fault(Self.busy)
    // So that the run does not end before it is killed.
    try await server.fault(#"{"path":"/balance/add","delay":"50ms","times":1000}"#)
    let first = try await flow(
      "run", "nightly.yaml", "--input", "day=2026-01-31", "--input", input(), "--journal",
      "journal", killedAt: lines[0])
    #expect(first.wasKilled, "\(first.errors)")
    for line in lines.dropFirst() {
      let run = try await flow("resume", "journal", "--retry-unknown", killedAt: line)
      #expect(run.wasKilled, "\(run.errors)")
    }

    let last = try await flow("resume", "journal", "--retry-unknown")

    #expect(last.errors == "")
    // How much the journal had depends on where the process was killed.
    let served = #/(?:\d+ of \d+ calls )?served, /#
    #expect(
      try last.output.withoutDurations.replacing(served, with: "")
        == example.shown("flow resume journal").replacing(served, with: ""))
    try await expectDone()
    try await example.replays(folder.text("journal"))
  }
}
