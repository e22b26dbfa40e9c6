internal import FlowCore

extension Value {
  /// Other values of the same type: a number one more and negated, a text changed, a truth value flipped.
  ///
  /// None is equal to the value or to another one.
  func alternatives(_ type: ValueType) -> [Value] {
    switch (type, self) {
    case (.enumeration(let names), .string(let name)):
      return names.first { $0 != name }.map { [.string($0)] } ?? []
    case (_, .null): return [.string("x")]
    case (_, .bool(let value)): return [.bool(!value)]
    case (_, .string(let text)): return [.string(text.isEmpty ? "x" : text + "~")]
    case (_, .bytes(let bytes)): return [.bytes(Bytes(Self.altered(Array(bytes.content))))]
    case (_, .timestamp(let instant)):
      let other = instant.advanced(by: .seconds(1)) ?? instant.advanced(by: .seconds(-1))
      return other.map { [.timestamp($0)] } ?? []
    case (_, .int), (_, .uint), (_, .double), (_, .decimal), (_, .duration):
      let others = [next, negated].compactMap { $0 }.filter { $0 != self }
      return others.count == 2 && others[0] == others[1] ? [others[0]] : others
    default: return []
    }
  }

  private static func altered(_ bytes: [UInt8]) -> [UInt8] {
    guard let first = bytes.first else { return [0] }
    return [first ^ 1] + bytes.dropFirst()
  }

  /// One more, or one less where that is too many.
  private var next: Value? {
    switch self {
    case .int(let number): .int(number == .max ? number - 1 : number + 1)
    case .uint(let number): .uint(number == .max ? number - 1 : number + 1)
    case .double(let number): .double(number + 1 == number ? number / 2 : number + 1)
    case .decimal(let number): (try? number + Decimal(1)).map(Value.decimal)
    case .duration(let span): .duration(span + .seconds(1))
    default: nil
    }
  }

  private var negated: Value? {
    switch self {
    case .int(let number): number == .min ? nil : .int(-number)
    case .double(let number): .double(-number)
    case .decimal(let number): (try? number.negated()).map(Value.decimal)
    case .duration(let span): .duration(.zero - span)
    default: nil
    }
  }
}
