internal import FlowCore

/// The problems of a schema, or the limit that a validation exceeds.
public struct SchemaError: Error, Sendable, CustomStringConvertible {
  /// The problems in the order in which they were found.
  ///
  /// Never empty.
  public let problems: [SchemaProblem]

  init(problems: [SchemaProblem]) { self.problems = problems }

  init(_ reason: SchemaProblem.Reason, at location: String) {
    problems = [SchemaProblem(location: location, reason: reason)]
  }

  /// A line for each problem.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// A problem of a schema.
public struct SchemaProblem: Sendable, CustomStringConvertible {
  /// The URI of the document and the pointer to the keyword, as `order.json#/properties/id/type`.
  public let location: String
  let reason: Reason

  /// The kinds of problems, with the data of their messages.
  enum Reason: Sendable {
    case reference(ResourceIndex.Problem)
    case notASchema(Value)
    case shape(String, String, Value)
    case type(Value, [String])
    case pattern(String, PatternProblem)
    case limit(Limit)
    case library(LibraryError)
    case endless
  }

  /// An exceeded limit.
  enum Limit: Sendable {
    case subschemas(Int)
    case nesting(Int)
    case steps(Int)
    case depth(Int)
    case patternMemory
  }
}

/// A keyword that nothing checks, because the schema's dialect does not know it.
public struct UnknownKeyword: Sendable, CustomStringConvertible {
  /// The URI of the document and the pointer to the keyword.
  public let location: String
  /// The keyword.
  public let name: String
  /// The names that the dialect knows.
  let candidates: [String]
}

extension SchemaPattern {
  /// Returns the reason why nothing can be checked by a pattern, although it is right, or nil.
  package static func limitation(of source: String) -> String? {
    limit(of: source).map { Messages.text(of: $0, source) }
  }
}
