import FlowCore
import FlowSchema
import Testing

@Suite struct LimitTests {
  /// The text of the error of a validation, or `no error`.
  private func error(_ schema: Schema, _ value: Value) throws -> String {
    do {
      _ = try schema.validate(value)
      return "no error"
    } catch {
      return error.description
    }
  }

  @Test(arguments: [
    ##"{"$ref": "#"}"##, ##"{"allOf": [{"anyOf": [{"$ref": "#"}]}]}"##,
    ##"{"not": {"if": {"$ref": "#"}}}"##,
    ##"{"$dynamicAnchor": "a", "oneOf": [{"$dynamicRef": "#a"}]}"##,
    ##"{"dependentSchemas": {"a": {"$ref": "#"}}}"##,
  ])
  func `a schema that leads back to itself is refused`(_ text: String) throws {
    let schema = try Schema(text: text)

    #expect(
      try error(schema, try json(#"{"a": 1}"#))
        == "#: the schema leads back to itself for the same value")
  }

  @Test func `a recursive schema follows the parts of a value`() throws {
    let schema = try Schema(
      text:
        ##"{"properties": {"next": {"$ref": "#"}}, "additionalProperties": {"type": "integer"}}"##)

    #expect(
      try schema.report(#"{"a": 1, "next": {"a": 2, "next": {"a": "x"}}}"#)
        == #"/next/next/a: expected integer, got string "x""#)
  }

  @Test func `a value deeper than the limit is refused`() throws {
    let schema = try Schema(text: ##"{"items": {"$ref": "#"}}"##)
    let deep = (0..<300).reduce(Value.null) { value, _ in .list([value]) }

    #expect(try error(schema, deep) == "#: the value is nested more than 256 levels deep")
  }

  @Test func `schemas inside each other are limited`() throws {
    let options = SchemaOptions { $0.limits.nesting = 50 }
    let schema = try Schema(
      text: ##"{"items": {"allOf": [{"$ref": "#"}]}}"##, options: options)
    let deep = (0..<40).reduce(Value.null) { value, _ in .list([value]) }

    let error = try error(schema, deep)

    #expect(
      error
        == "#/items/allOf/0: a value is checked by more than 50 schemas inside each other")
  }

  @Test func `exponential branches end at the limit of steps`() throws {
    let levels = (0..<30).map { level in
      ##""l\##(level)": {"allOf": [{"$ref": "#/$defs/l\##(level + 1)"}, {"$ref": "#/$defs/l\##(level + 1)"}]}"##
    }
    let options = SchemaOptions { $0.limits.steps = 100_000 }
    let schema = try Schema(
      text:
        ##"{"$ref": "#/$defs/l0", "$defs": {\##(levels.joined(separator: ",")), "l30": {"type": "integer"}}}"##,
      options: options)

    #expect(
      try error(schema, .int(1)).hasSuffix("the validation takes more than 100000 steps"))
    #expect(schema.valueType == .int)
  }

  @Test func `a document with many subschemas is refused`() throws {
    let options = SchemaOptions { $0.limits.subschemas = 10 }
    let parts = (0..<20).map { #""p\#($0)": true"# }.joined(separator: ",")

    let error = #expect(throws: SchemaError.self) {
      try Schema(text: #"{"properties": {\#(parts)}}"#, options: options)
    }

    #expect(error?.description == "#/properties/p9: there are more than 10 subschemas")
  }

  @Test func `a schema deeper than the limit is refused`() throws {
    let deep = (0..<300).reduce(Value.bool(true)) { value, _ in
      .map(ValueMap([("items", value)]))
    }

    let error = #expect(throws: SchemaError.self) { try Schema(deep) }

    #expect(error?.description == "#: the schema is nested more than 256 levels deep")
  }

  @Test(arguments: [
    #"^(a+)+$"#, #"^(a|a)*$"#, #"(.*a){20}"#, #"^(a?){50}a{50}$"#, #"([a-z]+)*\1x|b"#,
  ])
  func `a pattern takes linear time, or is refused`(_ pattern: String) throws {
    let text = #"{"pattern": "\#(pattern.replacing("\\", with: "\\\\"))"}"#
    guard !pattern.contains(#"\1"#) else {
      #expect(try problem(of: text).hasSuffix(#"has the backreference \1, which is not supported"#))
      return
    }

    let schema = try Schema(text: text)

    #expect(
      try schema.accepts(.string(String(repeating: "a", count: 50_000) + "!"))
        == pattern.hasPrefix("("))
  }

  @Test func `a pattern that takes too much memory is refused`() throws {
    let text = #"{"pattern": "((((\\p{L}{100}){100}){100}){100})"}"#

    #expect(try problem(of: text).contains("malformed: "))
  }

  @Test func `many violations in many branches are bounded`() throws {
    let branches = (0..<50).map { _ in ##"{"items": {"$ref": "#/$defs/a"}}"## }.joined(
      separator: ",")
    let schema = try Schema(
      text: #"{"anyOf": [\#(branches)], "$defs": {"a": {"type": "string"}}}"#)
    let value = Value.list((0..<1_000).map(Value.int))

    let violations = try schema.validate(value)

    let kept = violations.all.flatMap(\.branches).reduce(0) { $0 + $1.count }
    #expect(violations.all.count == 1)
    #expect(kept == 1_000)
  }
}
