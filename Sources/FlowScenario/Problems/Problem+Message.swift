internal import FlowCore

// Every sentence that this module says, and its stable code.
extension Problem {
  func diagnostic(at span: SourceSpan?) -> Diagnostic {
    let (code, message) = wording
    return Diagnostic(
      code, message, at: span, severity: isWarning ? .warning : .error, notes: notes,
      fixes: fixes)
  }

  private var wording: (code: String, message: String) {
    switch self {
    case .unreadable, .yaml, .version, .unknownKey, .missingKey, .wrongKind, .tag: fileWording
    case .invalidName, .reservedName, .duplicateID, .noAction, .manyActions, .notAllowed, .number:
      stepWording
    case .unknownPlugin, .unknownComponent, .noOperation, .unknownOperation, .unknownField,
      .missingField, .literalType, .unknownErrorCode, .unknownType:
      registryWording
    case .expression, .expressionType, .notAnExpression, .unterminatedExpression:
      expressionWording
    case .mayNotHaveRun, .noAnswer, .laterStep, .ownAnswer, .otherBlock: orderWording
    case .unusedID, .unusedInput, .unusedComponent: unusedWording
    case .unknownInput, .missingInput, .inputValue: inputWording
    }
  }

  private var fileWording: (String, String) {
    switch self {
    case .unreadable(let reason): ("F1001", reason)
    case .yaml(let message): ("F1002", message)
    case .version(nil): ("F1101", "missing 'flow: 1', the version of the format")
    case .version(let version?): ("F1101", "unknown format version '\(version)', expected 1")
    case .unknownKey(let key, let owner, let near):
      ("F1102", "unknown key '\(key)' in \(owner)" + offer(near))
    case .missingKey(let key, let owner): ("F1103", "\(owner) has no '\(key)'")
    case .wrongKind(let owner, let expected, let actual):
      ("F1104", "\(owner) must be \(expected), not \(actual)")
    case .tag: ("F1105", "tags are not allowed in a scenario")
    default: ("", "")
    }
  }

  private var stepWording: (String, String) {
    switch self {
    case .invalidName(let name, let owner):
      ("F1106", "'\(name)' is no name for \(owner): letters, digits and '_', a letter first")
    case .reservedName(let name, let owner):
      ("F1106", "'\(name)' is no name for \(owner): it has a meaning already")
    case .duplicateID(let id, let first):
      ("F1107", "the id '\(id)' is taken by the step in line \(first)")
    case .noAction:
      ("F1108", "the step does nothing: it needs one of 'uses', 'for', 'repeat', 'set' or 'assert'")
    case .manyActions(let keys):
      ("F1109", "a step does one thing, and this one has " + list(keys, "and"))
    case .notAllowed(let key, let with): ("F1110", "'\(key)' does not go with '\(with)'")
    case .number(let text, let owner, let range):
      (
        "F1111",
        "\(owner) must be a whole number from \(range.lowerBound) to \(range.upperBound), not \(text)"
      )
    default: ("", "")
    }
  }

  private var registryWording: (String, String) {
    switch self {
    case .unknownPlugin(let name, let near): ("F1201", "unknown plugin '\(name)'" + offer(near))
    case .unknownComponent(let name, let near):
      ("F1202", "unknown component '\(name)'" + offer(near))
    case .noOperation(let text, let component, _):
      ("F1203", "'\(text)' names no operation; write '\(component).operation'")
    case .unknownOperation(let name, let component, let near, _):
      ("F1203", "'\(component)' has no operation '\(name)'" + offer(near))
    case .unknownField(let name, let owner, let near, _):
      ("F1204", "\(owner) has no field '\(name)'" + offer(near))
    case .missingField(let name, let owner, let type, _):
      ("F1205", "\(owner) needs the field '\(name)', \(type)")
    case .literalType(let owner, let expected, let actual, let near):
      ("F1206", "\(owner): expected \(expected), got \(actual)" + offer(near))
    case .unknownErrorCode(let code, let operation, let near, _):
      ("F1207", "'\(operation)' declares no error '\(code)'" + offer(near))
    case .unknownType(let name, let near): ("F1208", "unknown type '\(name)'" + offer(near))
    default: ("", "")
    }
  }

  private var expressionWording: (String, String) {
    switch self {
    case .expression(let code, let message, let near): (code, message + offer(near))
    case .expressionType(let owner, let expected, let actual):
      ("F1305", "\(owner): expected \(expected), the expression gives \(actual)")
    case .notAnExpression(let owner, _): ("F1306", "\(owner) must be an expression, '${{ ... }}'")
    case .unterminatedExpression: ("F1307", "'${{' without '}}'")
    default: ("", "")
    }
  }

  private var orderWording: (String, String) {
    switch self {
    case .mayNotHaveRun(let name, _): ("F1311", "'\(name)' may have no value here")
    case .noAnswer(let name, let error):
      ("F1312", "'\(name)' has no value: the step expects the error '\(error)'")
    case .laterStep(let id, let line): ("F1313", "the step '\(id)' comes later, in line \(line)")
    case .ownAnswer(let id): ("F1313", "the step '\(id)' cannot read its own answer")
    case .otherBlock(let id, let line):
      ("F1314", "the step '\(id)' of line \(line) is inside of a loop and not known outside of it")
    default: ("", "")
    }
  }

  private var unusedWording: (String, String) {
    switch self {
    case .unusedID(let id): ("F1501", "the id '\(id)' is never used")
    case .unusedInput(let name): ("F1502", "the input '\(name)' is never used")
    case .unusedComponent(let name): ("F1503", "the component '\(name)' is never used")
    default: ("", "")
    }
  }

  private var isWarning: Bool {
    switch self {
    case .unusedID, .unusedInput, .unusedComponent: true
    default: false
    }
  }

  /// Texts to put in place of what the diagnostic points at, the likeliest first.
  private var fixes: [String] {
    switch self {
    case .unknownKey(_, _, let near), .unknownPlugin(_, let near), .unknownComponent(_, let near),
      .unknownField(_, _, let near, _), .unknownErrorCode(_, _, let near, _),
      .unknownType(_, let near), .literalType(_, _, _, let near), .expression(_, _, let near):
      near
    case .unknownOperation(_, let component, let near, _): near.map { "\(component).\($0)" }
    default: []
    }
  }

  private var inputWording: (String, String) {
    switch self {
    case .unknownInput(let name, let near):
      ("F1401", "the scenario has no input '\(name)'" + offer(near))
    case .missingInput(let name, let type):
      ("F1402", "the input '\(name)' is missing, expected \(type)")
    case .inputValue(let name, let expected, let actual):
      ("F1403", "the input '\(name)': expected \(expected), got \(actual)")
    default: ("", "")
    }
  }

  private var notes: [String] {
    switch self {
    case .noOperation(_, _, let known) where !known.isEmpty:
      ["operations: " + known.joined(separator: ", ")]
    case .unknownOperation(_, _, let near, let elsewhere):
      near.isEmpty && !elsewhere.isEmpty ? ["'\(elsewhere[0])' has that name"] : []
    case .unknownField(_, _, let near, let known) where near.isEmpty:
      [known.isEmpty ? "it has no fields" : "fields: " + known.joined(separator: ", ")]
    case .missingField(let name, _, _, let summary): ["\(name): \(summary)"]
    case .mayNotHaveRun(let name, let hasCondition):
      [
        hasCondition
          ? "its step has an 'if'; use it under the same condition, or where has(\(name)) holds"
          : "'finally' runs after a failure too; use it where has(\(name)) holds"
      ]
    case .notAnExpression(_, isMapping: true):
      ["YAML takes ': ' for a mapping; write quotes around the whole"]
    case .otherBlock: ["let the loop name the value in its 'outputs'"]
    case .unknownErrorCode(_, _, let near, let known) where near.isEmpty:
      [known.isEmpty ? "it declares no errors" : "errors: " + known.joined(separator: ", ")]
    default: []
    }
  }

  private func offer(_ names: [String]) -> String {
    Suggestion.phrase(names).map { "; \($0)" } ?? ""
  }

  private func list(_ keys: [String], _ last: String) -> String {
    let quoted = keys.map { "'\($0)'" }
    return quoted.dropLast().joined(separator: ", ") + " \(last) " + (quoted.last ?? "")
  }
}
