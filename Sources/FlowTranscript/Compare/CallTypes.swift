internal import FlowCore
internal import FlowScenario

/// What each call of a scenario takes and answers, by its name; empty without a plan.
struct CallTypes {
  /// The types of one call.
  struct Types {
    let input: RecordType
    let output: RecordType
  }

  private var types: [String: Types] = [:]

  init(_ plan: Plan?) {
    for component in plan?.components ?? [] {
      types[component.name] = Types(input: component.settingsType, output: .empty)
      for operation in component.plugin.operations {
        types["\(component.name).\(operation.name)"] = Types(
          input: operation.input, output: operation.output)
      }
    }
  }

  /// The types of a call; nil where nobody knows them.
  subscript(name: String) -> Types? { types[name] }
}
