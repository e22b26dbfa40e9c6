import FlowCommand
import FlowCore
import FlowEngine
import FlowExplore
import FlowPlan
import FlowScenario
import FlowTranscript
import TestKit
import Testing

/// Scenarios with unanswered calls or repeated events.
@Suite struct ExploredFaultTests {
  private static let components: [any Component.Type] = [
    Till.self, CarelessLedger.self, CarefulLedger.self,
  ]

  private static func scenario(_ ledger: String, _ steps: String) -> String {
    """
    flow: 1
    components:
      till: {plugin: till}
      ledger: {plugin: \(ledger)-ledger, using: {till: till}}
    \(steps)

    """
  }

  private static let counting = """
    steps:
      - {uses: till.put}
      - {uses: till.put}
      - {uses: ledger.read, with: {wanted: 2}, expect: {count: 2}}
    """

  private func explore(
    _ ledger: String, _ steps: String, _ change: (inout ExplorationOptions) -> Void
  ) async throws -> Exploration {
    var options = ExplorationOptions()
    options.budget = 300
    change(&options)
    return await Explorer(try plan(ledger, steps), inputs: [], options).explore()
  }

  private func plan(_ ledger: String, _ steps: String) throws -> Plan {
    try ScenarioLoader(registry: try Registry(Self.components))
      .plan(
        ScenarioSource(file: "till.yaml", bytes: Array(Self.scenario(ledger, steps).utf8)))
  }

  // MARK: - Events that are delivered twice

  @Test func `an event that is delivered twice is counted twice by a careless observer alone`()
    async throws
  {
    let careless = try await explore("careless", Self.counting) { $0.duplicates = nil }
    let careful = try await explore("careful", Self.counting) { $0.duplicates = ["till.changed"] }
    let other = try await explore("careless", Self.counting) { $0.duplicates = ["ledger"] }

    let found = try #require(careless.found)
    #expect(found.schedule.delays == [])
    #expect(found.schedule.faults == [.duplicate(event: "till.changed", number: 1)])
    #expect(found.story.texts.contains("(till.changed is delivered twice)"))
    #expect(careful.found == nil && careful.isDeterministic && careful.tried == 300)
    #expect(other.found == nil)
  }

  @Test func `a step that waits may take the second delivery of an event`() async throws {
    let steps = """
      steps:
        - {uses: till.put}
        - {await: till.changed, timeout: 1s}
        - {id: again, await: till.changed, timeout: 1s}
      outputs: {number: "${{ steps.again.number }}"}
      """
    let explorer = Explorer(try plan("careful", steps), inputs: [])

    let run = await explorer.run(
      Schedule(faults: [.duplicate(event: "till.changed", number: 1)]))
    let plain = await explorer.run(Schedule())

    #expect(run.report.outputs.map { "\($0.value)" } == ["1"])
    #expect(plain.report.diagnostics.map(\.message) == ["'again#1' did not end within 1s"])
  }

  // MARK: - Calls without an answer

  @Test func `a call without an answer and without a timeout waits for ever`() async throws {
    let exploration = try await explore("careful", Self.counting) { $0.silence = ["till.put"] }

    let found = try #require(exploration.found)
    #expect(found.standstill == .stuck)
    #expect(found.schedule.delays == [])
    #expect(found.schedule.faults == [.silence(at: "till.put#1")])
    #expect(
      found.story.texts.suffix(3) == [
        "till.put#1 is called with {}", "(till.put#1 has no answer)", "till.put#1 is cancelled",
      ])
  }

  private static let patient = """
    steps:
      - {uses: till.put, timeout: 1s, retry: {attempts: 2, backoff: 1s}}
      - {uses: ledger.read, with: {wanted: 1}, expect: {count: 1}, timeout: 5s, retry: {attempts: 2}}
    """

  @Test func `a call that is made again after its timeout survives that there was no answer`()
    async throws
  {
    let exploration = try await explore("careful", Self.patient) { $0.silence = nil }

    #expect(exploration.found == nil, "\(exploration.found?.story.texts ?? [])")
    #expect(exploration.isDeterministic)
    #expect(exploration.outcomeCount == 1)
  }

  @Test func `a timeout without another attempt is the failure that is found`() async throws {
    let steps = Self.patient.replacing(existing: "attempts: 2, backoff: 1s", with: "attempts: 1")

    let found = try #require(
      try await explore("careful", steps) { $0.silence = ["till"] }.found)

    #expect(found.standstill == nil)
    #expect(found.report.diagnostics.map(\.message) == ["'till.put#1' did not end within 1s"])
  }

  @Test func `a call without an answer in 'finally' ends with the run`() async throws {
    let steps = """
      steps: []
      finally: [{uses: till.put}]
      """

    let found = try #require(
      try await explore("careful", steps) { $0.silence = nil }.found)

    #expect(found.standstill == .stuck)
    #expect(found.schedule.faults == [.silence(at: "finally/till.put#1")])
  }

  @Test func `a call of a component has no answer until its own call is cancelled`() async throws {
    let steps = "steps: [{uses: ledger.ask, timeout: 1s, expect: {count: 0}}]"

    let found = try #require(
      try await explore("careful", steps) { $0.silence = ["till"] }.found)

    #expect(found.report.diagnostics.map(\.message) == ["'ledger.ask#1' did not end within 1s"])
    let transcript = try found.transcript.whole("till.yaml")
    #expect(transcript.header.schedule == found.schedule)
  }

  // MARK: - What is kept

  private static let kept = [
    (["--duplicates"], counting, "failed with 1 event delivered twice:\n"),
    (
      ["--silence=till.put"], counting,
      "failed with 1 call without an answer; in the end nothing happened for a second, and the run was cancelled:\n"
    ),
    (
      ["--silence=till.put"],
      patient.replacing(existing: "attempts: 2, backoff: 1s", with: "attempts: 1"),
      "failed with 1 call without an answer:\n"
    ),
  ]

  @Test(arguments: kept)
  func `the command records what it found, and the schedule runs again`(
    _ options: [String], _ steps: String, _ line: String
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.scenario("careless", steps), to: "till.yaml")
    let recorded = folder.path("till.transcript.explored.jsonl")

    let explored = try await FlowCommandRun(
      ["explore", folder.path("till.yaml")] + options, components: Self.components)
    let replayed = try await FlowCommandRun(["replay", recorded], components: Self.components)
    let again = try await FlowCommandRun(
      ["replay", recorded, "--live"], components: Self.components)

    #expect(explored.code == .failed && explored.output.contains(line), "\(explored.output)")
    #expect(replayed.code == .failed, "\(replayed.output)\(replayed.errors)")
    #expect(again.code == .failed && again.output.hasSuffix("failed in this order\n"))
    #expect(!again.errors.contains("does not fit"), "\(again.errors)")
  }

  @Test(arguments: [
    (["--duplicates=till.put"], "one of till.changed"),
    (["--silence=till.changed"], "one of till.count, till.put"),
    (["--duplicates=ledger.changed"], "a name that 'ledger' has"), (["--silence=tall"], "'till'"),
    (["--generate", "--silence"], "--silence"),
  ])
  func `a name that the scenario does not have is refused`(
    _ options: [String], _ part: String
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.scenario("careful", Self.counting), to: "till.yaml")

    let run = try await FlowCommandRun(
      ["explore", folder.path("till.yaml")] + options, components: Self.components)

    #expect(run.code == .badCommandLine, "\(run.output)")
    #expect(run.errors.contains(part), "\(run.errors)")
  }

  @Test(arguments: [
    #"{"silent":"till.put#1"}"#: true, #"{"twice":"till.changed","number":2}"#: true,
    #"{"at":"till.put#1","error":"full"}"#: true, #"{"silent":1}"#: false,
    #"{"at":"ask#1/till.count#1~1f","fault":"slow"}"#: true,
    #"{"at":"till.put#1","fault":1}"#: false,
    #"{"twice":"till.changed","number":0}"#: false, #"{"twice":"till.changed"}"#: false,
    #"{"silent":"till.put#1","error":"full"}"#: false,
  ])
  func `a header keeps each kind of fault, and no other`(
    _ fault: String, _ isRead: Bool
  ) async throws {
    let run = await Explorer(try plan("careful", Self.counting), inputs: []).run(Schedule())
    let text = String(decoding: run.transcript.bytes, as: UTF8.self).unsealed
      .replacing(existing: #""faults":[]"#, with: #""faults":[\#(fault)]"#)

    let transcript = try? TranscriptReader.read(Array(text.utf8), file: "t.jsonl")

    #expect((transcript != nil) == isRead)
    #expect((transcript?.header.schedule?.faults.count ?? 0) == (isRead ? 1 : 0))
  }
}

/// Says how often something was put into it.
private actor Till: Component {
  static let changed = EventKind(
    "changed", "Something was put in.", Record<Int>("number", "How often so far."))
  static let plugin = Plugin(
    "till", version: "1.0", "Takes money.", state: .memory, events: [changed],
    operations: [
      Operation("put", "Puts something in.", answers: Record<Void>.none) { till, context in
        context.emit(changed, await till.put())
      },
      Operation("count", "How often.", answers: Record<Int>("count", "How often.")) { till, _ in
        await till.count
      },
    ]
  ) { _ in Till() }

  private var count = 0

  private func put() -> Int {
    count += 1
    return count
  }
}

/// A component that counts the reports of a till.
private actor Ledger {
  static let changed = Role("till", "Takes money.")
    .event("changed", Record<Int>("number", "How often so far."))
  static let count = Role("till", "Takes money.")
    .call("count", answers: Record<Int>("count", "How often."))

  private let checks: Bool
  private var numbers: [Int] = []
  private var waiting: (count: Int, task: CheckedContinuation<Void, Never>)?

  init(checks: Bool, _ context: Context) {
    self.checks = checks
    context.spawn("follow") { context in
      for try await number in Self.changed.reports(in: context) { await self.note(number) }
    }
  }

  private func note(_ number: Int) {
    if checks && numbers.contains(number) { return }
    numbers.append(number)
    guard let (count, task) = waiting, numbers.count >= count else { return }
    waiting = nil
    task.resume()
  }

  /// How often something was noted, when it has been so at least as often as wanted.
  private func read(_ wanted: Int, _ context: Context) async throws -> Int {
    if numbers.count < wanted { await withCheckedContinuation { waiting = (wanted, $0) } }
    // Whatever is still on its way comes meanwhile.
    try await context.sleep(for: .milliseconds(1))
    return numbers.count
  }

  static func operations<Subject: Component>(
    _ ledger: @escaping @Sendable (Subject) -> Ledger
  ) -> [FlowCore.Operation<Subject>] {
    [
      Operation(
        "read", "Counts.", Parameter<Int>("wanted", "How many to wait for."),
        answers: Record<Int>("count", "How often.")
      ) { try await ledger($0).read($2, $1) },
      Operation("ask", "Asks the till.", answers: Record<Int>("count", "How often.")) {
        _, context in try await count(in: context)
      },
    ]
  }
}

/// Counts every delivery.
private struct CarelessLedger: Component {
  let ledger: Ledger
  static let plugin = Plugin(
    "careless-ledger", version: "1.0", "Counts.", state: .memory,
    uses: [Ledger.changed, Ledger.count],
    operations: Ledger.operations { (it: CarelessLedger) in it.ledger }
  ) { CarelessLedger(ledger: Ledger(checks: false, $0)) }
}

/// Counts every change once.
private struct CarefulLedger: Component {
  let ledger: Ledger
  static let plugin = Plugin(
    "careful-ledger", version: "1.0", "Counts.", state: .memory,
    uses: [Ledger.changed, Ledger.count],
    operations: Ledger.operations { (it: CarefulLedger) in it.ledger }
  ) { CarefulLedger(ledger: Ledger(checks: true, $0)) }
}
