internal import FlowCore
internal import FlowPlan
internal import FlowRedaction
internal import FlowSystem

/// Hides texts in the lines of a finished recording.
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

  init(of plan: Plan, _ redactor: Redactor, _ content: @escaping ValueRedaction.Contents) {
    self.redactor = redactor
    types = CallTypes(plan)
    inputs = Dictionary(
      plan.inputs.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
    outputs = .record(plan.outputType)
    values = ValueRedaction(redactor, content)
  }

  /// The bodies that the lines name now.
  var bodies: [Blob: [UInt8]] { values.bodies }

  /// Returns the lines without hidden texts.
  ///
  /// Unchanged lines keep their bytes. A seal is not made anew.
  mutating func lines(_ recording: [UInt8]) throws(BlobError) -> [UInt8] {
    var (lines, result) = (LineCursor(recording), [UInt8]())
    while let line = lines.next() {
      guard let json = try? JSONParser.parse(line),
        let changed = try changed(json, number: lines.number)
      else {
        result += Array(line) + [0x0A]
        continue
      }
      result += Array(changed.text.utf8) + [0x0A]
    }
    return result
  }

  /// Returns a line in place of another one, or nil if it stays as it is.
  private mutating func changed(_ json: JSON, number: Int) throws(BlobError) -> JSON? {
    if number == 1 { return try header(json) }
    guard var line = TranscriptLine(json) else { return nil }
    if case .invoke(let name, _) = line.kind { calls[line.at] = name }
    if let value = line.value { line.value = try values.value(value, as: type(of: line)) }
    var paths = line.value == nil ? [] : values.paths
    if case .error(let code, let message) = line.kind {
      let isDeclared = types[calls[line.at] ?? ""]?.errors.contains(code) ?? false
      let hidden = ComponentError(ErrorCode(code, ""), message)
        .redacted(by: redactor, isDeclared: isDeclared)
      line.kind = .error(code: hidden.code.name, message: hidden.message)
      if hidden.code.name != code { paths.append("error") }
      if hidden.message != message { paths.append("message") }
    }
    return note(paths, line.at, number) ? line.json : nil
  }

  private mutating func header(_ json: JSON) throws(BlobError) -> JSON? {
    guard case .object(var members) = json,
      let index = members.firstIndex(where: { $0.name == "inputs" }),
      case .object(let given) = members[index].value
    else { return nil }
    var (redacted, paths): ([JSON.Member], [String]) = ([], [])
    for input in given {
      let value = try values.value(input.value, as: inputs[input.name] ?? .dynamic)
      redacted.append(.init(input.name, value))
      if !values.paths.isEmpty { paths.append(input.name) }
    }
    members[index] = .init("inputs", .object(redacted))
    return note(paths, "inputs", 1) ? .object(members) : nil
  }

  private mutating func note(_ paths: [String], _ address: String, _ line: Int) -> Bool {
    if paths.isEmpty { return false }
    changes.append(Change(line: line, address: address, paths: paths.unique))
    return true
  }

  private func type(of line: TranscriptLine) -> ValueType {
    switch line.kind {
    case .invoke(let name, _): types[name].map { .record($0.input) } ?? .dynamic
    case .answer: calls[line.at].flatMap { types[$0] }.map { .record($0.output) } ?? .dynamic
    case .emit(let event): types[event].map { .record($0.output) } ?? .dynamic
    case .end: outputs
    default: .dynamic
    }
  }
}
