import FlowCore
import FlowEngine
import FlowPlan
import FlowScenario
import FlowTranscript
import Synchronization
import TestKit
import Testing

/// A scenario with a program that is not a part of the run, and talks with a server through a port.
struct ChatWorld {
  typealias Work = @Sendable (ChatProgram) async throws -> String

  private static let scenario = """
    flow: 1
    components:
      server: {plugin: server}
      port: {plugin: port, using: {server: server}}
      program: {plugin: program}
    steps:
      - {id: talk, uses: program.talk}

    """

  private func plan(_ work: @escaping Work, _ script: ChatScript?) throws -> Plan {
    let (talks, queue) = AsyncStream.makeStream(of: Talk.self)
    let port = RegisteredPlugin(erasing: ChatPort())
    let plugins = [
      RegisteredPlugin(erasing: ChatServer(script)),
      RegisteredPlugin(erasing: ChatProgram(queue: queue, work: work)),
      port.opened { settings, context in
        context.spawn("serve") { await ChatPort.serve(talks, $0) }
        return try await port.open(settings, context)
      },
    ]
    return try ScenarioLoader(registry: try Registry(plugins: plugins))
      .plan(ScenarioSource(file: "s.yaml", bytes: Array(Self.scenario.utf8)))
  }

  func record(_ work: @escaping Work, _ script: ChatScript) async throws -> Recorded {
    let plan = try plan(work, script)
    let recorder = Recorder(of: plan)
    let report = await Session(of: plan, sinks: [recorder]).run(inputs: [])
    return Recorded(report: report, run: recorder.recording)
  }

  /// The findings of a replay with the program and its port live, and the server from a recording.
  func replay(
    _ transcript: Transcript, _ work: @escaping Work, allowing: Set<ToleratedDeparture> = []
  ) async throws -> [String] {
    var live = Replay.Live()
    live.names = ["port", "program"]
    let report = await Replay(
      transcript, of: try plan(work, nil), allowing: allowing, acceptance: nil, live: live
    ).run(inputs: [])
    let findings =
      report.diagnostics.flatMap { ["\($0.code): \($0.message)"] + $0.notes }
      + (report.difference?.lines ?? [])
    #expect(report.passed == findings.isEmpty)
    return findings
  }

  /// A recording of a run.
  struct Recorded {
    let report: RunReport
    let run: Recording

    var transcript: Transcript { get throws { try run.whole("s.yaml") } }

    /// The lines of calls in a role, with a short name of the conversation.
    func lines(of role: String) -> [String] {
      String(decoding: run.bytes, as: UTF8.self).split(separator: "\n").map {
        String($0).replacing(/components\/port#1\/serve#1\/\+[^\/]*/, with: "CHAT")
      }.filter { $0.contains("/\(role)") }
    }
  }
}

/// The behaviour of a server.
struct ChatScript: Sendable {
  var greeting: [String] = []
  let answers: @Sendable (String) -> [String]
}

/// The server that the program talks with.
final class ChatServer: Component {
  static let plugin = Plugin(
    "server", version: "1", "Talks.", state: .none, reaches: [.network],
    operations: [
      Operation(
        "open", "Starts a conversation.", Parameter<String>("path", "Where."),
        answers: Record<String>("stream", "Its name.")
      ) { server, _, path in server.open(path) },
      Operation(
        "say", "Takes a text.", Parameter<String>("stream", ""), Parameter<String>("text", ""),
        answers: .none
      ) { server, _, stream, text in server.say(text, in: stream) },
      Operation(
        "hear", "Waits for a text.", Parameter<String>("stream", ""), answers: ChatPiece.record
      ) { server, _, stream in try await server.hear(stream) },
    ]
  ) { _ in ChatServer(nil) }

  private let script: ChatScript?
  private let talks = Mutex<[String: Talk]>([:])

  init(_ script: ChatScript?) { self.script = script }

  private func open(_ path: String) -> String {
    let talk = Talk(path: path)
    let name = talks.withLock { talks in
      let name = "\(path)#\(talks.keys.count { $0.hasPrefix(path) } + 1)"
      talks[name] = talk
      return name
    }
    for text in script?.greeting ?? [] { talk.bring(text) }
    return name
  }

  private func say(_ text: String, in stream: String) {
    let talk = talks.withLock { $0[stream] }
    for answer in script?.answers(text) ?? [] { talk?.bring(answer) }
  }

  private func hear(_ stream: String) async throws -> ChatPiece {
    let text = await talks.withLock { $0[stream] }?.hear()
    try Task.checkCancellation()
    return ChatPiece(text: text, end: text == nil)
  }
}

struct ChatPiece: Sendable {
  let text: String?
  let end: Bool

  static let record = Record(
    ChatPiece.init(text:end:), Field("text", \.text, ""), Field("end", \.end, ""))
}

/// A component that passes conversations on.
struct ChatPort: Component {
  private static let role = Role("server", "Talks.")
  private static let open = role.call(
    "open", Parameter<String>("path", ""), answers: Record<String>("stream", ""), fromOutside: true)
  private static let say = role.call(
    "say", Parameter<String>("stream", ""), Parameter<String>("text", ""), answers: .none,
    fromOutside: true)
  private static let hear = role.call(
    "hear", Parameter<String>("stream", ""), answers: ChatPiece.record, continuingRequest: true)

  static let plugin = Plugin(
    "port", version: "1", "Passes conversations on.", state: .none, uses: [open, say, hear],
    operations: [
      Operation("address", "Answers the port.", answers: Record<Int>("port", "")) { _, _ in 1 }
    ]
  ) { _ in ChatPort() }

  static func serve(_ talks: AsyncStream<Talk>, _ context: Context) async {
    await withDiscardingTaskGroup { group in
      for await talk in talks { group.addTask { await serve(talk, context) } }
    }
  }

  private static func serve(_ talk: Talk, _ context: Context) async {
    guard let stream = try? await open(talk.path, in: context) else { return talk.end() }
    let scope = context.beginConversation(stream)
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await text in talk.said {
          guard (try? await say(stream, text, in: scope.context)) != nil else { break }
        }
      }
      group.addTask {
        while let piece = try? await hear(stream, in: scope.context), let text = piece.text {
          talk.bring(text)
        }
        talk.end()
      }
      await group.next()
      group.cancelAll()
    }
    scope.end()
  }
}

/// A conversation as its program has it, or as the server does.
final class Talk: Sendable {
  let path: String
  let said: AsyncStream<String>
  private let saying: AsyncStream<String>.Continuation
  private let heard: AsyncStream<String>
  private let hearing: AsyncStream<String>.Continuation
  private let counts = Mutex((brought: 0, heard: 0))

  init(path: String) {
    self.path = path
    (said, saying) = AsyncStream.makeStream()
    (heard, hearing) = AsyncStream.makeStream()
  }

  func say(_ text: String) { saying.yield(text) }
  func leave() { saying.finish() }
  func end() { hearing.finish() }

  func bring(_ text: String) {
    counts.withLock { $0.brought += 1 }
    hearing.yield(text)
  }

  /// The next message, or nil at the end.
  func hear() async -> String? {
    for await text in heard {
      counts.withLock { $0.heard += 1 }
      return text
    }
    return nil
  }

  /// A sentence if messages wait to be heard, or nil.
  var waiting: String? {
    counts.withLock { $0.brought > $0.heard ? "\($0.brought - $0.heard) too early" : nil }
  }
}

/// A program that does the work of a test.
struct ChatProgram: Component {
  static let plugin = Plugin(
    "program", version: "1", "Works.", state: .none, reaches: [.process],
    operations: [
      Operation("talk", "Works.", answers: Record<String>("result", "What it heard."), retry: .safe)
      { program, _ in try await program.work(program) }
    ]
  ) { _ in ChatProgram(queue: AsyncStream.makeStream(of: Talk.self).continuation) { _ in "" } }

  let queue: AsyncStream<Talk>.Continuation
  let work: ChatWorld.Work

  /// Opens a conversation.
  func open(_ path: String) async -> Talk {
    let talk = Talk(path: path)
    queue.yield(talk)
    return talk
  }
}
