package import FlowCore
internal import FlowSystem

// Every message of this module is in this file.

extension SchemaProblem {
  /// `order.json#/type: 'text' is no type; there are ...`.
  public var description: String { "\(location.onOneLine): \(message)" }

  /// The problem without its place.
  public var message: String {
    switch reason {
    case .reference(let problem): Messages.text(of: problem)
    case .notASchema(let value):
      "a schema is a map, true or false, not \(Messages.short(value))"
    case .shape(let keyword, let expected, let value):
      "'\(keyword)' needs \(expected), not \(Messages.short(value))"
    case .type(let value, let names):
      value.text.map { "'\($0.onOneLine)' is no type" + Suggestion.ending(for: $0, among: names) }
        ?? "'type' needs a name or a list of names, not \(Messages.short(value))"
    case .pattern(let source, let problem): Messages.text(of: problem, source)
    case .limit(let limit): Messages.text(of: limit)
    case .library(let error): error.description
    case .endless: "the schema leads back to itself for the same value"
    }
  }
}

extension UnknownKeyword {
  /// `order.json#/requierd: unknown keyword 'requierd'; did you mean 'required'?`.
  public var description: String { "\(location.onOneLine): \(message)" }

  /// The sentence without its place.
  package var message: String {
    let near = Suggestion.phrase(Suggestion.nearest(to: name, among: candidates))
    return "unknown keyword '\(name.onOneLine)'" + (near.map { "; " + $0 } ?? "")
  }
}

extension Violation {
  /// `/items/0/id: expected integer, got string "7"`.
  public var description: String {
    let path = instance.description.onOneLine
    return path.isEmpty ? message : "\(path): \(message)"
  }

  /// The violation without its place.
  public var message: String { Messages.text(self) }

  /// The expected content of the place in words, such as `at least 3 characters`.
  package var expectation: String { Messages.expectation(of: reason, keyword) }
}

extension Violations {
  /// A line for each violation, and the number of those beyond the limit.
  public var description: String {
    (all.map(\.description) + (more > 0 ? ["and \(more) more"] : [])).joined(separator: "\n")
  }
}

/// The words of problems and violations.
package enum Messages {
  /// A value, cut for a message.
  package static func short(_ value: Value) -> String { value.summary(limit: 60) }

  /// A violation without its place.
  static func text(_ violation: Violation) -> String {
    let value = violation.value
    let expected = "expected \(violation.expectation)"
    return switch violation.reason {
    case .never: "nothing is allowed here, got \(short(value))"
    case .type: "\(expected), got \(TypeSet.name(of: value)) \(short(value))"
    case .enumeration(let values): text(value, among: values, expected)
    case .constant, .bound, .multiple, .pattern, .format, .range, .content:
      "\(expected), got \(short(value))"
    case .count(_, _, let count): "\(expected), got \(count)"
    case .repeated(let first, let second):
      "the elements \(first) and \(second) are equal, expected different ones"
    case .missing(let name, let present): missing(name, present)
    case .dependent(let name, let missing):
      "'\(missing.onOneLine)' is required beside '\(name.onOneLine)'"
    case .unexpected(let name, let known):
      "'\(name.onOneLine)' is not allowed"
        + (Suggestion.phrase(Suggestion.nearest(to: name, among: known)).map { "; \($0)" } ?? "")
    case .tooMany: "\(expected), got \((value.elements ?? 0))"
    case .name(let name, let reason): "the name '\(name.onOneLine)' is not allowed: \(reason)"
    case .contains(let found, 1, let maximum) where found <= maximum ?? found:
      "no element fits the schema of 'contains'"
    case .contains(let found, _, _): "\(expected), got \(found)"
    case .noBranch: branches(violation)
    case .severalBranches(let places):
      "expected exactly one of the schemas, got a value of \(places.count): "
        + places.map(String.init).joined(separator: ", ")
    case .negated: "\(short(value)) is excluded"
    // Often a password: its value is not shown.
    case .withheld: "'\(violation.keyword)' allows no value here"
    }
  }

  private static func list(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "nothing" }
    return names.dropLast().joined(separator: ", ") + " or " + last
  }

  /// The expected content of a place in words.
  static func expectation(of reason: Violation.Reason, _ keyword: String) -> String {
    switch reason {
    case .never: "nothing"
    case .type(let names): list(names)
    case .constant(let value): short(value)
    case .enumeration(let values):
      "one of " + values.prefix(10).map(short).joined(separator: ", ")
        + (values.count > 10 ? " and \(values.count - 10) more" : "")
    case .bound(let bound, let limit): "\(phrase(bound)) \(short(limit))"
    case .multiple(let divisor): "a multiple of \(short(divisor))"
    case .count(let keyword, let limit, _): phrase(keyword, limit)
    case .repeated: "different elements"
    case .pattern(let source): "text like '\(source.shortened(to: 80).onOneLine)'"
    case .format(let name): "text in the format '\(name)'"
    case .range(let name): "a number in the range of \(name)"
    case .content(let name): "text that is \(name)"
    case .missing(let name, _), .dependent(_, let name): "a member '\(name.onOneLine)'"
    case .unexpected(let name, _): "no member '\(name.onOneLine)'"
    case .tooMany(let limit): "at most \(count(limit, "element"))"
    case .name: "other names"
    case .contains(let found, let minimum, let maximum): phrase(found, minimum, maximum)
    case .noBranch: "a value of a schema of '\(keyword)'"
    case .severalBranches: "exactly one of the schemas"
    case .negated: "another value"
    case .withheld: "no value"
    }
  }

  private static func text(_ value: Value, among values: [Value], _ expected: String) -> String {
    var text = "\(expected), got \(short(value))"
    if values.isEmpty { text = "nothing is allowed here, got \(short(value))" }
    let near = value.text.flatMap {
      Suggestion.phrase(Suggestion.nearest(to: $0, among: values.compactMap(\.text)))
    }
    return text + (near.map { "; \($0)" } ?? "")
  }

  private static func phrase(_ bound: Keyword.Bound) -> String {
    switch bound {
    case .minimum: "at least"
    case .maximum: "at most"
    case .exclusiveMinimum: "more than"
    case .exclusiveMaximum: "less than"
    }
  }

  private static func phrase(_ keyword: Keyword.Count, _ limit: Int) -> String {
    switch keyword {
    case .minLength: "at least \(count(limit, "character"))"
    case .maxLength: "at most \(count(limit, "character"))"
    case .minItems: "at least \(count(limit, "element"))"
    case .maxItems: "at most \(count(limit, "element"))"
    case .minProperties: "at least \(count(limit, "member"))"
    case .maxProperties: "at most \(count(limit, "member"))"
    }
  }

  private static func phrase(_ found: Int, _ minimum: Int, _ maximum: Int?) -> String {
    if let maximum, found > maximum {
      return "at most \(count(maximum, "element")) that \(fit(maximum))"
    }
    return "at least \(count(minimum, "element")) that \(fit(minimum))"
  }

  private static func fit(_ count: Int) -> String {
    count == 1 ? "fits the schema of 'contains'" : "fit the schema of 'contains'"
  }

  private static func count(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)" + (count == 1 ? "" : "s")
  }

  private static func missing(_ name: String, _ present: [String]) -> String {
    let near = Suggestion.nearest(to: name, among: present)
    let note =
      near.isEmpty ? "" : "; there is " + near.map { "'\($0.onOneLine)'" }.joined(separator: ", ")
    return "'\(name.onOneLine)' is missing" + note
  }

  private static func branches(_ violation: Violation) -> String {
    let shown = violation.branches.prefix(4).enumerated().map { index, branch in
      "\(index): " + (branch.first?.description ?? "not allowed")
    }
    let rest = violation.branches.count - shown.count
    return "no schema of '\(violation.keyword)' allows \(short(violation.value))"
      + (shown.isEmpty
        ? "" : " (" + shown.joined(separator: "; ") + (rest > 0 ? "; and \(rest) more" : "") + ")")
  }

  // MARK: - Schemas

  static func text(of problem: ResourceIndex.Problem) -> String {
    switch problem {
    case .unknownDialect(let uri):
      "'$schema' is '\(uri.onOneLine)', which is unknown; there are draft 2020-12 and draft 7"
    case .unknownVocabulary(let name, let metaschema):
      "'\(metaschema.onOneLine)' requires the unknown vocabulary '\(name.onOneLine)'"
    case .twice(let uri): "two schemas have the URI '\(uri.onOneLine)'"
    case .unresolved(let text, let uri):
      "'\(text.onOneLine)' refers to '\(uri.text.onOneLine)', "
        + "which is not among the given documents"
    case .noAnchor(let name, let uri): "'\(uri.text.onOneLine)' has no anchor '\(name.onOneLine)'"
    case .noPart(let pointer, let uri):
      "'\(uri.text.onOneLine)' has no '\(pointer.description.onOneLine)'"
    case .badPointer(let text): "'\(text.onOneLine)' is no reference: its pointer is malformed"
    case .depth: "the schema is nested more than \(PlainValue.greatestDepth) levels deep"
    }
  }

  static func text(of problem: PatternProblem, _ source: String) -> String {
    let pattern = "the pattern '\(source.shortened(to: 80).onOneLine)'"
    return switch problem {
    case .syntax(let reason, let part):
      "\(pattern) is malformed: \(reason)" + (part.isEmpty ? "" : " at '\(part.onOneLine)'")
    case .unsupported(let construct): "\(pattern) has \(construct), which is not supported"
    case .tooLong(let limit): "\(pattern) is longer than \(limit) bytes"
    case .tooLarge: "\(pattern) takes too much memory"
    }
  }

  static func text(of limit: SchemaProblem.Limit) -> String {
    switch limit {
    case .subschemas(let limit): "there are more than \(limit) subschemas"
    case .nesting(let limit): "a value is checked by more than \(limit) schemas inside each other"
    case .steps(let limit): "the validation takes more than \(limit) steps"
    case .depth(let limit): "the value is nested more than \(limit) levels deep"
    case .patternMemory: "a pattern takes too much memory"
    }
  }
}

extension Value {
  /// The number of a list's elements, or nil for another value.
  fileprivate var elements: Int? { if case .list(let values) = self { values.count } else { nil } }
}
