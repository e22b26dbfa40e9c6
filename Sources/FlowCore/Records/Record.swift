/// The single source of a model's field names, types, documentation, decoding and encoding.
///
///     struct Subtraction: Sendable {
///       var amount: Decimal
///       static let record = Record(
///         Subtraction.init(amount:), Field("amount", \.amount, "How much to take."))
///     }
///
/// The initialiser's parameters and the fields must agree in number, order and type, or the
/// declaration does not compile.
public struct Record<Model: Sendable>: Sendable {
  /// The fields' names, types, documentation and defaults.
  public let type: RecordType
  private let decode: @Sendable ([Value]) throws(DecodeError) -> Model
  private let encode: @Sendable (Model) -> [Value]

  /// Creates a record whose fields are the parameters of `make`, in the same order.
  public init<each Content: FieldValue>(
    _ make: @escaping @Sendable (repeat each Content) -> Model,
    _ field: repeat Field<Model, each Content>
  ) {
    var fields: [RecordType.Field] = []
    repeat fields.append((each field).description)
    let type = RecordType(fields)
    // A key path looks up its types for each value. A closure does so once, when the record is
    // created.
    var readers: [@Sendable (Model) -> Value] = []
    repeat readers.append((each field).read)
    self.type = type
    decode = { (values: [Value]) throws(DecodeError) in
      var reader = FieldReader(type: type, values: values)
      return make(repeat try reader.next((each Content).self))
    }
    encode = { [readers] model in readers.map { $0(model) } }
  }

  /// Creates a record of one field, which is the model.
  public init(_ name: String, _ summary: String, volatile isVolatile: Bool = false)
  where Model: FieldValue {
    let type = RecordType([
      RecordType.Field(
        name: name, type: Model.valueType, summary: summary, defaultValue: Model.absent(nil),
        isVolatile: isVolatile)
    ])
    self.type = type
    decode = { (values: [Value]) throws(DecodeError) in
      var reader = FieldReader(type: type, values: values)
      return try reader.next(Model.self)
    }
    encode = { [$0.encoded] }
  }

  private init(
    type: RecordType, decode: @escaping @Sendable ([Value]) throws(DecodeError) -> Model,
    encode: @escaping @Sendable (Model) -> [Value]
  ) {
    (self.type, self.decode, self.encode) = (type, decode, encode)
  }

  /// Returns the record with a field made of the others whenever an expression reads it.
  ///
  /// No recording has the field, so recordings made before it was declared have it, too, and what a
  /// recording hides of the others is hidden in it.
  ///
  /// - Parameters:
  ///   - name: The name in expressions, which no other field has.
  ///   - summary: The meaning, in one sentence.
  ///   - value: Returns the value of the field. The model alone decides it.
  /// - Returns: The record, to be used in its place.
  public func computing<Content: FieldValue>(
    _ name: String, _ summary: String, _ value: @escaping @Sendable (Model) -> Content
  ) -> Record {
    let field = RecordType.Field(
      name: name, type: Content.valueType, summary: summary, defaultValue: nil)
    let (stored, decode) = (type, decode)
    let computed = RecordType.Computed(field: field) { record in
      (try? decode(record.values)).map { value($0).encoded } ?? .null
    }
    let type = RecordType(stored.fields, computed: stored.computed + [computed])
    return Record(type: type, decode: decode, encode: encode)
  }

  /// Reads a model.
  ///
  /// A value with this record's type is read by position. Other values are converted first
  /// (`Value.converted(to:)`).
  ///
  /// - Throws: `DecodeError` with the field's path, the expected type and the value.
  public func decode(_ value: Value) throws(DecodeError) -> Model {
    try decode(FieldReader(value, as: type).values)
  }

  /// The model's fields as a value.
  public func encode(_ model: Model) -> Value {
    .record(RecordValue(type, encode(model)))
  }

  /// Decodes a value and encodes the model again.
  ///
  /// - Throws: `DecodeError` as `decode` does.
  @Sendable package func copy(_ value: Value) throws(DecodeError) -> Value {
    encode(try decode(value))
  }
}

extension Record where Model == RecordValue {
  /// Creates a record of fields that are known only at run time, as those of a schema are.
  ///
  /// - Precondition: Each encoded model has this type.
  public init(_ type: RecordType) {
    self.type = type
    decode = { (values: [Value]) throws(DecodeError) in RecordValue(type, values) }
    encode = { $0.values }
  }
}

extension Record where Model == Void {
  /// The record of an operation without input or answer.
  public static let none = Record({ () -> Void in })
}

/// A model with its own record, usable as a field of another record.
public protocol RecordRepresentable: FieldValue {
  /// The model's fields.
  static var record: Record<Self> { get }
}

extension RecordRepresentable {
  /// The record's type.
  public static var valueType: ValueType { .record(record.type) }

  /// The fields as a value.
  public var encoded: Value { Self.record.encode(self) }

  /// Reads the fields.
  public init(decoding value: Value) throws(DecodeError) {
    self = try Self.record.decode(value)
  }
}

/// Hands out a record's values in order, with the field's name on a failure.
struct FieldReader {
  let type: RecordType
  let values: [Value]
  private var index = 0

  init(type: RecordType, values: [Value]) {
    self.type = type
    self.values = values
  }

  /// The values of a record of this type, or of a value that can be converted to it.
  init(_ value: Value, as type: RecordType) throws(DecodeError) {
    if case .record(let record) = value, record.type === type {
      self.init(type: type, values: record.values)
      return
    }
    guard case .record(let record) = try value.converted(to: .record(type)) else {
      throw DecodeError(expected: .record(type), value)
    }
    self.init(type: type, values: record.values)
  }

  mutating func next<Content: FieldValue>(_: Content.Type) throws(DecodeError) -> Content {
    defer { index += 1 }
    do {
      return try Content(decoding: values[index])
    } catch {
      throw error.inside(field: type.fields[index].name)
    }
  }
}

/// One field of a record: its name, its place in the model, and its meaning.
public struct Field<Model, Content: FieldValue>: Sendable {
  let description: RecordType.Field
  let read: @Sendable (Model) -> Value

  /// Creates a field, which is required unless `Content` is optional.
  ///
  /// - Parameters:
  ///   - name: The name in scenarios and transcripts, in lower case with dashes or underscores.
  ///   - keyPath: The place of the value in the model.
  ///   - summary: The meaning of the field, one sentence.
  ///   - defaultValue: The value of an absent field.
  ///   - isSecret: Hides the value wherever a run would write it. For `String` and `String?` only.
  ///   - isVolatile: Marks a value of an output or a payload that differs in every run, such as the time
  ///     of day. It is recorded and served, and a live run may have another one.
  ///   - comparison: The rule for comparing the value in a live run with the recorded one.
  ///   - isCode: Marks a text that is executed. `flow check` warns about expressions in the middle of it.
  ///   - isLog: Marks a text whose end explains a failure, as that of a program's output does. A failed
  ///     step prints the last lines.
  ///   - examples: Values worth trying, such as the ends of a range. `flow explore --generate` draws from
  ///     them.
  ///   - hint: The advice for a value of another type, a note in the error of `flow check`.
  ///   - plausible: The only values that `flow mutate` puts in the place of a recorded one, such as
  ///     a few status codes. Any of the type by default.
  ///   - mutation: The rule for altering a recorded value by `flow mutate`.
  ///   - quantity: The unit of a number that `--report usage` sums up, such as `tokens`. For `Int`, `UInt`
  ///     and `Decimal`, and for the same as optionals.
  public init(
    _ name: String, _ keyPath: any KeyPath<Model, Content> & Sendable, _ summary: String,
    default defaultValue: Content? = nil, secret isSecret: Bool = false,
    volatile isVolatile: Bool = false, compared comparison: FieldComparison = .always,
    code isCode: Bool = false, log isLog: Bool = false, examples: [Content] = [],
    hint: String? = nil, plausible: [Content] = [], mutated mutation: FieldMutation = .always,
    quantity: String? = nil
  ) {
    read = { $0[keyPath: keyPath].encoded }
    description = RecordType.Field(
      name: name, type: Content.valueType, summary: summary,
      defaultValue: Content.absent(defaultValue),
      isSecret: isSecret, isVolatile: isVolatile, isCode: isCode, isLog: isLog,
      comparison: comparison, examples: examples.map(\.encoded), hint: hint,
      plausible: plausible.map(\.encoded), mutation: mutation, quantity: quantity)
  }
}

extension FieldValue {
  /// The value of an absent field with this default, or nil if the field is required.
  static func absent(_ defaultValue: Self?) -> Value? {
    if let defaultValue { return defaultValue.encoded }
    if case .optional = valueType { return .null }
    return nil
  }
}
