package import FlowCore

// The description of a component's service, and another one in its place.
extension PlannedComponent {
  /// The rules of the description that its settings name, or nil.
  package var contract: (any CallContract)? { plugin.contract }

  /// True if a description can be named for it.
  package var takesContract: Bool { plugin.contractReader != nil }

  /// Returns the rules of another description, or nil if its plugin takes none.
  ///
  /// - Throws: The errors of `read` and of the plugin.
  package func contract(
    _ file: String, reading read: @escaping (String) throws -> Document
  ) throws -> (any CallContract)? {
    let known = settings.known
    var values = known.values
    let setting = plugin.contractSetting(known, file)
    if case .map(var map)? = values[setting] {
      map[.string("file")] = .string(file)
      values[setting] = .map(map)
    } else {
      values[setting] = .string(file)
    }
    return try plugin.contractReader?(
      KnownFields(
        values: values, entries: known.entries, names: known.names, texts: known.texts,
        unknown: known.unknown.subtracting([setting])), read)
  }
}

extension Plan {
  /// The calls of its steps and of the included scenarios' steps, by their paths in addresses.
  package var plannedCalls: [String: (place: SourceSpan, call: PlannedCall)] {
    var calls: [String: (place: SourceSpan, call: PlannedCall)] = [:]
    addCalls(to: &calls, behind: "")
    return calls
  }

  private func addCalls(
    to calls: inout [String: (place: SourceSpan, call: PlannedCall)], behind prefix: String
  ) {
    for step in allSteps {
      step.visit { step in
        if let call = step.action.call {
          calls[prefix + step.path] = (call.place.span(in: file), call)
        }
        step.action.scenario?.plan.addCalls(to: &calls, behind: prefix + step.path + "/")
      }
    }
  }
}
