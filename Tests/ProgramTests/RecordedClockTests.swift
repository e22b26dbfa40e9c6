import Foundation
import TestKit
import Testing

/// Programs with the date of a recording.
@Suite struct RecordedClockTests {
  private static let scenario = """
    flow: 1
    components:
      programs: {plugin: process, live: true}
    steps:
      - {id: day, uses: programs.run, with: {argv: [sh, -c, "date -u +%Y-%m-%d"], clock: recorded}}
      - {id: today, uses: programs.run, with: {argv: [date, -u, +%Y]}, volatile: [stdout]}

    """

  private static let hasLibrary =
    (FileManager.default.enumerator(atPath: "/usr/lib")?.compactMap { $0 as? String } ?? [])
    .contains { $0.hasSuffix("/faketime/libfaketimeMT.so.1") }

  @Test(.enabled(if: hasLibrary, "no libfaketime here"))
  func `a program has the day of the recording in a replay, and no other one has`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.scenario, to: "scenario.yaml")
    let recorded = try await BuiltProgram.run(
      "flow", ["run", "scenario.yaml", "--record", "--quiet"], in: folder)
    try #require(recorded.code == 0, "\(recorded.errors)")
    let today = String(Date.now.ISO8601Format().prefix(10))
    try folder.write(
      try folder.text("scenario.transcript.jsonl").unsealed
        .replacing(today + "T", with: "2019-05-17T").replacing(today, with: "2019-05-17"),
      to: "scenario.transcript.jsonl")

    let run = try await BuiltProgram.run("flow", ["test", "scenario.yaml", "--quiet"], in: folder)

    #expect(run.code == 0, "\(run.errors)")
  }

  @Test func `any other clock is an error`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      Self.scenario.replacing("clock: recorded", with: "clock: real"), to: "scenario.yaml")

    let run = try await BuiltProgram.run("flow", ["run", "scenario.yaml", "--quiet"], in: folder)

    #expect(run.code == 1)
    #expect(
      run.errors.contains("'day#1' failed with the error 'invalid' [F2002]"), "\(run.errors)")
    #expect(run.errors.contains("note: 'clock' has one value, 'recorded'"), "\(run.errors)")
  }
}
