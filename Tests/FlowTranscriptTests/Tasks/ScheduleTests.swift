import FlowCore
import FlowEngine
import FlowPlan
import FlowRedaction
import FlowScenario
import FlowTranscript
import TestKit
import Testing

/// Components that call others at the same time, in branches, under different schedules.
@Suite struct ScheduleTests {
  private static let recordings = Stress.count(4, full: 100)
  /// The number of replays with each part of the components live.
  private static let replays = Stress.count(1, full: 500)
  /// The number of calls of each branch.
  private static let calls = Stress.count(4, full: 157)

  private static let scenario = """
    flow: 1
    components:
      tally: {plugin: tally}
      desk: {plugin: desk, using: {store: tally}}
      crew: {plugin: crew, using: {desk: desk, store: tally}}
    steps:
      - parallel:
          one:
            - for: x
              in: ${{ lists.range(3) }}
              parallel: 3
              do: [{uses: crew.work, with: {key: "${{ 'a' + string(x) }}"}}]
          two:
            - {uses: crew.work, with: {key: b}}
            - {id: last, uses: crew.work, with: {key: b}}
    outputs: {total: "${{ steps.last.total }}"}

    """
  private static let branches = """
    flow: 1
    components:
      tally: {plugin: tally}
      desk: {plugin: desk, using: {store: tally}}
      crew: {plugin: crew, using: {desk: desk, store: tally}}
    steps:
      - for: x
        in: ${{ lists.range(64) }}
        parallel: 64
        do: [{uses: crew.count, with: {key: "${{ 'a' + string(x % 7) }}", count: \(calls)}}]

    """

  private func plan(_ text: String) throws -> Plan {
    try ScenarioLoader(registry: Registry([Crew.self, Desk.self, Tally.self]))
      .plan(ScenarioSource(file: "s.yaml", bytes: Array(text.utf8)))
  }

  /// Hides nothing, or letters with a digit behind them.
  private static func redactor(_ isHiding: Bool) -> Redactor {
    let redactor = Redactor()
    if isHiding {
      redactor.use([
        RedactionPattern { bytes in
          bytes.indices.dropLast().filter { bytes[$0] == 0x61 && 0x30...0x39 ~= bytes[$0 + 1] }
            .map { $0..<$0 + 2 }
        }
      ])
    }
    return redactor
  }

  private func record(
    _ plan: Plan, _ number: Int, isHiding: Bool = false
  ) async throws -> Recording {
    let recorder = Recorder(of: plan)
    var options = Session.Options()
    options.redactor = Self.redactor(isHiding)
    if number % 3 == 1 { options.virtualTime = VirtualTime() }
    if number % 3 == 2 { options.sharesThread = true }
    let report = await Session(of: plan, sinks: [recorder], options: options)
      .run(inputs: [])
    #expect(report.diagnostics.map(\.message) == [])
    return recorder.recording
  }

  private func replay(
    _ transcript: Transcript, _ plan: Plan, _ live: Set<String>, isHiding: Bool = false
  ) async -> [String] {
    var part = Replay.Live()
    part.names = live
    let report = await Replay(transcript, of: plan, live: part)
      .run(inputs: [], redactor: Self.redactor(isHiding))
    return report.diagnostics.flatMap { [$0.message] + $0.notes } + (report.difference?.lines ?? [])
      + (report.passed ? [] : ["failed"])
  }

  @Test(arguments: [false, true])
  func `every schedule gives the same bytes, and every part replays under every other one`(
    isHiding: Bool
  ) async throws {
    let plan = try plan(Self.scenario)
    let first = try await record(plan, 0, isHiding: isHiding)
    for number in 1..<Self.recordings {
      let run = try await record(plan, number, isHiding: isHiding)
      #expect(run.bytes == first.bytes, "recording \(number)")
    }
    let transcript = try first.whole("s.yaml")
    for part in 0..<8 {
      let names = ["crew", "desk", "tally"].enumerated().filter { part >> $0.offset & 1 == 1 }
      for _ in 0..<Self.replays {
        let live = Set(names.map(\.element))
        #expect(await replay(transcript, plan, live, isHiding: isHiding) == [], "\(names)")
      }
    }
  }

  @Test func `no call of many branches is lost or unmatched`() async throws {
    let plan = try plan(Self.branches)
    let run = try await record(plan, 0)
    let lines = String(decoding: run.bytes, as: UTF8.self).split(separator: "\n")

    #expect(lines.count { $0.contains("store.next#") && $0.contains("invoke") } == 64 * Self.calls)
    #expect(try await replay(run.whole("s.yaml"), plan, ["crew"]) == [])
    #expect(try await replay(run.whole("s.yaml"), plan, ["tally", "crew"]) == [])
  }

  @Test func `an event that comes after its call's answer stands with its call`() async throws {
    let text = Self.scenario.split(separator: "steps:")[0] + "steps: [{uses: crew.remind}]\n"
    let plan = try plan(String(text))
    let run = try await record(plan, 0)

    let lines = String(decoding: run.bytes, as: UTF8.self).split(separator: "\n")
      .filter { $0.contains("store.start") }
    #expect(
      lines == [
        #"{"at":"crew.remind#1/store.start#1","invoke":"tally.start","input":{}}"#,
        #"{"at":"crew.remind#1/store.start#1","emit":"tally.noted","payload":{"length":7}}"#,
        #"{"at":"crew.remind#1/store.start#1","ok":{}}"#,
      ])
    #expect(try await replay(run.whole("s.yaml"), plan, ["crew"]) == [])
  }
}

/// Works in several tasks, through a desk and a tally.
private struct Crew: Component {
  private static let key = Parameter<String>("key", "What for.")
  private static let number = Record<Int>("number", "A number.")
  private static let store = Role("store", "Counts.")
  private static let next = store.call("next", key, answers: number)
  private static let note = store.call("note", key, answers: number)
  private static let start = store.call("start", answers: Record<Void>.none)
  private static let finish = store.call("finish", answers: Record<Void>.none)
  private static let desk = Role("desk", "Asks the tally.")
  private static let get = desk.call("get", key, answers: Record<Void>.none)
  private static let count = desk.call("count", key, answers: number)

  static let plugin = Plugin(
    "crew", version: "1.0", "Works.", state: .memory,
    uses: [next, note, start, finish, get, count],
    operations: [
      Operation("work", "Works.", key, answers: Record<Int>("total", "The total.")) {
        _, context, key in try await work(key, context)
      },
      Operation(
        "count", "Counts.", key, Parameter<Int>("count", "How often."), answers: Record<Void>.none
      ) { _, context, key, count in
        try await inTasks(4) { task in
          for number in 0..<count where number % 4 == task {
            _ = try await next("\(key) \(context.address) \(task) \(number % 3)", in: context)
          }
        }
      },
      Operation("remind", "Is reminded.", answers: Record<Void>.none) { _, context in
        try await start(in: context)
        try await finish(in: context)
      },
    ]
  ) { _ in Crew() }

  private static func work(_ key: String, _ context: Context) async throws -> Int {
    let before = try await next(key, in: context)
    try await inTasks(3) { task in
      _ = try await note(key, in: context)
      _ = try await note("\(key) \(task / 2)", in: context)
      _ = try await note(key, in: context)
    }
    try await inTasks(3) { task in
      let number = try await next("\(key) \(task)", in: context)
      _ = try await note("\(key) took \(number)", in: context)
    }
    try await inTasks(2) { _ in try await get(key, in: context) }
    try await inTasks(2) { task in _ = try await count("\(key) \(task)", in: context) }
    return try await next(key, in: context) - before
  }
}

/// Asks the tally for each key once, and counts.
private actor Desk: Component {
  private static let key = Parameter<String>("key", "What for.")
  private static let number = Record<Int>("number", "A number.")
  private static let store = Role("store", "Counts.")
  private static let next = store.call("next", key, answers: number)
  private static let note = store.call("note", key, answers: number)

  static let plugin = Plugin(
    "desk", version: "1.0", "Asks a tally.", state: .memory, uses: [next, note],
    operations: [
      Operation("get", "Asks once.", key, answers: Record<Void>.none) { desk, context, key in
        if await desk.isNew(key) { _ = try await note("desk \(key)", in: context) }
      },
      Operation("count", "Counts.", key, answers: number) { _, context, key in
        try await next("desk \(key)", in: context)
      },
    ]
  ) { _ in Desk() }

  private var known: Set<String> = []

  private func isNew(_ key: String) -> Bool { known.insert(key).inserted }
}

/// Counts, after some time.
private actor Tally: Component {
  private static let key = Parameter<String>("key", "What for.")
  private static let number = Record<Int>("number", "A number.")
  private static let noted = EventKind("noted", "Something was noted.", Record<Int>("length", ""))

  static let plugin = Plugin(
    "tally", version: "1.0", "Counts.", state: .memory, events: [noted],
    operations: [
      Operation("next", "Counts.", key, answers: number) { tally, context, key in
        try await jitter(context)
        let number = await tally.next(key)
        try await jitter(context)
        return number
      },
      Operation("note", "Notes.", key, answers: number) { _, context, key in
        try await jitter(context)
        context.emit(noted, key.utf8.count)
        try await jitter(context)
        return key.utf8.count
      },
      Operation("start", "Reports something later.", answers: Record<Void>.none) {
        tally, context in await tally.start(context)
      },
      Operation("finish", "Waits for the report.", answers: Record<Void>.none) { tally, _ in
        await tally.finish()
      },
    ]
  ) { _ in Tally() }

  private let (wanted, want) = AsyncStream.makeStream(of: Void.self)
  private var counts: [String: Int] = [:]
  private var report: Task<Void, any Error>?

  /// Another schedule each time, in virtual time too.
  private static func jitter(_ context: Context) async throws {
    try await context.sleep(for: .microseconds(Int.random(in: 0...100)))
  }

  private func next(_ key: String) -> Int {
    counts[key, default: 0] += 1
    return counts[key] ?? 0
  }

  private func start(_ context: Context) {
    report = context.spawn("report") { [wanted] context in
      for await _ in wanted {}
      context.emit(Self.noted, 7)
    }
  }

  private func finish() async {
    want.finish()
    _ = await report?.result
  }
}
