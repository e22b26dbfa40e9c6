internal import FlowCore

/// A value with one change inside.
struct MutatedValue: Sendable {
  /// Where the change is.
  let path: FieldPath
  /// What stood there.
  let before: Value
  /// What stands there now.
  let after: Value
  /// The whole value.
  let whole: Value
}

extension Value {
  /// The value with each of its parts changed, one at a time; every part once, in its order.
  ///
  /// A list also loses its last element. What is null, or has no other value, is left out.
  func mutations(as type: ValueType) -> [MutatedValue] {
    switch self {
    case .record(let record):
      return record.values.enumerated().flatMap { index, value in
        let field = record.type.fields[index]
        return value.mutations(as: field.type).map { inner in
          inner.inside(.field(field.name)) {
            .record(RecordValue(record.type, record.values.replacing(index, with: $0)))
          }
        }
      }
    case .list(let values): return Self.mutations(of: values, as: type)
    case .map(let map): return Self.mutations(of: map, as: type)
    default:
      guard let after = changed(as: type) else { return [] }
      return [MutatedValue(path: FieldPath(), before: self, after: after, whole: after)]
    }
  }

  private static func mutations(of values: [Value], as type: ValueType) -> [MutatedValue] {
    guard !values.isEmpty else { return [] }
    let shorter = Value.list(Array(values.dropLast()))
    let element = type.partType
    return [MutatedValue(path: FieldPath(), before: .list(values), after: shorter, whole: shorter)]
      + values.enumerated().flatMap { index, value in
        value.mutations(as: element).map { inner in
          inner.inside(.index(index)) { .list(values.replacing(index, with: $0)) }
        }
      }
  }

  private static func mutations(of map: ValueMap, as type: ValueType) -> [MutatedValue] {
    let element = type.partType
    return map.entries.flatMap { entry in
      entry.value.mutations(as: element).map { inner in
        inner.inside(.field(entry.key.interpolated)) { value in
          var changed = map
          changed[entry.key] = value
          return .map(changed)
        }
      }
    }
  }

  /// Another value of the same type, as near as there is one; nil for what has no other.
  private func changed(as type: ValueType) -> Value? {
    switch self {
    case .bool(let value): .bool(!value)
    case .int(let number): .int(number == .max ? number - 1 : number + 1)
    case .uint(let number): .uint(number == .max ? number - 1 : number + 1)
    case .double(let number): .double(number.isFinite ? number.nextUp + 1 : 0)
    case .decimal(let number):
      ((try? number + Decimal(1)) ?? (try? number - Decimal(1))).map(Value.decimal)
    case .string(let text): Self.otherText(than: text, type)
    case .bytes(let bytes): .bytes(Bytes(bytes.content + [0]))
    case .timestamp(let instant):
      (instant.advanced(by: .seconds(1)) ?? instant.advanced(by: .seconds(-1))).map(
        Value.timestamp)
    case .duration(let span): .duration(span + .seconds(1))
    default: nil
    }
  }

  private static func otherText(than text: String, _ type: ValueType) -> Value? {
    guard case .enumeration(let names) = type.withoutOptional else { return .string(text + "~") }
    return names.first { $0 != text }.map(Value.string)
  }
}

extension MutatedValue {
  /// The change seen from a value around it.
  fileprivate func inside(_ step: FieldPath.Step, _ whole: (Value) -> Value) -> MutatedValue {
    MutatedValue(
      path: path.inside(step), before: before, after: after, whole: whole(self.whole))
  }
}

extension ValueType {
  fileprivate var withoutOptional: ValueType {
    if case .optional(let wrapped) = self { return wrapped.withoutOptional }
    return self
  }

  /// The type of what a list or a map holds.
  fileprivate var partType: ValueType {
    switch withoutOptional {
    case .list(let element), .map(let element): element
    default: .dynamic
    }
  }
}

extension Array {
  fileprivate func replacing(_ index: Int, with element: Element) -> [Element] {
    var copy = self
    copy[index] = element
    return copy
  }
}
