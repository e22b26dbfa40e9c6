public import FlowCore

/// The violations of a schema in one value, in the order of the value's parts.
public struct Violations: Sendable, CustomStringConvertible {
  /// As many violations as the limit allows.
  public let all: [Violation]
  /// The number of violations beyond the limit.
  public let more: Int

  /// True for a valid value.
  public var isEmpty: Bool { all.isEmpty }
}

/// A keyword of a schema that a part of a value violates.
public struct Violation: Sendable, CustomStringConvertible {
  /// The part of the value.
  public let instance: JSONPointer
  /// The URI of the schema's document and the pointer to the keyword in it.
  public let location: String
  /// The violated keyword, or `false` for the schema that allows nothing.
  public let keyword: String
  /// The part of the value.
  public let value: Value
  let reason: Reason
  /// The violations of the branches of `anyOf` and `oneOf`, if none of them fits.
  public let branches: [[Violation]]

  /// The kinds of violations, with the data of their messages.
  enum Reason: Sendable {
    case never
    case type([String])
    case constant(Value)
    case enumeration([Value])
    case bound(Keyword.Bound, Value)
    case multiple(Value)
    case count(Keyword.Count, Int, count: Int)
    case repeated(first: Int, second: Int)
    case pattern(String)
    case format(String)
    case range(String)
    case content(String)
    case missing(String, present: [String])
    case dependent(String, missing: String)
    case unexpected(String, known: [String])
    case tooMany(Int)
    case name(String, String)
    case contains(count: Int, minimum: Int, maximum: Int?)
    case noBranch
    case severalBranches([Int])
    case negated
  }
}
