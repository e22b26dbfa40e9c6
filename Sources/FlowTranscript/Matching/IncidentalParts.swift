internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowSystem

/// The parts of answers that are compared only where the scenario reads them.
struct IncidentalParts {
  /// The fields of one operation's answer.
  private typealias Fields = [(name: String, comparison: FieldComparison)]

  private let reads: ReadParts
  private let comparedHeaders: [String: [String]]
  private let fields: [String: Fields]
  /// The types of the answers with fields made of others, by the names of operations.
  private let outputs: [String: RecordType]
  /// The read parts by the paths of the steps.
  private var known: [String: [Read]] = [:]

  /// A read part, as in `ok.headers.etag`.
  private struct Read {
    let path: String
    var isPresence = false

    /// Returns true if the expression sees a change at a path.
    ///
    /// With values it sees only the presence of a part if that is all it reads.
    func sees(_ path: String, _ change: FieldChange? = nil) -> Bool {
      if path == self.path, isPresence, let change { return change.isOfPresence }
      if self.path.isPart(of: path) { return true }
      return !isPresence && path.isPart(of: self.path)
    }
  }

  /// Finds the parts in the answers of a scenario and of all that it includes.
  init(_ plan: Plan) {
    reads = ReadParts(plan)
    comparedHeaders = Dictionary(
      plan.allComponents.map { ($0.name, $0.comparedHeaders) }, uniquingKeysWith: { $0 + $1 })
    var fields: [String: Fields] = [:]
    var outputs: [String: RecordType] = [:]
    for component in plan.allComponents {
      for operation in component.plugin.operations {
        let name = "\(component.name).\(operation.name)"
        if !operation.output.computedFields.isEmpty { outputs[name] = operation.output }
        let found = operation.output.fields.filter { $0.comparison != .always }
        if !found.isEmpty { fields[name] = found.map { ($0.name, $0.comparison) } }
      }
    }
    (self.fields, self.outputs) = (fields, outputs)
  }

  /// Returns true if a change of a call's answer means nothing to the scenario.
  ///
  /// Never of a component's call, since nothing says what a component reads.
  mutating func contains(_ change: FieldChange, of recorded: Transcript.Call) -> Bool {
    isIncidental(change.path, recorded) && !isRead(change, of: recorded)
  }

  /// Returns true if the part of a call's answer at a path, as in `ok.headers.etag`, means nothing
  /// to the scenario.
  mutating func contains(_ path: String, of recorded: Transcript.Call) -> Bool {
    isIncidental(path, recorded) && !reads(of: recorded).contains { $0.sees(path) }
  }

  private func isIncidental(_ path: String, _ recorded: Transcript.Call) -> Bool {
    guard let fields = fields[recorded.name], recorded.address.calls.isEmpty,
      let field = fields.first(where: { path.isPart(of: "ok.\($0.name)") })
    else { return false }
    return isIncidental(field.comparison, recorded)
  }

  /// Returns true if the scenario reads a part of a call's answer.
  mutating func isRead(_ change: FieldChange, of recorded: Transcript.Call) -> Bool {
    reads(of: recorded).contains { $0.sees(change.path, change) }
  }

  /// Returns the changes of fields that are made of others and that the scenario reads.
  ///
  /// The others may be incidental, as the headers are of which `cookies` is made.
  mutating func computedChanges(
    _ recorded: Transcript.Call, _ now: Transcript.Call
  ) -> [FieldChange] {
    guard let type = outputs[now.name], recorded.name == now.name,
      recorded.address.calls.isEmpty,
      case (.output(let before)?, .output(let after)?) = (recorded.answer, now.answer)
    else { return [] }
    let read = reads(of: recorded)
    let fields = type.computedFields.filter { field in
      read.contains { $0.path.isPart(of: "ok.\(field.name)") || $0.sees("ok.\(field.name)") }
    }
    if fields.isEmpty { return [] }
    let values = [before, after].map { try? Value($0.served, as: .record(type)) }
    guard case (.record(let old)?, .record(let new)?) = (values[0], values[1]) else { return [] }
    return fields.flatMap { field in
      FieldChange.between(
        old[field.name].map { JSON($0, as: field.type) },
        new[field.name].map { JSON($0, as: field.type) }, as: field.type, at: "ok.\(field.name)")
    }.filter { change in
      read.contains { $0.sees(change.path, change) }
    }
  }

  private func isIncidental(_ comparison: FieldComparison, _ recorded: Transcript.Call) -> Bool {
    switch comparison {
    case .always: return false
    case .whenRead: return true
    case .whenReadBeside(let other):
      guard case .output(let output)? = recorded.answer, let value = output.served[other] else {
        return false
      }
      return value != .null
    }
  }

  private mutating func reads(of call: Transcript.Call) -> [Read] {
    let path = call.address.path
    if let found = known[path] { return found }
    let headers = comparedHeaders[call.name.componentName] ?? []
    let found =
      reads.parts(at: path).map {
        Read(path: "\($0.path.inside(.field("ok")))", isPresence: $0.isPresence)
      }
      + headers.map { Read(path: "\(FieldPath([.field("ok"), .field("headers"), .field($0)]))") }
    known[path] = found
    return found
  }
}

extension FieldChange {
  /// True if the part is there in only one of the answers.
  fileprivate var isOfPresence: Bool { ((recorded ?? .null) == .null) != ((now ?? .null) == .null) }
}

extension String {
  /// Returns true for the path itself, and for a path inside of it.
  fileprivate func isPart(of path: String) -> Bool {
    guard utf8.starts(with: path.utf8) else { return false }
    let next = utf8.dropFirst(path.utf8.count).first
    return next == nil || next == UInt8(ascii: ".") || next == UInt8(ascii: "[")
  }
}
