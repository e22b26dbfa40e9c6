import FlowCore
import FlowEngine
import FlowScenario
import Synchronization
import TestKit

/// A component that says when it is called, when its task is cancelled, and when it is let go.
final class Watcher: Component {
  static let plugin = Plugin(
    "watcher", version: "1.0", "Tells when it is let go.", state: .memory, operations: operations
  ) { context in Watcher(context: context) }
  static let operations: [Operation<Watcher>] = [
    Operation("look", "Says so.", answers: .none) { _, context in
      context.log("sees it")
    }
  ]

  private let context: Context

  init(context: Context) {
    self.context = context
    context.spawn("watch") { _ in
      // Nothing else ends it: a clock that never moves.
      try? await ManualClock().sleep(for: .seconds(1))
      context.log("stopped")
    }
  }

  deinit { context.log("gone") }
}

/// The messages of a run's watchers, each line with its address.
struct ScopeLog {
  let lines: [String]

  init(_ text: String, files: [String: String]) async throws {
    let plan = try ScenarioLoader(
      registry: try Registry([Watcher.self]), files: ScenarioFiles(texts: files)
    ).plan(ScenarioSource(file: "test.yaml", bytes: Array(text.utf8)))
    let log = Lines()
    var options = Session.Options(in: Directory("."))
    options.log = { address, message in log.lines.withLock { $0.append("\(address) \(message)") } }
    _ = await Session(of: plan, options: options).run(inputs: [])
    lines = log.lines.withLock { $0 }
  }

  private final class Lines: Sendable {
    let lines = Mutex<[String]>([])
  }
}
