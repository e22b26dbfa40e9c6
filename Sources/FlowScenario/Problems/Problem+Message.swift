internal import FlowCore

// Every sentence that this module says about a scenario, with its stable code.

// MARK: - The file and its keys

extension Problem {
  static func unreadable(_ reason: String) -> Problem { Problem(code: "F1001", message: reason) }

  static func yaml(_ message: String, hasBareExpression: Bool) -> Problem {
    let note = "write quotes around an expression inside of { } or [ ]"
    return Problem(code: "F1002", message: message, notes: hasBareExpression ? [note] : [])
  }

  static func version(_ version: String?) -> Problem {
    let found = version.map { "unknown format version '\($0)', expected 1" }
    return Problem(
      code: "F1101", message: found ?? "missing 'flow: 1', the version of the format")
  }

  static func versionKind(_ actual: String) -> Problem {
    Problem(code: "F1101", message: "'flow' must be the number 1, not \(actual)")
  }

  static func unknownKey(_ key: String, owner: String, near: [String]) -> Problem {
    Problem(code: "F1102", message: "unknown key '\(key)' in \(owner)", near: near)
  }

  static func missingKey(_ key: String, owner: String) -> Problem {
    Problem(code: "F1103", message: "\(owner) has no '\(key)'")
  }

  static func wrongKind(owner: String, expected: String, actual: String) -> Problem {
    Problem(code: "F1104", message: "\(owner) must be \(expected), not \(actual)")
  }

  static func empty(_ owner: String) -> Problem {
    Problem(code: "F1104", message: "\(owner) has nothing in it")
  }

  static func negative(_ duration: String, owner: String) -> Problem {
    Problem(code: "F1104", message: "\(owner) must be zero or more, not \(duration)")
  }

  static let tag = Problem(code: "F1105", message: "tags are not allowed here")
}

// MARK: - Steps

extension Problem {
  static func invalidName(_ name: String, owner: String) -> Problem {
    Problem(
      code: "F1106",
      message: "'\(name)' is no name for \(owner): letters, digits and '_', a letter first")
  }

  static func reservedName(_ name: String, owner: String) -> Problem {
    Problem(
      code: "F1106", message: "'\(name)' is no name for \(owner): it has a meaning already")
  }

  static func duplicateID(_ id: String, first line: Int) -> Problem {
    Problem(code: "F1107", message: "the id '\(id)' is taken by the step in line \(line)")
  }

  static let noAction = Problem(
    code: "F1108",
    message:
      "the step does nothing: it needs one of 'uses', 'for', 'repeat', 'do', 'parallel', 'set', "
      + "'assert', 'wait', 'await' or 'scenario'")

  static func manyActions(_ keys: [String]) -> Problem {
    let quoted = keys.map { "'\($0)'" }
    let list = quoted.dropLast().joined(separator: ", ") + " and " + (quoted.last ?? "")
    return Problem(code: "F1109", message: "a step does one thing, and this one has " + list)
  }

  static func notAllowed(_ key: String, with other: String) -> Problem {
    Problem(code: "F1110", message: "'\(key)' does not go with '\(other)'")
  }

  static let awaitWithoutTimeout = Problem(
    code: "F1103", message: "'await' has no 'timeout'",
    notes: ["the event may never come, and the waiting has to end"])

  static let noCondition = Problem(code: "F1103", message: "'repeat' has no 'until' or 'while'")

  static let needsCondition = Problem(code: "F1110", message: "'else' needs an 'if'")

  static let needsParallel = Problem(
    code: "F1110",
    message: "'fail-fast' needs 'parallel': without it the iterations run one after another")

  /// A branch without steps; `actual` is what stands in their place.
  static func noSteps(_ owner: String, actual: String) -> Problem {
    Problem(
      code: "F1104",
      message: "\(owner) must be a list of steps, or a mapping with 'do', not \(actual)")
  }

  static func manyBranches(limit: Int) -> Problem {
    Problem(code: "F1104", message: "'parallel' has more than \(limit) branches")
  }

  static func unknownComparison(_ name: String, near: [String]) -> Problem {
    Problem(
      code: "F1114", message: "'compare' is exact, causal or set, not '\(name)'", near: near)
  }

  static func unknownBranch(_ name: String, near: [String]) -> Problem {
    Problem(code: "F1112", message: "'needs' names no other branch: '\(name)'", near: near)
  }

  /// Branches that wait for each other, each for the next and the last for the first.
  static func branchCycle(_ names: [String]) -> Problem {
    let chain = (names + names.prefix(1)).map { "'\($0)'" }.joined(separator: " needs ")
    return Problem(code: "F1113", message: "branches that wait for each other: \(chain)")
  }

  static func number(_ found: String, owner: String, range: ClosedRange<Int>) -> Problem {
    let bounds = "from \(range.lowerBound) to \(range.upperBound)"
    return Problem(
      code: "F1111", message: "\(owner) must be a whole number \(bounds), not \(found)")
  }
}

// MARK: - What the components declare

extension Problem {
  static func unknownPlugin(_ name: String, near: [String]) -> Problem {
    Problem(code: "F1201", message: "unknown plugin '\(name)'", near: near)
  }

  static func unknownComponent(_ name: String, near: [String]) -> Problem {
    Problem(code: "F1202", message: "unknown component '\(name)'", near: near)
  }

  static func noOperation(_ text: String, component: String, known: [String]) -> Problem {
    Problem(
      code: "F1203",
      message: "'\(text)' names no operation; write '\(component).operation'",
      notes: known.isEmpty ? [] : ["operations: " + known.joined(separator: ", ")])
  }

  static func unknownOperation(
    _ name: String, component: String, near: [String], elsewhere: [String]
  ) -> Problem {
    let other = near.isEmpty ? elsewhere.first : nil
    return Problem(
      code: "F1203", message: "'\(component)' has no operation '\(name)'",
      notes: other.map { ["'\($0)' has that name"] } ?? [], near: near)
  }

  static func unknownField(
    _ name: String, owner: String, near: [String], known: [String]
  ) -> Problem {
    Problem(
      code: "F1204", message: "\(owner) has no field '\(name)'",
      notes: near.isEmpty ? [list(known, "fields")] : [], near: near)
  }

  static func missingField(
    _ name: String, owner: String, type: ValueType, summary: String
  ) -> Problem {
    Problem(
      code: "F1205", message: "\(owner) needs the field '\(name)', \(type)",
      notes: summary.isEmpty ? [] : ["\(name): \(summary)"])
  }

  static func literalType(
    owner: String, expected: ValueType, actual: String, near: [String] = []
  ) -> Problem {
    Problem(code: "F1206", message: "\(owner): expected \(expected), got \(actual)", near: near)
  }

  static func noEvent(_ text: String, component: String, known: [String]) -> Problem {
    Problem(
      code: "F1209", message: "'\(text)' names no event; write '\(component).event'",
      notes: [list(known, "events")])
  }

  static func unknownEvent(
    _ name: String, component: String, near: [String], known: [String]
  ) -> Problem {
    Problem(
      code: "F1209", message: "'\(component)' reports no event '\(name)'",
      notes: near.isEmpty ? [list(known, "events")] : [], near: near)
  }

  static func unknownErrorCode(
    _ code: String, operation: String, near: [String], known: [String]
  ) -> Problem {
    Problem(
      code: "F1207", message: "'\(operation)' declares no error '\(code)'",
      notes: near.isEmpty ? [list(known, "errors")] : [], near: near)
  }

  static func unknownType(_ name: String, near: [String]) -> Problem {
    Problem(code: "F1208", message: "unknown type '\(name)'", near: near)
  }

  private static func list(_ names: [String], _ noun: String) -> String {
    names.isEmpty ? "it has no \(noun)" : "\(noun): " + names.joined(separator: ", ")
  }
}

// MARK: - Other scenarios

extension Problem {
  static func unreadableScenario(_ error: FileError, from file: String) -> Problem {
    let note = "the path is looked up in the folder of '\(file)'"
    return Problem(
      code: "F1210", message: "\(error)", notes: error.kind == .missing ? [note] : [])
  }

  static func includesItself(_ path: String) -> Problem {
    Problem(code: "F1211", message: "'\(path)' includes itself, and would never end")
  }

  static func nestedTooDeep(limit: Int) -> Problem {
    Problem(code: "F1211", message: "scenarios include each other over more than \(limit) files")
  }

  static func tooManyFiles(limit: Int) -> Problem {
    Problem(code: "F1211", message: "a scenario includes more than \(limit) files")
  }

  /// Where a file is included, for its own problems.
  static func includedNote(_ place: SourceSpan) -> String { "included from \(place)" }

  /// Where another scenario declares what it takes or answers; `noun` says which.
  static func declarationNote(_ noun: String, of plan: Plan, at place: Place?) -> String {
    guard let place else { return "'\(plan.path)' declares no \(noun)" }
    return "the \(noun) of '\(plan.path)' are declared in \(place.span(in: plan.file))"
  }
}

// MARK: - Expressions

extension Problem {
  static func expression(code: String, message: String, near: [String], note: String?) -> Problem {
    Problem(code: code, message: message, notes: note.map { [$0] } ?? [], near: near)
  }

  static func expressionType(owner: String, expected: String, actual: String) -> Problem {
    Problem(
      code: "F1305", message: "\(owner): expected \(expected), the expression gives \(actual)")
  }

  static func notAnExpression(owner: String, isMapping: Bool) -> Problem {
    Problem(
      code: "F1306", message: "\(owner) must be an expression, '${{ ... }}'",
      notes: isMapping ? ["YAML takes ': ' for a mapping; write quotes around the whole"] : [])
  }

  static let unterminatedExpression = Problem(code: "F1307", message: "'${{' without '}}'")

  /// Why a step may have ended without an answer.
  enum Absence { case condition, failure, finally }

  static func mayHaveNoValue(_ name: String, _ absence: Absence) -> Problem {
    let isStep = name.hasPrefix("steps.")
    let note =
      switch absence {
      case .condition where !isStep:
        "it is set under an 'if'; use it under the same condition, or set it before"
      case .failure where !isStep:
        "it is set where a step may fail, with 'continue-on-error'; set it before"
      case .condition:
        "its step runs under an 'if'; use it under the same condition, or where has(\(name)) holds"
      case .failure:
        "its step may fail, with 'continue-on-error'; use it where has(\(name)) holds"
      case .finally: "'finally' runs after a failure too; use it where has(\(name)) holds"
      }
    return Problem(code: "F1311", message: "'\(name)' may have no value here", notes: [note])
  }

  static func noAnswer(_ name: String, error: String) -> Problem {
    Problem(
      code: "F1312", message: "'\(name)' has no value: the step expects the error '\(error)'")
  }

  static func laterStep(_ id: String, line: Int) -> Problem {
    Problem(code: "F1313", message: "the step '\(id)' comes later, in line \(line)")
  }

  static func ownAnswer(_ id: String) -> Problem {
    Problem(code: "F1313", message: "the step '\(id)' cannot read its own answer")
  }

  static func otherBlock(_ id: String, line: Int) -> Problem {
    Problem(
      code: "F1314",
      message: "the step '\(id)' of line \(line) is inside of a loop and not known outside of it",
      notes: ["let the loop name the value in its 'outputs'"])
  }
}

// MARK: - Steps beside each other

extension Problem {
  static func otherBranch(_ id: String, line: Int, branch: String) -> Problem {
    Problem(
      code: "F1315",
      message: "the step '\(id)' of line \(line) is in a branch that runs at the same time",
      notes: ["let this branch wait for it: needs: [\(branch)]"])
  }

  static func setInParallel(_ name: String) -> Problem {
    Problem(
      code: "F1316",
      message: "'\(name)' is shared by steps that run at the same time and cannot be set here",
      notes: ["let the loop name the value in its 'outputs', or read the answers of the branch"])
  }
}

// MARK: - Inputs, and what nobody uses

extension Problem {
  static func unknownInput(_ name: String, near: [String]) -> Problem {
    Problem(code: "F1401", message: "the scenario has no input '\(name)'", near: near)
  }

  static func missingInput(_ name: String, type: ValueType) -> Problem {
    Problem(code: "F1402", message: "the input '\(name)' is missing, expected \(type)")
  }

  static func inputValue(_ name: String, expected: ValueType, actual: String) -> Problem {
    Problem(
      code: "F1403", message: "the input '\(name)': expected \(expected), got \(actual)")
  }

  static func unusedID(_ id: String) -> Problem { unused("F1501", "id", id) }

  static func unusedInput(_ name: String) -> Problem { unused("F1502", "input", name) }

  static func unusedComponent(_ name: String) -> Problem { unused("F1503", "component", name) }

  private static func unused(_ code: String, _ noun: String, _ name: String) -> Problem {
    Problem(
      code: code, message: "the \(noun) '\(name)' is never used", severity: .warning)
  }
}

// MARK: - The project file

extension Problem {
  static func updateMode(_ name: String) -> Problem {
    let names = UpdateMode.allCases.map(\.rawValue)
    return Problem(
      code: "F1605",
      message: "'update' must be \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
        + ", not '\(name)'",
      near: Suggestion.nearest(to: name, among: names))
  }

  static func missingPath(_ path: String) -> Problem {
    Problem(code: "F1606", message: "'\(path)' leads to no file and no folder")
  }
}
