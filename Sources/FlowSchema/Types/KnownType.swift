internal import FlowCore
internal import FlowSystem

/// A set of values as far as it is known: those of a type, and perhaps null.
struct KnownType: Sendable {
  /// The type of the values other than null, or nil if there are none.
  let type: ValueType?
  let mayBeNull: Bool
  /// The number of types inside of it.
  let size: Int

  init(_ type: ValueType?, mayBeNull: Bool = false, size: Int = 1) {
    self.type = type
    self.mayBeNull = mayBeNull
    switch type {
    case .list, .map, .record, .optional: self.size = size
    default: self.size = 1
    }
  }

  /// The type of one value.
  init(of value: Value) {
    switch value {
    case .null: self = .null
    case .bool: self.init(.bool)
    case .int: self.init(.int)
    case .decimal, .double, .number, .uint: self.init(.decimal)
    case .string(let text): self.init(.enumeration([text]))
    case .list: self.init(.list(.dynamic))
    case .map: self.init(.map(.dynamic))
    default: self.init(.dynamic)
    }
  }

  static let anything = KnownType(.dynamic, mayBeNull: true)
  static let nothing = KnownType(nil)
  static let null = KnownType(nil, mayBeNull: true)

  /// The type of a field with these values.
  var valueType: ValueType {
    guard let type else { return mayBeNull ? .optional(.dynamic) : .dynamic }
    return type != .dynamic && mayBeNull ? .optional(type) : type
  }

  /// The values in which these names are present, if they are records.
  func requiring(_ names: [String]) -> KnownType {
    guard case .record(let record)? = type, !names.isEmpty else { return self }
    let fields = record.fields.map { field in
      names.contains(where: field.name.isIdentical)
        ? RecordType.Field.described(field.name, field.type, isRequired: true, field.summary)
        : field
    }
    return KnownType(.record(record.with(fields)), mayBeNull: mayBeNull, size: size)
  }

  /// The values in both sets.
  func narrowed(by other: KnownType) -> KnownType {
    KnownType(
      type.flatMap { a in other.type.flatMap { a.intersection($0) } },
      mayBeNull: mayBeNull && other.mayBeNull, size: size + other.size)
  }

  /// The values of the set, some of which are in the other one, too.
  func orNarrowed(by other: KnownType) -> KnownType {
    let both = narrowed(by: other)
    // Fields that contradict each other say nothing.
    guard both.type != nil || type == nil else { return self }
    let all = both.widened(by: self)
    return KnownType(all.type, mayBeNull: mayBeNull, size: both.size)
  }

  /// The values, with a type for those names of which nothing is said.
  func withOthers(_ others: KnownType) -> KnownType {
    guard case .record(let record)? = type, record.others == .unsaid else { return self }
    let other = RecordType(record.fields, others: .declared(others.valueType))
    return KnownType(.record(other), mayBeNull: mayBeNull, size: size + others.size)
  }

  /// The values in any of the two sets.
  func widened(by other: KnownType) -> KnownType {
    let type = if let a = type, let b = other.type { a.union(b) } else { self.type ?? other.type }
    return KnownType(
      type, mayBeNull: mayBeNull || other.mayBeNull, size: size + other.size)
  }
}

extension ValueType {
  // Longer enumerations help none, and comparing them takes long.
  private static let mostNames = 500

  /// Returns the type of the values in both types, or nil if there are none.
  fileprivate func intersection(_ other: ValueType) -> ValueType? {
    switch (self, other) {
    case (.dynamic, _): return other
    case (_, .dynamic): return self
    case (.int, .decimal), (.decimal, .int): return .int
    case (.string, .enumeration): return other
    case (.enumeration, .string): return self
    case (.enumeration(let a), .enumeration(let b)):
      let names = a.filter { name in b.contains(where: name.isIdentical) }
      return names.isEmpty ? nil : .enumeration(names)
    case (.optional(let a), .optional(let b)): return .optional(a.intersection(b) ?? .dynamic)
    case (.optional(let a), let b), (let b, .optional(let a)): return a.intersection(b)
    case (.list(let a), .list(let b)): return .list(a.intersection(b) ?? .dynamic)
    case (.map(let a), .map(let b)): return .map(a.intersection(b) ?? .dynamic)
    case (.record(let a), .record(let b)): return .record(a.intersection(b))
    case (.record(let a), .map(let b)), (.map(let b), .record(let a)):
      return .record(a.intersection(RecordType([], others: b.asOthers)))
    default: return self == other ? self : nil
    }
  }

  /// Returns the narrowest known type of the values in either type.
  fileprivate func union(_ other: ValueType) -> ValueType {
    switch (self, other) {
    case (.int, .decimal), (.decimal, .int): return .decimal
    case (.string, .enumeration), (.enumeration, .string): return .string
    case (.enumeration(let a), .enumeration(let b)):
      if a.count + b.count > Self.mostNames { return .string }
      return .enumeration(a + b.filter { name in !a.contains(where: name.isIdentical) })
    case (.optional(let a), .optional(let b)), (.optional(let a), let b), (let a, .optional(let b)):
      let type = a.union(b)
      return type == .dynamic ? .dynamic : .optional(type)
    case (.list(let a), .list(let b)): return .list(a.union(b))
    case (.map(let a), .map(let b)): return .map(a.union(b))
    case (.record(let a), .record(let b)): return .record(a.union(b))
    case (.record(let a), .map(let b)), (.map(let b), .record(let a)):
      return .record(a.union(RecordType([], others: b.asOthers)))
    default: return self == other ? self : .dynamic
    }
  }
}

extension ValueType {
  /// The fields of maps with values of this type.
  fileprivate var asOthers: OtherFields { self == .dynamic ? .unsaid : .declared(self) }
}

extension OtherFields {
  fileprivate func intersection(_ other: OtherFields) -> OtherFields {
    switch (self, other) {
    case (.none, _), (_, .none): .none
    case (.unsaid, let type), (let type, .unsaid): type
    case (.declared(let a), .declared(let b)): .declared(a.intersection(b) ?? .dynamic)
    }
  }

  fileprivate func union(_ other: OtherFields) -> OtherFields {
    if case .declared(let a) = self, case .declared(let b) = other { return .declared(a.union(b)) }
    return joined(with: other)
  }
}

extension RecordType {
  /// The fields of both: a value has to fit both types.
  fileprivate func intersection(_ other: RecordType) -> RecordType {
    let common = fields.map { field in
      guard let second = other.field(field.name) else { return field }
      let type = field.type.intersection(second.type) ?? .dynamic
      return Field.described(
        field.name, type, isRequired: field.isRequired || second.isRequired,
        field.summary.isEmpty ? second.summary : field.summary)
    }
    return RecordType(
      common + other.fields.filter { field($0.name) == nil },
      others: others.intersection(other.others))
  }

  /// The fields of both, required if both types require them.
  ///
  /// A field that only one type declares has its type: a schema that says nothing about a name does
  /// not mean another value by it.
  fileprivate func union(_ other: RecordType) -> RecordType {
    let common = fields.map { field in
      let second = other.field(field.name)
      return Field.described(
        field.name, second.map { field.type.union($0.type) } ?? field.type(or: other.others),
        isRequired: field.isRequired && second?.isRequired == true, field.summary)
    }
    let further = other.fields.filter { field($0.name) == nil }.map {
      Field.described($0.name, $0.type(or: others), isRequired: false, $0.summary)
    }
    return RecordType(common + further, others: others.union(other.others))
  }
}

extension RecordType.Field {
  /// The type of the field's values, and of the values that another type declares under its name.
  fileprivate func type(or others: OtherFields) -> ValueType {
    if case .declared(let other) = others { type.union(other) } else { type }
  }
}
