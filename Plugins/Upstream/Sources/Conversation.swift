internal import FlowCore

/// The messages between a program and the component of its server, in both directions at once.
struct Conversation: Sendable {
  /// The end of a direction, or of both.
  enum End: Sendable {
    /// The program has left.
    case left
    /// The program has nothing more to say, and listens.
    case said
    /// The server has ended the conversation.
    case closed
    /// The server does not answer any more.
    case silent
    /// The connection to the server has broken, for this reason.
    case broken(ComponentError)
    /// flow has no recorded answer, for this reason.
    case refused(String)
  }

  /// Passes on the next message of the program, and returns false after the last one.
  let pass: @Sendable () async throws -> Bool
  /// Brings the next message of the server, and returns false after the last one.
  let bring: @Sendable () async throws -> Bool

  /// Passes messages on in both directions until one side has ended the conversation, for the same
  /// reason as the result.
  ///
  /// `closing` is the longest wait for the program after the end by the server, unless it has
  /// nothing more to say.
  func run(closing: @escaping @Sendable () async -> Void) async -> End {
    await withTaskGroup(of: End.self) { group in
      group.addTask { await passAll() }
      group.addTask { await bringAll() }
      var hasSaidAll = false
      while let end = await group.next() {
        switch end {
        // The other direction goes on. A silent server hears a program, and says nothing.
        case .said, .silent:
          if case .said = end { hasSaidAll = true }
          continue
        case .closed:
          if hasSaidAll { return stop(&group, end) }
          group.addTask {
            await closing()
            return .left
          }
          _ = await group.next()
          return stop(&group, end)
        case .left, .broken, .refused: return stop(&group, end)
        }
      }
      return .silent
    }
  }

  private func stop(_ group: inout TaskGroup<End>, _ end: End) -> End {
    group.cancelAll()
    return end
  }

  private func passAll() async -> End {
    do {
      while try await pass() {}
      return .said
    } catch let error as ComponentError {
      // Why the server takes no more, it says itself.
      return error.code == .unexpected ? .refused(error.message) : .said
    } catch {
      return .left
    }
  }

  private func bringAll() async -> End {
    do {
      while try await bring() {}
      return .closed
    } catch let error as ComponentError {
      if error.code == .unexpected { return .refused(error.message) }
      // The program has a time limit of its own.
      return ["timeout", "deadline_exceeded"].contains(error.code.name) ? .silent : .broken(error)
    } catch {
      return .left
    }
  }
}
