public import FlowCore
public import FlowScenario

extension TranscriptHeader {
  /// The recorded inputs as values of the plan's inputs, in their order.
  ///
  /// - Throws: `TranscriptError` when an input is unknown or does not have its type.
  public func inputValues(for plan: Plan, file: String) throws(TranscriptError) -> [Value] {
    do {
      let types = Dictionary(
        plan.inputs.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
      var values: [String: Value] = [:]
      for member in inputs {
        let type = types[member.name] ?? .dynamic
        values[member.name] = try Value(member.value, as: type)
      }
      return try plan.inputValues(values)
    } catch let error as ScenarioError {
      let message = error.diagnostics.map(\.message).joined(separator: "; ")
      throw TranscriptError(.inputs(message), file: file, line: 1)
    } catch {
      throw TranscriptError(.inputs("\(error)"), file: file, line: 1)
    }
  }
}
