internal import FlowSystem

/// A way from a value to one inside it, printed as `items[3].title`.
public struct FieldPath: Sendable, Hashable {
  /// One step inwards.
  public enum Step: Sendable, Hashable {
    /// To the field or key of this name.
    case field(String)
    /// To the element at this index, from 0.
    case index(Int)
  }

  /// The steps, from the outside in.
  ///
  /// Empty for the value itself.
  public private(set) var steps: [Step]

  /// The path of these steps.
  public init(_ steps: [Step] = []) {
    self.steps = steps
  }

  /// True for the value itself.
  public var isEmpty: Bool { steps.isEmpty }

  /// The path one step further in.
  public func appending(_ step: Step) -> FieldPath {
    FieldPath(steps + [step])
  }

  /// Returns the place seen from a value around it.
  public func inside(_ step: Step) -> FieldPath {
    FieldPath([step] + steps)
  }
}

extension FieldPath.Step {
  /// By the bytes of names: `==` of strings takes two forms of one accented letter for one.
  public static func == (left: FieldPath.Step, right: FieldPath.Step) -> Bool {
    switch (left, right) {
    case (.field(let a), .field(let b)): a.isIdentical(to: b)
    case (.index(let a), .index(let b)): a == b
    default: false
    }
  }
}

extension FieldPath: CustomStringConvertible {
  /// Dots before fields, brackets around indices.
  ///
  /// Names are escaped, because they come from files.
  public var description: String {
    var text = ""
    for step in steps {
      switch step {
      case .field(let name): text += (text.isEmpty ? "" : ".") + name.escaped
      case .index(let index): text += "[\(index)]"
      }
    }
    return text
  }
}

/// A value that does not fit its record.
public struct DecodeError: Error, Sendable, Hashable {
  /// The problem of a value.
  public enum Reason: Sendable, Hashable {
    /// A value of another type in place of this type.
    case mismatch(expected: ValueType, actual: Value)
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
    case .missing(let expected): "missing, expected \(expected)"
    case .unknownField(let suggestions, let known):
      "unknown field" + Suggestion.ending(suggestions, among: known)
    case .equivalentKeys: "another key is the same text in another form of Unicode"
    }
  }
}
