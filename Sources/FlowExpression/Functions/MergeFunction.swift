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

extension RecordType {
  /// The fields of both types, those of the other one in place of required ones of this type.
  fileprivate func merged(with other: RecordType) -> RecordType {
    let own = fields.map { field in
      guard let later = other.field(field.name) else { return field }
      if later.isRequired, later.type.unwrapped == later.type { return later }
      // Either value may be there.
      var either = field
      if field.type.unwrapped != later.type.unwrapped { either.type = .dynamic }
      return either
    }
    return RecordType(own + other.fields.filter { field($0.name) == nil })
  }
}

extension Checker {
  /// A merge of two maps or records.
  mutating func merge(_ arguments: [Checked], _ name: CallName, _ function: Function) -> Checked {
    let types = arguments.map { relations.root($0.type).withoutNull }
    switch (types[0], types[1]) {
    case (.record(let first), .record(let second)):
      let type = first.merged(with: second)
      return call(
        MergeFunction.function(makes: type), arguments, result: .record(type), name)
    case (.map(let key, let value), .map(let key2, let value2)):
      let type = ExpressionType.map(
        relations.joined([key, key2]), relations.joined([value, value2]))
      return call(function, arguments, result: type, name)
    case (.record(let record), .map(let key, let value)),
      (.map(let key, let value), .record(let record)):
      let values = record.fields.map { ExpressionType($0.type).withoutNull }
      let type = ExpressionType.map(
        relations.joined([.string, key]), relations.joined(values + [value]))
      return call(function, arguments, result: type, name)
    case (let first, let second) where first.mayBeEntries && second.mayBeEntries:
      return call(function, arguments, result: .dyn, name)
    default: return mismatch(arguments, name, function.signatures)
    }
  }
}

extension ExpressionType {
  fileprivate var mayBeEntries: Bool {
    switch self {
    case .map, .record, .dyn, .unknown, .parameter: true
    default: false
    }
  }
}
