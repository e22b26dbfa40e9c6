/// Another scenario that a step runs.
public struct PlannedScenario: Sendable {
  /// The other plan, shared by all steps that include its file.
  public let plan: Plan
  /// Its inputs, a record of the plan's `inputType`.
  public let input: Template
  /// The components of this scenario that replace some of the plan's, by the plan's positions.
  package let handed: [Int: HandedComponent]
  /// The place of the other file's name.
  public let place: Place

  package init(plan: Plan, input: Template, handed: [Int: HandedComponent], place: Place) {
    self.plan = plan
    self.input = input
    self.handed = handed
    self.place = place
  }
}

/// A component that replaces one of another scenario's components, which is not opened.
package struct HandedComponent: Sendable, Hashable {
  /// Its position among the components of its own scenario.
  package let index: Int
  /// Its name there.
  package let name: String
  /// The parts that differ from run to run in the answers of each operation, by its name.
  package var volatile: [String: [ValuePath]] = [:]

  package init(index: Int, name: String, volatile: [String: [ValuePath]] = [:]) {
    self.index = index
    self.name = name
    self.volatile = volatile
  }
}

extension PlannedScenario: PlannedContent {
  package var templates: [Template] { [input] }
  package var waiting: Waiting { .nothing }
  package var lines: [String] {
    let names = handed.sorted { $0.key < $1.key }.map {
      "\(plan.components[$0.key].name): \($0.value.name)"
    }
    return ["scenario: \(plan.path)" + (plan.inputs.isEmpty ? "" : " \(input.text())")]
      + (names.isEmpty ? [] : ["components: {\(names.joined(separator: ", "))}"])
  }
  package var summary: String { "scenario \(plan.path)" }
}

extension PlannedScenario {
  /// The events that the other scenario awaits from handed components, by their names here.
  var handedEvents: [String] {
    handed.flatMap { inner, outer in
      let prefix = plan.components[inner].name + "."
      return plan.awaitedEvents.filter { $0.hasPrefix(prefix) }
        .map { outer.name + "." + $0.dropFirst(prefix.count) }
    }
  }
}
