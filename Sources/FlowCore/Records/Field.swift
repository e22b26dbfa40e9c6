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
  ///   - isVolatile: Whether an output or a payload holds another value in every run, as the time of day
  ///     does; a transcript keeps its type alone, and a replay serves the zero of that type.
  public init(
    _ name: String, _ keyPath: any KeyPath<Model, Content> & Sendable, _ summary: String,
    default defaultValue: Content? = nil, volatile isVolatile: Bool = false
  ) {
    self.keyPath = keyPath
    var absent = defaultValue?.encoded
    if absent == nil, case .optional = Content.valueType { absent = .null }
    description = RecordType.Field(
      name: name, type: Content.valueType, summary: summary, defaultValue: absent,
      isVolatile: isVolatile)
  }
}
