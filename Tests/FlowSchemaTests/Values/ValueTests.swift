import FlowCore
import FlowSchema
import Testing

@Suite struct SchemaValueTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let schema: String
    let value: Value
    let isValid: Bool
    var testDescription: String { "\(schema) \(value)" }

    init(_ schema: String, _ value: Value, _ isValid: Bool) {
      (self.schema, self.value, self.isValid) = (schema, value, isValid)
    }
  }

  private static let fields = RecordType([
    .init(name: "id", type: .int, summary: "", defaultValue: nil),
    .init(name: "at", type: .timestamp, summary: "", defaultValue: .null),
  ])

  private static func decimal(_ text: String) -> Value {
    Decimal(text).map(Value.decimal) ?? .null
  }

  private static let odd =
    "115792089237316195423570985008687907853269984665640564039457584007913129639935"
  private static let even =
    "115792089237316195423570985008687907853269984665640564039457584007913129639934"

  private static func number(_ text: String) -> Value {
    WrittenNumber(text).map(Value.number) ?? .null
  }

  static let longNumbers = [
    Case(#"{"multipleOf": 2}"#, number(odd), false),
    Case(#"{"multipleOf": 2}"#, number(even), true),
    Case(#"{"multipleOf": 0.5}"#, number(odd), true),
    Case(#"{"multipleOf": 3}"#, number(odd), true),
    Case(#"{"multipleOf": 3}"#, number(even), false),
    Case(#"{"multipleOf": 0.01}"#, number("1." + String(repeating: "3", count: 50)), false),
    Case(#"{"multipleOf": 1e-60}"#, number("1." + String(repeating: "3", count: 50)), true),
    Case(#"{"multipleOf": 1e300}"#, number(odd), false),
    Case(#"{"multipleOf": \#(even)}"#, number(even + "0"), true),
    Case(#"{"multipleOf": \#(even)}"#, number(odd + "0"), false),
    Case(#"{"multipleOf": 1e-4000000000}"#, .int(3), true),
    Case(#"{"multipleOf": 7e-4000000000}"#, .int(3), false),
    Case(#"{"maximum": \#(even)}"#, number(odd), false),
    Case(#"{"maximum": \#(odd)}"#, number(odd), true),
    Case(#"{"exclusiveMaximum": \#(odd)}"#, number(odd), false),
    Case(#"{"minimum": \#(odd)}"#, number(even), false),
    Case(#"{"minimum": \#(odd)}"#, .int(7), false),
    Case(#"{"exclusiveMinimum": 0}"#, number("1e-400"), true),
    Case(#"{"maximum": 1}"#, number("1." + String(repeating: "0", count: 52) + "1"), false),
    Case(#"{"const": \#(odd)}"#, number(odd + ".0"), true),
    Case(#"{"const": \#(odd)}"#, number(even), false),
    Case(#"{"const": 0}"#, number("-0"), true),
    Case(#"{"const": 100000}"#, number("1E5"), true),
    Case(#"{"enum": [0, 1, 2, 3, 4, 5, 6, 7, \#(odd)]}"#, number(odd), true),
    Case(#"{"enum": [0, 1, 2, 3, 4, 5, 6, 7, \#(odd)]}"#, number(even), false),
    Case(#"{"type": "integer"}"#, number(odd), true),
    Case(#"{"type": "integer"}"#, number("-0.0"), true),
    Case(#"{"type": "integer"}"#, number("1." + String(repeating: "0", count: 52) + "1"), false),
    Case(#"{"minLength": 1E0}"#, .string("a"), true),
    Case(#"{"minLength": 2E0}"#, .string("a"), false),
  ]

  @Test(arguments: longNumbers)
  func `a number that keeps its text is checked by its digits`(_ testCase: Case) throws {
    let schema = try Schema(text: testCase.schema)

    #expect(try schema.accepts(testCase.value) == testCase.isValid)
  }

  static let cases = [
    Case(#"{"multipleOf": 0.01}"#, decimal("19.99"), true),
    Case(#"{"multipleOf": 0.01}"#, .double(19.99), true),
    Case(#"{"multipleOf": 0.1}"#, .int(3), true),
    Case(#"{"multipleOf": 0.3}"#, decimal("0.9"), true),
    Case(#"{"multipleOf": 3}"#, .double(1e300), false),
    Case(#"{"multipleOf": 1e-300}"#, .double(1e300), true),
    Case(#"{"multipleOf": 1e300}"#, .int(7), false),
    Case(#"{"multipleOf": 7}"#, .int(0), true),
    Case(#"{"const": 0.1}"#, .double(0.1), true),
    Case(#"{"const": 9007199254740993}"#, .double(9_007_199_254_740_992), false),
    Case(#"{"maximum": 9007199254740992}"#, .int(9_007_199_254_740_993), false),
    Case(#"{"exclusiveMaximum": 0.1}"#, .double(0.1), false),
    Case(#"{"minimum": 1e40}"#, .double(1e40), true),
    Case(#"{"minimum": 1e-40}"#, .double(1e-41), false),
    Case(#"{"maximum": -1e40}"#, .int(.min), false),
    Case(#"{"type": "integer"}"#, .double(2), true),
    Case(#"{"type": "integer"}"#, .double(1e300), true),
    Case(#"{"type": "integer"}"#, .double(2.5), false),
    Case(#"{"type": "integer"}"#, .uint(.max), true),
    Case(#"{"type": "null"}"#, .double(.nan), true),
    Case(#"{"type": "number"}"#, .double(.infinity), false),
    Case(#"{"enum": [1, "a"]}"#, decimal("1.00"), true),
    Case(#"{"enum": [true]}"#, .int(1), false),
    Case(#"{"const": {"a": [1.0]}}"#, .map(ValueMap([("a", .list([.int(1)]))])), true),
    Case(#"{"const": "e\u0301"}"#, .string("é"), false),
    Case(#"{"type": "string", "const": "AQI="}"#, .bytes(Bytes([1, 2])), true),
    Case(#"{"const": "1970-01-01T00:00:00Z"}"#, .timestamp(.epoch), true),
    Case(#"{"const": "1.5s"}"#, .duration(.milliseconds(1_500)), true),
    Case(#"{"type": "string"}"#, .optional(.string("a")), true),
    Case(#"{"type": "null"}"#, .optional(nil), true),
    Case(
      #"{"required": ["id", "at"], "properties": {"at": {"pattern": "Z$"}}}"#,
      .record(RecordValue(fields, [.int(1), .timestamp(.epoch)])), true),
    Case(
      #"{"properties": {"at": {"type": "string"}}}"#,
      .record(RecordValue(fields, [.int(1), .null])), false),
  ]

  @Test(arguments: cases)
  func `a value is checked as its JSON text`(_ testCase: Case) throws {
    let schema = try Schema(text: testCase.schema)

    #expect(try schema.accepts(testCase.value) == testCase.isValid)
  }

  @Test func `a list of many numbers that are nearly equal is compared at once`() throws {
    let schema = try Schema(text: #"{"uniqueItems": true}"#)
    let base = try #require(Decimal("1234567890123456789012345678901234"))
    var numbers: [Value] = []
    for index in 0..<20_000 { numbers.append(.decimal(try base + Decimal(index))) }

    #expect(try schema.accepts(.list(numbers)))
    #expect(
      try schema.validate(.list(numbers + [numbers[7]])).description
        == "the elements 7 and 20000 are equal, expected different ones")
  }

  @Test func `a member of an object with many members is found by its bytes`() throws {
    let names = (0..<20).map { "n\($0)" } + ["e\u{301}", "é"]
    let properties = ValueMap(
      names.map { ($0, .map(ValueMap([("const", .string($0))]))) })
    let schema = try Schema(.map(ValueMap([("properties", .map(properties))])))

    #expect(try schema.accepts(.map(ValueMap(names.map { ($0, .string($0)) }))))
    #expect(
      try schema.validate(.map(ValueMap([("é", .string("e\u{301}"))]))).all.map(\.keyword)
        == ["const"])
  }
}
