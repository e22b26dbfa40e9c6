package import FlowCore
internal import FlowSystem
private import Synchronization

/// The credentials in the requests of a run's programs, which no scenario declares.
///
/// Each one is hidden in its place in the request, and nowhere else: only there is it known to be
/// one. What the run has shown before stays as it is. Hiding it would keep no secret, and the
/// comparison of what a program passes on needs it.
package final class ProgramCredentials: Sendable {
  fileprivate struct State {
    /// The texts that the run has shown so far.
    var shown: [String] = []
    var size = 0
    /// The credentials so far, and true for the visible ones.
    var isVisible: [String: Bool] = [:]
  }

  private let redactor: Redactor
  private let state = Mutex(State())

  /// The most bytes of texts to remember, and the most credentials to look for in them.
  ///
  /// Further credentials are hidden in any case.
  private static let (mostBytes, mostSearches) = (64 << 20, 1_000)
  /// The length from which a text inside of a longer one is no chance.
  fileprivate static let shortestPart = 8

  /// Creates the credentials of a run, in whose recordings they have the placeholders of
  /// `redactor`.
  package init(_ redactor: Redactor) { self.redactor = redactor }

  /// Notes the texts of a value that the run has shown: an input of a step, or an answer.
  package func note(_ value: Value) {
    state.withLock { state in
      if state.size <= Self.mostBytes { state.note(value) }
    }
  }

  /// Returns a request as recordings have it.
  package func hidden(_ request: Value, of component: String) -> Value {
    CredentialParts.replaced(in: request) { part in
      // A declared secret and a pattern say more.
      guard part.isReusable, !redactor.hides(part.whole), !isVisible(part.text) else {
        return nil
      }
      return redactor.placeholder(
        for: part.text, named: Redactor.name(ofField: part.name, of: component))
    }
  }

  /// Decided once for each text, so that its requests look the same.
  private func isVisible(_ text: String) -> Bool {
    if redactor.leavesVisible(text) { return true }
    return state.withLock { state in
      if let known = state.isVisible[text] { return known }
      guard state.size <= Self.mostBytes, state.isVisible.count < Self.mostSearches else {
        return false
      }
      let isVisible = state.shows(text)
      state.isVisible[text] = isVisible
      return isVisible
    }
  }
}

extension ProgramCredentials.State {
  fileprivate mutating func note(_ value: Value) {
    switch value {
    case .string(let text):
      // Empty ones show nothing.
      if text.isEmpty { return }
      shown.append(text)
      size += text.utf8.count
    case .int, .uint, .double, .decimal, .number: note(.string("\(value)"))
    case .optional(let value?): note(value)
    case .list(let values): for value in values { note(value) }
    case .record(let record): for value in record.values { note(value) }
    case .map(let map):
      for entry in map.entries {
        note(entry.key)
        note(entry.value)
      }
    case .bytes, .optional(nil), .null, .bool, .timestamp, .duration, .type: return
    }
  }

  /// Returns true if a text is one of those shown, or a word of one.
  fileprivate func shows(_ text: String) -> Bool {
    let mayBePart = text.utf8.count >= ProgramCredentials.shortestPart
    return shown.contains { $0 == text || mayBePart && $0.containsWord(text) }
  }
}

extension CredentialParts.Part {
  /// False for a signature, which proves one request and opens no other.
  ///
  /// It stays comparable, since a program may compute a wrong one.
  fileprivate var isReusable: Bool {
    let name = name.lowercased()
    return !["signature", "hmac", "sig"].contains { name.hasSuffix($0) }
  }
}
