internal import FlowCore

/// A record of a component and the values it has met.
private struct SampledRecord {
  /// What it is the record of: `the input of 'balance.subtract'`.
  let name: String
  let type: RecordType
  let copy: @Sendable (Value) throws(DecodeError) -> Value
  /// Values of the sample.
  var values: [Value] = []

  /// What is wrong with the first value that does not come back as it was encoded.
  var fault: ContractFault? {
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

extension ContractRun {
  /// The records that do not decode what they encode: of outputs and payloads.
  ///
  /// Each is tried with what the sample shows of it, and with made-up values of its fields' types.
  func recordProblems<Subject: Component>(_ subject: Subject.Type) async -> [Diagnostic] {
    let record = await record()
    return Self.records(of: subject, record).compactMap { $0.fault?.diagnostic(at: nil) }
  }

  private static func records<Subject: Component>(
    of subject: Subject.Type, _ run: Record
  ) -> [SampledRecord] {
    let plugin = Subject.plugin
    let name = plugin.description.name
    let operations = plugin.operations.map { operation in
      let calls = run.operations.filter { $0.operation == operation.description.name }.map(\.call)
      return SampledRecord(
        name: "the output of '\(name).\(operation.description.name)'",
        type: operation.description.output, copy: operation.outputCopy,
        values: calls.compactMap(\.output))
    }
    let events = plugin.events.map { event in
      let reports = run.reports.filter { $0.name.hasSuffix(".\(event.name)") }
      return SampledRecord(
        name: "the event '\(name).\(event.name)'", type: event.payload, copy: event.payloadCopy,
        values: reports.map(\.payload))
    }
    return operations + events
  }
}

extension ComponentCall {
  /// What it answered; nil when it failed.
  fileprivate var output: Value? {
    if case .output(let value) = answer { value } else { nil }
  }
}
