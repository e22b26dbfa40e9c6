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
public struct Violation: Sendable, Hashable, CustomStringConvertible {
  /// The part of the value.
  public let instance: JSONPointer
  /// The URI of the schema's document and the pointer to the keyword in it.
  public let location: String
  /// The violated keyword, or `false` for the schema that allows nothing.
  public let keyword: String
  /// The part of the value.
  public private(set) var value: Value
  private(set) var reason: Reason
  /// The violations of the branches of `anyOf` and `oneOf`, if none of them fits.
  public private(set) var branches: [[Violation]]

  /// The kinds of violations, with the data of their messages.
  enum Reason: Sendable, Hashable {
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
    case withheld
  }
}

extension Violation {
  /// True for a value that an answer must not have, and that may be a secret.
  package var isWithheld: Bool { if case .withheld = reason { true } else { false } }

  /// Returns the violation with other values at its places.
  package func replacing(values: (JSONPointer, Value) -> Value) -> Violation {
    var copy = self
    copy.value = values(instance, value)
    copy.branches = branches.map { $0.map { $0.replacing(values: values) } }
    return copy
  }

  /// Returns the violation with other texts for names from the value.
  package func replacing(names texts: (String) -> String) -> Violation {
    var copy = self
    copy.branches = branches.map { $0.map { $0.replacing(names: texts) } }
    switch reason {
    case .missing(let name, let present):
      copy.reason = .missing(name, present: present.map(texts))
    case .unexpected(let name, let known): copy.reason = .unexpected(texts(name), known: known)
    case .name(let name, let reason):
      let hidden = texts(name)
      // The reason quotes the name, perhaps only a part of it.
      copy.reason = .name(hidden, hidden == name ? reason : "its text is hidden")
    case .never, .type, .constant, .enumeration, .bound, .multiple, .count, .repeated, .pattern,
      .format, .range, .content, .dependent, .tooMany, .contains, .noBranch, .severalBranches,
      .negated, .withheld:
      break
    }
    return copy
  }
}
