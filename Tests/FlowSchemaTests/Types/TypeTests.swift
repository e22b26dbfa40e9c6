import FlowCore
import FlowSchema
import Testing

@Suite struct TypeTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let schema: String
    let type: String
    var testDescription: String { schema }

    init(_ schema: String, _ type: String) { (self.schema, self.type) = (schema, type) }
  }

  static let cases = [
    Case("true", "any"),
    Case("{}", "any"),
    Case(#"{"type": "string"}"#, "string"),
    Case(#"{"type": "string", "format": "date-time"}"#, "string"),
    Case(#"{"type": "integer", "minimum": 1}"#, "int"),
    Case(#"{"type": "number"}"#, "decimal"),
    Case(#"{"type": ["integer", "number"]}"#, "decimal"),
    Case(#"{"type": "boolean"}"#, "bool"),
    Case(#"{"type": "null"}"#, "any?"),
    Case(#"{"type": ["null", "string"]}"#, "string?"),
    Case(#"{"type": ["string", "integer"]}"#, "any"),
    Case(#"{"const": "a"}"#, "'a'"),
    Case(#"{"const": 1}"#, "int"),
    Case(#"{"enum": ["a", "b"]}"#, "'a' or 'b'"),
    Case(#"{"type": "string", "enum": ["a", "b"]}"#, "'a' or 'b'"),
    Case(#"{"type": ["string", "null"], "enum": ["a", null]}"#, "'a'?"),
    Case(#"{"enum": [1, 2.5]}"#, "decimal"),
    Case(#"{"enum": ["a", 1]}"#, "any"),
    Case(#"{"type": "array"}"#, "[any]"),
    Case(#"{"type": "array", "items": {"type": "integer"}}"#, "[int]"),
    Case(#"{"items": {"items": {"type": "string"}}}"#, "[[string]]"),
    Case(#"{"prefixItems": [{"type": "integer"}], "items": {"type": "number"}}"#, "[decimal]"),
    Case(#"{"type": "object"}"#, "{*: any}"),
    Case(#"{"type": "object", "additionalProperties": {"type": "integer"}}"#, "{*: int}"),
    Case(#"{"properties": {"a": {"type": "integer"}}}"#, "{a: int?}"),
    Case(
      #"{"properties": {"a": {"type": "integer"}, "b": {}}, "required": ["a", "c", "a"]}"#,
      "{a!: int, b: any, c!: any}"),
    Case(
      #"{"properties": {"a": {"type": "integer"}}, "additionalProperties": false}"#, "{|a: int?|}"),
    Case(
      #"{"properties": {"a": {"type": "integer"}}, "additionalProperties": {"type": "number"}}"#,
      "{a: int?, *: decimal}"),
    Case(
      #"{"properties": {"a": {"type": "integer"}}, "patternProperties": {"^x": true}}"#,
      "{a: int?, *: any}"),
    Case(
      #"{"properties": {"a": {"type": "integer"}}, "patternProperties": {"^x": {"type": "string"}}, "additionalProperties": false}"#,
      "{a: int?, *: string}"),
    // A name in one branch is meant in all of them.
    Case(
      #"{"properties": {"a": {"type": "integer"}}, "if": {"required": ["a"]}, "then": {"properties": {"b": {"type": "string"}}, "required": ["b"]}, "else": {"properties": {"c": {"type": "boolean"}}}}"#,
      "{a: int?, b: string?, c: bool?}"),
    Case(
      #"{"properties": {"a": {"type": "integer"}}, "required": ["a"], "if": {"required": ["a"]}, "then": {"properties": {"b": {"type": "string"}}}}"#,
      "{a!: int, b: string?}"),
    Case(
      #"{"properties": {"a": {"type": "integer"}}, "dependentSchemas": {"a": {"properties": {"b": {"type": "string"}}, "required": ["b"]}, "b": {"properties": {"c": {"enum": ["x"]}}}}}"#,
      "{a: int?, b: string?, c: 'x'?}"),
    Case(
      #"{"type": "object", "properties": {"a": {"type": "integer"}}, "unevaluatedProperties": {"type": "string"}}"#,
      "{a: int?, *: string}"),
    Case(
      #"{"properties": {"a": {"type": "integer"}}, "unevaluatedProperties": false}"#, "{a: int?}"),
    Case(
      #"{"allOf": [{"properties": {"a": {"type": "integer"}}}, {"additionalProperties": {"type": "integer"}}]}"#,
      "{a: int?, *: int}"),
    Case(
      #"{"anyOf": [{"properties": {"a": {"type": "integer"}}}, {"type": "object", "additionalProperties": {"type": "string"}}]}"#,
      "{a: any}"),
    Case(
      ##"{"properties": {"a": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"type": "string"}}}"##,
      "{a: string?}"),
    Case(##"{"properties": {"next": {"$ref": "#"}}}"##, "{next: any}"),
    Case(
      #"{"allOf": [{"properties": {"a": {"type": "number"}}}, {"properties": {"a": {"type": "integer"}, "b": true}, "required": ["b"]}]}"#,
      "{a: int?, b!: any}"),
    Case(
      #"{"allOf": [{"properties": {"a": {"type": "string"}}}], "required": ["a"]}"#,
      "{a!: string?}"),
    Case(
      #"{"oneOf": [{"properties": {"a": {"const": "x"}, "b": {"type": "integer"}}, "required": ["a", "b"]}, {"properties": {"a": {"const": "y"}}, "required": ["a"]}]}"#,
      "{a!: 'x' or 'y', b: int?}"),
    Case(#"{"anyOf": [{"type": "null"}, {"type": "integer"}]}"#, "int?"),
    Case(#"{"anyOf": [{"type": "string"}, {"type": "integer"}]}"#, "any"),
    Case(#"{"anyOf": [{"type": "string"}, {"enum": ["a"]}]}"#, "string"),
    Case(#"{"not": {"type": "string"}}"#, "any"),
  ]

  @Test(arguments: cases)
  func `a schema has the type of its values`(_ testCase: Case) throws {
    let type = try Schema(text: testCase.schema).valueType

    #expect(text(type) == testCase.type)
  }

  @Test func `a field has the description of its schema`() throws {
    let schema = try Schema(
      text: #"{"properties": {"a": {"title": "T", "description": "The sum"}, "b": {"title": "T"}}}"#
    )

    guard case .record(let record) = schema.valueType else {
      Issue.record("\(schema.valueType)")
      return
    }
    #expect(record.fields.map(\.summary) == ["The sum", "T"])
  }

  @Test func `the parts of a huge type are dynamic`() throws {
    let levels = (0..<30).map { level in
      let next = ##"{"$ref": "#/$defs/l\##(level + 1)"}"##
      return #""l\#(level)": {"properties": {"a": \#(next), "b": \#(next)}}"#
    }
    let schema = try Schema(
      text:
        ##"{"$ref": "#/$defs/l0", "$defs": {\##(levels.joined(separator: ",")), "l30": {"type": "null"}}}"##
    )

    #expect(size(schema.valueType) < 20_000)
    #expect(schema.valueType != .dynamic)
  }

  private func size(_ type: ValueType) -> Int {
    switch type {
    case .optional(let wrapped): size(wrapped)
    case .record(let record): record.fields.reduce(1) { $0 + size($1.type) }
    default: 1
    }
  }

  /// `{a!: int}` has a required field, `{a: int?}` an optional one, `{*: int}` any names.
  private func text(_ type: ValueType) -> String {
    switch type {
    case .dynamic: "any"
    case .optional(let wrapped): text(wrapped) + "?"
    case .list(let element): "[" + text(element) + "]"
    case .map(let element): "{*: " + text(element) + "}"
    case .record(let record): text(record)
    default: "\(type)"
    }
  }

  /// `{|a: int|}` has no other names, and `{a: int, *: string}` texts under all others.
  private func text(_ record: RecordType) -> String {
    let fields = record.fields.map { "\($0.name)\($0.isRequired ? "!" : ""): \(text($0.type))" }
    switch record.others {
    case .none: return "{|" + fields.joined(separator: ", ") + "|}"
    case .unsaid: return "{" + fields.joined(separator: ", ") + "}"
    case .declared(let type):
      return "{" + (fields + ["*: " + text(type)]).joined(separator: ", ") + "}"
    }
  }
}
