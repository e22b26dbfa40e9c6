package import FlowCore

/// What the components of a scenario reach outside of flow, by kind.
package struct Needs: Sendable, Equatable {
  /// A kind, and the components that reach it.
  package struct Need: Sendable, Equatable {
    /// What is reached.
    package let reach: Reach
    /// Their names, each once, in file order; not empty.
    package let components: [String]
  }

  /// The kinds in their order.
  package let all: [Need]
}

extension Needs: CustomStringConvertible {
  /// `network (api), process (server)`; empty for nothing.
  package var description: String {
    all.map { "\($0.reach.rawValue) (\($0.components.joined(separator: ", ")))" }
      .joined(separator: ", ")
  }
}

extension Plan {
  /// What the components reach, those of the scenarios that it includes as well.
  package var needs: Needs {
    let components = opened.map(\.component)
    return Needs(
      all: Reach.allCases.compactMap { reach in
        let names = components.filter { $0.reaches.contains(reach) }.map(\.name).unique
        return names.isEmpty ? nil : Needs.Need(reach: reach, components: names)
      })
  }

  /// The problems of the components of these names that reach something that is denied.
  ///
  /// - Parameters:
  ///   - denied: What denies each kind, in words: `--deny`.
  ///   - names: The components that would be opened; the others are served from a transcript, and reach nothing.
  /// - Returns: A problem for each component and kind, in file order.
  package func problems(denying denied: [Reach: String], to names: Set<String>) -> [Diagnostic] {
    if denied.isEmpty { return [] }
    return visit(names) { plan, component in
      component.reaches.inOrder.compactMap { reach in
        denied[reach].map {
          Problem.denied(component.phrase, reach, by: $0).diagnostic(
            at: component.place.span(in: plan.file))
        }
      }
    }
  }

  /// A note for each of these components that starts programs, which no limit of the network holds back.
  package func notes(onLimit owner: String, of names: Set<String>) -> [String] {
    visit(names) { _, component in
      component.reaches.contains(.process)
        ? [Problem.unlimitedNote(component.phrase, by: owner)] : []
    }
  }

  private func visit<Found>(
    _ names: Set<String>, _ find: (Plan, PlannedComponent) -> [Found]
  ) -> [Found] {
    opened.filter { names.contains($0.component.name) }.flatMap { find($0.plan, $0.component) }
  }

  /// The components that a run opens, each once: all but those in whose place every step hands over another one.
  var opened: [(plan: Plan, component: PlannedComponent)] {
    var opened = [path: Set(components.indices)]
    for step in ([self] + allScenarios).flatMap(\.allSteps) {
      step.visit { step in
        guard case .scenario(let inner) = step.action else { return }
        let own = inner.plan.components.indices.filter { inner.handed[$0] == nil }
        opened[inner.plan.path, default: []].formUnion(own)
      }
    }
    return ([self] + allScenarios).flatMap { plan in
      plan.components.indices.filter { opened[plan.path]?.contains($0) ?? false }
        .map { (plan, plan.components[$0]) }
    }
  }
}

extension PlannedComponent {
  /// What it reaches: what its settings say where they are known, else all that its plugin declares.
  fileprivate var reaches: Set<Reach> {
    settings.constant.flatMap { try? plugin.reaches($0) } ?? plugin.plugin.reaches
  }

  /// `'api' (plugin http)`.
  fileprivate var phrase: String { "'\(name)' (plugin \(plugin.plugin.name))" }
}
