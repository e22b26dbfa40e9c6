internal import FlowCore

/// A way in which the API of a model ends an answer early, as a change of its JSON.
///
///     at: choices.*.finish_reason
///     set: {choices.*.finish_reason: length}
///     halve: [choices.*.message.content]
struct EarlyEnd: Sendable {
  /// The name of the fault.
  enum Kind: String, Sendable {
    /// The model refuses to answer.
    case refusal
    /// The answer has reached its greatest length.
    case length
  }

  let kind: Kind
  /// The place of the reason for the end, a text in every answer that has ended.
  let reason: EditedPlace
  /// The reason of this end.
  let word: String
  /// Texts that become empty.
  var emptied: [EditedPlace] = []
  /// Texts of which only the first half is left.
  var halved: [EditedPlace] = []
  /// Members that are left out.
  var removed: [EditedPlace] = []

  /// Returns the answer with this end, or nil for one that does not say how it has ended.
  func applied(to answer: Value) -> Value? {
    var ends = false
    var changed = reason.change(in: answer) { part in
      guard case .string = part else { return part }
      ends = true
      return .string(word)
    }
    guard ends else { return nil }
    for place in emptied {
      changed = place.change(in: changed) { $0.text == nil ? $0 : .string("") }
    }
    for place in halved {
      changed = place.change(in: changed) { part in
        part.text.map { .string(String($0.prefix($0.count / 2))) } ?? part
      }
    }
    for place in removed { changed = place.change(in: changed) { _ in nil } }
    return changed
  }
}

extension EarlyEnd {
  /// The known ones: of chat completions, as OpenAI and many local servers have them, of messages, as
  /// Anthropic has them, and of Ollama's own API.
  ///
  /// The last event of a stream says the reason in the same place, or in its member `delta`.
  static let known = [
    EarlyEnd(
      kind: .refusal, reason: "choices.*.finish_reason", word: "content_filter",
      emptied: ["choices.*.message.content"], removed: ["choices.*.message.tool_calls"]),
    EarlyEnd(
      kind: .length, reason: "choices.*.finish_reason", word: "length",
      halved: ["choices.*.message.content"]),
    EarlyEnd(
      kind: .refusal, reason: "stop_reason", word: "refusal", removed: ["content.*"]),
    EarlyEnd(kind: .length, reason: "stop_reason", word: "max_tokens", halved: ["content.*.text"]),
    EarlyEnd(kind: .refusal, reason: "delta.stop_reason", word: "refusal"),
    EarlyEnd(kind: .length, reason: "delta.stop_reason", word: "max_tokens"),
    EarlyEnd(
      kind: .length, reason: "done_reason", word: "length",
      halved: ["message.content", "response"]),
  ]

  /// Returns an answer with an early end, or nil for another answer.
  static func applied(_ kind: Kind, to answer: Value) -> Value? {
    known.lazy.filter { $0.kind == kind }.compactMap { $0.applied(to: answer) }.first
  }

  /// Returns a piece of a streamed answer with an early end, or nil for another piece.
  ///
  /// It is an event of server-sent events, or a line of JSON.
  static func applied(_ kind: Kind, toPiece text: String) -> String? {
    var isChanged = false
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
      line -> String in
      let isData = line.hasPrefix("data:")
      guard let value = try? Value(json: Array(line.dropFirst(isData ? 5 : 0).utf8)),
        let changed = applied(kind, to: value)
      else { return String(line) }
      isChanged = true
      return (isData ? "data: " : "") + changed.json
    }
    return isChanged ? lines.joined(separator: "\n") : nil
  }
}

/// A place in JSON: the names of members, with `*` for each element of a list, separated by points.
struct EditedPlace: Sendable, ExpressibleByStringLiteral {
  private let names: [Substring]

  init(stringLiteral text: String) { names = text.split(separator: ".") }

  /// Returns the value with the parts at the place changed, nil leaving one out.
  ///
  /// Nothing is added where the place does not exist.
  func change(in value: Value, _ edit: (Value) -> Value?) -> Value {
    Self.change(value, names[...], edit) ?? value
  }

  private static func change(
    _ value: Value, _ names: ArraySlice<Substring>, _ edit: (Value) -> Value?
  ) -> Value? {
    guard let name = names.first else { return edit(value) }
    let rest = names.dropFirst()
    switch value {
    case .list(let elements) where name == "*":
      return .list(elements.compactMap { change($0, rest, edit) })
    case .map(var map):
      guard let part = map[String(name)] else { return value }
      map[.string(String(name))] = change(part, rest, edit)
      return .map(map)
    default: return value
    }
  }
}

extension Value {
  /// The text, or nil for another value.
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}
