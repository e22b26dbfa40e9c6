import FlowCore
import FlowSchema
import Testing

/// The other values of each part that a schema allows in the place of a recorded one.
@Suite struct SchemaFormsTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let schema: String
    let value: String
    let forms: [String]
    var testDescription: String { "\(value) by \(schema)" }

    init(_ schema: String, _ value: String, _ forms: String...) {
      (self.schema, self.value, self.forms) = (schema, value, forms)
    }
  }

  private static func forms(_ schema: String, _ value: String) throws -> [String] {
    let schema = try Schema(Value(json: Array(schema.utf8)))
    let found = schema.otherForms(of: try Value(json: Array(value.utf8)))
    return found.map { ("\($0.key)", $0.value) }.sorted { $0.0 < $1.0 }.flatMap { path, forms in
      forms.isEmpty
        ? ["\(path) nothing"]
        : forms.map { "\(path) \($0.change) -> \($0.value?.summary() ?? "")" }
    }
  }

  @Test(arguments: cases)
  func `every other form is allowed, and named`(_ sample: Case) throws {
    #expect(try Self.forms(sample.schema, sample.value) == sample.forms)
  }

  static let cases = [
    // Nothing is said.
    Case("true", "1"), Case("{}", #"{"a": [1]}"#),
    Case(#"{"properties": {"b": {"type": "integer"}}}"#, #"{"a": "x"}"#),
    // Texts.
    Case(#"{"type": "string"}"#, #""a""#, #" another text -> "a~""#),
    Case(#"{"type": "string", "maxLength": 3}"#, #""EUR""#, #" another text -> "EUS""#),
    Case(
      #"{"type": "string", "pattern": "^[A-Z]{2}[0-9]$"}"#, #""AB9""#, #" another text -> "AB8""#),
    Case(#"{"type": "string", "pattern": "^[a-b]-$"}"#, #""b-""#, #" another text -> "a-""#),
    Case(
      #"{"enum": ["open", "paid", "declined"]}"#, #""paid""#,
      #" another value: open -> "open""#, #" another value: declined -> "declined""#),
    Case(
      #"{"enum": ["a", "b", "c", "d", "e", "f"]}"#, #""b""#, #" another value: a -> "a""#,
      #" another value: c -> "c""#, #" another value: d -> "d""#, #" another value: e -> "e""#),
    Case(
      #"{"oneOf": [{"const": "a"}, {"const": "b"}]}"#, #""a""#, #" another value: b -> "b""#),
    Case(
      #"{"type": "string", "enum": ["a", 1, {"b": 1}, "c"]}"#, #""a""#,
      #" another value: c -> "c""#),
    Case(
      #"{"type": "string", "examples": ["x", "y"]}"#, #""y""#, #" another value: x -> "x""#),
    Case(
      #"{"type": "string", "format": "date-time"}"#, #""2024-05-06T07:08:09Z""#,
      #" in the past -> "2000-01-01T00:00:00Z""#),
    Case(
      #"{"type": "string", "format": "date"}"#, #""1999-05-06""#,
      #" in the past -> "1900-01-01""#),
    // No other value is allowed.
    Case(#"{"const": "a"}"#, #""a""#, #" another text -> "a~""#),
    // Null.
    Case(
      #"{"type": ["string", "null"]}"#, #""a""#, #" another text -> "a~""#, " null -> null"),
    Case(#"{"type": ["integer", "null"]}"#, "null", " a value -> 0"),
    Case(#"{"type": ["array", "null"]}"#, "null", " a value -> []"),
    Case(
      #"{"enum": [null, "a", "b"]}"#, "null", #" another value: a -> "a""#,
      #" another value: b -> "b""#),
    Case(
      #"{"anyOf": [{"type": "array"}, {"type": "null"}]}"#, "[1]", " empty list -> []",
      " one element more -> [1, 1]", " null -> null"),
    Case(
      #"{"properties": {"a": {"type": ["object", "null"]}}, "required": ["a"]}"#, #"{"a": {}}"#,
      "a null -> null"),
    // Numbers.
    Case(
      #"{"type": "integer"}"#, "5", " next number -> 6", " negated -> -5", " zero -> 0"),
    Case(
      #"{"type": "integer", "minimum": 1, "maximum": 9}"#, "5", " next number -> 6",
      " minimum -> 1", " maximum -> 9"),
    Case(
      #"{"type": "integer", "minimum": 0, "maximum": 6}"#, "5", " next number -> 6",
      " minimum -> 0"),
    Case(
      #"{"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 6}"#, "5", " minimum -> 4"),
    Case(
      #"{"type": "number", "exclusiveMinimum": 0, "maximum": 99.5}"#, "5.25",
      " next number -> 6.25", " minimum -> 1", " maximum -> 99.5"),
    Case(
      #"{"type": "integer", "multipleOf": 25, "minimum": 25}"#, "50", " next number -> 75",
      " minimum -> 25"),
    Case(
      #"{"enum": [1, 2, 3]}"#, "2", " next number -> 3", " another value: 1 -> 1"),
    // Truth values.
    Case(#"{"type": "boolean"}"#, "true", " the opposite -> false"),
    Case(#"{"const": true}"#, "true", " the opposite -> false"),
    // Lists.
    Case(
      #"{"type": "array"}"#, "[1, 2]", " one element less -> [1]", " empty list -> []",
      " one element more -> [1, 2, 2]"),
    Case(#"{"type": "array"}"#, "[]", " nothing"),
    Case(
      #"{"type": "array", "minItems": 1, "maxItems": 2}"#, "[1, 2]", " one element less -> [1]"),
    Case(#"{"type": "array", "minItems": 2, "maxItems": 2}"#, "[1, 2]", " nothing"),
    Case(
      #"{"type": "array", "items": {"type": "string"}, "uniqueItems": true}"#, #"["a"]"#,
      " empty list -> []", #" one element more -> ["a", "a~"]"#, #"[0] another text -> "a~""#),
    Case(
      #"{"type": "array", "items": {"enum": ["a", "b"]}, "uniqueItems": true}"#, #"["a", "b"]"#,
      #" one element less -> ["a"]"#, " empty list -> []", #"[0] another text -> "a~""#,
      #"[1] another text -> "b~""#),
    Case(
      #"{"prefixItems": [{"type": "string"}], "items": false}"#, #"["a"]"#, " empty list -> []",
      #"[0] another text -> "a~""#),
    Case(
      #"{"type": "array", "contains": {"const": 2}}"#, "[1, 2]", " one element more -> [1, 2, 2]"),
    // Objects.
    Case(
      #"{"properties": {"a": {"type": "boolean"}, "b": {}}, "required": ["b"]}"#,
      #"{"a": true, "b": 1, "c": 2}"#, "a the opposite -> false", "a missing -> "),
    Case(
      #"{"properties": {"a": {}, "b": {"properties": {}}}}"#, #"{"a": [1], "b": {"c": 1}}"#,
      "a empty list -> []", "a one element more -> [1, 1]", "a missing -> ", "b missing -> "),
    Case(
      #"{"properties": {"a": {"type": "boolean"}}, "minProperties": 2}"#,
      #"{"a": true, "b": true}"#, "a the opposite -> false"),
    Case(
      #"{"properties": {"a": {"type": "boolean"}, "b": {"type": "boolean"}}, "dependentRequired": {"a": ["b"]}}"#,
      #"{"a": true, "b": true}"#, "a the opposite -> false", "a missing -> ",
      "b the opposite -> false"),
    Case(
      #"{"type": "object", "additionalProperties": {"type": "boolean"}}"#, #"{"x": true}"#,
      "x the opposite -> false", "x missing -> "),
    // One part decides about another one.
    Case(
      #"{"properties": {"state": {"enum": ["open", "paid", "void"]}, "at": {"type": "string"}}, "required": ["state"], "if": {"properties": {"state": {"const": "paid"}}}, "then": {"required": ["at"]}}"#,
      #"{"state": "open"}"#, #"state another value: void -> "void""#),
    Case(
      #"{"oneOf": [{"properties": {"k": {"const": "a"}, "n": {"type": "integer", "minimum": 1}}, "required": ["k", "n"]}, {"properties": {"k": {"const": "b"}}, "required": ["k"]}]}"#,
      #"{"k": "a", "n": 1}"#, #"k another text -> "a~""#, "n next number -> 2"),
    // References.
    Case(
      ##"{"$ref": "#/$defs/n", "$defs": {"n": {"allOf": [{"type": "integer"}, {"maximum": 2}]}}}"##,
      "2", " negated -> -2", " zero -> 0"),
    Case(
      ##"{"properties": {"v": {"type": "boolean"}, "next": {"$ref": "#"}}, "required": ["v"]}"##,
      #"{"v": true, "next": {"v": true}}"#, "next missing -> ", "next.v the opposite -> false",
      "v the opposite -> false"),
  ]

  @Test func `an alteration of every part is allowed where any is`() throws {
    let text = #"""
      {"type": "object", "required": ["id", "lines"], "properties": {
        "id": {"type": "string", "pattern": "^o-[0-9]+$"},
        "lines": {"type": "array", "minItems": 1, "items": {"required": ["price"], "properties": {
          "price": {"type": "number", "minimum": 0}, "currency": {"enum": ["EUR", "USD"]}}}},
        "note": {"type": ["string", "null"]}}}
      """#
    let schema = try Schema(Value(json: Array(text.utf8)))
    let value = try Value(
      json: Array(#"{"id": "o-1", "lines": [{"price": 2.5, "currency": "EUR"}], "note": "n"}"#.utf8)
    )

    for (path, forms) in schema.otherForms(of: value) {
      for form in forms {
        let altered = try #require(value.with(form.value, at: path.steps[...]))
        #expect(try schema.accepts(altered), "\(path) \(form)")
        #expect(altered != value)
      }
    }
  }

  @Test(arguments: [
    // A schema that contains itself in each alternative.
    ##"{"anyOf": [{"$ref": "#"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}}}"##,
    ##"{"items": {"oneOf": [{"$ref": "#"}, {"items": {"$ref": "#"}}, {"type": "integer"}]}}"##,
  ]) func `a schema that leads back to itself ends`(_ text: String) throws {
    let schema = try Schema(Value(json: Array(text.utf8)))
    let value = (0..<60).reduce(Value.int(1)) { value, _ in .list([value]) }

    #expect(schema.otherForms(of: value).count <= 61)
  }

  @Test func `the work is bounded by the size of the value`() throws {
    // Each part of the list decides about each other, so an exact answer takes quadratic time.
    let schema = try Schema(
      Value(json: Array(#"{"items": {"type": "integer"}, "contains": {"const": -1}}"#.utf8)))
    let value = Value.list([.int(-1)] + (0..<20_000).map(Value.int))

    // The walk ends at its limit of steps, and what it found remains.
    #expect((1..<1_000).contains(schema.otherForms(of: value).count))
  }
}

extension Value {
  /// The value with another part at a place, or without it.
  fileprivate func with(_ part: Value?, at path: ArraySlice<FieldPath.Step>) -> Value? {
    switch (path.first, self) {
    case (nil, _): return part
    case (.field(let name)?, .map(var map)):
      map[.string(name)] = map[name]?.with(part, at: path.dropFirst())
      return .map(map)
    case (.index(let index)?, .list(var elements)):
      guard let element = elements[index].with(part, at: path.dropFirst()) else { return nil }
      elements[index] = element
      return .list(elements)
    default: return nil
    }
  }
}
