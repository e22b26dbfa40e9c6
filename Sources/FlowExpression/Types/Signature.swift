/// The types that a function takes and answers with, for the checker.
package struct Signature: Sendable {
  /// The parameters' types, the receiver first.
  package let parameters: [ExpressionType]
  /// The result's type.
  package let result: ExpressionType
  /// How many type parameters there are, numbered from 0; they belong to this signature alone.
  package let typeParameterCount: Int

  /// A signature whose types name `typeParameterCount` parameters.
  package init(
    _ parameters: [ExpressionType], _ result: ExpressionType, typeParameterCount: Int = 0
  ) {
    self.parameters = parameters
    self.result = result
    self.typeParameterCount = typeParameterCount
  }

  /// The type with the parameters of this signature renumbered to begin at `base`.
  static func instance(_ type: ExpressionType, _ base: Int) -> ExpressionType {
    switch type {
    case .parameter(let index): .parameter(base + index)
    case .list(let element): .list(instance(element, base))
    case .map(let key, let value): .map(instance(key, base), instance(value, base))
    case .nullable(let wrapped): .nullable(instance(wrapped, base))
    case .optional(let wrapped): .optional(instance(wrapped, base))
    case .abstract(let name, let types): .abstract(name, types.map { instance($0, base) })
    default: type
    }
  }
}
