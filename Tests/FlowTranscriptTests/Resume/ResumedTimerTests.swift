import FlowCore
import FlowEngine
import FlowPlan
import FlowTranscript
import Synchronization
import TestKit
import Testing

/// Resumed runs, which wait only for the remaining time, in real time.
@Suite(.timeLimit(.minutes(30))) struct ResumedTimerTests {
  private static let scenario = """
    flow: 1
    components: {p: {plugin: probe}}
    steps:
      - {id: pause, wait: 2h}
      - id: group
        timeout: 3h
        do:
          - {id: inner, wait: 1h}
          - {uses: p.count}

    """

  private let plan: Plan
  private let clock = ManualClock()

  init() throws {
    plan = try ProbeRun.plan(Self.scenario)
  }

  /// Runs, from a journal on unless it is empty, and lets no time pass.
  private func run(
    resuming text: String = "", of other: Plan? = nil
  ) async throws -> (lines: [String], report: RunReport) {
    let journal =
      text.isEmpty ? nil : try TranscriptReader.readJournal(Array(text.utf8), file: "j")
    let lines = Mutex<[String]>([])
    let recorder = JournalRecorder(scenario: "test.yaml", run: "r", resuming: journal) { bytes in
      lines.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
    }
    var options = Session.Options(in: Directory("."))
    options.clock = clock
    let session = Session(of: other ?? plan, sinks: [recorder], options: options)
    let caller = ResumingCaller(journal, in: session, recorder: recorder)
    let report = await session.run(inputs: [], through: caller, pacing: caller.pacing)
    return (lines.withLock { $0 }, report)
  }

  /// The lines of a whole run, without their checksums and with this in the place of all times.
  private func journal(until: String = "@") async throws -> [String] {
    async let running = run()
    await clock.pass()
    await clock.pass(sleepers: 2)
    return try await running.lines.map { line in
      line.replacing(/,"crc":"\w+"/, with: "")
        .replacing(/"until":"[^"]+"/, with: "\"until\":\"\(until)\"")
    }
  }

  private static func time(in duration: Duration) throws -> String {
    try #require(SystemTime.now().advanced(by: duration)).description
  }

  @Test func `a journal says until when is waited`() async throws {
    #expect(
      try await journal().filter { $0.contains("timer") }
        == [
          #"{"at":"pause#1","timer":"wait","until":"@"}"#,
          #"{"at":"group/inner#1","timer":"wait","until":"@"}"#,
        ].map { $0 + "\n" })
  }

  @Test(arguments: [
    (Duration.seconds(-60), Duration.zero), (.seconds(1_800), .seconds(1_800)),
    // The machine's clock was set back.
    (.seconds(36_000), .seconds(7_200)),
  ])
  func `a wait lasts as long as is left of it`(left: Duration, most: Duration) async throws {
    let lines = try await journal(until: try Self.time(in: left))
    let before = clock.now.offset
    let begun = lines.prefix { !$0.contains("group") }.joined()
    let step = try ProbeRun.plan(
      "flow: 1\ncomponents: {p: {plugin: probe}}\nsteps: [{id: pause, wait: 2h}]\n")
    async let running = run(resuming: begun, of: step)
    if most > .zero { await clock.pass() }
    let report = try await running.report
    let passed = clock.now.offset - before

    #expect(report.passed)
    #expect(passed <= most && passed >= most - .seconds(600))
  }

  @Test func `wherever a run is interrupted, no time passes twice`() async throws {
    let lines = try await journal(until: try Self.time(in: .seconds(-1)))
    let before = clock.now.offset

    // From the last wait on nothing is left to wait for.
    let first = try #require(lines.firstIndex { $0.contains("group/inner") })
    for count in (first + 1)..<lines.count {
      let resumed = try await run(resuming: lines.prefix(count).joined())

      #expect(resumed.report.passed, "after \(count) lines")
      #expect(clock.now.offset == before)
      #expect(!resumed.lines.contains { $0.contains("timer") })
    }
  }

  @Test func `a step with a timeout has its whole time again, and a wait that it cuts off`()
    async throws
  {
    let plan = try ProbeRun.plan(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - {id: group, timeout: 1h, do: [{uses: p.count}, {id: rest, wait: 2h}, {uses: p.count}]}

      """)
    async let running = run(of: plan)
    await clock.pass(sleepers: 2)
    let whole = try await running.lines
    #expect(whole.contains { $0.contains(#""timer":"wait","cancelled":true"#) })

    async let resuming = run(resuming: whole.dropLast().joined(), of: plan)
    let passed = await clock.pass(sleepers: 2)
    let resumed = try await resuming

    #expect(passed == .seconds(3_600))
    #expect(resumed.report.failures.map(\.failure.isTimeout) == [true])
    #expect(resumed.lines == [whole.last])
  }

  @Test(arguments: [
    #""timer":"bogus","until":"2026-01-01T00:00:00Z""#, #""timer":"wait","until":"soon""#,
    #""timer":"retry 1","until":"2026-01-01T00:00:00Z""#, #""timer":"wait","cancelled":true"#,
    #""timer":"wait","cancelled":false"#,
  ]) func `a line that is no timer is refused`(_ members: String) async throws {
    let header = try #require(try await journal().first)
    let text = header + #"{"at":"pause#1",\#(members)}"# + "\n"

    #expect(throws: TranscriptError.self) {
      try TranscriptReader.readJournal(Array(text.utf8), file: "j")
    }
  }

  @Test func `a golden transcript has no timers`() async throws {
    let lines = try await journal()
    let text = lines.joined().replacing(",\"run\":\"r\"", with: "")
      .replacing("\"until\":\"@\"", with: "\"until\":\"2026-01-01T00:00:00Z\"")

    #expect(throws: TranscriptError.self) {
      try TranscriptReader.read(Array(text.utf8), file: "t")
    }
  }
}

extension StepFailure {
  fileprivate var isTimeout: Bool {
    if case .timeout = self { return true }
    return false
  }
}
