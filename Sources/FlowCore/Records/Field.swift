/// One field of a record: its name, where the model keeps it, and what it means.
public struct Field<Model, Content: FieldValue>: Sendable {
  let description: RecordType.Field
  let keyPath: any KeyPath<Model, Content> & Sendable

  /// A field that must be given, unless `Content` is optional.
  ///
  /// - Parameters:
  ///   - name: The name in scenarios and transcripts, in lower case with dashes or underscores.
  ///   - keyPath: Where the model keeps the value.
  ///   - summary: What the field means, one sentence.
  ///   - defaultValue: The value of an absent field.
  ///   - isSecret: Whether the value is hidden wherever it appears in what a run writes; for `String` and
  ///     `String?` only.
  ///   - isVolatile: Whether an output or a payload holds another value in every run, as the time of day
  ///     does; a transcript keeps its type alone, and a replay serves the zero of that type.
  public init(
    _ name: String, _ keyPath: any KeyPath<Model, Content> & Sendable, _ summary: String,
    default defaultValue: Content? = nil, secret isSecret: Bool = false,
    volatile isVolatile: Bool = false
  ) {
    self.keyPath = keyPath
    description = RecordType.Field(
      name: name, type: Content.valueType, summary: summary,
      defaultValue: Content.absent(defaultValue),
      isSecret: isSecret, isVolatile: isVolatile)
  }
}

extension FieldValue {
  /// The value of an absent field with this default; nil where the field must be given.
  static func absent(_ defaultValue: Self?) -> Value? {
    if let defaultValue { return defaultValue.encoded }
    if case .optional = valueType { return .null }
    return nil
  }
}
