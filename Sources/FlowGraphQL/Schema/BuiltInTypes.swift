/// The types and directives that every schema has (GraphQL, September 2025, sections 3.5, 3.13 and
/// 4.2).
enum BuiltInTypes {
  static let definitions = """
    scalar Int scalar Float scalar String scalar Boolean scalar ID
    directive @skip(if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
    directive @include(if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
    directive @deprecated(reason: String! = "") on
      FIELD_DEFINITION | ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION | ENUM_VALUE
    directive @specifiedBy(url: String!) on SCALAR
    directive @oneOf on INPUT_OBJECT
    type __Schema {
      description: String types: [__Type!]! queryType: __Type! mutationType: __Type
      subscriptionType: __Type directives: [__Directive!]!
    }
    type __Type {
      kind: __TypeKind! name: String description: String specifiedByURL: String
      fields(includeDeprecated: Boolean! = false): [__Field!] interfaces: [__Type!]
      possibleTypes: [__Type!] enumValues(includeDeprecated: Boolean! = false): [__EnumValue!]
      inputFields(includeDeprecated: Boolean! = false): [__InputValue!] ofType: __Type
      isOneOf: Boolean
    }
    enum __TypeKind { SCALAR OBJECT INTERFACE UNION ENUM INPUT_OBJECT LIST NON_NULL }
    type __Field {
      name: String! description: String args(includeDeprecated: Boolean! = false): [__InputValue!]!
      type: __Type! isDeprecated: Boolean! deprecationReason: String
    }
    type __InputValue {
      name: String! description: String type: __Type! defaultValue: String
      isDeprecated: Boolean! deprecationReason: String
    }
    type __EnumValue {
      name: String! description: String isDeprecated: Boolean! deprecationReason: String
    }
    type __Directive {
      name: String! description: String isRepeatable: Boolean!
      locations: [__DirectiveLocation!]! args(includeDeprecated: Boolean! = false): [__InputValue!]!
    }
    enum __DirectiveLocation {
      QUERY MUTATION SUBSCRIPTION FIELD FRAGMENT_DEFINITION FRAGMENT_SPREAD INLINE_FRAGMENT
      VARIABLE_DEFINITION SCHEMA SCALAR OBJECT FIELD_DEFINITION ARGUMENT_DEFINITION INTERFACE UNION
      ENUM ENUM_VALUE INPUT_OBJECT INPUT_FIELD_DEFINITION
    }
    """

  /// The fields that a document can select without a definition: `__typename` of every object, the
  /// others of the type of queries.
  static let typeName = FieldDefinition(
    name: "__typename", type: .nonNull(.named("String")), summary: "The name of the object's type.",
    arguments: [], offset: nil)

  static let ofQuery = [
    FieldDefinition(
      name: "__schema", type: .nonNull(.named("__Schema")), summary: "", arguments: [], offset: nil),
    FieldDefinition(
      name: "__type", type: .named("__Type"), summary: "",
      arguments: [
        InputDefinition(
          name: "name", type: .nonNull(.named("String")), summary: "", hasDefault: false)
      ], offset: nil),
  ]
}
