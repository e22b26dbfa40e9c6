public import FlowCore

/// Scripted answers in place of a component: declared as the real one is, recorded, and without its work.
///
///     let balance = try StandIn(for: Balance.self, [
///       "load": .answer(["balance": 100]),
///       "subtract": .sequence([.error("unavailable"), .answer(["balance": 90])]),
///     ])
///     try await scenario.run(with: [.standIn(balance)])
///     #expect(balance.calls.count == 3)
///
/// A scenario is checked against the real type, and so is the script. A call without an answer fails the
/// run and says which.
public struct StandIn: Sendable {
  /// The real plugin, opened without its components.
  let plugin: RegisteredPlugin
  private let log: StandInLog

  /// What answers in place of a component.
  ///
  /// - Parameters:
  ///   - component: The real type, whose operations, records and errors are taken.
  ///   - script: The operations that are answered, and how; the others have no answer.
  /// - Throws: `StandInError` when the script names an operation, a field or an error code that the
  ///   type does not have.
  public init<Real: Component>(
    for component: Real.Type, _ script: KeyValuePairs<String, Answer>
  ) throws(StandInError) {
    let real = Real.plugin
    let name = real.description.name
    let script = try Self.checked(script, real.operations.map(\.description), of: name)
    let log = StandInLog(plugin: name)
    self.log = log
    plugin = RegisteredPlugin(standingInFor: component) { operation, input, context in
      try await log.answer(script[operation.name], operation, input, context)
    }
  }

  /// The calls so far, in the order of their beginnings; their names begin with the plugin's.
  public var calls: [ComponentCall] { log.calls }

  /// The calls so far that nothing was scripted for.
  var unscripted: [Diagnostic] {
    log.unscripted.map { Diagnostic("stand-in", $0.description, at: nil) }
  }

  private static func checked(
    _ script: KeyValuePairs<String, Answer>, _ operations: [OperationDescription], of plugin: String
  ) throws(StandInError) -> [String: Answer] {
    var checked: [String: Answer] = [:]
    for (name, answer) in script {
      guard let operation = operations.first(where: { $0.name == name }) else {
        let near = Suggestion.nearest(to: name, among: operations.map(\.name))
        throw .unknownOperation("\(plugin).\(name)", near: near)
      }
      if checked[name] != nil { throw .scriptedTwice("\(plugin).\(name)") }
      checked[name] = try answer.checked(for: operation, "\(plugin).\(name)")
    }
    return checked
  }
}
