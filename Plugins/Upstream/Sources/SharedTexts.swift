internal import FlowCore
private import Synchronization

/// The long texts of requests, each once in memory.
///
/// Each request to a model has the whole conversation so far, and a run keeps its requests until it
/// has ended.
final class SharedTexts: Sendable {
  private struct State {
    var known: Set<String> = []
    var size = 0
  }

  /// The shortest text that is shared, in bytes.
  private static let shortest = 1 << 10
  /// The most bytes of texts that are known.
  private static let most = 64 << 20

  private let state = Mutex(State())

  /// Returns a value with known texts in place of equal ones.
  func shared(_ value: Value) -> Value {
    guard case .string(let text) = value, text.utf8.count >= Self.shortest else { return value }
    return state.withLock { state in
      // Equal by their bytes: `==` takes two forms of one accented letter for one.
      if let known = state.known.first(equalTo: text) { return .string(known) }
      if state.size + text.utf8.count > Self.most { state = State() }
      state.known.insert(text)
      state.size += text.utf8.count
      return value
    }
  }
}

extension Set<String> {
  fileprivate func first(equalTo text: String) -> String? {
    firstIndex(of: text).map { self[$0] }.flatMap { $0.utf8.elementsEqual(text.utf8) ? $0 : nil }
  }
}
