internal import FlowCore
internal import FlowPlan
internal import FlowYAML

/// The messages about steps, their keys and their branches.
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
      .replacing(with: "\(id)_2")
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
  static func percentage(_ found: String, owner: String) -> Self {
    Self(.malformedLimit, "\(owner) must be a number from 0 to 100, not \(found)")
  }
  static func wholePercentage(_ found: String, owner: String) -> Self {
    Self(.malformedLimit, "\(owner) must be a whole percentage from 0% to 100%, not \(found)")
  }

}
