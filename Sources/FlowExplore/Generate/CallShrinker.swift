internal import FlowCore

/// Takes from a sequence of calls what its failure does not need: calls first, then fields, then makes values simpler.
struct CallShrinker {
  private static let mostTries = 2_000

  /// The smallest sequence so far that fails in the same way.
  private(set) var best: [GeneratedCall]
  private(set) var tries = 0
  private var size: Int
  private var waiting: [[GeneratedCall]] = []
  private var stage = Stage.calls
  private var index = 0
  private var hasChanged = false
  private var tried: [GeneratedCall] = []

  private enum Stage {
    case calls, values, done
  }

  init(_ calls: [GeneratedCall]) {
    best = calls
    size = max(1, calls.count / 2)
  }

  /// Returns the next sequence to try, or nil if nothing can be removed.
  mutating func candidate() -> [GeneratedCall]? {
    while tries < Self.mostTries {
      switch stage {
      case .calls: if let next = withoutCalls() { return take(next) }
      case .values: if let next = withSimplerValue() { return take(next) }
      case .done: return nil
      }
    }
    return nil
  }

  /// Takes note of whether the candidate failed in the same way.
  mutating func note(failed: Bool) {
    tries += 1
    guard failed else {
      if stage == .calls { index += size }
      return
    }
    hasChanged = true
    best = tried
    // The waiting candidates belong to a sequence that is no longer the smallest.
    if stage == .values { waiting = simpler(index) }
  }

  private mutating func take(_ calls: [GeneratedCall]) -> [GeneratedCall] {
    tried = calls
    return calls
  }

  private mutating func withoutCalls() -> [GeneratedCall]? {
    if index < best.count, best.count > 1 {
      var copy = best
      copy.removeSubrange(index..<min(index + size, copy.count))
      if !copy.isEmpty { return copy }
    }
    if size == 1 && !hasChanged {
      stage = .values
      waiting = simpler(0)
    }
    (index, hasChanged, size) = (0, false, max(1, size / 2))
    return nil
  }

  private mutating func withSimplerValue() -> [GeneratedCall]? {
    while waiting.isEmpty {
      index += 1
      guard index < best.count else {
        stage = .done
        return nil
      }
      waiting = simpler(index)
    }
    return waiting.removeFirst()
  }

  /// The sequences in which one field of a call is absent or simpler, simplest first.
  private func simpler(_ call: Int) -> [[GeneratedCall]] {
    guard best.indices.contains(call) else { return [] }
    return best[call].input.indices.flatMap { field in
      let (name, value) = best[call].input[field]
      var sequences: [[GeneratedCall]] = []
      if best[call].type.fields.first(where: { $0.name == name })?.isRequired == false {
        var copy = best
        copy[call].input.remove(at: field)
        sequences.append(copy)
      }
      return sequences
        + value.simpler.map { simpler in
          var copy = best
          copy[call].input[field].value = simpler
          return copy
        }
    }
  }
}

extension Value {
  /// Simpler values of the same type, simplest first.
  ///
  /// Each step comes nearer to the simplest, so it ends.
  fileprivate var simpler: [Value] {
    switch self {
    case .bool(true): [.bool(false)]
    case .int(let number): Self.simpler(number).map(Value.int)
    case .uint(let number): Self.simpler(Int(clamping: number)).map { .uint(UInt($0)) }
    case .double(let number):
      number == 0
        ? []
        : [.double(0), .double((number / 2).rounded(.towardZero))]
          .filter { $0 != self }
    case .decimal(let number): Self.simpler(number)
    case .string(let text): Self.simpler(text).map(Value.string)
    case .list(let values) where !values.isEmpty: [.list([]), .list(Array(values.dropLast()))]
    case .map(let map) where !map.entries.isEmpty: [.map(ValueMap())]
    default: []
    }
  }

  private static func simpler(_ number: Int) -> [Int] {
    [0, number / 10, number / 2, number - number.signum()].filter { $0 != number }.unique
  }

  private static func simpler(_ number: Decimal) -> [Value] {
    let (significand, scale) = (number.significand, Int(number.scale))
    if significand == 0 { return [] }
    let whole = (0..<scale).reduce(significand) { value, _ in value / 10 }
    var candidates = [Decimal(significand: 0, scale: scale)]
    if let whole = Int(exactly: whole), Decimal(whole) != number {
      candidates.append(Decimal(whole))
    }
    candidates.append(Decimal(significand: significand / 2, scale: scale))
    candidates.append(Decimal(significand: significand - significand.signum(), scale: scale))
    return candidates.filter { $0 != number }.map(Value.decimal)
  }

  private static func simpler(_ text: String) -> [String] {
    if text.isEmpty { return [] }
    let half = String(text.prefix(text.count / 2))
    let plain = text.count == 1 && text != "a" ? ["a"] : []
    return [""] + plain + (half.isEmpty ? [] : [half])
      + [String(text.dropFirst())].filter { !$0.isEmpty }
  }
}
