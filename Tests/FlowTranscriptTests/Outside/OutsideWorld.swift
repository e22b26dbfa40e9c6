import FlowCore
import FlowEngine
import FlowPlan
import FlowScenario
import FlowTranscript
import Synchronization
import TestKit
import Testing

/// A scenario with a program that is not a part of the run, and a server that answers its requests.
///
/// Each step `act` of the program does the work of a test, which sends requests to the port at
/// moments of its choice. The port passes them on to the server.
struct OutsideWorld {
  typealias Work = @Sendable (OutsideProgram, String) async throws -> String
  typealias Server = @Sendable (Wire) async throws -> Reply

  private let scenario: String

  /// Creates two steps, `pay` and `look`, with varying parts of the requests.
  init(varies: String = "{}", answers: String = "{}") {
    self.init(
      scenario: """
        flow: 1
        components:
          server: {plugin: server, volatile: \(answers)}
          port: {plugin: port, using: {server: server}, varies: \(varies)}
          program: {plugin: program}
        steps:
          - {id: pay, uses: program.act, with: {name: pay}}
          - {id: look, uses: program.act, with: {name: look}}

        """)
  }

  init(scenario: String) { self.scenario = scenario }

  /// The plan with this work of the program and these answers of the server.
  func plan(_ work: @escaping Work, _ server: @escaping Server) throws -> Plan {
    let (requests, queue) = AsyncStream.makeStream(of: OutsideRequest.self)
    let port = RegisteredPlugin(erasing: OutsidePort())
    let plugins = [
      RegisteredPlugin(erasing: OutsideServer(answer: server)),
      RegisteredPlugin(erasing: OutsideProgram(queue: queue, work: work)),
      port.opened { settings, context in
        context.spawn("serve") { await OutsidePort.serve(requests, $0) }
        return try await port.open(settings, context)
      },
    ]
    return try ScenarioLoader(registry: try Registry(plugins: plugins))
      .plan(ScenarioSource(file: "s.yaml", bytes: Array(scenario.utf8)))
  }

  func record(_ work: @escaping Work, _ server: @escaping Server = echo) async throws -> RecordedRun
  {
    let recorder = Recorder(of: try plan(work, server))
    let session = Session(of: try plan(work, server), sinks: [recorder])
    let report = await session.run(inputs: [])
    return RecordedRun(report: report, run: recorder.recording)
  }

  /// The findings of a replay with the program and its port live, and the server from a recording.
  func replay(
    _ transcript: Transcript, _ work: @escaping Work, allowing: Set<ToleratedDeparture> = []
  ) async throws -> [String] {
    let report = try await report(of: transcript, work, allowing: allowing)
    let findings =
      report.diagnostics.flatMap { ["\($0.code): \($0.message)"] + $0.notes }
      + (report.difference?.lines ?? [])
    #expect(report.passed == findings.isEmpty)
    return findings
  }

  func report(
    of transcript: Transcript, _ work: @escaping Work, allowing: Set<ToleratedDeparture> = []
  ) async throws -> Replay.Report {
    var live = Replay.Live()
    live.names = ["port", "program"]
    let plan = try plan(work) { _ in throw ComponentError(OutsideServer.down, "it was asked") }
    return await Replay(
      transcript, of: plan, allowing: allowing, acceptance: nil, live: live
    ).run(inputs: [])
  }

  /// Answers with the texts of a request.
  static let echo: Server = { wire in
    Reply(text: "\(wire.path) for \(wire.key ?? "none")", id: wire.key)
  }

  /// A recording of a run.
  struct RecordedRun {
    let report: RunReport
    let run: Recording

    var text: String { String(decoding: run.bytes, as: UTF8.self) }

    var transcript: Transcript { get throws { try run.whole("s.yaml") } }

    /// The lines of requests and their answers.
    var requests: [String] {
      text.split(separator: "\n").map(String.init).filter { $0.contains("/server.exchange") }
    }

    /// The transcript with other parts of its text.
    func changed(_ changes: (old: String, new: String)...) throws -> Transcript {
      let text = changes.reduce(text.unsealed) { text, change in
        text.replacing(existing: change.old, with: change.new)
      }
      return try TranscriptReader.read(Array(text.utf8), file: "s.jsonl")
    }
  }
}

/// A request of the program.
struct Wire: RecordRepresentable {
  var path: String
  var key: String? = nil
  var created: String? = nil
  var headers: [String: Value] = [:]
  var items: [WireItem] = []
  var pin: String? = nil

  static let record = Record(
    Wire.init(path:key:created:headers:items:pin:), Field("path", \.path, ""),
    Field("key", \.key, ""), Field("created", \.created, ""), Field("headers", \.headers, ""),
    Field("items", \.items, ""), Field("pin", \.pin, "", secret: true))
}

struct WireItem: RecordRepresentable {
  var name: String
  var id: String

  static let record = Record(
    WireItem.init(name:id:), Field("name", \.name, ""), Field("id", \.id, ""))
}

/// An answer of the server.
struct Reply: RecordRepresentable {
  var text: String
  var id: String? = nil
  var ids: [String] = []

  static let record = Record(
    Reply.init(text:id:ids:), Field("text", \.text, ""), Field("id", \.id, ""),
    Field("ids", \.ids, ""))
}

/// A request on its way to the port.
struct OutsideRequest: Sendable {
  let wire: Wire
  let answer: CheckedContinuation<Reply, any Error>
}

/// The server that the program calls.
struct OutsideServer: Component {
  static let down = ErrorCode("down", "It does not answer.")
  static let plugin = Plugin(
    "server", version: "1", "Answers requests.", state: .none, reaches: [.network],
    operations: [
      Operation(
        "exchange", "Answers a request.", input: Wire.record, answers: Reply.record, errors: [down],
        retry: .safe
      ) { server, _, wire in try await server.answer(wire) }
    ]
  ) { _ in OutsideServer(answer: OutsideWorld.echo) }

  let answer: OutsideWorld.Server
}

/// A component that passes on requests from outside.
struct OutsidePort: Component {
  static let plugin = Plugin(
    "port", version: "1", "Passes requests on.", state: .none, uses: [exchange],
    operations: [
      Operation("address", "Answers the port.", answers: Record<Int>("port", "")) { _, _ in 1 }
    ]
  ) { _ in OutsidePort() }

  static let exchange = Role("server", "Answers the requests.").call(
    "exchange", input: Wire.record, answers: Reply.record, errors: [OutsideServer.down],
    fromOutside: true)

  /// Serves each request in a separate task.
  static func serve(_ requests: AsyncStream<OutsideRequest>, _ context: Context) async {
    await withDiscardingTaskGroup { group in
      for await request in requests {
        group.addTask {
          do {
            request.answer.resume(returning: try await exchange(request.wire, in: context))
          } catch {
            request.answer.resume(throwing: error)
          }
        }
      }
    }
  }
}

/// A program that does the work of a test in each step.
struct OutsideProgram: Component {
  static let plugin = Plugin(
    "program", version: "1", "Works.", state: .none, reaches: [.process],
    operations: [
      Operation(
        "act", "Works.", Parameter<String>("name", "The name of the work."),
        answers: Record<String>("result", "What it said."), retry: .safe
      ) { program, _, name in try await program.work(program, name) }
    ]
  ) { _ in
    OutsideProgram(queue: AsyncStream.makeStream(of: OutsideRequest.self).continuation) { _, _ in ""
    }
  }

  let queue: AsyncStream<OutsideRequest>.Continuation
  let work: OutsideWorld.Work

  /// Sends a request, and waits for its answer.
  @discardableResult func send(_ wire: Wire) async throws -> Reply {
    try await withCheckedThrowingContinuation { answer in
      queue.yield(OutsideRequest(wire: wire, answer: answer))
    }
  }

  /// Sends requests at the same time, and returns their answers in the same order.
  @discardableResult func send(all wires: [Wire]) async throws -> [Reply] {
    try await withThrowingTaskGroup(of: (Int, Reply).self) { group in
      for (index, wire) in wires.enumerated() {
        group.addTask { (index, try await send(wire)) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
        .sorted { $0.0 < $1.0 }.map(\.1)
    }
  }
}

/// A place where requests wait until all expected ones have come.
actor Meeting {
  private let expected: Int
  private var came: Set<String> = []
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(of expected: Int) { self.expected = expected }

  /// Notes an arrival, and waits for all others.
  func meet(_ name: String) async {
    came.insert(name)
    wake()
    while came.count < expected { await change() }
  }

  /// Waits for an arrival.
  func untilCame(_ name: String) async {
    while !came.contains(name) { await change() }
  }

  private func change() async { await withCheckedContinuation { waiting.append($0) } }

  private func wake() {
    for waiter in waiting { waiter.resume() }
    waiting = []
  }
}

/// The meetings of groups of requests at the same time.
struct Meetings: Sendable {
  private var meetings: [String: Meeting] = [:]

  /// Creates a meeting for each group of paths.
  ///
  /// A path in several groups meets in the largest one.
  init(_ groups: some Sequence<[String]>) {
    for group in groups.sorted(by: { $0.count < $1.count }) {
      let meeting = Meeting(of: group.count)
      for path in group { meetings[path] = meeting }
    }
  }

  /// Waits for all other requests of the group.
  func meet(_ path: String) async { await meetings[path]?.meet(path) }
}
