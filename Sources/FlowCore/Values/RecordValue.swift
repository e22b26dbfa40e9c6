internal import FlowSystem

/// The values of a record's fields, laid out by its type.
///
/// Two words wide: the names live in the type, which all values of one operation share.
public struct RecordValue: Sendable {
  /// Names, types and order of the fields.
  public let type: RecordType
  /// One value a field, in the type's order; `.null` for an optional field that is absent.
  public let values: [Value]

  /// Lays values out by a type.
  ///
  /// - Precondition: there are as many values as the type has fields.
  public init(_ type: RecordType, _ values: [Value]) {
    precondition(
      values.count == type.fields.count, "\(values.count) values for \(type.fields.count) fields")
    self.type = type
    self.values = values
  }

  /// The value of the field with this name; nil when the type has none.
  public subscript(name: String) -> Value? {
    type.index(of: name).map { values[$0] }
  }
}

extension RecordValue: Equatable {
  /// The same field names in the same order with equal values.
  public static func == (left: RecordValue, right: RecordValue) -> Bool {
    guard left.values.hasSameElements(as: right.values) else { return false }
    if left.type === right.type { return true }
    return left.type.fields.elementsEqual(right.type.fields) { $0.name.isIdentical(to: $1.name) }
  }
}
