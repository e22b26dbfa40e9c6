internal import FlowCore

// What is said about steps and branches.

extension Problem {
  static func invalidName(_ name: String, owner: String) -> Problem {
    Problem(
      code: .unusableName,
      message: "'\(name)' is no name for \(owner): letters, digits and '_', a letter first")
  }

  static func reservedName(_ name: String, owner: String) -> Problem {
    Problem(
      code: .unusableName, message: "'\(name)' is no name for \(owner): it has a meaning already")
  }

  static func duplicateID(_ id: String, first line: Int) -> Problem {
    Problem(code: .repeatedID, message: "the id '\(id)' is taken by the step in line \(line)")
  }

  static let noAction = Problem(
    code: .emptyStep,
    message:
      "the step does nothing: it needs one of 'uses', 'for', 'repeat', 'do', 'parallel', 'set', "
      + "'assert', 'wait', 'await' or 'scenario'")

  static func manyActions(_ keys: [String]) -> Problem {
    let quoted = keys.map { "'\($0)'" }
    let list = quoted.dropLast().joined(separator: ", ") + " and " + (quoted.last ?? "")
    return Problem(
      code: .severalActions, message: "a step does one thing, and this one has " + list)
  }

  static func notAllowed(_ key: String, with other: String) -> Problem {
    Problem(code: .conflictingKeys, message: "'\(key)' does not go with '\(other)'")
  }

  static let awaitWithoutTimeout = Problem(
    code: .missingKey, message: "'await' has no 'timeout'",
    notes: ["the event may never come, and the waiting has to end"])

  static let noCondition = Problem(code: .missingKey, message: "'repeat' has no 'until' or 'while'")

  static let needsCondition = Problem(code: .conflictingKeys, message: "'else' needs an 'if'")

  static let needsParallel = Problem(
    code: .conflictingKeys,
    message: "'fail-fast' needs 'parallel': without it the iterations run one after another")

  /// A branch without steps; `actual` is what stands in their place.
  static func noSteps(_ owner: String, actual: String) -> Problem {
    Problem(
      code: .malformedValue,
      message: "\(owner) must be a list of steps, or a mapping with 'do', not \(actual)")
  }

  static func manyBranches(limit: Int) -> Problem {
    Problem(code: .malformedValue, message: "'parallel' has more than \(limit) branches")
  }

  static func unknownComparison(_ name: String, near: [String]) -> Problem {
    Problem(
      code: .unknownComparison, message: "'compare' is causal or set, not '\(name)'", near: near)
  }

  static func unknownBranch(_ name: String, near: [String]) -> Problem {
    Problem(code: .unknownNeed, message: "'needs' names no other branch: '\(name)'", near: near)
  }

  /// Branches that wait for each other, each for the next and the last for the first.
  static func branchCycle(_ names: [String]) -> Problem {
    let chain = (names + names.prefix(1)).map { "'\($0)'" }.joined(separator: " needs ")
    return Problem(code: .circularNeeds, message: "branches that wait for each other: \(chain)")
  }

  static func number(_ found: String, owner: String, range: ClosedRange<Int>) -> Problem {
    let bounds = "from \(range.lowerBound) to \(range.upperBound)"
    return Problem(
      code: .malformedLimit, message: "\(owner) must be a whole number \(bounds), not \(found)")
  }
}
