internal import FlowCore
internal import FlowEngine

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

extension JSONWriter {
  /// An event's line, if it has one.
  ///
  /// Only a journal's header names the run.
  mutating func line(of event: Event, scenario: String, run: String? = nil) {
    switch event {
    case .runStarted(let description):
      TranscriptHeader(description, scenario: scenario, name: run, writer: &self).write(to: &self)
    case .invoked(let invocation): append(invocation)
    case .completed(let invocation, let outcome): append(invocation, outcome)
    case .emitted(let address, let event, let payload):
      begin(address)
      name("emit")
      string(event)
      name("payload")
      dynamic(payload)
      endObject()
    case .runEnded(let result): append(result)
    case .branchStarted, .branchEnded, .stepStarted, .stepEnded: return
    }
    endLine()
  }

  /// The outputs of a scenario as an object.
  mutating func outputs(_ outputs: [(name: String, value: Value)]) {
    beginObject()
    for output in outputs {
      name(output.name)
      dynamic(output.value)
    }
    endObject()
  }

  private mutating func begin(_ address: Address) {
    beginObject()
    name("at")
    self.address(address)
  }

  private mutating func append(_ invocation: Invocation) {
    begin(invocation.address)
    name("invoke")
    string(invocation.name)
    name("input")
    value(invocation.input, as: .record(invocation.inputType))
    endObject()
  }

  private mutating func append(_ invocation: Invocation, _ outcome: Outcome) {
    begin(invocation.address)
    switch outcome {
    case .answer(let answer):
      name("ok")
      value(answer, as: .record(invocation.outputType))
    case .cancelled:
      name("cancelled")
      bool(true)
    case .error(let error):
      name("error")
      string(error.code.name)
      name("message")
      string(error.message)
    }
    endObject()
  }

  private mutating func append(_ result: RunReport) {
    beginObject()
    name("at")
    string("steps")
    name("end")
    string(result.passed ? "passed" : "failed")
    name("outputs")
    outputs(result.outputs)
    endObject()
  }
}

extension JSONWriter {
  /// An address as `Address.description` prints it, without making that text: a recording writes two a
  /// call.
  mutating func address(_ address: Address) {
    beginString()
    escaped(address.path)
    escaped("#")
    guard let first = address.iterations.first else {
      escaped("1")
      return endString()
    }
    escaped(String(first))
    for iteration in address.iterations.dropFirst() { escaped("." + String(iteration)) }
    endString()
  }
}

/// Walks over the lines of a text without copying them.
struct LineCursor {
  /// The longest line that a transcript may have, in bytes.
  static let longest = 16 << 20

  private let bytes: [UInt8]
  private var position = 0

  /// The number of the line that was given last, from 1.
  private(set) var number = 0
  /// Whether that line ended with a newline.
  private(set) var isTerminated = true

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func next() -> ArraySlice<UInt8>? {
    guard position < bytes.count else { return nil }
    let end = bytes[position...].firstIndex(of: 0x0A)
    let line = bytes[position..<(end ?? bytes.count)]
    isTerminated = end != nil
    position = (end ?? bytes.count) + 1
    number += 1
    return line
  }
}
