internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowSystem

/// The answer of a person to a call: its fields that must be given, and neutral values for others.
///
/// A field needs no value if no comparison looks at it and the scenario does not read it: it is
/// volatile, or compared only where it is read.
struct GivenAnswer {
  private let type: RecordType
  /// The parts that the scenario reads, or nil if a component reads the answer.
  private let parts: [FieldPath]?

  /// Describes the answer to a call of a step, or of a component.
  init(to address: Address, _ type: RecordType, in plan: Plan) {
    self.type = type
    parts = address.calls.isEmpty ? ReadParts(plan).parts(at: address.path).map(\.path) : nil
  }

  /// The fields without which an answer is refused.
  var required: [RecordType.Field] {
    type.fields.filter { $0.type.neutralValue != .null && neutralValue(of: $0) == nil }
  }

  /// Reads an answer with neutral values in place of fields that need none.
  ///
  /// - Throws: `DoneCallError` if it lacks fields, or does not fit its type.
  func value(_ answer: JSON) throws(DoneCallError) -> Value {
    guard case .object(let given) = answer else { throw .lacking(required, form: template) }
    let missing = required.filter { answer[$0.name] == nil }
    if !missing.isEmpty { throw .lacking(missing, form: template) }
    let rest = type.fields.compactMap { field -> JSON.Member? in
      guard answer[field.name] == nil, let value = neutralValue(of: field) else { return nil }
      return JSON.Member(field.name, JSON(value, as: field.type))
    }
    do throws(DecodeError) { return try Value(.object(given + rest), as: .record(type)) } catch {
      throw .misfit(error, form: template)
    }
  }

  /// An answer with every field that must be given or is read, to be filled in.
  var template: JSON {
    let fields = required.map(\.name)
    return .object(
      type.fields.filter { field in
        // Null is right for most optional fields.
        if case .optional = field.type { return isNamed(field) }
        return fields.contains(field.name) || isRead(field)
      }.map { field in
        JSON.Member(field.name, JSON(field.plausible.first ?? field.type.example, as: field.type))
      })
  }

  /// The value of a field that need not be given, or nil.
  private func neutralValue(of field: RecordType.Field) -> Value? {
    guard field.isVolatile || field.comparison != .always, !isRead(field) else { return nil }
    return field.type.neutralValue
  }

  private func isRead(_ field: RecordType.Field) -> Bool {
    guard let parts, !isNamed(field) else { return true }
    // Of the whole answer, or in a field that is computed from others.
    return parts.contains { part in
      guard case .field(let name)? = part.steps.first else { return true }
      return type.index(of: name) == nil
    }
  }

  /// Returns true if the scenario reads the field itself, or a part of it.
  private func isNamed(_ field: RecordType.Field) -> Bool {
    parts?.contains { $0.steps.first == .field(field.name) } ?? false
  }
}

extension ValueType {
  /// A value of the type, to be replaced by the true one.
  fileprivate var example: Value {
    switch self {
    case .record(let type):
      .record(RecordValue(type, type.fields.map { $0.plausible.first ?? $0.type.example }))
    case .enumeration(let names): .string(names.first ?? "")
    default: neutralValue ?? .null
    }
  }

  /// The value that says least, or nil if none does.
  fileprivate var neutralValue: Value? {
    switch self {
    case .bool: .bool(false)
    case .int: .int(0)
    case .uint: .uint(0)
    case .double: .double(0)
    case .decimal: .decimal(Decimal(0))
    case .string: .string("")
    case .bytes: .bytes(Bytes([]))
    case .timestamp: .timestamp(.epoch)
    case .duration: .duration(.zero)
    case .list: .list([])
    case .map: .map(ValueMap())
    case .optional, .dynamic: .null
    case .enumeration, .record: nil
    }
  }
}
