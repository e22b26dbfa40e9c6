package import FlowCore

/// The parts of a component's calls of another one that vary, as `varies` of the component declares
/// them.
package struct VaryingParts: Sendable {
  /// The places in the input with any value, equal where the recorded ones are equal.
  package var same: [ValuePath] = []
  /// The places in the input with any value.
  package var any: [ValuePath] = []
  /// The places of lists in the input whose elements come in any order.
  package var unordered: [ValuePath] = []
  /// The places in the answer with any value.
  package var answer: [ValuePath] = []
  /// True if requests from outside must come in their recorded order.
  package var keepsOrder = true

  package init(same: [ValuePath] = [], any: [ValuePath] = [], answer: [ValuePath] = []) {
    (self.same, self.any, self.answer) = (same, any, answer)
  }

  /// Returns the parts with those that the properties of the called component add.
  package func adding(same: [ValuePath], any: [ValuePath]) -> VaryingParts {
    var copy = self
    let own = Set(input)
    copy.same += same.filter { !own.contains($0) }
    copy.any += any.filter { !own.contains($0) }
    return copy
  }

  /// All places in the input.
  package var input: [ValuePath] { same + any }

  /// True if a part of the input varies.
  package var variesInput: Bool { !same.isEmpty || !any.isEmpty || !unordered.isEmpty }

  /// The part of a text in a field of the input that does not vary.
  package func constant(_ text: String, of field: String) -> String {
    let own = input.filter { $0.steps.first == .field(field) }
    let rest = own.reduce(Value.string(text)) { $0.changing($1.steps.dropFirst()) { _ in .null } }
    if case .string(let text) = rest { return text }
    return ""
  }

  /// The part of an input that does not vary, by which a call is found.
  package func constant(_ input: Value) -> Value {
    unordered.reduce(input.leavingOut(self.input)) { $0.changing($1.steps[...]) { $0.sorted } }
  }
}

extension Value {
  /// Returns the value with null in some places, and with the template in place of a text that fits.
  package func leavingOut(_ paths: [ValuePath]) -> Value {
    paths.reduce(self) { $0.changing($1.steps[...]) { _ in .null } }
  }

  /// Returns the value with other values in the places of a path.
  fileprivate func changing(
    _ path: ArraySlice<ValuePath.Step>, _ change: (Value) -> Value
  ) -> Value {
    guard let step = path.first else { return change(self) }
    let rest = path.dropFirst()
    switch (step, self) {
    case (.field(let name), .record(let record)):
      guard let index = record.type.index(of: name) else { return self }
      var values = record.values
      values[index] = values[index].changing(rest, change)
      return .record(RecordValue(record.type, values))
    case (.field(let name), .map(var map)):
      guard let value = map[name] else { return self }
      map[.string(name)] = value.changing(rest, change)
      return .map(map)
    case (.index(let index), .list(var values)) where index < values.count:
      values[index] = values[index].changing(rest, change)
      return .list(values)
    case (.every, .list(let values)): return .list(values.map { $0.changing(rest, change) })
    case (.anywhere, _): return mappingParts { $0.changing(path, change) }.changing(rest, change)
    case (.part(let template), .string(let text)):
      return template.parts(of: text) == nil ? self : .string(template.text)
    default: return self
    }
  }

  /// A list in an order that its elements determine.
  fileprivate var sorted: Value {
    guard case .list(let values) = self else { return self }
    let keyed = values.map { (key: $0.canonicalText, value: $0) }
    return .list(keyed.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value))
  }

  /// The value with its parts changed.
  private func mappingParts(_ change: (Value) -> Value) -> Value {
    switch self {
    case .record(let record): return .record(RecordValue(record.type, record.values.map(change)))
    case .map(var map):
      for entry in map.entries { map[entry.key] = change(entry.value) }
      return .map(map)
    case .list(let values): return .list(values.map(change))
    default: return self
    }
  }
}
