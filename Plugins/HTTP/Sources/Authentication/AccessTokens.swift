internal import FlowCore
private import Synchronization

/// The tokens of a component, fetched when a request needs one and kept until they end.
///
/// Requests at the same time wait for one fetch.
final class AccessTokens: Sendable {
  private struct Entry {
    var token: AccessToken?
    var isFetching = false
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  private struct State {
    var entries: [ClientCredentials: Entry] = [:]
    var lastNumber = 0
  }

  /// The next action of a request that needs a token.
  private enum Next {
    case use(AccessToken)
    case fetch
    case wait(Int)
  }

  private let state = Mutex(State())

  /// Returns a token, fetched unless there is a current one.
  func token(
    for credentials: ClientCredentials, fetch: () async throws -> AccessToken
  ) async throws -> AccessToken {
    while true {
      try Task.checkCancellation()
      switch next(for: credentials) {
      case .use(let token): return token
      case .wait(let number): await wait(number, for: credentials)
      case .fetch:
        do {
          let token = try await fetch()
          end(credentials, with: token)
          return token
        } catch {
          end(credentials, with: nil)
          throw error
        }
      }
    }
  }

  /// Forgets a token that a server refused, unless it was renewed meanwhile.
  func discard(_ token: AccessToken, for credentials: ClientCredentials) {
    state.withLock { state in
      if state.entries[credentials]?.token == token { state.entries[credentials]?.token = nil }
    }
  }

  private func next(for credentials: ClientCredentials) -> Next {
    state.withLock { state in
      let entry = state.entries[credentials, default: Entry()]
      if let token = entry.token, token.isCurrent { return .use(token) }
      guard entry.isFetching else {
        state.entries[credentials, default: Entry()].isFetching = true
        return .fetch
      }
      state.lastNumber += 1
      return .wait(state.lastNumber)
    }
  }

  /// Waits for the end of the fetch under way, or for the cancellation of the task.
  private func wait(_ number: Int, for credentials: ClientCredentials) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waits = state.withLock { state in
          guard state.entries[credentials]?.isFetching == true, !Task.isCancelled else {
            return false
          }
          state.entries[credentials]?.waiting[number] = continuation
          return true
        }
        if !waits { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.entries[credentials]?.waiting.removeValue(forKey: number) }?.resume()
    }
  }

  private func end(_ credentials: ClientCredentials, with token: AccessToken?) {
    let waiting = state.withLock { state in
      defer { state.entries[credentials] = Entry(token: token) }
      return state.entries[credentials]?.waiting ?? [:]
    }
    for continuation in waiting.values { continuation.resume() }
  }
}
