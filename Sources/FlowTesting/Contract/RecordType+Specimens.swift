internal import FlowCore

extension RecordType {
  /// A few made-up values of the type, so that each field differs from its neighbours of the same type.
  var specimens: [Value] {
    (0..<3).map { variant in specimen(variant, depth: 0) }
  }

  fileprivate func specimen(_ variant: Int, depth: Int) -> Value {
    let values = fields.enumerated().map { index, field in
      field.type.specimen(index, variant, depth: depth)
    }
    return .record(RecordValue(self, values))
  }
}

extension ValueType {
  /// Records hold records, and one may hold itself.
  private static let deepest = 4

  /// A made-up value for the field at an index; the first variant has nothing where that is allowed.
  fileprivate func specimen(_ index: Int, _ variant: Int, depth: Int) -> Value {
    let number = index + variant * 100 + 1
    switch self {
    case .bool: return .bool((index + variant).isMultiple(of: 2))
    case .int: return .int(variant == 2 ? -number : number)
    case .uint: return .uint(UInt(number))
    case .double: return .double(Double(number) + 0.5)
    case .decimal: return .decimal(Decimal(significand: Int128(number), scale: 2))
    case .string, .dynamic: return .string(variant == 0 ? "" : "text \(number)")
    case .enumeration(let names):
      return names.isEmpty ? .null : .string(names[number % names.count])
    case .bytes: return .bytes(Bytes([0, UInt8(truncatingIfNeeded: number), 255]))
    case .timestamp:
      return .timestamp(Timestamp.epoch.advanced(by: .seconds(number)) ?? .epoch)
    case .duration: return .duration(.milliseconds(number))
    case .list, .map, .record, .optional: return nested(index, variant, depth: depth)
    }
  }

  private func nested(_ index: Int, _ variant: Int, depth: Int) -> Value {
    let isEmpty = variant == 0 || depth == Self.deepest
    let inner = { (type: ValueType) in type.specimen(index, variant, depth: depth + 1) }
    switch self {
    case .list(let element): return .list(isEmpty ? [] : [inner(element), inner(element)])
    case .map(let element): return .map(isEmpty ? ValueMap() : ValueMap([("key", inner(element))]))
    case .optional(let wrapped): return isEmpty ? .null : inner(wrapped)
    case .record(let type): return type.specimen(variant, depth: depth + 1)
    default: return .null
    }
  }
}
