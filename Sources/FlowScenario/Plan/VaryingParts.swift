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
    default: return self
    }
  }

  /// The values in a place, none if there is nothing.
  package func values(at path: ValuePath) -> [Value] { values(at: path.steps[...]) }

  private func values(at path: ArraySlice<ValuePath.Step>) -> [Value] {
    guard let step = path.first else { return [self] }
    let rest = path.dropFirst()
    switch (step, self) {
    case (.field(let name), .record(let record)):
      return record.type.index(of: name).map { record.values[$0].values(at: rest) } ?? []
    case (.field(let name), .map(let map)): return map[name]?.values(at: rest) ?? []
    case (.index(let index), .list(let values)):
      return index < values.count ? values[index].values(at: rest) : []
    case (.every, .list(let values)): return values.flatMap { $0.values(at: rest) }
    default: return []
    }
  }
}
