internal import FlowCore
internal import FlowPlan

extension CheckRun {
  func sampleProblems<Subject: Component>(_ subject: Subject.Type) async -> [Diagnostic] {
    let record = await record()
    if !record.failures.isEmpty { return record.failures }
    let own = plan.names(ofComponents: Subject.plugin.description.name)
    let called = Set(
      record.operations.filter { own.contains($0.call.component) }.map(\.operation))
    return Subject.plugin.operations.map(\.description.name).filter { !called.contains($0) }.map {
      CheckFault.notCalled("\(Subject.plugin.description.name).\($0)").diagnostic()
    }
  }

  func errorProblems(_ plugin: String) async -> [Diagnostic] {
    let (record, own) = (await record(), plan.names(ofComponents: plugin))
    return record.calls.filter { own.contains($0.component) }.compactMap { call in
      guard case .error(let error) = call.answer, error.code == .unexpected else { return nil }
      return CheckFault.undeclared(call, message: error.message)
        .diagnostic(at: record.span(of: call.address, in: plan.file))
    }
  }
}

extension Plan {
  /// The names of the components of a plugin.
  func names(ofComponents plugin: String) -> Set<String> {
    Set(allComponents.filter { $0.plugin.plugin.name == plugin }.map(\.name))
  }
}

extension ComponentCall {
  /// The called component.
  fileprivate var component: String { name.componentName }
}

extension CheckRun.Record {
  /// The calls with the names of their operations, without their components.
  var operations: [(operation: String, call: ComponentCall)] {
    calls.map { (String($0.name.drop { $0 != "." }.dropFirst()), $0) }
  }
}

private struct SampledRecord {
  /// The record's name in messages: `the input of 'balance.subtract'`.
  let name: String
  let type: RecordType
  let copy: @Sendable (Value) throws(DecodeError) -> Value
  var values: [Value] = []

  /// The fault of the first value that differs after encoding and decoding.
  var fault: CheckFault? {
    for value in values + type.specimens {
      // What a model refuses is no value of it.
      guard let encoded = try? copy(value) else { continue }
      do throws(DecodeError) {
        let again = try copy(encoded)
        if again != encoded { return .changedRecord(name, before: encoded, after: again) }
      } catch {
        return .unreadableRecord(name, encoded, error)
      }
    }
    return nil
  }
}

extension CheckRun {
  /// The records of outputs and payloads that do not decode their own encoding.
  ///
  /// Each is tried with the sample's values, and with made-up values of its fields' types.
  func recordProblems<Subject: Component>(_ subject: Subject.Type) async -> [Diagnostic] {
    let record = await record()
    return records(of: subject, record).compactMap { $0.fault?.diagnostic() }
  }

  private func records<Subject: Component>(
    of subject: Subject.Type, _ run: Record
  ) -> [SampledRecord] {
    let plugin = Subject.plugin
    let name = plugin.description.name
    let own = plan.names(ofComponents: name)
    let operations = plugin.operations.map { operation in
      let calls = run.operations.map(\.call).filter { call in
        own.contains { call.name == "\($0).\(operation.description.name)" }
      }
      return SampledRecord(
        name: "the output of '\(name).\(operation.description.name)'",
        type: operation.description.output, copy: operation.outputCopy,
        values: calls.compactMap(\.output))
    }
    let events = plugin.events.map { event in
      let reports = run.reports.filter { report in
        own.contains { report.name == "\($0).\(event.name)" }
      }
      return SampledRecord(
        name: "the event '\(name).\(event.name)'", type: event.payload, copy: event.payloadCopy,
        values: reports.map(\.payload))
    }
    return operations + events
  }
}

extension ComponentCall {
  fileprivate var output: Value? {
    if case .output(let value) = answer { value } else { nil }
  }
}

extension RecordType {
  /// A few made-up values of the type, so that each field differs from its neighbours of the same type.
  var specimens: [Value] { (0..<3).map { variant in specimen(variant, depth: 0) } }

  fileprivate func specimen(_ variant: Int, depth: Int) -> Value {
    let values = fields.enumerated().map { index, field in
      field.type.specimen(index, variant, depth: depth)
    }
    return .record(RecordValue(self, values))
  }
}

extension ValueType {
  /// Records hold records, and one may hold itself.
  private static let deepest = 4

  fileprivate func specimen(_ index: Int, _ variant: Int, depth: Int) -> Value {
    let number = index + variant * 100 + 1
    switch self {
    case .bool: return .bool((index + variant).isMultiple(of: 2))
    case .int: return .int(variant == 2 ? -number : number)
    case .uint: return .uint(UInt(number))
    case .double: return .double(Double(number) + 0.5)
    case .decimal: return .decimal(Decimal(significand: Int128(number), scale: 2))
    case .string, .dynamic: return .string(variant == 0 ? "" : "text \(number)")
    case .enumeration(let names):
      return names.isEmpty ? .null : .string(names[number % names.count])
    case .bytes: return .bytes(Bytes([0, UInt8(truncatingIfNeeded: number), 255]))
    case .timestamp: return .timestamp(Timestamp.epoch.advanced(by: .seconds(number)) ?? .epoch)
    case .duration: return .duration(.milliseconds(number))
    case .list, .map, .record, .optional: return nested(index, variant, depth: depth)
    }
  }

  private func nested(_ index: Int, _ variant: Int, depth: Int) -> Value {
    let isEmpty = variant == 0 || depth == Self.deepest
    let inner = { (type: ValueType) in type.specimen(index, variant, depth: depth + 1) }
    switch self {
    case .list(let element): return .list(isEmpty ? [] : [inner(element), inner(element)])
    case .map(let element): return .map(isEmpty ? ValueMap() : ValueMap([("key", inner(element))]))
    case .optional(let wrapped): return isEmpty ? .null : inner(wrapped)
    case .record(let type): return type.specimen(variant, depth: depth + 1)
    default: return .null
    }
  }
}
