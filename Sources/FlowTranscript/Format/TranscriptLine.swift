/// What one line of a transcript, after the header, says.
enum TranscriptLine: Sendable, Hashable {
  /// A component is opened or called.
  case invoke(at: String, name: String, input: JSON)
  /// It answered with its output.
  case answer(at: String, JSON)
  /// It answered with an error.
  case error(at: String, code: String, message: String)
  /// It was stopped before it could answer.
  case cancelled(at: String)
  /// A component reported something by itself.
  case emit(at: String, event: String, payload: JSON)
  /// The run's end.
  case end(passed: Bool, outputs: JSON, isSealed: Bool)

  /// Reads a line; nil when it has other members than its kind asks for.
  init?(_ json: JSON) {
    guard case .object(let members) = json, let address = json["at"]?.string else { return nil }
    switch members.map(\.name) {
    case ["at", "invoke", "input"]:
      guard let name = json["invoke"]?.string, let input = json["input"] else { return nil }
      self = .invoke(at: address, name: name, input: input)
    case ["at", "ok"]:
      guard let output = json["ok"] else { return nil }
      self = .answer(at: address, output)
    case ["at", "error", "message"]:
      guard let code = json["error"]?.string, let message = json["message"]?.string else {
        return nil
      }
      self = .error(at: address, code: code, message: message)
    case ["at", "cancelled"]:
      guard json["cancelled"] == .bool(true) else { return nil }
      self = .cancelled(at: address)
    case ["at", "emit", "payload"]:
      guard let event = json["emit"]?.string, let payload = json["payload"] else { return nil }
      self = .emit(at: address, event: event, payload: payload)
    case ["at", "end", "outputs"], ["at", "end", "outputs", "seal"]:
      guard address == "steps", let end = json["end"]?.string, let outputs = json["outputs"],
        end == "passed" || end == "failed"
      else { return nil }
      self = .end(passed: end == "passed", outputs: outputs, isSealed: json["seal"] != nil)
    default: return nil
    }
  }
}

extension TranscriptLine {
  /// The value in which matchers may stand, and the way to it; nil without one.
  ///
  /// What is served needs examples; the rest is only compared.
  var value: (json: JSON, path: [String], isServed: Bool)? {
    switch self {
    case .invoke(_, _, let input): (input, ["input"], false)
    case .answer(_, let output): (output, ["ok"], true)
    case .emit(_, _, let payload): (payload, ["payload"], true)
    case .end(_, let outputs, _): (outputs, ["outputs"], false)
    case .error, .cancelled: nil
    }
  }

  /// The line with examples in place of what is served and has matchers.
  var served: TranscriptLine {
    switch self {
    case .answer(let address, let output): .answer(at: address, output.served)
    case .emit(let address, let event, let payload):
      .emit(at: address, event: event, payload: payload.served)
    case .invoke, .error, .cancelled, .end: self
    }
  }
}
