internal import FlowSystem

/// A value that does not fit its record.
public struct DecodeError: Error, Sendable, Hashable {
  /// The problem of a value.
  public enum Reason: Sendable, Hashable {
    /// A value of another type in place of this type.
    case mismatch(expected: ValueType, actual: Value)
    /// A text of another form, of which this is an example.
    case form(example: String, actual: Value)
    /// A required field is absent.
    case missing(expected: ValueType)
    /// The record has no such field.
    ///
    /// The message offers near names, or all of them.
    case unknownField(suggestions: [String], known: [String])
    /// Another key of the map is canonically equivalent, such as `é` and `e` with an accent.
    case equivalentKeys
  }

  /// The place in the value, from the outside: `["items", 3, "title"]`.
  public private(set) var path: FieldPath
  /// The problem there.
  public let reason: Reason

  /// Creates the error for a value of the wrong type, at the place where it is read.
  public init(expected: ValueType, _ actual: Value) {
    self.init(.mismatch(expected: expected, actual: actual))
  }

  /// Creates the error for a text that does not have the form of an example.
  public init(like example: String, _ actual: Value) {
    self.init(.form(example: example, actual: actual))
  }

  init(_ reason: Reason, at path: FieldPath = FieldPath()) {
    self.reason = reason
    self.path = path
  }

  /// Creates the error for an unknown field.
  package init(unknownField name: String, of type: RecordType) {
    let known = type.fields.map(\.name)
    let near = Suggestion.nearest(to: name, among: known)
    self.init(.unknownField(suggestions: near, known: known), at: FieldPath([.field(name)]))
  }

  /// Creates the error for an absent required field.
  package init(missing field: RecordType.Field) {
    self.init(.missing(expected: field.type), at: FieldPath([.field(field.name)]))
  }

  /// Returns the error seen from the record around it.
  package func inside(field name: String) -> DecodeError {
    DecodeError(reason, at: path.inside(.field(name)))
  }

  /// Returns the error seen from the list around it.
  package func inside(index: Int) -> DecodeError {
    DecodeError(reason, at: path.inside(.index(index)))
  }
}

extension DecodeError: CustomStringConvertible {
  /// One phrase: `'items[3].title': expected string, got 12`.
  public var description: String {
    path.isEmpty ? problem : "'\(path)': \(problem)"
  }

  /// The description without the path.
  public var problem: String {
    switch reason {
    // The value looks like a decimal, but is a Swift literal or a JSON number.
    case .mismatch(.decimal, .double(let number)): "expected decimal, got the double \(number)"
    case .mismatch(let expected, let actual): "expected \(expected), got \(actual.summary())"
    case .form(let example, let actual):
      "expected a text such as '\(example)', got \(actual.summary())"
    case .missing(let expected): "missing, expected \(expected)"
    case .unknownField(let suggestions, let known):
      "unknown field" + Suggestion.ending(suggestions, among: known)
    case .equivalentKeys: "another key is the same text in another form of Unicode"
    }
  }
}
