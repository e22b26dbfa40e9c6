import FlowCore
import FlowEngine
import FlowPlan
import FlowScenario
import FlowTranscript
import Testing

/// A component that performs the work of a test, with a shelf.
actor Clerk: Component {
  typealias Work = @Sendable (Clerk, Context) async throws -> Void

  static let busy = ErrorCode("busy", "Try again.")
  static let plugin = Plugin(
    "clerk", version: "1.0", "Puts things on a shelf.", state: .memory,
    uses: [put, even, wait, hang, next, unlock, order, meet, poll],
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
  static let hang = store.call("hang", answers: Record<Void>.none)
  static let next = store.call("next", answers: Record<Int>("number", "How often."))
  static let unlock = store.call(
    "unlock", Parameter<String>("pin", "The pin."), answers: Record<Int>("length", "How long."))
  static let meet = store.call("meet", answers: Record<Int>("number", "Which of the two."))
  static let poll = store.call("poll", answers: Record<String>("state", "How far it is."))
  static let order = store.call("order", input: Order.record, answers: Record<Void>.none)

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

struct Even: FieldValue {
  static let valueType = ValueType.int

  let encoded: Value

  init(decoding value: Value) throws(DecodeError) {
    guard case .int(let number) = value, number % 2 == 0 else {
      throw DecodeError(expected: .int, value)
    }
    encoded = value
  }
}

actor Shelf: Component {
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
      Operation("hang", "Takes an hour.", answers: Record<Void>.none) { _, context in
        try await context.sleep(for: .seconds(3_600))
      },
      Operation("next", "Counts.", answers: Record<Int>("number", "How often."), retry: .safe) {
        shelf, _ in await shelf.next()
      },
      Operation(
        "unlock", "Opens it.", Parameter<String>("pin", "The pin.", secret: true),
        answers: Record<Int>("length", "How long."), retry: .safe
      ) { _, _, pin in pin.utf8.count },
      Operation(
        "order", "Orders something.", input: Order.record, answers: Record<Void>.none, retry: .safe
      ) { _, _, _ in },
      Operation(
        "meet", "Answers when another call has come.",
        answers: Record<Int>("number", "Which of the two."), retry: .safe
      ) { shelf, _ in await shelf.meet() },
      Operation(
        "poll", "Says how far it is.", answers: Record<String>("state", "How far it is."),
        retry: .safe
      ) { shelf, _ in await shelf.next() == 1 ? "pending" : "done" },
      Operation("wait", "Answers when it is cancelled.", answers: Record<Void>.none) { shelf, _ in
        let (never, end) = AsyncStream.makeStream(of: Void.self)
        shelf.ask.finish()
        for await _ in never {}
        end.finish()
      },
    ]
  ) { _ in Shelf(ask: AsyncStream.makeStream(of: Void.self).continuation) }

  let ask: AsyncStream<Void>.Continuation
  private var count = 0
  private var meeting: CheckedContinuation<Void, Never>?

  init(ask: AsyncStream<Void>.Continuation) { self.ask = ask }

  private func next() -> Int {
    count += 1
    return count
  }

  private func meet() async -> Int {
    let number = next()
    if let other = meeting {
      meeting = nil
      other.resume()
    } else {
      await withCheckedContinuation { meeting = $0 }
    }
    return number
  }
}

/// A record with fields of several types.
struct Order: RecordRepresentable {
  var title: String
  var count: Int
  var price: Decimal
  var rate: Double
  var isUrgent: Bool
  var due: Duration
  var tags: [String]
  var note: String?

  static let record = Record(
    Order.init(title:count:price:rate:isUrgent:due:tags:note:), Field("title", \.title, ""),
    Field("count", \.count, ""), Field("price", \.price, ""), Field("rate", \.rate, ""),
    Field("urgent", \.isUrgent, ""), Field("due", \.due, ""), Field("tags", \.tags, ""),
    Field("note", \.note, ""))
}

/// A scenario with one step from a test.
struct ClerkWorld {
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
  let asked: AsyncStream<Void>
  private let ask: AsyncStream<Void>.Continuation
  private let scenario: String

  init(_ scenario: String = Self.scenario) {
    self.scenario = scenario
    (asked, ask) = AsyncStream.makeStream(of: Void.self)
  }

  func plan(_ work: @escaping Clerk.Work) throws -> Plan {
    let shelf = RegisteredPlugin(erasing: Shelf(ask: ask))
    let registry = try Registry(plugins: [RegisteredPlugin(erasing: Clerk(work)), shelf])
    return try ScenarioLoader(registry: registry)
      .plan(ScenarioSource(file: "s.yaml", bytes: Array(scenario.utf8)))
  }

  func record(
    _ work: @escaping Clerk.Work, isVirtual: Bool = false
  ) async throws -> (report: RunReport, run: Recording) {
    let plan = try plan(work)
    let recorder = Recorder(of: plan)
    var options = Session.Options()
    if isVirtual { options.virtualTime = VirtualTime() }
    let session = Session(of: plan, sinks: [recorder], options: options)
    return (await session.run(inputs: []), recorder.recording)
  }

  /// The findings of a replay with the clerk live and the shelf from a recording.
  func replay(_ transcript: Transcript, _ work: @escaping Clerk.Work) async throws -> [String] {
    var live = Replay.Live()
    live.names = ["clerk"]
    let report = await Replay(transcript, of: try plan(work), live: live).run(inputs: [])
    let findings =
      report.diagnostics.flatMap { [$0.message] + $0.notes } + (report.difference?.lines ?? [])
    #expect(report.passed == findings.isEmpty)
    return findings
  }
}
