import FlowCore
import FlowEngine
import FlowScenario
import FlowTranscript
import TestSupport
import Testing

/// Fields that a component declares volatile.
@Suite struct VolatileTests {
  private static let scenario = """
    flow: 1
    components: {s: {plugin: station}}
    steps:
      - id: read
        uses: s.read
        expect: {name: north}
    outputs: {reading: "${{ steps.read.at }}"}
    """

  @Test func `recording twice gives the same bytes though the values vary`() async throws {
    let first = try await record()
    let second = try await record()

    #expect(first.isEmpty == false && first == second)
    #expect(
      first.split(separator: "\n").dropFirst(3).joined(separator: "\n") == """
        {"at":"read#1","invoke":"s.read","input":{}}
        {"at":"read#1","emit":"s.measured","payload":{"serial":{"$any":"int","example":0},"name":"north"}}
        {"at":"read#1","ok":{"name":"north","at":{"$any":"timestamp","example":"1970-01-01T00:00:00Z"},\
        "color":{"$any":"string","example":"red"},"inner":{"$any":"map","example":{"serial":0,"name":""}},\
        "note":{"$any":"any","example":null},"span":{"$any":"duration","example":"0s"}}}
        {"at":"steps","end":"passed","outputs":{"reading":{"$timestamp":"1970-01-01T00:00:00Z"}}}
        """)
  }

  @Test func `a replay serves zeroes`() async throws {
    let recorded = try await record()
    let transcript = try TranscriptReader.read(Array(recorded.utf8), file: "t.jsonl")
    let log = EventLog()
    let report = await Replay(transcript, of: try Self.plan()).run(inputs: [], sinks: [log])

    #expect(report.passed)
    #expect(
      log.events.map(\.line).contains(
        "read#1 answers {name: \"north\", at: 1970-01-01T00:00:00Z, color: \"red\", "
          + "inner: {serial: 0, name: \"\"}, note: null, span: 0s}"))
  }

  @Test func `a journal keeps what was answered`() async throws {
    let output = OutputText()
    let recorder = JournalRecorder(scenario: "s", run: "r") { bytes, _ in output.append(bytes) }
    try await run([recorder])

    #expect(!output.text.contains("$any"))
    #expect(output.text.contains(#""name":"north","at":"20"#))
  }

  // MARK: - Steps of the tests

  private static func plan() throws -> Plan {
    try ScenarioLoader(registry: try Registry([Station.self])).plan(
      ScenarioSource(file: "test.yaml", bytes: Array(scenario.utf8)))
  }

  private func record() async throws -> String {
    let output = OutputText()
    try await run([Recorder(scenario: "test.yaml") { output.append($0) }])
    // The output of the scenario is what the component said; the rest of the run is the same.
    return output.text.replacing(
      /"\$timestamp":"20[^"]*"/, with: #""$timestamp":"1970-01-01T00:00:00Z""#)
  }

  private func run(_ sinks: [any EventSink]) async throws {
    let plan = try Self.plan()
    _ = await Session(of: plan, sinks: sinks, options: .init(in: Directory("."))).run(inputs: [])
  }
}
