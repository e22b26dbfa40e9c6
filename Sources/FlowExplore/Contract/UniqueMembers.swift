internal import FlowCore
internal import FlowOpenAPI
private import Synchronization

/// The members of bodies that a service wants to be different in each request, such as a user's name.
///
/// They are found out when a service refuses a usual request with 409.
final class UniqueMembers: Sendable {
  /// The form of a text with a part that is different each time.
  enum Form: Sendable, CaseIterable {
    case behind
    case before
    case alone

    /// The text with the part.
    func text(_ text: String, _ part: String) -> String {
      switch self {
      case .behind: "\(text)-\(part)"
      case .before: part + text
      case .alone: part
      }
    }
  }

  /// A member of a body.
  struct Member: Sendable, Hashable {
    let tokens: [String]
    let form: Form
  }

  private struct State {
    var members: [String: [Member]] = [:]
    var count = 0
  }

  private let start: String
  private let state = Mutex(State())

  /// Creates texts that begin with the same letters.
  ///
  /// They differ from one search to the next, since a service keeps what earlier ones have made.
  init(start: String) { self.start = start }

  /// The start of a search's texts by the time: four letters and digits, since names are often short.
  ///
  /// By the milliseconds, because searches may follow each other within a second. The chance that one
  /// begins like an earlier one is 1 in 1,679,616.
  static func start(at time: Timestamp) -> String {
    let milliseconds = time.seconds * 1_000 + time.nanoseconds / 1_000_000
    let text = String(milliseconds % 1_679_616, radix: 36)
    return String(repeating: "0", count: 4 - text.count) + text
  }

  /// A text that no other call of the search has.
  var text: String {
    state.withLock { state in
      state.count += 1
      return start + String(state.count, radix: 36)
    }
  }

  /// Returns true if something is known of an operation.
  func knows(_ operation: OpenAPIOperation) -> Bool {
    state.withLock { $0.members[operation.name] != nil }
  }

  /// Remembers what a service wants of an operation.
  func learn(_ members: [Member], of operation: OpenAPIOperation) {
    state.withLock { $0.members[operation.name] = members }
  }

  /// The members of a call that are to be different, without a changed one.
  func members(of call: DrawnCall) -> [Member] {
    let known = state.withLock { $0.members[call.operation.name] } ?? []
    return known.filter { member in
      let place = member.tokens.map { "/" + $0 }.joined()
      let changed = (call.change.map { [$0.place] + $0.others }) ?? []
      return !changed.contains { $0.hasSuffix(place) }
    }
  }

  /// The ways to make one member of a body different, and at last all of them.
  ///
  /// The description allows the request in each of them.
  func ways(of call: DrawnCall) -> [[Member]] {
    guard case .value(.map(let map), _) = call.body else { return [] }
    let members = map.entries.prefix(8).compactMap { entry -> Member? in
      guard case .string = entry.value else { return nil }
      let tokens = [entry.key.interpolated]
      return Form.allCases.lazy.map { Member(tokens: tokens, form: $0) }
        .first { call.unique([$0], "0000zz").isAllowed }
    }
    return members.map { [$0] } + (members.count > 1 ? [members] : [])
  }
}

extension DrawnCall {
  /// The call with other texts of some members.
  func unique(_ members: [UniqueMembers.Member], _ part: String) -> DrawnCall {
    guard !members.isEmpty, case .value(var value, let mediaType) = body else { return self }
    for member in members {
      guard case .string(let text)? = value.part(at: member.tokens.map { .field($0) }) else {
        continue
      }
      value = value.replacing(member.tokens[...], by: .string(member.form.text(text, part)))
    }
    var copy = self
    copy.body = .value(value, mediaType: mediaType)
    return copy
  }
}
