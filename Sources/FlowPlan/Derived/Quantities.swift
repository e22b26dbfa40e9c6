package import FlowCore

extension RecordType {
  /// The fields that are quantities, also those of records inside, in the order of their declaration.
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
    case .optional(let type), .list(let type), .map(let type): type.quantities
    default: []
    }
  }
}

extension Value {
  /// Shows the quantities in an answer to a visitor, by their names, as decimals, without absent ones.
  package func visitQuantities(_ visitor: (String, Value) -> Void) {
    switch self {
    case .record(let record):
      for field in record.type.fields + record.type.computedFields {
        guard field.quantity != nil || field.type.mayHaveQuantities else { continue }
        guard let value = record[field.name] else { continue }
        if field.quantity == nil {
          value.visitQuantities(visitor)
        } else {
          value.show(as: field.name, visitor)
        }
      }
    case .optional(let value?): value.visitQuantities(visitor)
    case .list(let values): for value in values { value.visitQuantities(visitor) }
    case .map(let map): for entry in map.entries { entry.value.visitQuantities(visitor) }
    default: return
    }
  }

  private func show(as name: String, _ visitor: (String, Value) -> Void) {
    switch self {
    case .optional(let value?): value.show(as: name, visitor)
    default: if let amount = try? converted(to: .decimal) { visitor(name, amount) }
    }
  }
}

extension ValueType {
  // A body may be large, and has no declared fields.
  fileprivate var mayHaveQuantities: Bool { !quantities.isEmpty }
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
