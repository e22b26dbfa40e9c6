package import FlowCore

extension RecordType {
  /// The fields that are quantities, also those of records in it, in the order of their declaration.
  package var quantities: [Field] {
    (fields + computedFields).flatMap { field in
      field.quantity == nil ? field.type.quantities : [field]
    }
  }
}

extension ValueType {
  fileprivate var quantities: [RecordType.Field] {
    switch self {
    case .record(let record): record.quantities
    case .optional(let type): type.quantities
    default: []
    }
  }
}

extension [PlannedStep] {
  /// The plugins of the components of the scenarios that the steps run.
  package var includedPlugins: [RegisteredPlugin] {
    var included: [Plan] = []
    for step in self {
      step.visit { if let scenario = $0.action.scenario { included.append(scenario.plan) } }
    }
    return included.flatMap(\.allComponents).map(\.plugin)
  }
}

extension [RegisteredPlugin] {
  /// A record with a list for each quantity in the answers of the plugins' operations.
  ///
  /// Quantities with one name share a list.
  package var usage: RecordType {
    let names = flatMap(\.operations).flatMap(\.output.quantities).map(\.name).unique
    return RecordType(
      names.map {
        RecordType.Field(
          name: $0, type: .list(.decimal), summary: "The amounts of all calls, in their order.",
          defaultValue: nil)
      })
  }
}
