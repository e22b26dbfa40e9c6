import FlowCore
import FlowEngine
import FlowPlan
import FlowScenario
import FlowTranscript
import TestKit
import Testing

/// Fields declared volatile by a component.
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

  @Test func `what varies is recorded with its value, and any other is accepted`() async throws {
    let recorded = try await record().replacing(/20[0-9]{2}-[-0-9:.T]+Z/, with: "NOW")
      .replacing(/"serial":(\{"\$any":"int","example":)?[0-9]+/) { "\"serial\":\($0.1 ?? "")7" }
      .replacing(/"(red|green)"/, with: "\"red\"")
      .replacing(/"example":("x"|null)/, with: "\"example\":null")
      .replacing(/"example":"[0-9][^"]*s"/, with: "\"example\":\"0s\"")

    #expect(
      recorded.split(separator: "\n").dropFirst(3).joined(separator: "\n") == """
        {"at":"read#1","invoke":"s.read","input":{}}
        {"at":"read#1","emit":"s.measured","payload":{"serial":{"$any":"int","example":7},"name":"north"}}
        {"at":"read#1","ok":{"name":"north","at":{"$any":"timestamp","example":"NOW"},\
        "color":{"$any":"string","example":"red"},"inner":{"$any":"map","example":{"serial":7,"name":"north"}},\
        "note":{"$any":"any","example":null},"span":{"$any":"duration","example":"0s"}}}
        {"at":"steps","end":"passed","outputs":{"reading":{"$timestamp":"NOW"}},"date":"NOW"}
        """)
  }

  @Test func `a replay serves what was recorded, and its outputs agree`() async throws {
    let recorded = try await record()
    let transcript = try TranscriptReader.read(Array(recorded.utf8), file: "t.jsonl")
    let log = EventLog()
    let report = await Replay(transcript, of: try Self.plan()).run(inputs: [], sinks: [log])

    #expect(report.passed)
    let time = try #require(
      recorded.firstMatch(of: /"at":\{"\$any":"timestamp","example":"([^"]+)"/))
    #expect(
      log.events.map(\.line).contains { $0.contains("answers {name: \"north\", at: \(time.1)") })
  }

  @Test func `a journal keeps what was answered`() async throws {
    let output = OutputText()
    let recorder = JournalRecorder(scenario: "s", run: "r") { bytes in output.append(bytes) }
    try await run([recorder])

    #expect(!output.text.contains("$any"))
    #expect(output.text.contains(#""name":"north","at":"20"#))
  }

  @Test(arguments: [
    ##"{"$uint": "5"}"##, ##"{"$duration": "abc"}"##, ##"{"$any": "x", "example": "y"}"##,
    ##"{"$literal": "x"}"##, ##"{"$map": "x", "a": "b"}"##, "{}",
  ]) func `a volatile map is read again, whatever its keys are`(_ headers: String) async throws {
    let text = """
      flow: 1
      components: {p: {plugin: post}}
      steps:
        - {uses: p.send, with: {headers: \(headers)}, volatile: [headers]}
        - {uses: p.receive, with: {headers: \(headers)}}
      """
    let plan = try ScenarioLoader(registry: try Registry([Post.self])).plan(
      ScenarioSource(file: "test.yaml", bytes: Array(text.utf8)))
    let recorder = Recorder(scenario: "test.yaml")
    let session = Session(of: plan, sinks: [recorder], options: .init(in: Directory(".")))
    #expect(await session.run(inputs: []).passed)

    let transcript = try TranscriptReader.read(Array(recorder.text.utf8), file: "t.jsonl")
    let report = await Replay(transcript, of: plan).run(inputs: [])
    #expect(report.diagnostics.map(\.message) == [])
  }

  @Test func `a field at any depth is recorded with its value, and any other is accepted`()
    async throws
  {
    let text = """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - uses: p.echo
          with: {value: {id: 1, rows: [{id: 2, n: 3}, {inner: {id: a}}], $x: {id: 4}}}
          volatile: ["value.**.id"]

      """
    let plan = try ScenarioLoader(registry: try Registry([Probe.self])).plan(
      ScenarioSource(file: "test.yaml", bytes: Array(text.utf8)))
    let recorder = Recorder(scenario: "test.yaml")
    let session = Session(of: plan, sinks: [recorder], options: .init(in: Directory(".")))
    #expect(await session.run(inputs: []).passed)

    let answer = recorder.text.split(separator: "\n").first {
      $0.contains(#""ok":"#) && $0.contains("rows")
    }
    #expect(
      answer.map { $0.drop { $0 != "," }.dropFirst() } == """
        "ok":{"value":{"$map":[["$x",{"id":{"$any":"int","example":4}}],\
        ["id",{"$any":"int","example":1}],["rows",[{"id":{"$any":"int","example":2},"n":3},\
        {"inner":{"id":{"$any":"string","example":"a"}}}]]]}}}
        """)
    let transcript = try TranscriptReader.read(Array(recorder.text.utf8), file: "t.jsonl")
    let report = await Replay(transcript, of: plan).run(inputs: [])
    #expect(report.diagnostics.map(\.message) == [])
  }

  /// Whole answers with volatile fields, in places of any type.
  private static let whole = """
    flow: 1
    components: {s: {plugin: station}, p: {plugin: probe}}
    steps:
      - {id: read, uses: s.read}
      - {uses: p.echo, with: {value: "${{ steps.read }}"}}
      - {uses: p.echo, with: {value: "${{ [steps.read, steps.read] }}"}}
      - {uses: p.echo, with: {value: {a: ["${{ steps.read }}", 1], b: {c: "${{ steps.read.inner }}"}}}}
      - {id: all, for: i, in: [1, 2], do: [{id: again, uses: s.read}], outputs: {list: "${{ steps.again }}"}}
      - {uses: p.echo, with: {value: "${{ steps.all.list.map(x, {x.name: x}) }}"}}
    outputs: {one: "${{ steps.read }}", list: "${{ steps.all.list }}", map: "${{ {'a': {'b': steps.read}} }}"}
    """

  @Test func `an answer that is passed on as a whole is asked for exactly, and replays`()
    async throws
  {
    let plan = try ScenarioLoader(registry: try Registry([Station.self, Probe.self])).plan(
      ScenarioSource(file: "test.yaml", bytes: Array(Self.whole.utf8)))
    let recorder = Recorder(scenario: "test.yaml")
    let session = Session(of: plan, sinks: [recorder], options: .init(in: Directory(".")))
    #expect(await session.run(inputs: []).passed)

    let lines = recorder.text.split(separator: "\n")
    let asked = lines.filter { $0.contains(#""invoke""#) || $0.contains(#""end""#) }
    #expect(asked.filter { $0.contains("$any") } == [])
    let transcript = try TranscriptReader.read(Array(recorder.text.utf8), file: "t.jsonl")
    let report = await Replay(transcript, of: plan).run(inputs: [])
    #expect(report.diagnostics.flatMap { [$0.message] + $0.notes } == [])
    let changed = recorder.text.replacing(
      #""invoke":"p.echo","input":{"value":{"name":"north""#,
      with: #""invoke":"p.echo","input":{"value":{"name":"south""#)
    let departed = try TranscriptReader.read(Array(changed.utf8), file: "t.jsonl")
    let failed = await Replay(departed, of: plan).run(inputs: [])
    #expect(failed.diagnostics.map(\.message) == ["the input of 'p.echo#1' has changed"])
  }

  // MARK: - Steps of the tests

  private static func plan() throws -> Plan {
    try ScenarioLoader(registry: try Registry([Station.self])).plan(
      ScenarioSource(file: "test.yaml", bytes: Array(scenario.utf8)))
  }

  private func record() async throws -> String {
    let recorder = Recorder(scenario: "test.yaml")
    try await run([recorder])
    return recorder.text
  }

  private func run(_ sinks: [any EventSink]) async throws {
    let plan = try Self.plan()
    _ = await Session(of: plan, sinks: sinks, options: .init(in: Directory("."))).run(inputs: [])
  }
}

/// A component that returns the received headers.
private struct Post: Component {
  static let plugin = Plugin(
    "post", version: "1", "Sends.", state: .none,
    operations: [
      Operation(
        "send", "Sends.", headers, answers: Record<[String: String]>("headers", "Those.")
      ) { _, _, headers in headers },
      Operation(
        "receive", "Receives.", headers,
        answers: Record<[String: String]>("headers", "Those.", volatile: true)
      ) { _, _, headers in headers },
    ]
  ) { _ in Post() }

  private static let headers = Parameter<[String: String]>("headers", "What to answer.")
}
