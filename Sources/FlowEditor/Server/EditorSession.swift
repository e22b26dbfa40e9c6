private import Dispatch
package import FlowSystem

/// A session with an editor: its messages and the jobs between them.
package enum EditorSession {
  private enum Event: Sendable {
    case part(MessageStream.Part)
    case analysis(FileAnalysis)
    case answer(LaterAnswer, JSON)
    case end
  }

  /// Serves a client until it says `exit`, its messages end, or its process is gone.
  ///
  /// A text is checked while the next messages are read. Returns true if the client asked for the
  /// end before `exit`.
  package static func serve(
    _ parts: AsyncStream<MessageStream.Part>, by server: LanguageServer,
    write: @escaping @Sendable (JSON) -> Void
  ) async -> Bool {
    var server = server
    let cancelled = server.cancelled
    let (events, input) = AsyncStream.makeStream(of: Event.self)
    // A group that keeps results would grow with each check.
    await withDiscardingTaskGroup { group in
      group.addTask {
        for await part in parts {
          cancelled.note(part)
          input.yield(.part(part))
        }
        input.yield(.end)
      }
      for await event in events {
        switch event {
        case .part(let part):
          for message in server.receive(part) { write(message) }
          if let process = server.takeClientProcess() { watch(process) { input.yield(.end) } }
        case .analysis(let analysis): for message in server.finish(analysis) { write(message) }
        case .answer(let answer, let message):
          server.end(answer)
          write(message)
        case .end: return group.cancelAll()
        }
        if server.hasEnded { return group.cancelAll() }
        for answer in server.takeLaterAnswers() {
          group.addTask { input.yield(.answer(answer, await answer.message())) }
        }
        if let job = server.nextJob() { group.addTask { input.yield(.analysis(job.run())) } }
      }
    }
    return server.wasShutDown
  }

  /// Calls an action when a process is gone.
  private static func watch(_ process: Int32, _ action: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "flow.editor").async {
      if OtherProcess.waitForEnd(of: process) { action() }
    }
  }
}
