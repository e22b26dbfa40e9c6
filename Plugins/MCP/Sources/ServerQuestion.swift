import FlowCore

/// A result that asks for input, instead of an answer (revision 2026-07-28, InputRequiredResult).
struct ServerQuestion: Sendable {
  private let requests: ValueMap
  private let state: Value?

  /// Reads a question, or returns nil for a complete result.
  init?(_ result: Value) {
    guard result["resultType"] == .string("input_required") else { return nil }
    requests = result["inputRequests"]?.map ?? ValueMap()
    state = result["requestState"]
  }

  /// Returns the parameters of the call with answers to all questions.
  ///
  /// - Throws: `MCPError.inputRequired` with the questions that have no answer.
  func answered(by answers: ValueMap, in params: ValueMap) throws(MCPError) -> ValueMap {
    let missing = requests.entries.filter { answers[$0.key] == nil }
    guard missing.isEmpty else {
      throw .inputRequired(
        "the tool asks for input: " + missing.map(Self.text).joined(separator: "; "))
    }
    var params = params
    let responses = requests.entries.map { entry in
      (entry.key.interpolated, Self.response(answers[entry.key] ?? .null))
    }
    params[.string("inputResponses")] = responses.isEmpty ? nil : .map(ValueMap(responses))
    params[.string("requestState")] = state
    return params
  }

  private static func text(_ entry: ValueMap.Entry) -> String {
    let params = entry.value["params"]
    let message = params?["message"]?.string ?? entry.value["method"]?.string ?? "no message"
    let names = params?["requestedSchema"]?["properties"]?.map?.entries.map(\.key.interpolated)
    let fields = names.map { " (\(ServerText.line($0.joined(separator: ", "))))" } ?? ""
    return "'\(ServerText.line(entry.key.interpolated, limit: 60))': "
      + ServerText.line(message) + fields
  }

  /// The answer of a person: null declines.
  private static func response(_ answer: Value) -> Value {
    guard case .map = answer else {
      return .map(ValueMap([("action", .string("decline"))]))
    }
    return .map(ValueMap([("action", .string("accept")), ("content", answer)]))
  }
}
