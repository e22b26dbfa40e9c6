import FlowCore
import FlowEngine
import FlowPlan
import FlowScenario
import FlowTranscript
import TestKit
import Testing

@Suite struct RecordReplayTests {
  static let scenario = """
    flow: 1
    inputs:
      by: {type: int, default: 2}
    components:
      p: {plugin: probe, with: {start: 1}}
    steps:
      - id: first
        uses: p.count
        with: {by: "${{ inputs.by }}"}
      - id: all
        uses: p.types
      - uses: p.fail
        with: {code: refused}
        expect: {error: refused}
    outputs:
      value: ${{ steps.first.value }}
    """

  static let transcript = """
    {"transcript":1,"scenario":"test.yaml","digest":"sha256:DIGEST","plugins":{"probe":"1.2"},"inputs":{"by":2},"seed":"0","defaults":["by"]}
    {"at":"components/p#1","invoke":"p","input":{"start":1}}
    {"at":"components/p#1","ok":{}}
    {"at":"first#1","invoke":"p.count","input":{"by":2}}
    {"at":"first#1","emit":"p.counted","payload":{"value":3}}
    {"at":"first#1","ok":{"value":3}}
    {"at":"all#1","invoke":"p.types","input":{}}
    {"at":"all#1","ok":{"bool":true,"unsigned":18446744073709551615,"decimal":"-12.50","color":"green","bytes":"AP8K","instant":"1970-01-01T00:00:00Z","span":"-1.5s","items":[{"name":"a\\"b","size":0.5},{"name":""}],"sizes":{"a":1,"b":2}}}
    {"at":"p.fail#1","invoke":"p.fail","input":{"code":"refused"}}
    {"at":"p.fail#1","error":"refused","message":"asked to fail with refused"}
    {"at":"steps","end":"passed","outputs":{"value":3}}

    """

  @Test func `a run is recorded line by line`() async throws {
    let recorded = try await record(Self.scenario)

    #expect(recorded == Self.transcript.replacing(existing: "DIGEST", with: try Self.digest))
  }

  @Test func `recording twice gives the same bytes`() async throws {
    let first = try await record(Self.scenario)
    let second = try await record(Self.scenario)

    #expect(first == second)
  }

  @Test func `a replay has the same events without the components`() async throws {
    let live = try await ProbeRun(Self.scenario)
    let replayed = try await replay(Self.transcript, Self.scenario)

    #expect(replayed.events == live.events.map(\.line))
    #expect(replayed.failures == "")
  }

  @Test func `attempts are recorded at one address and replayed in their order`() async throws {
    let text = """
      flow: 1
      components:
        p: {plugin: probe}
      steps:
        - id: a
          uses: p.flaky
          with: {failures: 1}
          retry: {attempts: 2}
          expect: {value: 2}
      """
    let recorded = try await record(text)
    let replayed = try await replay(recorded, text)

    #expect(
      recorded.split(separator: "\n").dropFirst(3).joined(separator: "\n") == """
        {"at":"a#1","invoke":"p.flaky","input":{"failures":1,"code":"refused"}}
        {"at":"a#1","error":"refused","message":"attempt 1 failed"}
        {"at":"a#1","invoke":"p.flaky","input":{"failures":1,"code":"refused"}}
        {"at":"a#1","ok":{"value":2}}
        {"at":"steps","end":"passed","outputs":{}}
        """)
    #expect(replayed.failures == "")
    #expect(replayed.events == (try await ProbeRun(text)).events.map(\.line))
  }

  @Test func `an earlier attempt does not fail with an error that nobody declares`() async throws {
    let text = """
      flow: 1
      components:
        p: {plugin: probe}
      steps:
        - {id: a, uses: p.flaky, with: {failures: 1}, retry: {attempts: 2}}
      """
    let recorded = try await record(text).replacing(
      #""error":"refused""#, with: #""error":"rejected""#)
    let replayed = try await replay(recorded, text)

    #expect(
      replayed.failures.hasPrefix(
        "test.yaml:5:5: error: the error 'rejected' recorded at 'a#1' is not declared [F3005]\n"))
  }

  @Test func `an unexpected failure is declared by every operation`() async throws {
    let text = """
      flow: 1
      components: {p: {plugin: probe}}
      steps: [{uses: p.crash, continue-on-error: true}]
      """

    #expect(try await replay(try await record(text), text).failures == "")
  }

  struct Change: Sendable, CustomTestStringConvertible {
    let id: String
    var transcript: (@Sendable (String) -> String) = { $0 }
    var scenario: (@Sendable (String) -> String) = { $0 }
    let expected: String
    var testDescription: String { id }
  }

  @Test(arguments: changes) func `a replay that departs says how`(_ change: Change) async throws {
    let run = try await replay(
      change.transcript(Self.transcript), change.scenario(Self.scenario))

    #expect(run.failures == change.expected)
  }

  static let changes: [Change] = [
    Change(
      id: "an output",
      transcript: {
        $0.replacing(
          existing: "{\"value\":3}}\n{\"at\":\"all", with: "{\"value\":4}}\n{\"at\":\"all")
      },
      scenario: {
        $0.replacing(existing: "  - id: all", with: "    expect: {value: 3}\n  - id: all")
      },
      expected: """
        test.yaml:10:14: error: 'first#1' did not answer as expected [F2001]
           10 |     expect: {value: 3}
              |              ^^^^^^^^
          note: value: expected 3, got 4
          input: {by: 2}
          answer: {value: 4}

        """),
    Change(
      id: "an input",
      scenario: { $0.replacing(existing: "${{ inputs.by }}", with: "${{ inputs.by + 1 }}") },
      expected: """
        test.yaml:7:5: error: the input of 'first#1' has changed [F3003]
            7 |   - id: first
              |     ^^^^^^^^^
          note: by: recorded 2, now 3
          note: if the change is intended, record again with '--record'

        """),
    Change(
      id: "a new step",
      scenario: {
        $0.replacing(existing: "outputs:", with: "  - {id: more, uses: p.count}\noutputs:")
      },
      expected: """
        test.yaml:15:5: error: 'more#1' is not in the transcript [F3001]
           15 |   - {id: more, uses: p.count}
              |     ^^^^^^^^^^^^^^^^^^^^^^^^^
          note: it calls 'p.count' with {by: 1}
          note: the most similar call is on line 4, 'first#1', but is already used
          note: by: recorded 2, now 1
          note: if the change is intended, record again with '--record'

        """),
    Change(
      id: "a step less",
      scenario: { $0.replacing(existing: "  - id: all\n    uses: p.types\n", with: "") },
      expected: """
        error: 1 recorded call was never made [F3006]
          note: line 7: 'all#1' called 'p.types'
          note: if the change is intended, record again with '--record'

        """),
    Change(
      id: "another operation",
      scenario: { $0.replacing(existing: "uses: p.types", with: "uses: p.random") },
      expected: """
        test.yaml:10:5: error: 'all#1' calls 'p.random', recorded 'p.types' [F3002]
           10 |   - id: all
              |     ^^^^^^^
          note: if the change is intended, record again with '--record'

        """),
    Change(
      id: "an event that nobody declares",
      transcript: { $0.replacing(existing: "p.counted", with: "p.recounted") },
      expected: """
        test.yaml:7:5: error: the event 'p.recounted' recorded at 'first#1' is not declared [F3005]
            7 |   - id: first
              |     ^^^^^^^^^
          note: if the change is intended, record again with '--record'

        """),
    Change(
      id: "an error that nobody declares",
      transcript: { $0.replacing(#""error":"refused""#, with: #""error":"rejected""#) },
      expected: """
        test.yaml:12:5: error: the error 'rejected' recorded at 'p.fail#1' is not declared [F3005]
           12 |   - uses: p.fail
              |     ^^^^^^^^^^^^
          note: 'p.fail' declares 'too-many', 'refused'
          note: if the change is intended, record again with '--record'

        """),
    Change(
      id: "a payload of another type",
      transcript: {
        $0.replacing(existing: "\"payload\":{\"value\":3}", with: "\"payload\":{\"value\":\"3\"}")
      },
      expected: """
        test.yaml:7:5: error: the payload of 'p.counted' recorded at 'first#1' does not fit [F3005]
            7 |   - id: first
              |     ^^^^^^^^^
          note: 'value': expected int, got "3"
          note: if the change is intended, record again with '--record'

        """),
    Change(
      id: "a decimal written as a number",
      transcript: { $0.replacing(existing: "\"decimal\":\"-12.50\"", with: "\"decimal\":-12.5") },
      expected: """
        test.yaml:10:5: error: the recorded answer of 'all#1' does not fit 'p.types' [F3005]
           10 |   - id: all
              |     ^^^^^^^
          note: 'decimal': expected decimal, got the double -12.5
          note: if the change is intended, record again with '--record'

        """),
    Change(
      id: "another end",
      transcript: { $0.replacing(existing: "\"end\":\"passed\"", with: "\"end\":\"failed\"") },
      expected: """
        error: the recorded run failed, this one passed [F3007]
          note: if the change is intended, record again with '--record'

        """),
    Change(
      id: "another output",
      transcript: {
        $0.replacing(existing: "\"outputs\":{\"value\":3}", with: "\"outputs\":{\"value\":4}")
      },
      expected: """
        error: the outputs have changed [F3008]
          note: value: recorded 4, now 3
          note: if the change is intended, record again with '--record'

        """),
    Change(
      id: "an event after its call was answered",
      transcript: {
        $0.replacing(
          existing: "{\"at\":\"all#1\",\"invoke\"",
          with:
            "{\"at\":\"first#1\",\"emit\":\"p.counted\",\"payload\":{\"value\":9}}\n{\"at\":\"all#1\",\"invoke\""
        )
      }, expected: ""),
    Change(
      id: "an answer of another type",
      transcript: { $0.replacing(existing: "\"color\":\"green\"", with: "\"color\":\"blue\"") },
      expected: """
        test.yaml:10:5: error: the recorded answer of 'all#1' does not fit 'p.types' [F3005]
           10 |   - id: all
              |     ^^^^^^^
          note: 'color': expected 'red' or 'green', got "blue"
          note: if the change is intended, record again with '--record'

        """),
  ]

  // MARK: - Steps of the tests

  private static var digest: String {
    get throws { String(try ProbeRun.plan(scenario).digest.dropFirst("sha256:".count)) }
  }

  private func record(_ text: String) async throws -> String {
    let plan = try ProbeRun.plan(text)
    let recorder = Recorder(scenario: "test.yaml")
    _ = await Session(of: plan, sinks: [recorder], options: .init(in: Directory(".")))
      .run(inputs: try plan.inputValues(texts: []))
    return recorder.text
  }

  private func replay(
    _ transcript: String, _ text: String
  ) async throws -> (events: [String], failures: String) {
    let plan = try ProbeRun.plan(text)
    let lines = Array(transcript.replacing("DIGEST", with: try Self.digest).utf8)
    let transcript = try TranscriptReader.read(lines, file: "test.jsonl")
    let log = EventLog()
    let report = await Replay(transcript, of: plan, acceptance: "--record").run(
      inputs: try transcript.header.inputValues(for: plan, file: "test.jsonl"), sinks: [log])
    let renderer = DiagnosticRenderer(sources: [plan.file: Array(text.utf8)])
    return (log.events.map(\.line), report.diagnostics.map(renderer.render).joined())
  }
}
