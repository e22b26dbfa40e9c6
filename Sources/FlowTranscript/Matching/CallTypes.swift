internal import FlowCore
internal import FlowPlan

/// The input and output types of a scenario's calls, by name.
///
/// Empty without a plan.
///
/// A name of the outer scenario takes precedence over the same name in an included one.
struct CallTypes {
  /// The types of one call.
  struct Types {
    let input: RecordType
    let output: RecordType
    /// The codes of its declared errors.
    var errors: [String] = []
    /// The lists in its input and its answer whose elements have names.
    var lists: [NamedList] = []
  }

  private var types: [String: Types] = [:]

  init(_ plan: Plan?) {
    for component in plan?.allComponents ?? [] {
      add(component.name, Types(input: component.settingsType, output: .empty))
      for operation in component.plugin.operations {
        let types = Types(
          input: operation.input, output: operation.output, errors: operation.errors.map(\.name),
          lists: operation.namedLists)
        add("\(component.name).\(operation.name)", types)
      }
      // What a step waits for is recorded as the answer to its wait.
      for event in component.plugin.events {
        add("\(component.name).\(event.name)", Types(input: .empty, output: event.payload))
      }
    }
  }

  private mutating func add(_ name: String, _ new: Types) {
    if types[name] == nil { types[name] = new }
  }

  /// The types of a call, or nil if they are unknown.
  subscript(name: String) -> Types? { types[name] }
}
