package import FlowCore
package import FlowRedaction

/// A schema of the project's files, as a plan checks values by it.
///
/// The loader of the scenario hands in the check, so that a plan needs no reader of schemas.
public struct PlannedSchema: Sendable {
  /// The schema as an expectation writes it: `{schema: order.schema.json}`.
  let expectation: String
  /// The type of the values that fit, `dynamic` if the schema does not say it.
  let type: ValueType
  /// The values that fit.
  let values: any DescribedValues
  private let check: @Sendable (Value?, FieldPath) -> [Mismatch]

  /// Creates a schema.
  ///
  /// `check` returns a mismatch for each violation by a value at a path, empty for a value that
  /// fits. A value that cannot be checked is a mismatch as well.
  package init(
    expectation: String, type: ValueType, values: any DescribedValues,
    check: @escaping @Sendable (Value?, FieldPath) -> [Mismatch]
  ) {
    (self.expectation, self.type, self.values, self.check) = (expectation, type, values, check)
  }

  func mismatches(_ actual: Value?, at path: FieldPath) -> [Mismatch] { check(actual, path) }
}

/// A violation of a schema by a part of an answer.
///
/// Two are equal if their texts are.
public struct SchemaMismatch: Sendable, Hashable {
  /// The sentence, such as `expected integer, got string "7"`.
  package let message: String
  /// The expected content in words, such as `integer`.
  package let expectation: String
  /// The file of the schema and the pointer to the keyword: `order.schema.json#/required`.
  package let location: String
  private let hiding: @Sendable (Redactor) -> SchemaMismatch

  /// Creates a mismatch.
  ///
  /// `hiding` returns it with placeholders for the values and names that a redactor hides: in the
  /// finished sentence they may be shortened, and are not found.
  package init(
    message: String, expectation: String, location: String,
    hiding: @escaping @Sendable (Redactor) -> SchemaMismatch
  ) {
    (self.message, self.expectation, self.location) = (message, expectation, location)
    self.hiding = hiding
  }

  /// Returns the violation with placeholders for hidden text.
  func redacted(by redactor: Redactor) -> SchemaMismatch { hiding(redactor) }

  private var texts: [String] { [message, expectation, location] }

  /// Compares the texts.
  public static func == (left: SchemaMismatch, right: SchemaMismatch) -> Bool {
    left.texts == right.texts
  }

  /// Hashes the texts.
  public func hash(into hasher: inout Hasher) { hasher.combine(texts) }
}

extension Expectation {
  /// Returns the type of the answers that fulfil it, if a schema says more than the declared type,
  /// or nil.
  package func narrowed(_ answer: RecordType) -> RecordType? {
    guard case .output(.fields(_, let matchers)) = self else { return nil }
    var fields = answer.fields
    var isNarrower = false
    for (index, matcher) in matchers where index < fields.count {
      guard fields[index].type.unwrapped == .dynamic, let type = matcher.schemaType,
        type != .dynamic
      else { continue }
      fields[index].type = type
      isNarrower = true
    }
    return isNarrower ? answer.with(fields) : nil
  }
}

extension ExpectedValue {
  /// The type of the values that fit the schema here, or nil without one.
  fileprivate var schemaType: ValueType? {
    switch self {
    case .schema(let schema, _): schema.type
    case .written(let matcher, _): matcher.schemaType
    case .equal, .condition, .fields, .entries, .elements: nil
    }
  }
}
