package import FlowCore

/// The resources outside flow that the components of a scenario reach.
package struct Needs: Sendable, Equatable {
  /// A kind of resource, and the components that reach it.
  package struct Need: Sendable, Equatable {
    /// The kind.
    package let reach: Reach
    /// Their names, each once, in file order.
    ///
    /// Not empty.
    package let components: [String]
  }

  /// The kinds in their order.
  package let all: [Need]
}

extension Needs: CustomStringConvertible {
  /// `network (api), process (server)`, or an empty string.
  package var description: String {
    all.map { "\($0.reach.rawValue) (\($0.components.joined(separator: ", ")))" }
      .joined(separator: ", ")
  }
}

extension Plan {
  /// The needs of the components, including those of included scenarios.
  package var needs: Needs {
    let components = opened.map(\.component)
    return Needs(
      all: Reach.allCases.compactMap { reach in
        let names = components.filter { $0.reaches.contains(reach) }.map(\.name).unique
        return names.isEmpty ? nil : Needs.Need(reach: reach, components: names)
      })
  }

  /// The names of the components that call servers, and do nothing else for long.
  ///
  /// A database may be a file.
  package var callingServers: Set<String> {
    Set(
      opened.map(\.component)
        .filter { $0.reaches.contains(.network) && !$0.reaches.contains(.database) }.map(\.name))
  }

  /// The problems of components that reach something denied.
  ///
  /// - Parameters:
  ///   - denied: The source of each denial, in words: `--deny`.
  ///   - names: The components to be opened. The others are served from a transcript, and reach nothing.
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

  /// Returns a note for each of these components that starts programs, which ignore network limits.
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

  /// The components opened by a run, each once, except for those that every step replaces.
  var opened: [(plan: Plan, component: PlannedComponent)] {
    // As in most scenarios, which include no others.
    if scenarios.isEmpty { return components.map { (self, $0) } }
    var opened = [path: Set(components.indices)]
    for step in ([self] + allScenarios).flatMap(\.allSteps) {
      step.visit { step in
        guard let inner = step.action.scenario else { return }
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
  /// The kinds that it reaches with its settings if they are known, or else those of its plugin.
  fileprivate var reaches: Set<Reach> {
    settings.constant.flatMap { try? plugin.reaches($0) } ?? plugin.plugin.reaches
  }

  /// `'api' (plugin http)`.
  fileprivate var phrase: String { "'\(name)' (plugin \(plugin.plugin.name))" }
}
