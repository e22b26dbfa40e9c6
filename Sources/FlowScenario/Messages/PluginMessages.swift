internal import FlowCore
internal import FlowPlan
internal import FlowYAML

/// The messages about plugins and their declarations, which steps name.
extension Problem {
  /// Creates the problem of a plugin that cannot be used.
  static func unusablePlugin(_ error: PluginError) -> Self {
    Self(error.code, error.message, notes: error.note.map { [$0] } ?? [])
  }
  static func invalidPluginName(_ name: String) -> Self {
    Self(
      .malformedProjectValue,
      "'\(name.escaped)' cannot be the name of a plugin; "
        + "a name is a letter, followed by letters, digits, '_' and '-'")
  }
  static func builtInPlugin(_ name: String) -> Self {
    Self(
      .malformedProjectValue,
      "'\(name)' is the name of a plugin of this flow; choose another one")
  }
  /// Creates the problem of a declaration without a key of a family.
  static func noFamily(of name: String, near: [String], among keys: [String]) -> Self {
    let known = keys.map { "'\($0)'" }.joined(separator: ", ")
    return Self(
      .malformedProjectValue, "the plugin '\(name)' has no key of a kind of plugins (\(known))",
      near: near)
  }
  /// Creates the problem of a declaration that its family refuses for a `reason`.
  static func refusedDeclaration(_ reason: String, of name: String) -> Self {
    Self(.malformedProjectValue, "the plugin '\(name)' cannot be declared like this: \(reason)")
  }

  static func unknownPlugin(_ name: String, among known: [String]) -> Self {
    unknown(.unknownPlugin, "unknown plugin '\(name)'", name, among: known, listedAs: "plugins")
  }
  /// Creates the problem of settings that the component refuses for a `reason`.
  static func refusedSettings(_ reason: String, of component: String) -> Self {
    Self(.refusedSettings, "'\(component)' cannot be opened with these settings: \(reason)")
  }
  /// Creates the problem of an input that the operation refuses for a `reason`.
  static func refusedInput(_ reason: String, of operation: String) -> Self {
    Self(.refusedInput, "'\(operation)' cannot be called with this input: \(reason)")
  }
  /// Creates the warning of a description with parts that nothing checks.
  static func doubtfulDescription(_ file: String, _ reasons: [String]) -> Self {
    Self(
      .unknownSchemaKeyword, "parts of '\(file.escaped)' are not checked", notes: first(reasons),
      severity: .warning)
  }
  /// Creates the problem of a call whose part of a description has mistakes.
  static func unusableDescription(_ file: String, of operation: String, _ faults: [String]) -> Self
  {
    Self(
      .unusableDescription,
      "'\(operation)' cannot be checked: its part of '\(file.escaped)' has mistakes",
      notes: first(faults))
  }
  private static func first(_ reasons: [String]) -> [String] {
    let shown = reasons.prefix(3).map(\.onOneLine)
    let more = reasons.count - shown.count
    return shown + (more > 0 ? ["and \(more) more"] : [])
  }
  /// Creates the problem of a call that the description of its service does not allow.
  static func contradictedContract(
    _ problem: ContractProblem, of operation: String, file: String, isPlaced: Bool
  ) -> Self {
    let message = isPlaced ? problem.message : problem.placedMessage
    let place = problem.path.isEmpty ? "" : "'\(problem.path)': "
    let side = problem.side == .input ? "" : "the answer of "
    return Self(
      .contradictedContract,
      "\(side)'\(operation)' contradicts '\(file.escaped)': \(place)\(message)",
      notes: problem.rule.map { ["the rule is \($0)"] } ?? [])
  }
  /// Creates the problem of an unknown component, with the `meant` ones of a plugin so named.
  static func unknownComponent(
    _ name: String, among known: [String], ofPlugin meant: [String] = []
  ) -> Self {
    var problem = unknown(
      .unknownComponent, "unknown component '\(name)'", name, among: known,
      listedAs: "components")
    if known.isEmpty { problem.notes = ["the scenario declares no 'components'"] }
    if !meant.isEmpty {
      problem.notes = ["'\(name)' is a plugin; " + list(meant, "its components")]
    }
    return problem
  }

  static func unknownComponent(_ name: String, of path: String, among known: [String]) -> Self {
    unknown(
      .unknownComponent, "'\(path)' has no component '\(name)'", name, among: known,
      listedAs: "components")
  }

  /// Creates the problem of a component that cannot replace another scenario's.
  static func otherPlugin(
    _ name: String, _ plugin: String, for other: String, _ needed: String, of path: String
  ) -> Self {
    Self(
      .unfitComponent,
      "'\(name)' uses the plugin '\(plugin)', but '\(other)' in '\(path)' uses '\(needed)'")
  }

  /// A text without a point, where a component and its operation must be named.
  static func noComponent(operation text: String, near: [String]) -> Self {
    Self(.unknownOperation, "'\(text)' is not an operation; write COMPONENT.OPERATION", near: near)
  }

  /// A text without a point, where a component and its event must be named.
  static func noComponent(event text: String, near: [String]) -> Self {
    Self(.unknownEvent, "'\(text)' is not an event; write COMPONENT.EVENT", near: near)
  }

  static func noOperation(_ text: String, component: String, known: [String]) -> Self {
    Self(
      .unknownOperation,
      "'\(text)' is not an operation; write '\(component).operation'",
      notes: known.isEmpty ? [] : ["operations: " + known.joined(separator: ", ")])
  }

  /// An unknown operation of a component.
  ///
  /// `lock` is the command that writes the list of operations to flow.lock, or nil if they are not
  /// from there.
  static func unknownOperation(
    _ name: String, component: String, of plugin: RegisteredPlugin, lock: String?,
    elsewhere: [String] = []
  ) -> Self {
    var problem = unknown(
      .unknownOperation, "'\(component)' has no operation '\(name)'", name,
      among: plugin.operations.map(\.name), listedAs: "operations")
    if problem.near.isEmpty, let other = elsewhere.first { problem.notes = ["'\(other)' exists"] }
    if let lock {
      let own = plugin.plugin.name
      problem.notes.append(
        "flow.lock has the operations of '\(own)'; '\(lock) \(own)' asks its server again")
    }
    return problem
  }

  static func unknownRole(_ name: String, component: String, known: [String]) -> Self {
    unknown(
      .unknownRole, "'\(component)' has no role '\(name)'", name, among: known, listedAs: "roles")
  }

  /// Creates the problem of a rule for a call of a role without a component.
  static func callOfUnfilledRole(_ name: String, _ role: String, _ component: String) -> Self {
    Self(
      .unknownOptionalCall,
      "'\(component)' does not call '\(name)': its role '\(role)' has no component",
      notes: ["fill the role: 'using: {\(role): COMPONENT}'"])
  }

  /// Creates the problem of a call whose number no rule can free, as it is free.
  static func freeCall(_ name: String) -> Self {
    Self(
      .unknownOptionalCall, "'optional' has no effect on '\(name)'",
      notes: ["it reads on for a request, as often as the program does, and is never counted"])
  }

  /// Creates the problem of a part that is in `same` and in `any`.
  static func variesTwice(_ path: String) -> Self {
    Self(
      .unknownOptionalCall, "'\(path)' is in 'same' and in 'any'",
      notes: ["'same' compares whether two values are equal, and 'any' nothing"])
  }

  static func unknownOptionalCall(_ name: String, component: String, known: [String]) -> Self {
    unknown(
      .unknownOptionalCall, "'\(component)' does not call '\(name)'", name, among: known,
      listedAs: "calls")
  }

  /// Creates the problem of `compare_headers` for a component without headers.
  static func noHeaders(of component: String) -> Self {
    Self(.unknownField, "the answers of '\(component)' have no headers to compare")
  }

  static func unfilledRole(_ role: Role, component: String) -> Self {
    Self(
      .unfilledRole, "the role '\(role.name)' of '\(component)' is not filled",
      notes: ["\(role.summary) Write using: {\(role.name): COMPONENT}"])
  }

  /// Creates the problem of a role without `what`, such as `operation 'add'`.
  static func roleWithout(_ role: String, _ what: String, component: String) -> Self {
    Self(.unfitRole, "'\(component)' cannot fill the role '\(role)': it has no \(what)")
  }

  static func unfitRole(_ role: String, _ operation: String, _ misfit: String) -> Self {
    let component = operation.prefix { $0 != "." }
    return Self(
      .unfitRole, "'\(component)' cannot fill the role '\(role)': '\(operation)' \(misfit)")
  }

  /// Creates the problem of components that use each other, each the next and the last the first.
  static func circularUse(_ names: [String]) -> Self {
    let circle = (names + names.prefix(1)).map { "'\($0)'" }.joined(separator: " uses ")
    return Self(.circularUse, "components use each other in a circle: \(circle)")
  }

  static func unknownField(_ name: String, owner: String, known: [String]) -> Self {
    unknown(
      .unknownField, "\(owner) has no field '\(name)'", name, among: known, listedAs: "fields")
  }

  /// Creates the warning of a field that the description of a value allows and does not declare.
  static func undeclaredField(_ name: String, owner: String, known: [String]) -> Self {
    var problem = unknown(
      .undeclaredField, "\(owner) has no declared field '\(name)'", name, among: known,
      listedAs: "fields")
    problem.severity = .warning
    return problem
  }

  static func missingField(
    _ name: String, owner: String, type: ValueType, summary: String
  ) -> Self {
    Self(
      .missingField, "\(owner) needs the field '\(name)', \(type.inWords)",
      notes: summary.isEmpty ? [] : ["\(name): \(summary)"])
  }

  static func literalType(
    owner: String, expected: ValueType, actual: String, near: [String] = [], notes: [String] = []
  ) -> Self {
    Self(.wrongFieldType, "\(owner): expected \(expected), got \(actual)", notes: notes, near: near)
      .comparing(expected, actual)
  }
  static let longDurationNote = "it is too large: a duration is at most 292 years, or 2562047h"
  static let intNote = "it is too large: an int is from \(Int.min) to \(Int.max)"
  static let decimalNote =
    "a decimal has at most 38 digits, before and after the point together"
  static let doubleNote = "it is too large for a double"

  /// A note on expecting one of several values, for a list of numbers and plain strings instead.
  static func choiceNote(_ list: Node) -> [String] {
    let values = list.items.compactMap { item -> String? in
      switch item.scalar {
      case .int?, .float?, .bool?: return item.text
      case .string? where !item.text.contains { "'\\\n".contains($0) }: return "'\(item.text)'"
      default: return nil
      }
    }
    guard !values.isEmpty, values.count == list.items.count else { return [] }
    return ["to accept several values, write ${{ it in [\(values.joined(separator: ", "))] }}"]
  }

  static func noEvent(_ text: String, component: String, known: [String]) -> Self {
    Self(
      .unknownEvent, "'\(text)' is not an event; write '\(component).event'",
      notes: [list(known, "events")])
  }

  static func unknownEvent(_ name: String, component: String, known: [String]) -> Self {
    unknown(
      .unknownEvent, "'\(component)' reports no event '\(name)'", name, among: known,
      listedAs: "events")
  }

  static func unknownErrorCode(_ code: String, operation: String, known: [String]) -> Self {
    var problem = unknown(
      .undeclaredError, "'\(operation)' declares no error '\(code)'", code, among: known,
      listedAs: "errors")
    if Int(code) != nil {
      problem.notes = ["a status is not an error; expect the field 'status' of the answer instead"]
    }
    return problem
  }

  static func unknownType(_ name: String, near: [String]) -> Self {
    Self(
      .unknownInputType, "unknown type '\(name)'",
      notes: [list(ValueType.names, "types")],
      near: near)
  }

}

extension PluginError {
  static func unlocked(_ name: String) -> Self {
    Self(
      message: "the plugin '\(name)' is not in flow.lock",
      note: "'flow plugin lock \(name)' adds it; review the result", code: .unlockedPlugin)
  }

  static func unusable(_ name: String, _ reason: String) -> Self {
    Self(
      message: "the plugin '\(name)' cannot be used as flow.lock describes it: \(reason)",
      note: "'flow plugin lock \(name)' describes it again", code: .unlockedPlugin)
  }
}

/// A plugin that cannot be used by a scenario, and the reason.
package struct PluginError: Error, Sendable {
  /// The reason.
  package let message: String
  /// The advice, or nil.
  package private(set) var note: String?
  let code: DiagnosticCode

  init(message: String, note: String? = nil, code: DiagnosticCode = .unknownPlugin) {
    (self.message, self.note, self.code) = (message, note, code)
  }

  /// Creates the error of a project file with mistakes.
  init(_ error: ScenarioError) {
    let first = error.diagnostics.first
    let place = first?.span.map { "\($0.file):\($0.start.line):\($0.start.column): " } ?? ""
    self.init(message: place + (first?.message ?? "the project file has mistakes"))
  }
}

extension ValueType {
  /// The type of a field that must be given, which may be null: `string or null`.
  fileprivate var inWords: String {
    if case .optional(let wrapped) = self { "\(wrapped) or null" } else { description }
  }
}
