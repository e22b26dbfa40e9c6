internal import FlowCore
package import FlowScenario

/// The calls of a journal that were begun outside, have no answer and may not be repeated: whether they were done, nobody
/// knows.
///
/// A resumed run comes to them and stops. Until it does, it may do nothing else outside, so that what the journal says
/// stays as it is; and all of them are told at once.
struct UnknownCalls {
  /// Where they were made, in the journal's order.
  let addresses: [String]

  /// Those of which it is certain; of others a run finds out when it comes to them.
  init(of calls: CallList, in plan: Plan) {
    addresses = calls.indices.lazy.filter { !calls.isAnswered($0) }.compactMap { index in
      let call = calls[index]
      guard let component = Self.component(call.component, in: plan),
        Self.isReached(call, in: calls), Self.isOutside(component, in: calls),
        Self.isUnsafe(call, of: component)
      else { return nil }
      return call.address
    }
  }

  /// The scenario's own component of a name; nil where an included scenario has one of that name, too.
  private static func component(_ name: String, in plan: Plan) -> PlannedComponent? {
    guard plan.allComponents.count(where: { $0.name == name }) == 1 else { return nil }
    return plan.components.first { $0.name == name }
  }

  /// Whether the resumed run comes to a call: one that a component made is left out where its caller has answered.
  private static func isReached(_ call: Transcript.Call, in calls: CallList) -> Bool {
    let address = call.address.utf8
    guard CallKey.isOfComponent(call.address), let mark = address.firstIndex(of: UInt8(ascii: "#")),
      let end = address[mark...].firstIndex(of: UInt8(ascii: "/"))
    else { return true }
    return calls.latest(at: String(call.address[..<end])).map { !calls.isAnswered($0) } ?? false
  }

  /// Whether a component keeps its state outside, by the settings with which it was opened.
  private static func isOutside(_ component: PlannedComponent, in calls: CallList) -> Bool {
    guard let opening = calls.latest(at: "components/\(component.name)#1"),
      let settings = try? Value(
        calls[opening].input.json, as: .record(component.settingsType))
    else { return false }
    return (try? component.plugin.state(settings)) == .external
  }

  private static func isUnsafe(_ call: Transcript.Call, of component: PlannedComponent) -> Bool {
    let name = call.name.dropFirst(component.name.count + 1)
    guard let operation = component.plugin.operations.first(where: { $0.name == name }),
      let input = try? Value(call.input.json, as: .record(operation.input))
    else { return false }
    return !operation.isSafeToRepeat(input)
  }
}

extension Journal {
  /// Where the calls were made at which a resumed run stops (F3202), in the journal's order.
  package func unknownCalls(in plan: Plan) -> [String] {
    UnknownCalls(of: calls, in: plan).addresses
  }
}
