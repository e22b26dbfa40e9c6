internal import FlowCore

/// `a.merge(b)`: a map with the entries of both, those of the second in place of equal keys.
enum MergeFunction {
  static let name = "merge"

  private static let maps = ExpressionType.map(.parameter(0), .parameter(1))

  static let all = [
    Function(
      name, isMember: true, [Signature([maps, maps], maps, typeParameterCount: 2)], .binary(merge))
  ]

  /// The function on two records, whose result is one of this type.
  static func function(makes type: RecordType) -> Function {
    Function(
      name, isMember: true, [],
      .binary { (first, second, frame) throws(EvaluationError) in
        // The values may be maps, or records of other types, with the same names.
        let (first, second) = (try map(first), try map(second))
        try frame.charge(type.fields.count)
        let values = type.fields.map { second[$0.name] ?? first[$0.name] ?? .null }
        return .record(RecordValue(type, values))
      })
  }

  private static func merge(
    _ first: Value, _ second: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    var map = try map(first)
    let other = try self.map(second)
    try frame.charge(map.count + other.count)
    for entry in other.entries { map[entry.key] = entry.value }
    return .map(map)
  }

  /// A map, or the fields of a record that have values.
  private static func map(_ value: Value) throws(EvaluationError) -> ValueMap {
    switch value {
    case .map(let map): return map
    case .record(let record):
      let fields = zip(record.type.fields, record.values).filter { $0.1 != .null }
      return ValueMap(fields.map { ($0.0.name, $0.1) })
    default: throw .noOverload
    }
  }
}
