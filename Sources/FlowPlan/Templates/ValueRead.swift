package import FlowCore
package import FlowExpression
internal import FlowSystem

/// A variable that an expression reads, or a part of one.
package struct ValueRead: Sendable, Hashable {
  /// The variable, as expressions have it: `steps.load` or `total`.
  package let name: String
  /// The place of the variable's value.
  package let slot: Slot
  /// The part of the variable, empty for the whole.
  package let path: FieldPath

  /// The variable and its part: `steps.load.items[2].price`.
  package var text: String {
    if path.isEmpty { return name }
    let part = "\(path)"
    return part.hasPrefix("[") ? name + part : "\(name).\(part)"
  }

  /// Returns the value that it reads, or nil if there is none.
  package func value(in activation: Activation) -> Value? {
    activation[slot]?.part(at: path)
  }

  /// Returns the read of a part of this part.
  package func narrowed(to part: FieldPath) -> ValueRead {
    ValueRead(name: name, slot: slot, path: FieldPath(path.steps + part.steps))
  }
}

extension Expression {
  /// The variables and parts that the expression reads, each once, in text order.
  ///
  /// The subject of a condition is left out.
  package var reads: [ValueRead] {
    references.filter { $0.name != ExpectedValue.subject }.map { reference in
      ValueRead(name: reference.name, slot: reference.slot, path: part(readBy: reference))
    }.unique
  }

  /// The reads in a part of the text, in unicode scalars from 0.
  func reads(in span: Range<Int>) -> [ValueRead] {
    references.filter { $0.name != ExpectedValue.subject && span.contains($0.span.lowerBound) }.map
    {
      ValueRead(name: $0.name, slot: $0.slot, path: part(readBy: $0))
    }.unique
  }
}

extension Template {
  /// The reads of its expressions, in file order.
  package var reads: [ValueRead] {
    if case .expression(let expression, _) = self { return expression.reads }
    return expressions.flatMap(\.reads)
  }

  /// Returns the small values of its reads, in the same order, with nil for other ones.
  ///
  /// Kept for each assignment of a run, so it costs little and holds on to little.
  package func smallValues(_ activation: Activation) -> [Value?] {
    switch self {
    case .constant: []
    default: reads.map { $0.value(in: activation)?.ifSmall }
    }
  }

  /// Returns the innermost value around a part, and the rest of the way to the part.
  package func part(at path: FieldPath) -> (template: Template, rest: FieldPath) {
    guard let step = path.steps.first else { return (self, path) }
    let rest = FieldPath(Array(path.steps.dropFirst()))
    switch (self, step) {
    case (.list(let elements), .index(let index)) where elements.indices.contains(index):
      return elements[index].part(at: rest)
    case (.map(let entries), .field(let name)):
      guard let entry = entries.last(where: { $0.key == name }) else { return (self, path) }
      return entry.value.part(at: rest)
    case (.record(let type, let fields), .field(let name)):
      guard let index = type.index(of: name) else { return (self, path) }
      return fields[index].part(at: rest)
    default: return (self, path)
    }
  }

  /// The only read if the value is this read and nothing else, or nil.
  package var pureRead: ValueRead? {
    guard case .expression(let expression, _) = self, expression.reads.count == 1,
      expression.expression.text.trimming(while: \.isWhitespace) == expression.reads[0].text
    else { return nil }
    return expression.reads[0]
  }
}

extension Value {
  /// Returns the value at a place, or nil if nothing is there.
  package func part(at path: FieldPath) -> Value? {
    var value = self
    for step in path.steps {
      guard let inner = value.part(at: step) else { return nil }
      value = inner
    }
    return value
  }

  private func part(at step: FieldPath.Step) -> Value? {
    switch (self, step) {
    case (.optional(let value), _): value?.part(at: step)
    case (.record(let record), .field(let name)): record[name]
    case (.map(let map), .field(let name)): map[.string(name)]
    case (.map(let map), .index(let index)): map[.int(index)]
    case (.list(let list), .index(let index)): list.indices.contains(index) ? list[index] : nil
    default: nil
    }
  }

  /// The value if it takes little memory, or nil.
  fileprivate var ifSmall: Value? {
    switch self {
    case .null, .bool, .int, .uint, .double, .decimal, .timestamp, .duration: self
    case .string(let text): text.utf8.count <= 200 ? self : nil
    case .number(let number): number.text.utf8.count <= 200 ? self : nil
    case .optional(let value): value == nil || value?.ifSmall != nil ? self : nil
    case .bytes, .list, .map, .record, .type: nil
    }
  }
}
