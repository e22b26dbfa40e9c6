internal import FlowCore
internal import FlowPlan
internal import FlowRedaction
internal import FlowSystem

extension Transcript {
  /// The first pattern that does not accept its example, with its line, or nil.
  ///
  /// A reader refuses it. Only a hidden example can be one.
  var misfit: (pattern: String, line: Int)? {
    for (index, line) in lines.enumerated() {
      if let pattern = line.value?.misfit { return ("\(pattern)", index + 2) }
    }
    return nil
  }
}

extension RecordedValue {
  fileprivate var misfit: RecordedPattern? {
    switch self {
    case .plain, .body: return nil
    case .pattern(let pattern):
      return pattern.example.map { pattern.accepts($0.served, as: nil) } == false ? pattern : nil
    case .array(let elements): return elements.lazy.compactMap(\.misfit).first
    case .object(let members, _): return members.lazy.compactMap(\.value.misfit).first
    }
  }
}

/// Hides texts in a finished recording.
package struct RecordingRedaction {
  /// A line with hidden texts.
  package struct Change: Sendable, Hashable {
    /// The number of the line, from 1.
    package let line: Int
    /// The address in it, or `inputs` for the header.
    package let address: String
    /// The paths of the texts, each once.
    package let paths: [String]
  }

  private let redactor: Redactor
  private let types: CallTypes
  private let inputs: [String: ValueType]
  private let outputs: ValueType
  private var values: ValueRedaction
  /// The latest call at each address.
  private var calls: [String: String] = [:]
  /// The changed lines, in order.
  package private(set) var changes: [Change] = []

  init(of plan: Plan, _ redactor: Redactor) {
    self.redactor = redactor
    types = CallTypes(plan)
    inputs = Dictionary(
      plan.inputs.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
    outputs = .record(plan.outputType)
    values = ValueRedaction(redactor)
  }

  /// Returns a transcript without hidden texts.
  mutating func hidden(_ transcript: Transcript) -> Transcript {
    let header = hidden(transcript.header)
    var lines: [TranscriptLine] = []
    lines.reserveCapacity(transcript.lines.count)
    for (index, line) in transcript.lines.enumerated() {
      lines.append(hidden(line, number: index + 2))
    }
    if changes.isEmpty { return transcript }
    var copy = transcript.with(lines)
    copy.header = header
    return copy
  }

  private mutating func hidden(_ line: TranscriptLine, number: Int) -> TranscriptLine {
    var (copy, paths) = (line, [String]())
    if case .invoke(let name, _) = line.kind { calls[line.at] = name }
    if let value = line.value {
      copy.value = values.value(value, as: type(of: line))
      paths = values.paths
    }
    if case .error(let code, let message) = line.kind {
      let isDeclared = types[calls[line.at] ?? ""]?.errors.contains(code) ?? false
      let hidden = ComponentError(ErrorCode(code, ""), message)
        .redacted(by: redactor, isDeclared: isDeclared)
      copy.kind = .error(code: hidden.code.name, message: hidden.message)
      if hidden.code.name != code { paths.append("error") }
      if hidden.message != message { paths.append("message") }
    }
    note(paths, line.at, number)
    return copy
  }

  private mutating func hidden(_ header: TranscriptHeader) -> TranscriptHeader {
    var (copy, paths) = (header, [String]())
    copy.values = header.values.map { input in
      let value = values.value(input.value, as: inputs[input.name] ?? .dynamic)
      if !values.paths.isEmpty { paths.append(input.name) }
      return .init(name: input.name, value: value)
    }
    note(paths, "inputs", 1)
    return copy
  }

  private mutating func note(_ paths: [String], _ address: String, _ line: Int) {
    if paths.isEmpty { return }
    changes.append(Change(line: line, address: address, paths: paths.unique))
  }

  private func type(of line: TranscriptLine) -> ValueType {
    switch line.kind {
    case .invoke(let name, _): types[name].map { .record($0.input) } ?? .dynamic
    case .answer: calls[line.at].flatMap { types[$0] }.map { .record($0.output) } ?? .dynamic
    case .emit(let event, _): types[event].map { .record($0.output) } ?? .dynamic
    case .end: outputs
    default: .dynamic
    }
  }
}
