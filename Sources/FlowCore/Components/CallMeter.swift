/// An amount that a call took, such as 120 tokens.
public struct Quantity: Sendable, Hashable {
  /// The place in an answer: `usage.total`.
  public let name: String
  /// The unit: `tokens`.
  public let unit: String
  /// The amount, or nil if it is not known.
  public let amount: Decimal?
  /// The reason if the amount is not known, or nil.
  public let reason: String?

  /// Creates a known amount.
  public init(_ name: String, _ amount: Decimal, unit: String) {
    (self.name, self.unit, self.amount, reason) = (name, unit, amount, nil)
  }

  /// Creates an amount that is not known, for a reason in lower case without a full stop.
  public init(_ name: String, unknown reason: String, unit: String) {
    (self.name, self.unit, amount, self.reason) = (name, unit, nil, reason)
  }
}

/// Finds the quantities of the calls of one component, in the order of their ends.
///
/// Reports ask it about each answer, live and recorded, so the arguments alone decide.
public protocol CallMeter: Sendable {
  /// Finds the quantities of a call that has been answered.
  ///
  /// - Parameters:
  ///   - operation: The operation's name.
  ///   - input: The input, a record of the operation's input type.
  ///   - answer: The answer: a record with fields of the operation's output, of which a component that
  ///     called it may read only some.
  /// - Returns: The quantities, empty for none.
  mutating func quantities(of operation: String, _ input: Value, _ answer: Value) -> [Quantity]
}

/// The numbers in answers that are declared as quantities.
struct FieldMeter: CallMeter {
  /// The types of the answers with quantities, by the operation's name.
  private let outputs: [String: RecordType]

  /// Creates a meter of some operations, or nil if none of them declares a quantity.
  init?(_ operations: [OperationDescription]) {
    let outputs = operations.filter { $0.output.hasQuantities }.map { ($0.name, $0.output) }
    if outputs.isEmpty { return nil }
    self.outputs = Dictionary(outputs, uniquingKeysWith: { first, _ in first })
  }

  func quantities(of operation: String, _ input: Value, _ answer: Value) -> [Quantity] {
    outputs[operation].map { $0.quantities(in: answer, at: "") } ?? []
  }
}

extension RecordType {
  /// True if a field, or a field of a record in it, is declared as a quantity.
  fileprivate var hasQuantities: Bool {
    (fields + computedFields).contains { field in
      if field.quantity != nil { return true }
      if case .record(let inner) = field.type.unwrapped { return inner.hasQuantities }
      return false
    }
  }

  /// Returns the quantities in a value of this type, whose names start with a place.
  fileprivate func quantities(in value: Value, at place: String) -> [Quantity] {
    guard case .record(let record) = value.unwrapped else { return [] }
    return (fields + computedFields).flatMap { field -> [Quantity] in
      let name = place.isEmpty ? field.name : "\(place).\(field.name)"
      guard let value = record[field.name]?.unwrapped else { return [] }
      if let unit = field.quantity {
        return value.amount.map { [Quantity(name, $0, unit: unit)] } ?? []
      }
      guard case .record(let inner) = field.type.unwrapped else { return [] }
      return inner.quantities(in: value, at: name)
    }
  }
}

extension Value {
  /// The value inside an optional, or the value itself.
  fileprivate var unwrapped: Value {
    if case .optional(let wrapped) = self { return wrapped?.unwrapped ?? .null }
    return self
  }

  /// The value as an amount, or nil for one that is no number.
  fileprivate var amount: Decimal? {
    switch self {
    case .int(let number): Decimal(number)
    case .uint(let number): Decimal("\(number)")
    case .decimal(let number): number
    default: nil
    }
  }
}
