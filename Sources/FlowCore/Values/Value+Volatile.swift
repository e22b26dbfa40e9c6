extension Value {
  /// The value with null for every field that is declared to differ from run to run.
  package var withoutVolatileFields: Value {
    switch self {
    case .record(let record):
      let values = zip(record.type.fields, record.values).map { field, value in
        field.isVolatile ? .null : value.withoutVolatileFields
      }
      return .record(RecordValue(record.type, values))
    case .list(let values): return .list(values.map(\.withoutVolatileFields))
    case .map(var map):
      for entry in map.entries { map[entry.key] = entry.value.withoutVolatileFields }
      return .map(map)
    default: return self
    }
  }
}
