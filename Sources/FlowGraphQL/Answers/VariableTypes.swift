internal import FlowCore

/// Makes the types of variables.
struct VariableTypes {
  /// The greatest number of fields in a type; what is below is dynamic.
  private static let mostFields = 2_000
  /// The greatest depth of input objects, which may contain themselves.
  private static let greatestDepth = 6

  private let schema: GraphQLSchema
  private var fieldCount = 0

  init(_ schema: GraphQLSchema) { self.schema = schema }

  /// Returns the type of all variables of an operation.
  mutating func type(of variables: [VariableNode]) -> ValueType {
    record(
      variables.map {
        InputDefinition(
          name: $0.name.text, type: TypeReference($0.type), summary: "",
          hasDefault: $0.defaultValue != nil)
      }, depth: 0)
  }

  private mutating func record(_ inputs: [InputDefinition], depth: Int) -> ValueType {
    fieldCount += inputs.count
    if fieldCount > Self.mostFields || depth > Self.greatestDepth { return .dynamic }
    return .record(
      RecordType(
        inputs.map { input in
          let type = type(of: input.type, depth: depth)
          return RecordType.Field(
            name: input.name, type: input.isRequired ? type : type.orNull, summary: input.summary,
            defaultValue: input.isRequired ? nil : .null)
        }))
  }

  private mutating func type(of reference: TypeReference, depth: Int) -> ValueType {
    guard let definition = schema.types[reference.name] else { return .dynamic }
    // A number is right for an ID as well.
    let inner: ValueType =
      definition.kind == .input
      ? record(definition.inputs, depth: depth + 1)
      : definition.name == BuiltInScalar.id.rawValue ? .dynamic : definition.leafType
    return reference.type(of: inner)
  }
}
