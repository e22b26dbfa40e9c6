internal import FlowCore

/// `filter`: the elements, or the keys, for which the predicate holds.
final class FilterNode: Node {
  private let loop: Loop
  private let predicate: any Node
  private let span: Range<Int>

  init(_ loop: Loop, _ predicate: any Node, _ span: Range<Int>) {
    self.loop = loop
    self.predicate = predicate
    self.span = span
  }

  func value(_ frame: inout Frame) throws(EvaluationError) -> Value {
    var values: [Value] = []
    try loop.run(&frame) { (frame: inout Frame) throws(EvaluationError) in
      let element = loop.first(frame)
      if try Loop.holds(predicate, &frame, span) { values.append(element) }
      return true
    }
    return .list(values)
  }
}

/// `map` and `transformList`: a list of results.
final class TransformNode: Node {
  private let loop: Loop
  private let predicate: (any Node)?
  private let result: any Node
  private let span: Range<Int>

  init(_ loop: Loop, _ predicate: (any Node)?, _ result: any Node, _ span: Range<Int>) {
    self.loop = loop
    self.predicate = predicate
    self.result = result
    self.span = span
  }

  func value(_ frame: inout Frame) throws(EvaluationError) -> Value {
    var values: [Value] = []
    try loop.run(&frame) { (frame: inout Frame) throws(EvaluationError) in
      if let predicate, try !Loop.holds(predicate, &frame, span) { return true }
      values.append(try result.value(&frame))
      return true
    }
    return .list(values)
  }
}

/// `transformMap`: a map of results by the keys, or the indices, of the range.
final class TransformMapNode: Node {
  private let loop: Loop
  private let predicate: (any Node)?
  private let result: any Node
  private let span: Range<Int>

  init(_ loop: Loop, _ predicate: (any Node)?, _ result: any Node, _ span: Range<Int>) {
    self.loop = loop
    self.predicate = predicate
    self.result = result
    self.span = span
  }

  func value(_ frame: inout Frame) throws(EvaluationError) -> Value {
    var map = ValueMap()
    try loop.run(&frame) { (frame: inout Frame) throws(EvaluationError) in
      let key = loop.first(frame)
      if let predicate, try !Loop.holds(predicate, &frame, span) { return true }
      map[key] = try result.value(&frame)
      return true
    }
    return .map(map)
  }
}

/// `transformMapEntry`: a map of the entries that each element gives.
final class TransformEntryNode: Node {
  private let loop: Loop
  private let predicate: (any Node)?
  private let result: any Node
  private let span: Range<Int>

  init(_ loop: Loop, _ predicate: (any Node)?, _ result: any Node, _ span: Range<Int>) {
    self.loop = loop
    self.predicate = predicate
    self.result = result
    self.span = span
  }

  func value(_ frame: inout Frame) throws(EvaluationError) -> Value {
    var map = ValueMap()
    try loop.run(&frame) { (frame: inout Frame) throws(EvaluationError) in
      if let predicate, try !Loop.holds(predicate, &frame, span) { return true }
      let value = try result.value(&frame)
      guard case .map(let entries) = value else { throw .notMap(value, span) }
      try frame.charge(entries.count)
      for entry in entries.entries {
        try MapKey.check(entry.key, isNewIn: map, span)
        map[entry.key] = entry.value
      }
      return true
    }
    return .map(map)
  }
}

/// `sortBy`: the elements in the order of their keys; equal keys keep their order.
final class SortNode: Node {
  private let loop: Loop
  private let key: any Node
  private let span: Range<Int>

  init(_ loop: Loop, _ key: any Node, _ span: Range<Int>) {
    self.loop = loop
    self.key = key
    self.span = span
  }

  func value(_ frame: inout Frame) throws(EvaluationError) -> Value {
    var pairs: [(key: Value, value: Value)] = []
    try loop.run(&frame) { (frame: inout Frame) throws(EvaluationError) in
      let element = loop.first(frame)
      pairs.append((try key.value(&frame), element))
      return true
    }
    do { return .list(try Ordering.sorted(pairs, &frame)) } catch { throw error.located(span) }
  }
}
