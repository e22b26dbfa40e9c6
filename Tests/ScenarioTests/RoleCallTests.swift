import FlowCore
import FlowEngine
import FlowScenario
import FlowTranscript
import PluginHarness
import Testing

/// What a component asks of another one: how it is recorded, found again, and what comes of it when it goes wrong.
@Suite struct RoleCallTests {
  private static let scenario = """
    flow: 1
    components:
      shelf: {plugin: shelf}
      clerk: {plugin: clerk, using: {store: shelf}}
    steps:
      - {id: first, uses: clerk.go, retry: {attempts: 3, on: [busy], backoff: 1ms}}
      - {uses: clerk.end}

    """

  /// Ends when the shelf was asked to wait.
  private let asked: AsyncStream<Void>
  private let ask: AsyncStream<Void>.Continuation

  init() {
    (asked, ask) = AsyncStream.makeStream(of: Void.self)
  }

  private func plan(_ work: @escaping Clerk.Work) throws -> Plan {
    let shelf = RegisteredPlugin(erasing: Shelf(ask: ask))
    let registry = try Registry(plugins: [RegisteredPlugin(erasing: Clerk(work)), shelf])
    return try ScenarioLoader(registry: registry)
      .plan(ScenarioSource(file: "s.yaml", bytes: Array(Self.scenario.utf8)))
  }

  private func record(
    _ work: @escaping Clerk.Work
  ) async throws -> (report: RunReport, run: InMemoryTranscript) {
    let recording = MemoryRecording(of: try plan(work))
    let session = Session(of: try plan(work), sinks: [recording.recorder])
    return (await session.run(inputs: []), recording.run)
  }

  /// What is found when the clerk runs live, the shelf from a recording.
  private func replay(
    _ transcript: Transcript, _ work: @escaping Clerk.Work
  ) async throws -> [String] {
    var live = Replay.Live()
    live.names = ["clerk"]
    let report = await Replay(transcript, of: try plan(work), live: live).run(inputs: [])
    #expect(report.passed == report.diagnostics.isEmpty)
    return report.diagnostics.flatMap { [$0.message] + $0.notes }
  }

  private static let long = String(repeating: "flow ", count: 2_000)

  @Test func `long inputs are told apart in the files that hold them`() async throws {
    let both: Clerk.Work = { _, context in
      let first = try await Clerk.put(Self.long + "1", in: context)
      let second = try await Clerk.put(Self.long + "22", in: context)
      #expect((first, second) == (10_001, 10_002))
    }
    let (report, run) = try await record(both)
    #expect(report.passed)
    #expect(run.bodies.count == 2)

    #expect(try await replay(run.read("s.yaml"), both) == [])
    let other = try await replay(run.read("s.yaml")) { _, context in
      _ = try? await Clerk.put(Self.long + "3", in: context)
    }
    #expect(other.first == "'first#1/store.put#1' is not in the transcript")
  }

  @Test func `a matcher in the input of a component's call accepts what it matches`() async throws {
    let (_, recorded) = try await record { _, context in
      _ = try await Clerk.put("order 17", in: context)
    }
    var run = recorded
    run.bytes = Array(
      String(decoding: recorded.bytes, as: UTF8.self).unsealed
        .replacing(existing: #""order 17""#, with: #"{"$match":"^order [0-9]+$"}"#).utf8)

    let same = try await replay(run.read("s.yaml")) { _, context in
      _ = try await Clerk.put("order 234", in: context)
    }
    #expect(same == [])
    let other = try await replay(run.read("s.yaml")) { _, context in
      _ = try await Clerk.put("order x", in: context)
    }
    #expect(other.first == "'first#1/store.put#1' is not in the transcript")
  }

  @Test func `tasks of an attempt that is made again have addresses of their own`() async throws {
    let work: Clerk.Work = { clerk, context in
      let attempt = await clerk.begin()
      let task = context.spawn("put") { context in
        _ = try await Clerk.put("attempt \(attempt)", in: context)
      }
      try await task.value
      if attempt < 3 { throw ComponentError(Clerk.busy, "again") }
    }
    let (report, run) = try await record(work)

    #expect(report.passed)
    let addresses = String(decoding: run.bytes, as: UTF8.self).split(separator: "\n")
      .filter { $0.contains("shelf.put") }.map { String($0.split(separator: "\"")[3]) }
    #expect(addresses == (1...3).map { "first#1/put#\($0)/store.put#1" })
    #expect(try await replay(run.read("s.yaml"), work) == [])
  }

  @Test func `a call that its caller does not wait for fails the run`() async throws {
    let (report, run) = try await record { [asked] clerk, context in
      await clerk.keep(Task { try await Clerk.wait(in: context) })
      for await _ in asked {}
    }

    #expect(
      report.diagnostics.map(\.message) == [
        "the call at 'first#1' ended before 'store.wait', which it had called"
      ])
    #expect(throws: Never.self) { try run.read("s.yaml") }
  }

  @Test func `an answer that the caller's type refuses is an error of the call`() async throws {
    let (report, _) = try await record { _, context in _ = try await Clerk.even("odd", in: context)
    }

    let texts = report.diagnostics.flatMap { [$0.message] + $0.notes }
    #expect(
      texts.contains("'store.count' answered what cannot be read: 'length': expected int, got 3"))
  }
}

/// Does what a test gives it, with a shelf.
private actor Clerk: Component {
  typealias Work = @Sendable (Clerk, Context) async throws -> Void

  static let busy = ErrorCode("busy", "Try again.")
  static let plugin = Plugin(
    "clerk", version: "1.0", "Puts things on a shelf.", state: .memory, uses: [put, even, wait],
    operations: [
      Operation("go", "Works.", answers: Record<Void>.none, errors: [busy], retry: .safe) {
        clerk, context in try await clerk.work(clerk, context)
      },
      Operation("end", "Waits for what goes on.", answers: Record<Void>.none) { clerk, _ in
        await clerk.end()
      },
    ]
  ) { _ in Clerk { _, _ in } }

  private static let store = Role("store", "Where things are.")
  private static let text = Parameter<String>("text", "What to put.")
  static let put = store.call("put", text, answers: Record<Int>("length", "How long it is."))
  static let even = store.call(
    "count", text, answers: Record<Even>("length", "An even length."))
  static let wait = store.call("wait", answers: Record<Void>.none)

  private let work: Work
  private var attempts = 0
  private var tasks: [Task<Void, any Error>] = []

  init(_ work: @escaping Work) {
    self.work = work
  }

  func begin() -> Int {
    attempts += 1
    return attempts
  }

  func keep(_ task: Task<Void, any Error>) { tasks.append(task) }

  private func end() async {
    for task in tasks { task.cancel() }
    for task in tasks { _ = await task.result }
  }
}

private struct Even: FieldValue {
  static let valueType = ValueType.int

  let encoded: Value

  init(decoding value: Value) throws(DecodeError) {
    guard case .int(let number) = value, number % 2 == 0 else {
      throw DecodeError(expected: .int, value)
    }
    encoded = value
  }
}

private struct Shelf: Component {
  static let plugin = Plugin(
    "shelf", version: "1.0", "Holds things.", state: .memory,
    operations: [
      Operation(
        "put", "Puts a thing.", Parameter<String>("text", "What."),
        answers: Record<Int>("length", "How long it is."), retry: .safe
      ) { _, _, text in text.utf8.count },
      Operation(
        "count", "Counts its bytes.", Parameter<String>("text", "What."),
        answers: Record<Int>("length", "How long it is."), retry: .safe
      ) { _, _, text in text.utf8.count },
      Operation("wait", "Answers when it is cancelled.", answers: Record<Void>.none) { shelf, _ in
        let (never, end) = AsyncStream.makeStream(of: Void.self)
        shelf.ask.finish()
        for await _ in never {}
        end.finish()
      },
    ]
  ) { _ in Shelf(ask: AsyncStream.makeStream(of: Void.self).continuation) }

  let ask: AsyncStream<Void>.Continuation
}
