internal import FlowCore
private import Synchronization

/// The answers to the requests by which agents get to know their servers, kept for the run.
final class KnownAnswers: Sendable {
  private struct State {
    var answers: [String: (answer: AgentAnswer, list: String?)] = [:]
    /// The number of changes of lists, by role.
    ///
    /// A role is there once an agent has asked for it.
    var changes: [String: Int] = [:]
  }

  /// The most answers that are kept.
  private static let most = 1_000

  private let state = Mutex(State())

  /// Returns true for the first request for a role.
  func isFirst(_ role: String) -> Bool {
    state.withLock { state in
      if state.changes[role] != nil { return false }
      state.changes[role] = 0
      return true
    }
  }

  /// The number of changes of lists so far, for `keep`.
  func time(of role: String) -> Int { state.withLock { $0.changes[role] ?? 0 } }

  func answer(to request: AgentRequest, of role: String) -> AgentAnswer? {
    state.withLock { $0.answers["\(role) \(request.key)"]?.answer }
  }

  /// Keeps an answer, unless a list has changed while the server gave it.
  func keep(_ answer: AgentAnswer, to request: AgentRequest, of role: String, since time: Int) {
    state.withLock { state in
      guard state.answers.count < Self.most, state.changes[role] == time else { return }
      state.answers["\(role) \(request.key)"] = (answer, request.list)
    }
  }

  /// Forgets the answers with a list that has changed.
  func forget(_ list: String, of role: String) {
    state.withLock { state in
      state.changes[role, default: 0] += 1
      state.answers = state.answers.filter { key, known in
        !(key.hasPrefix(role + " ") && known.list == list)
      }
    }
  }
}
