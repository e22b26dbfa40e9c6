internal import FlowCore

/// The range of a comprehension, its variables, and the elements to visit.
struct Loop: Sendable {
  let range: Code
  let rangeSpan: Range<Int>
  /// The index of the first variable.
  ///
  /// The second has the next.
  let firstLocal: Int
  let hasSecond: Bool
  let predicate: Code?
  let cost: Int
  let span: Range<Int>

  /// Sets the variables to each element in turn, and visits it.
  func forEach(
    _ frame: inout Frame, _ visit: (inout Frame) throws(EvaluationError) -> Void
  ) throws(EvaluationError) {
    try run(
      &frame,
      while: { (frame: inout Frame) throws(EvaluationError) in
        if let predicate, try !holds(predicate, &frame) { return true }
        try visit(&frame)
        return true
      })
  }

  /// Sets the variables to each element in turn, until `visit` returns false.
  ///
  /// Reads no predicate.
  func run(
    _ frame: inout Frame, while visit: (inout Frame) throws(EvaluationError) -> Bool
  ) throws(EvaluationError) {
    switch try range.value(&frame) {
    case .list(let values):
      for (index, value) in values.enumerated() {
        let first = hasSecond ? Value.int(index) : value
        guard try step(&frame, first, value, visit: visit) else { return }
      }
    case .map(let map):
      for entry in map.entries {
        guard try step(&frame, entry.key, entry.value, visit: visit) else { return }
      }
    case .record(let record):
      for (field, value) in zip(record.type.fields, record.values) {
        guard try step(&frame, .string(field.name), value, visit: visit) else { return }
      }
    case let other: throw .notIterable(other, rangeSpan)
    }
  }

  private func step(
    _ frame: inout Frame, _ first: Value, _ second: Value,
    visit: (inout Frame) throws(EvaluationError) -> Bool
  ) throws(EvaluationError) -> Bool {
    try frame.charge(cost)
    frame.locals[firstLocal] = first
    if hasSecond { frame.locals[firstLocal + 1] = second }
    return try visit(&frame)
  }

  /// The first variable's value for the present element.
  func first(_ frame: Frame) -> Value { frame.locals[firstLocal] }

  /// Returns true if a condition holds for the present element.
  func holds(_ condition: Code, _ frame: inout Frame) throws(EvaluationError) -> Bool {
    let value = try condition.value(&frame)
    guard case .bool(let holds) = value else { throw .notBool(value, span) }
    return holds
  }
}

extension Code {
  /// `all` and `exists`: a deciding element makes the errors of the others harmless.
  static func quantifier(_ loop: Loop, _ condition: Code, deciding: Bool) -> Code {
    .computed { (frame) throws(EvaluationError) in
      var failure: EvaluationError?
      var isDecided = false
      try loop.run(
        &frame,
        while: { (frame: inout Frame) throws(EvaluationError) in
          do throws(EvaluationError) {
            isDecided = try loop.holds(condition, &frame) == deciding
          } catch {
            if error.code == .limit { throw error }
            failure = failure ?? error
          }
          return !isDecided
        })
      if isDecided { return .bool(deciding) }
      if let failure { throw failure }
      return .bool(!deciding)
    }
  }

  /// `exists_one`: an error of any element is the result.
  static func existsOne(_ loop: Loop) -> Code {
    .computed { (frame) throws(EvaluationError) in
      var count = 0
      try loop.forEach(&frame) { _ in count += 1 }
      return .bool(count == 1)
    }
  }

  /// `filter`: the elements, or the keys, for which the predicate holds.
  static func filter(_ loop: Loop) -> Code {
    .computed { (frame) throws(EvaluationError) in
      var values: [Value] = []
      try loop.forEach(&frame) { frame in values.append(loop.first(frame)) }
      return .list(values)
    }
  }

  /// `map` and `transformList`: a list of results.
  static func transform(_ loop: Loop, _ result: Code) -> Code {
    .computed { (frame) throws(EvaluationError) in
      var values: [Value] = []
      try loop.forEach(&frame) { (frame: inout Frame) throws(EvaluationError) in
        values.append(try result.value(&frame))
      }
      return .list(values)
    }
  }

  /// `transformMap`: a map of results by the keys, or the indices, of the range.
  static func transformMap(_ loop: Loop, _ result: Code) -> Code {
    .computed { (frame) throws(EvaluationError) in
      var map = ValueMap()
      try loop.forEach(&frame) { (frame: inout Frame) throws(EvaluationError) in
        map[loop.first(frame)] = try result.value(&frame)
      }
      return .map(map)
    }
  }

  /// `transformMapEntry`: a map of the entries computed from each element.
  static func transformMapEntry(_ loop: Loop, _ result: Code) -> Code {
    .computed { (frame) throws(EvaluationError) in
      var map = ValueMap()
      try loop.forEach(&frame) { (frame: inout Frame) throws(EvaluationError) in
        let value = try result.value(&frame)
        guard case .map(let entries) = value else { throw .notMap(value, loop.span) }
        try frame.charge(entries.count)
        for entry in entries.entries {
          try MapKey.check(entry.key, isNewIn: map, loop.span)
          map[entry.key] = entry.value
        }
      }
      return .map(map)
    }
  }

  /// `sortBy`: the elements in the order of their keys.
  ///
  /// Equal keys keep their order.
  static func sort(_ loop: Loop, _ key: Code) -> Code {
    .computed { (frame) throws(EvaluationError) in
      var pairs: [(key: Value, value: Value)] = []
      try loop.forEach(&frame) { (frame: inout Frame) throws(EvaluationError) in
        pairs.append((try key.value(&frame), loop.first(frame)))
      }
      do throws(EvaluationError) { return .list(try Ordering.sorted(pairs, &frame)) } catch {
        throw error.located(loop.span)
      }
    }
  }
}
