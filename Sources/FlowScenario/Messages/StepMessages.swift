internal import FlowCore
internal import FlowYAML

/// Messages about steps, their calls and their expressions.
extension Problem {
  static func invalidName(_ name: String, owner: String) -> Self {
    Self(
      .unusableName,
      "'\(name)' cannot be the name of \(owner): use a letter, then letters, digits or '_'")
  }

  static func reservedName(_ name: String, owner: String) -> Self {
    Self(.unusableName, "'\(name)' cannot be the name of \(owner): it is reserved")
  }
  static func duplicateID(_ id: String, first line: Int) -> Self {
    Self(.repeatedID, "the id '\(id)' is already used by the step on line \(line)")
  }

  static func noAction(_ keys: [String], hasExpectation: Bool) -> Self {
    let quoted = keys.map { "'\($0)'" }
    let list = quoted.dropLast().joined(separator: ", ") + " or " + (quoted.last ?? "")
    let note = "'expect' checks a call of the same step; use 'assert' to check a condition"
    return Self(
      .emptyStep, "the step has no action: it needs one of " + list,
      notes: hasExpectation ? [note] : [])
  }

  static func manyActions(_ keys: [String]) -> Self {
    let quoted = keys.map { "'\($0)'" }
    let list = quoted.dropLast().joined(separator: ", ") + " and " + (quoted.last ?? "")
    return Self(.severalActions, "a step has one action, but this one has " + list)
  }

  static func notAllowed(_ key: String, with other: String) -> Self {
    Self(.conflictingKeys, "'\(key)' cannot be combined with '\(other)'")
  }

  static let awaitWithoutTimeout = Self(
    .missingKey, "'await' has no 'timeout'",
    notes: ["the event may never come, so the wait needs a limit"])

  static let noCondition = Self(.missingKey, "'repeat' has no 'until' or 'while'")
  static let needsCondition = Self(.conflictingKeys, "'else' needs an 'if'")

  /// Creates the problem of a branch without steps.
  ///
  /// `actual` is the content in their place.
  static func noSteps(_ owner: String, actual: String) -> Self {
    Self(.malformedValue, "\(owner) must be a list of steps, or a mapping with 'do', not \(actual)")
  }
  static func manyBranches(limit: Int) -> Self {
    Self(.malformedValue, "'parallel' has more than \(limit) branches")
  }
  static func unknownComparison(_ name: String, among known: [String]) -> Self {
    unknown(.unknownComparison, "'compare' can be causal or set, not '\(name)'", name, among: known)
  }
  static func unknownBranch(_ name: String, among others: [String]) -> Self {
    unknown(
      .unknownNeed, "no other branch is named '\(name)'", name, among: others,
      listedAs: others.isEmpty ? nil : "branches")
  }

  /// Branches that wait for each other, each for the next and the last for the first.
  static func branchCycle(_ names: [String]) -> Self {
    let chain = (names + names.prefix(1)).map { "'\($0)'" }.joined(separator: " needs ")
    return Self(.circularNeeds, "branches wait for each other: \(chain)")
  }

  static let codesOfBlock = Self(
    .conflictingKeys, "'on' needs 'uses': a block is tried again after any failure")

  /// Creates the problem of a constant expression with a value out of bounds.
  static func outOfBounds(_ message: String) -> Self { Self(.malformedLimit, message) }

  static func number(_ found: String, owner: String, range: ClosedRange<Int>) -> Self {
    let bounds = "from \(range.lowerBound) to \(range.upperBound)"
    return Self(.malformedLimit, "\(owner) must be a whole number \(bounds), not \(found)")
  }

  // MARK: - Plugins and what they declare

  /// Creates the problem of a plugin with an invalid declaration, with the reason from the
  /// registry.
  static func unusablePlugin(_ reason: String) -> Self { Self(.unknownPlugin, reason) }

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

  static func unknownOperation(
    _ name: String, component: String, known: [String], elsewhere: [String]
  ) -> Self {
    var problem = unknown(
      .unknownOperation, "'\(component)' has no operation '\(name)'", name, among: known,
      listedAs: "operations")
    guard problem.near.isEmpty, let other = elsewhere.first else { return problem }
    problem.notes = ["'\(other)' exists"]
    return problem
  }

  static func unknownRole(_ name: String, component: String, known: [String]) -> Self {
    unknown(
      .unknownRole, "'\(component)' has no role '\(name)'", name, among: known, listedAs: "roles")
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

  static func missingField(
    _ name: String, owner: String, type: ValueType, summary: String
  ) -> Self {
    Self(
      .missingField, "\(owner) needs the field '\(name)', \(type)",
      notes: summary.isEmpty ? [] : ["\(name): \(summary)"])
  }

  static func literalType(
    owner: String, expected: ValueType, actual: String, near: [String] = [], notes: [String] = []
  ) -> Self {
    Self(.wrongFieldType, "\(owner): expected \(expected), got \(actual)", notes: notes, near: near)
  }
  static let durationNote = "a duration needs a unit: 200ms, 5s, 1m30s, 2h"
  static let timestampNote = "a timestamp needs a date, a time and a zone: 2026-01-31T12:00:00Z"

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

  /// Creates the problem of an unknown name, with the nearest known ones.
  ///
  /// If none is near and the note has a title, the note lists all of them.
  static func unknown(
    _ code: DiagnosticCode, _ message: String, _ name: String, among known: [String],
    listedAs noun: String? = nil
  ) -> Self {
    let near = Suggestion.nearest(to: name, among: known)
    let notes = near.isEmpty ? noun.map { [list(known, $0)] } ?? [] : []
    return Self(code, message, notes: notes, near: near)
  }

  /// A list as in `fields: balance, date`, cut if very long, or a statement that there are none.
  static func list(_ names: [String], _ noun: String) -> String {
    if names.isEmpty { return "it has no \(noun)" }
    let rest = names.count - mostListed
    return "\(noun): " + names.prefix(mostListed).joined(separator: ", ")
      + (rest > 0 ? " and \(rest) more" : "")
  }

  private static let mostListed = 30

  // MARK: - Expressions and the values that they read

  /// A note with the existing fields, if none of them is near the unknown one.
  static func fieldsNote(_ record: RecordType) -> String {
    list(record.fields.map(\.name), "fields")
  }
  static let functionsNote =
    "'flow explain F1303' lists all functions, and Docs/expressions.md explains them"
  static func expressionType(owner: String, expected: String, actual: String) -> Self {
    let isNumber = ["int", "uint", "double", "decimal"].contains(actual)
    return Self(
      .wrongExpressionType, "\(owner): expected \(expected), the expression returns \(actual)",
      notes: isNumber && expected == "string" ? ["string(...) converts it to a string"] : [])
  }

  static func notAnExpression(owner: String, notes: [String], near: [String] = []) -> Self {
    Self(
      .missingExpression, "\(owner) must be an expression, '${{ ... }}'", notes: notes, near: near)
  }
  static let mappingNote = "YAML reads ': ' as a mapping; quote the whole value"
  static let bracesNote = "write the braces around the whole expression"
  static let doubledQuoteNote =
    "in an expression, write a quote inside a string as \\', not twice"

  /// Creates the problem of braces of another language around a known name.
  static func otherBraces(_ written: String, meant: String) -> Self {
    Self(
      .textLikeExpression,
      "'\(written)' is plain text here; as an expression, write '\(meant)'",
      severity: .warning)
  }

  /// Creates the warning about a value that becomes part of executed code.
  static func valueInCode(_ field: String) -> Self {
    Self(
      .valueInCode, "a value inserted into '\(field)' can change the code that runs",
      notes: ["pass it separately, as in 'parameters' of the plugin sql"],
      severity: .warning)
  }

  /// Creates the problem of an expression in a place without expressions.
  static func uselessExpression(_ owner: String) -> Self {
    Self(
      .uselessExpression, "\(owner) is not evaluated; '${{' is plain text here", severity: .warning)
  }

  /// Creates the problem of an expression without its end.
  ///
  /// An apparent end may be inside of a string literal, and without quotes YAML may have ended the
  /// scalar before it.
  static func unterminatedExpression(in text: String, isPlain: Bool) -> Self {
    var notes: [String] = []
    if text.contains("}}") {
      notes = ["a quote or a '{' before the '}}' is not closed"]
    } else if isPlain {
      notes = ["without quotes, the text ends at ' #', which starts a comment"]
    }
    return Self(.openExpression, "'${{' is not closed by '}}'", notes: notes)
  }

  /// A reason that a step may have ended without an answer.
  enum Absence { case condition, failure, finally }

  static func mayHaveNoValue(_ name: String, _ absence: Absence) -> Self {
    let isStep = name.hasPrefix("steps.")
    let note =
      switch absence {
      case .condition where !isStep:
        "it is set under an 'if'; use it under the same condition, or set it before"
      case .failure where !isStep:
        "it is set inside a step that may fail, with 'continue-on-error'; set it before"
      case .condition:
        "its step runs under an 'if'; use it under the same condition, or check it with has(\(name)) first"
      case .failure: "its step may fail, with 'continue-on-error'; check it with has(\(name)) first"
      case .finally: "'finally' also runs after a failure; check it with has(\(name)) first"
      }
    return Self(.skippedStep, "'\(name)' may have no value here", notes: [note])
  }

  static func noAnswer(_ name: String, error: String) -> Self {
    Self(
      .answerOfFailure, "'\(name)' has no value: the step expects the error '\(error)'",
      notes: ["the error is '\(name).error'"])
  }

  /// Creates the problem of the error of a step that has none where later steps run.
  static func noError(_ name: String) -> Self {
    let step = name.dropFirst("steps.".count).prefix { $0 != "." }
    return Self(
      .answerOfFailure,
      "'\(name)' has no value here: the steps after '\(step)' run only if it passes",
      notes: ["to go on after an error, write 'continue-on-error: true', or read it in 'finally'"])
  }
  static func laterStep(_ id: String, line: Int) -> Self {
    Self(.laterStep, "the step '\(id)' comes later, on line \(line)")
  }
  /// Creates the problem of a step read in settings, which are evaluated before any step runs.
  static func stepInSettings(_ id: String) -> Self {
    Self(
      .laterStep, "the settings of a component cannot read the step '\(id)', which runs later",
      notes: [settingsNote])
  }
  static let settingsNote =
    "settings can read only inputs; pass the value to each step under 'with', or move the steps that need it to "
    + "another scenario with an input for it"
  static func ownAnswer(_ id: String) -> Self {
    Self(.laterStep, "the step '\(id)' cannot read its own answer")
  }

  static func otherBlock(_ id: String, line: Int) -> Self {
    Self(
      .stepInsideLoop,
      "the step '\(id)' on line \(line) is inside a loop and cannot be read outside it",
      notes: ["list the value in the 'outputs' of the loop"])
  }

  static func otherBranch(_ id: String, line: Int, branch: String) -> Self {
    Self(
      .unawaitedBranch,
      "the step '\(id)' on line \(line) is in a branch that runs at the same time",
      notes: ["make this branch wait for it: needs: [\(branch)]"])
  }

  static func setInParallel(_ name: String) -> Self {
    Self(
      .sharedVariable,
      "'\(name)' is shared by steps that run at the same time and cannot be set here",
      notes: ["list the value in the 'outputs' of the loop, or read the answers of the branch"])
  }
}
