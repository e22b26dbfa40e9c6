internal import FlowCore

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
    return RecordType(
      own + other.fields.filter { field($0.name) == nil }, others: others.joined(with: other.others)
    )
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
