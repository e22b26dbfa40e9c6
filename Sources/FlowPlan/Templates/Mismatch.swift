public import FlowCore
package import FlowRedaction

/// One difference between the expected and the actual answer of a step.
public struct Mismatch: Sendable, Hashable {
  /// The expected content.
  public enum Expected: Sendable, Hashable {
    /// This value.
    case value(Value)
    /// Any value that fulfils this condition, as written, or the reason that it is neither true nor
    /// false.
    case condition(String, problem: String? = nil)
    /// A record or a map.
    case record
    /// A list of this many elements.
    case count(Int)
    /// Anything that a rule outside the scenario allows, as the message says, with the rule's place.
    case rule(String, source: String?)
    /// A value that does not violate this keyword of a schema.
    case schema(SchemaMismatch)
  }

  /// The place in the answer.
  public let path: FieldPath
  /// The expected content at that place.
  public package(set) var expected: Expected
  /// The actual value, or nil if nothing is there.
  public internal(set) var actual: Value?
  /// The keys similar to a missing one, empty if there are none.
  package private(set) var near: [String] = []
  /// The reason that the value is missing, or nil if the operation does not know.
  package private(set) var reason: String?
  /// The values from which the expected value was computed, empty if it was written literally.
  public package(set) var operands: [OperandText]
  /// The place of the expected value, or nil for the whole expectation.
  public private(set) var place: Place?

  package init(
    _ path: FieldPath, _ expected: Expected, _ actual: Value?, operands: [OperandText] = []
  ) {
    self.path = path
    self.expected = expected
    self.actual = actual
    self.operands = operands
  }

  /// Returns the difference with the keys similar to the missing one.
  func suggesting(_ key: String, among keys: [String]) -> Mismatch {
    var copy = self
    // By the number of changes every letter is like every other one.
    copy.near =
      key.utf8.count < 3
      ? keys.filter { $0.lowercased() == key.lowercased() }
      : Suggestion.nearest(to: key, among: keys)
    return copy
  }

  /// Returns the difference with the reason that the value is missing.
  func explained(by reason: String) -> Mismatch {
    var copy = self
    copy.reason = reason
    return copy
  }

  /// Returns the difference with a place, unless a narrower one is known.
  func placed(at place: Place) -> Mismatch {
    var copy = self
    copy.place = self.place ?? place
    return copy
  }

  /// Returns the difference with placeholders for hidden text.
  package func redacted(by redactor: Redactor) -> Mismatch {
    var copy = self
    switch expected {
    case .value(let value): copy.expected = .value(redactor.redacted(value))
    case .condition(let text, let problem):
      copy.expected = .condition(
        redactor.redacted(text), problem: problem.map(redactor.redacted))
    case .schema(let violation): copy.expected = .schema(violation.redacted(by: redactor))
    case .rule(let message, let source):
      copy.expected = .rule(redactor.redacted(message), source: source)
    case .record, .count: break
    }
    copy.actual = actual.map(redactor.redacted)
    copy.near = near.map(redactor.redacted)
    copy.reason = reason.map(redactor.redacted)
    copy.operands = operands.map { $0.redacted(by: redactor) }
    return copy
  }
}
