import FlowCore
import FlowExpression
import Testing

/// `json`, and the errors about parts missing in its values.
struct JSONTests {
  @Test(arguments: [
    Sample("json('{\"a\": [1, -2.50, 1e300, true, null, \"b\"]}').a[1]", "decimal -2.50"),
    Sample("json('9223372036854775808')", "decimal 9223372036854775808"),
    Sample("json('1e300')", "double 1e300"), Sample("json(' 12 ')", "int 12"),
    Sample("json('null')", "null null"), Sample("json('\"\\\\u00e9\"')", "string \"é\""),
    Sample("json(b'[1, 2]').map(n, n * 2)", "list [2, 4]"),
    Sample("decimal(json('{\"n\": 1.10}').n) + 0.2", "decimal 1.30"),
    Sample("json('0.1') == decimal('0.1')", "bool true"),
    Sample("json('0.1') == 0.1", "bool true"), Sample("0.3 == json('0.3')", "bool true"),
    Sample("json('0.1') != 0.1", "bool false"), Sample("json('0.1') < 0.1", "bool false"),
    Sample("json('0.1') <= 0.1", "bool true"), Sample("0.1 > json('0.1')", "bool false"),
    Sample("-0.1 >= json('-0.1')", "bool true"), Sample("json('0.3') == 0.1 + 0.2", "bool true"),
    Sample("json('0.1') in [0.5, 0.1]", "bool true"),
    Sample("json('[1, 0.1]') == [1, 0.1]", "bool true"),
    Sample("0.1 in json('[\"a\", 1, 0.1]')", "bool true"),
    Sample("[json('0.1')] == [0.1]", "bool true"),
    Sample("json('{\"a\": 0.1, \"b\": \"x\"}') == {'a': 0.1, 'b': 'x'}", "bool true"),
    Sample("{'a': [{'b': -0.3}]} != json('{\"a\": [{\"b\": -0.3}]}')", "bool false"),
    Sample("json('{\"a\": 0.1}') in [{'a': 0.2}, {'a': 0.1}]", "bool true"),
    Sample("json('{\"a\": 0.1}') == {'a': 0.11}", "bool false"),
    Sample("json('1') < 1.5", "bool true"), Sample("json('1e300') > 0.1", "bool true"),
    Sample("dyn(double('0.1')) == 0.1", "bool true"), Sample("dyn(0.1) == 0.1", "bool true"),
    Sample("json('0.1') == double('0.1')", "bool false"),
    Sample("json('0.1') < 1.0 / 0.0", "bool true"),
    Sample("json('\"a\"') == 0.1", "bool false"),
    Sample("has(json('{}').a)", "bool false"), Sample("json('{}').?a.orValue(1)", "int 1"),
    Sample("json(1)", "0..<7 'json' is not defined for (int)"),
    Sample("json(null)", "0..<10 'json' is not defined for (null)"),
    Sample("'1'.json()", "4..<8 'json' must be called as 'json(x)'"),
    Sample("json()", "0..<4 'json' takes 1 argument, got 0"),
  ])
  func `a JSON text becomes the value that components would read`(_ sample: Sample) {
    #expect(sample.outcome == sample.expected)
  }

  private static let digits = "12345678901234567890123456789012345678901"

  @Test(arguments: [
    Sample("json('\(digits)')", "double \(digits)"),
    Sample("string(json('\(digits)'))", "string \"\(digits)\""),
    Sample("toJSON(json('[\(digits), -0, 1E5]'))", "string \"[\(digits),-0,1E5]\""),
    Sample("'%s'.format([json('-0')])", "string \"-0\""),
    Sample("'%.1f'.format([json('1E2')])", "string \"100.0\""),
    Sample("'%d'.format([json('1E2')])", "string \"100\""),
    Sample("json('\(digits)') == json('\(digits)')", "bool true"),
    Sample("json('\(digits)') == json('12345678901234567890123456789012345678902')", "bool false"),
    Sample("json('\(digits)') < json('12345678901234567890123456789012345678902')", "bool true"),
    Sample("json('\(digits)') == \(digits).0", "bool true"),
    Sample("json('\(digits)') == 12345678901234567890123456789012345678902.0", "bool false"),
    Sample("json('\(digits)') * 2.0", "double 2.4691357802469137e+40"),
    Sample("json('\(digits)') + 1", "error 0..<53: '+' is not defined for (double, int)"),
    Sample("decimal(json('\(digits)'))", "error 0..<58: \(digits) is out of the range of decimal"),
    Sample("double(json('\(digits)'))", "double 1.2345678901234568e+40"),
    Sample(
      "int(json('\(digits)'))", "error 0..<54: 1.2345678901234568e+40 is out of the range of int"),
    Sample("json('-0') + 1", "int 1"), Sample("json('-0') == 0", "bool true"),
    Sample("-json('-0')", "int 0"), Sample("json('1E5') / 4 > 0.1", "bool true"),
    Sample("json('1E5') + decimal('0.5')", "decimal 100000.5"),
    Sample("json('1E-1') == 0.1", "bool true"),
    Sample("json('-0.0') == 0.0", "bool true"), Sample("math.abs(json('-1E1'))", "decimal 10"),
    Sample("[1, 2][json('-0')]", "int 1"), Sample("{0: 'a'}[json('-0')]", "string \"a\""),
    Sample("json('[1E1, 2E1]').sum()", "decimal 30"),
    Sample("type(json('1E1')) == decimal", "bool true"),
    Sample("json('[-0, 0, 1E1, 10]').distinct()", "list [-0, 1E1]"),
    Sample("json('[3E0, 2, 1e0]').sort()", "list [1e0, 2, 3E0]"),
    Sample("math.greatest(json('3E0'), 2)", "decimal 3E0"),
    Sample("json('1E1') ? 1 : 2", "error 0..<19: '?:' is not defined for (decimal)"),
  ])
  func `a number keeps its text until an expression computes with it`(_ sample: Sample) {
    #expect(sample.outcome == sample.expected)
  }

  @Test(
    arguments: [
      ("{\"a\" 1}", "'{\"a\" 1}' is not JSON: line 1, column 6: expected ':'"),
      ("", "'' is not JSON: line 1, column 1: the text ends too early"),
      ("{\"é\": 1,\n \"b\": x}", "'{\"é\": 1,…' is not JSON: line 2, column 7: expected a value"),
      ("\n1 2", "'…' is not JSON: line 2, column 3: unexpected text after the value"),
      ("\u{1B}[0m", "'\\u{1b}[0m' is not JSON: line 1, column 1: expected a value"),
      (
        "{\"a\":\n1e400}",
        "'{\"a\":…' is not JSON: line 2, column 1: the number is too large for a double"
      ),
      ("{\"a\": 1, \"a\": 2}", nil), ("[\"\t\"]", nil),
      (
        "<html>" + String(repeating: "é", count: 300),
        "'<html>" + String(repeating: "é", count: 53)
          + "…' is not JSON: line 1, column 1: expected a value"
      ),
    ] as [(String, String?)])
  func `a text that is not JSON is reported with the place and its beginning`(
    _ text: String, _ expected: String?
  ) throws {
    let error = #expect(throws: EvaluationError.self) { try Self.json(.string(text)) }

    #expect(error?.span == 0..<14)
    if let expected { #expect(error?.message == expected) }
    #expect(error == #expect(throws: EvaluationError.self) { try Self.json(Self.bytes(text)) })
  }

  @Test(
    arguments: [
      (99, nil), (100, nil), (101, "the JSON is nested more than 100 levels deep"),
      (
        129,
        "'" + String(repeating: "[", count: 59)
          + "…' is not JSON: line 1, column 129: nested more than 128 levels deep"
      ),
    ] as [(Int, String?)])
  func `a JSON text nests as deeply as a value that is kept`(
    _ depth: Int, _ expected: String?
  ) throws {
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    var message: String?

    do { _ = try Self.json(.string(text)) } catch { message = "\(error)" }

    #expect(message == expected)
  }

  @Test func `a JSON text takes steps by its length`() throws {
    let text = "[" + String(repeating: "1,", count: 9_000_000) + "1]"

    let error = #expect(throws: EvaluationError.self) { try Self.json(.string(text)) }

    #expect(error?.message == "the evaluation takes too many steps")
  }

  @Test(arguments: [
    Sample(
      "response.json.items[1].id", "response.json.items[1].id: no such field; it has name, price"),
    Sample(
      "response.json.items[7]", "response.json.items[7]: no element 7; the list has 2 elements"),
    Sample("response.json.none[0]", "response.json.none[0]: no element 0; the list is empty"),
    Sample(
      "response.json.items.name",
      "response.json.items.name: no such field; it is a list with 2 elements"),
    Sample(
      "response.json.items[0].name.first",
      "response.json.items[0].name.first: no such field; it is a string"),
    Sample("response.json.nil.a.b", "response.json.nil.a: no such field; it is null"),
    Sample("response.json.nil[0]", "response.json.nil[0]: no such element; it is null"),
    Sample("response.json.empty.a", "response.json.empty.a: no such field; it is empty"),
    Sample(
      "response.json['nope']",
      "response.json['nope']: no such key; it has items, none, nil, empty, wide"),
    Sample(
      "response.json.wide.z",
      "response.json.wide.z: no such field; it has k0, k1, k2, k3, k4, k5, k6, k7 and 12 more"),
    Sample(
      "(response.json).items[1 + 1]",
      "(response.json).items[1 + 1]: no element 2; the list has 2 elements"),
    Sample(
      "((response).json).nope",
      "((response).json).nope: no such field; it has items, none, nil, empty, wide"),
    Sample("response.json.items.map(i, i.id)", "i.id: no such field; it has name, price"),
    Sample(
      "response\n  .json.a",
      "response\\n  .json.a: no such field; it has items, none, nil, empty, wide"),
    Sample("json('{\"a\": 1}').b", "json('{\"a\": 1}').b: no such field; it has a"),
    Sample(
      "has(response.json.items[1].id.x)",
      "response.json.items[1].id: no such field; it has name, price"),
    Sample(
      "response.json.items[response.json.items[0].none]",
      "response.json.items[0].none: no such field; it has name, price"),
    Sample(
      "json('{\"a\": {}}').a.\(String(repeating: "b", count: 120))",
      "json('{\"a\": {}}').a.\(String(repeating: "b", count: 79))…: no such field; it is empty"),
  ])
  func `a part that a value lacks is reported by its path and what there is`(_ sample: Sample)
    throws
  {
    let error = #expect(throws: EvaluationError.self) {
      try Expression(sample.expression, in: Self.environment).evaluate(Self.activation)
    }

    #expect(error?.message == sample.expected)
  }

  private static let environment: Environment = {
    var environment = Environment()
    environment.declare("response", type: .dynamic, slot: Slot(level: 0, index: 0))
    return environment
  }()

  private static let activation = Activation(levels: [[response]])

  private static let response: Value = {
    let item = Value.map(ValueMap([("name", .string("Barn")), ("price", .int(1))]))
    let wide = ValueMap((0..<20).map { ("k\($0)", .int($0)) })
    let json = ValueMap([
      ("items", .list([item, item])), ("none", .list([])), ("nil", .null),
      ("empty", .map(ValueMap())),
      ("wide", .map(wide)),
    ])
    return .map(ValueMap([("json", .map(json))]))
  }()

  private static func bytes(_ text: String) -> Value { .bytes(Bytes(Array(text.utf8))) }

  private static func json(_ text: Value) throws -> Value {
    let expression = try Expression("json(response)", in: environment)
    return try expression.evaluate(Activation(levels: [[text]]))
  }
}
