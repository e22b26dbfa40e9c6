internal import FlowSystem

/// The type of a field, an input or an answer.
public indirect enum ValueType: Sendable, Hashable {
  /// True or false.
  case bool
  /// A signed whole number of 64 bits.
  case int
  /// An unsigned whole number of 64 bits.
  case uint
  /// A binary floating-point number.
  case double
  /// An exact decimal number.
  case decimal
  /// Unicode text.
  case string
  /// One of a few strings, in the order of their declaration.
  case enumeration([String])
  /// Raw bytes.
  case bytes
  /// An instant.
  case timestamp
  /// A span of time.
  case duration
  /// Values of one type in order.
  case list(ValueType)
  /// Values of one type by text keys.
  case map(ValueType)
  /// Named fields, each with its own type.
  case record(RecordType)
  /// A value of the type, or null.
  case optional(ValueType)
  /// Any value.
  ///
  /// Its type is known only at run time.
  case dynamic
}

extension ValueType: CustomStringConvertible {
  /// The name messages use: `decimal`, `list(string)`, `optional(int)`.
  public var description: String {
    switch self {
    case .bool: "bool"
    case .int: "int"
    case .uint: "uint"
    case .double: "double"
    case .decimal: "decimal"
    case .string: "string"
    case .enumeration(let names): names.map { "'\($0)'" }.joined(separator: " or ")
    case .bytes: "bytes"
    case .timestamp: "timestamp"
    case .duration: "duration"
    case .list(let element): "list(\(element))"
    case .map(let element): "map(\(element))"
    case .record: "record"
    case .optional(let wrapped): "optional(\(wrapped))"
    case .dynamic: "any value"
    }
  }
}

extension ValueType {
  /// A value of the type: zero, empty, or the first of some texts.
  package var zero: Value {
    switch self {
    case .bool: .bool(false)
    case .int: .int(0)
    case .uint: .uint(0)
    case .double: .double(0)
    case .decimal: .decimal(.zero)
    case .string: .string("")
    case .enumeration(let names): .string(names.first ?? "")
    case .bytes: .bytes(Bytes([]))
    case .timestamp: .timestamp(.epoch)
    case .duration: .duration(.zero)
    case .list: .list([])
    case .map: .map(ValueMap())
    case .record(let type): .record(RecordValue(type, type.fields.map(\.type.zero)))
    case .optional, .dynamic: .null
    }
  }
}

extension ValueType {
  /// The type inside an optional, or the type itself.
  package var unwrapped: ValueType {
    if case .optional(let wrapped) = self { return wrapped.unwrapped }
    return self
  }

  /// True if a record in it has a secret field.
  package var hasSecrets: Bool {
    switch self {
    case .record(let record): record.hasSecrets
    case .list(let element), .map(let element), .optional(let element): element.hasSecrets
    default: false
    }
  }
}

/// The fields of a record: their names, types, documentation and defaults, in order.
///
/// A class, so all values of an operation share one. Immutable.
public final class RecordType: Sendable {
  /// One field.
  public struct Field: Sendable {
    /// The field's name in scenarios and transcripts.
    public let name: String
    /// The type of the field.
    public package(set) var type: ValueType
    /// The meaning of the field, as `flow list` prints it.
    public let summary: String
    /// The value of an absent field, or nil if the field is required.
    public let defaultValue: Value?
    /// True if its value may differ in every run, so a transcript accepts any value of its type.
    public let isVolatile: Bool
    /// The rule for comparing its value with a recorded one.
    public let comparison: FieldComparison
    /// True if its value is hidden in everything that a run writes.
    public let isSecret: Bool
    /// True if its text is executed, as SQL is, so a value inside it could change its meaning.
    public let isCode: Bool
    /// True if the end of its text explains a failure, as that of a program's output does.
    ///
    /// A failed step prints the last lines.
    public let isLog: Bool
    /// Values worth trying, such as the ends of a range.
    ///
    /// Often empty.
    public let examples: [Value]
    /// The advice for a value of another type.
    public let hint: String?
    /// The values that `flow mutate` puts in the place of a recorded one, or none for any of the
    /// type.
    public let plausible: [Value]
    /// The rule for altering its recorded value by `flow mutate`.
    public let mutation: FieldMutation
    /// The unit of a number that reports sum up, such as `tokens`, or nil for any other value.
    public let quantity: String?

    /// True if a value must be given.
    public var isRequired: Bool { defaultValue == nil }

    /// A field, described.
    public init(
      name: String, type: ValueType, summary: String, defaultValue: Value?,
      isSecret: Bool = false, isVolatile: Bool = false, isCode: Bool = false,
      isLog: Bool = false, comparison: FieldComparison = .always, examples: [Value] = [],
      hint: String? = nil, plausible: [Value] = [], mutation: FieldMutation = .always,
      quantity: String? = nil
    ) {
      self.quantity = quantity
      self.mutation = mutation
      self.plausible = plausible
      self.comparison = comparison
      self.examples = examples
      self.hint = hint
      self.isSecret = isSecret
      self.isCode = isCode
      self.isLog = isLog
      self.name = name
      self.type = type
      self.summary = summary
      self.defaultValue = defaultValue
      self.isVolatile = isVolatile
    }
  }

  /// A name as a key, which differs from its canonical equivalents.
  private struct Name: Hashable {
    let text: String

    static func == (left: Name, right: Name) -> Bool { left.text.isIdentical(to: right.text) }
  }

  /// A field made of the others whenever it is read, so that no recording has it.
  struct Computed: Sendable {
    let field: Field
    let value: @Sendable (RecordValue) -> Value
  }

  /// The fields, in the order they were declared.
  public let fields: [Field]
  /// The values under names that are no fields.
  ///
  /// Only the types of descriptions have some. A value with such a name is a map.
  package let others: OtherFields
  let computed: [Computed]
  /// True if any of the fields is volatile.
  package let hasVolatileFields: Bool
  /// True if a field is secret, or holds a record with a secret field.
  package let hasSecrets: Bool
  private let indices: [Name: Int]

  /// A type of these fields.
  ///
  /// - Precondition: no two fields share a name.
  public convenience init(_ fields: [Field]) { self.init(fields, computed: []) }

  /// A type of these fields, and of values under other names.
  ///
  /// - Precondition: no two fields share a name.
  package convenience init(_ fields: [Field], others: OtherFields) {
    self.init(fields, computed: [], others: others)
  }

  /// A type of these fields, and of others made of them.
  ///
  /// - Precondition: no two fields share a name.
  init(_ fields: [Field], computed: [Computed], others: OtherFields = .none) {
    self.others = others
    self.fields = fields
    self.computed = computed
    hasVolatileFields = fields.contains(where: \.isVolatile)
    hasSecrets = fields.contains { $0.isSecret || $0.type.hasSecrets }
    indices = Dictionary(
      fields.enumerated().map { (Name(text: $1.name), $0) },
      uniquingKeysWith: { first, _ in
        preconditionFailure("the field '\(fields[first].name)' is declared twice")
      })
  }

  /// Returns the position of a field, from 0, or nil if there is no such field.
  public func index(of name: String) -> Int? {
    // Comparing a few short names is faster than hashing one.
    guard fields.count <= 8 else { return indices[Name(text: name)] }
    return fields.indices.first { fields[$0].name.isIdentical(to: name) }
  }

  /// Returns true if another type has the same names in the same order.
  package func hasFieldNames(of other: RecordType) -> Bool {
    fields.count == other.fields.count
      && zip(fields, other.fields).allSatisfy { $0.name.isIdentical(to: $1.name) }
  }

  /// The field of this name, which may be made of others.
  public func field(_ name: String) -> Field? {
    index(of: name).map { fields[$0] } ?? computed(name)?.field
  }

  func computed(_ name: String) -> Computed? {
    computed.first { $0.field.name.isIdentical(to: name) }
  }

  /// Returns the position of a field among all of them, of which those made of others come last.
  package func position(of name: String) -> Int? {
    index(of: name)
      ?? computed.firstIndex { $0.field.name.isIdentical(to: name) }.map { fields.count + $0 }
  }

  /// Returns the field at a position among all of them.
  package func field(at position: Int) -> Field {
    position < fields.count ? fields[position] : computed[position - fields.count].field
  }

  /// The fields made of others whenever they are read.
  package var computedFields: [Field] { computed.map(\.field) }

  /// Returns the type with other fields, and with the same ones made of them.
  package func with(_ fields: [Field]) -> RecordType {
    RecordType(fields, computed: computed, others: others)
  }

  /// A type without fields.
  public static let empty = RecordType([])
}

extension RecordType: Hashable {
  /// Compares names and types in order, without documentation and defaults.
  public static func == (left: RecordType, right: RecordType) -> Bool {
    left === right
      || left.others == right.others
        && left.fields.elementsEqual(right.fields) {
          $0.name.isIdentical(to: $1.name) && $0.type == $1.type
        }
  }

  /// Hashes the field names.
  public func hash(into hasher: inout Hasher) {
    for field in fields { hasher.combine(field.name) }
  }
}

/// What a record may have beside its fields.
package enum OtherFields: Sendable, Hashable {
  /// Nothing.
  case none
  /// Anything, as far as its description says nothing about other names.
  ///
  /// Such a name may be right, and may be a mistake.
  case unsaid
  /// Values of a type under any name, which the description allows in so many words.
  case declared(ValueType)

  /// The type of the values, or nil if there are none.
  package var type: ValueType? {
    switch self {
    case .none: nil
    case .unsaid: .dynamic
    case .declared(let type): type
    }
  }

  /// Returns what values of either of two records may have.
  package func joined(with other: OtherFields) -> OtherFields {
    switch (self, other) {
    case (.none, let fields), (let fields, .none): fields
    default: self == other ? self : .unsaid
    }
  }
}

/// A rule for comparing a field of an answer in a live run with the recorded one.
public enum FieldComparison: Sendable, Hashable {
  /// Compares the field in any case.
  case always
  /// Compares only the parts of the field that the scenario reads or expects.
  ///
  /// For values that come with an answer and depend on the machine or the time: headers, logs.
  case whenRead
  /// Follows `whenRead` if another field of the recorded answer has a value, else `always`.
  ///
  /// For another form of the same content: the text of a body that is decoded as well.
  case whenReadBeside(String)
}

/// The rule for altering a field of a recorded answer by `flow mutate`.
public enum FieldMutation: Sendable, Hashable {
  /// In every answer.
  case always
  /// Only a value, because an absent one is usual, or means that another field has the content.
  case whenPresent
  /// Only on request, because the field restates others, or names the source of the answer.
  case onRequest
}
