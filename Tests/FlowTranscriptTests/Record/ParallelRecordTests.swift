import FlowCore
import FlowEngine
import FlowPlan
import FlowScenario
import FlowTranscript
import Synchronization
import TestKit
import Testing

/// Golden transcripts of parallel steps.
@Suite struct ParallelRecordTests {
  private static let scenario = """
    flow: 1
    components: {d: {plugin: dawdler}}
    steps:
      - id: all
        for: x
        in: ${{ lists.range(20) }}
        parallel: 8
        do:
          - {id: one, uses: d.work, with: {number: "${{ x }}"}}
          - parallel:
              left: [{uses: d.work, with: {number: "${{ x + 20 }}"}}]
              right: [{uses: d.work, with: {number: "${{ x + 40 }}"}}, {uses: d.work, with: {number: "${{ x }}"}}]
              last: {needs: [right], do: [{uses: d.work, with: {number: "${{ x + 7 }}"}}]}
          - {uses: d.work, with: {number: "${{ x + 1 }}"}}
        outputs: {numbers: "${{ steps.one.number }}"}
      - {uses: d.work, with: {number: 0}}
    outputs: {numbers: "${{ steps.all.numbers }}"}

    """

  @Test func `the same steps give the same bytes in whatever order they end`() async throws {
    let first = try await Dawdle(Self.scenario) { $0 }
    let second = try await Dawdle(Self.scenario) { 100 - $0 }
    let third = try await Dawdle(Self.scenario) { ($0 * 37) % 11 }

    #expect(first.arrivals != second.arrivals)
    #expect(first.arrivals != third.arrivals)
    #expect(first.text == second.text)
    #expect(first.text == third.text)
  }

  @Test func `lines stand in the order of the scenario`() async throws {
    let run = try await Dawdle(Self.scenario) { 100 - $0 }

    let iteration = [
      "all/one", "all/parallel/left/d.work", "all/parallel/right/d.work",
      "all/parallel/right/d.work[2]", "all/parallel/last/d.work", "all/d.work",
    ]
    // Branches stand as they are written, whatever they need.
    let expected = (1...20).flatMap { index in iteration.map { "\($0)#\(index)" } }
    #expect(run.invocations == ["components/d#1"] + expected + ["d.work#1"])
  }

  @Test func `a branch that waits for a later one keeps its place`() async throws {
    let scenario = """
      flow: 1
      components: {d: {plugin: dawdler}}
      steps:
        - parallel:
            late: {needs: [early], do: [{id: late, uses: d.work, with: {number: 1}}]}
            early: [{id: early, uses: d.work, with: {number: 50}}]
            quick: [{id: quick, uses: d.work, with: {number: 0}}]

      """

    let run = try await Dawdle(scenario) { $0 }

    #expect(
      run.invocations == [
        "components/d#1", "parallel/late/late#1", "parallel/early/early#1",
        "parallel/quick/quick#1",
      ])
  }

  @Test func `what was recorded replays`() async throws {
    let run = try await Dawdle(Self.scenario) { ($0 * 37) % 11 }
    let transcript = try TranscriptReader.read(Array(run.text.utf8), file: "t.jsonl")

    let report = await Replay(transcript, of: run.plan).run(inputs: [])

    #expect(report.passed)
  }
}

/// Works as long as a file says, so that runs of one scenario differ in their order alone.
private struct Dawdler: Component {
  static let plugin = Plugin(
    "dawdler", version: "1", "Takes its time.", state: .none, reaches: [.files],
    operations: operations
  ) { _ in Dawdler() }
  static let operations: [Operation<Dawdler>] = [
    Operation("work", "Takes its time.", input: Work.record, answers: Work.record) {
      _, context, work in
      let delays = try context.directory.read("delays.txt").split(separator: 0x0A)
        .compactMap { Int(String(decoding: $0, as: UTF8.self)) }
      try await context.sleep(for: .milliseconds(delays[work.number]))
      return work
    }
  ]

  struct Work: Sendable {
    let number: Int
    static let record = Record(Work.init(number:), Field("number", \.number, "Which work."))
  }
}

/// A recorded run, whose work of each number takes so many milliseconds of virtual time.
private struct Dawdle {
  let plan: Plan
  let text: String
  /// The addresses of answers in their order.
  let arrivals: [String]

  /// The addresses of calls in the order of the transcript.
  var invocations: [String] {
    text.split(separator: "\n").filter { $0.contains(#","invoke":"#) }
      .map { String($0.dropFirst(7).prefix { $0 != "\"" }) }
  }

  init(_ scenario: String, _ milliseconds: (Int) -> Int) async throws {
    let folder = try TemporaryFolder()
    let delays = (0..<100).map { "\(milliseconds($0))" }.joined(separator: "\n")
    try folder.write(delays, to: "delays.txt")
    plan = try ScenarioLoader(registry: try Registry([Dawdler.self]))
      .plan(ScenarioSource(file: "test.yaml", bytes: Array(scenario.utf8)))
    let recorder = Recorder(scenario: "test.yaml")
    let log = EventLog()
    let options = Session.Options(in: folder.directory, virtualTime: VirtualTime())
    let report = await Session(of: plan, sinks: [recorder, log], options: options).run(inputs: [])
    #expect(report.passed)
    text = recorder.text
    arrivals = log.events.compactMap { event in
      guard case .completed(let invocation, _) = event else { return nil }
      return "\(invocation.address)"
    }
  }
}
