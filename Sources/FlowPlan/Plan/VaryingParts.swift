package import FlowCore

/// The parts of a component's calls of another one that vary, as `varies` of the component declares
/// them.
package struct VaryingParts: Sendable {
  /// The places in the input with any value, equal where the recorded ones are equal.
  package var same: [ValuePath] = []
  /// The places in the input with any value.
  package var any: [ValuePath] = []
  /// The places in the answer with any value.
  package var answer: [ValuePath] = []
  /// True if requests from outside must come in their recorded order.
  package var keepsOrder = true

  package init(same: [ValuePath] = [], any: [ValuePath] = [], answer: [ValuePath] = []) {
    (self.same, self.any, self.answer) = (same, any, answer)
  }

  /// All places in the input.
  package var input: [ValuePath] { same + any }
}

extension Value {
  /// Returns the value with null in some places.
  package func leavingOut(_ paths: [ValuePath]) -> Value {
    paths.reduce(self) { $0.leavingOut($1.steps[...]) }
  }

  private func leavingOut(_ path: ArraySlice<ValuePath.Step>) -> Value {
    guard let step = path.first else { return .null }
    let rest = path.dropFirst()
    switch (step, self) {
    case (.field(let name), .record(let record)):
      guard let index = record.type.index(of: name) else { return self }
      var values = record.values
      values[index] = values[index].leavingOut(rest)
      return .record(RecordValue(record.type, values))
    case (.field(let name), .map(var map)):
      guard let value = map[name] else { return self }
      map[.string(name)] = value.leavingOut(rest)
      return .map(map)
    case (.index(let index), .list(var values)) where index < values.count:
      values[index] = values[index].leavingOut(rest)
      return .list(values)
    case (.every, .list(let values)): return .list(values.map { $0.leavingOut(rest) })
    case (.anywhere, _): return mappingParts { $0.leavingOut(path) }.leavingOut(rest)
    default: return self
    }
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
