import FlowCore
import FlowSystem
import FlowTranscript
import Testing

@Suite struct ValueCodingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let type: ValueType
    let value: Value
    let text: String
    var testDescription: String { id }
  }

  @Test(arguments: cases) func `a value is written and read back`(_ sample: Case) throws {
    var writer = JSONWriter()
    writer.value(JSON(sample.value, as: sample.type))
    let json = try JSONParser.parse(writer.bytes[...])
    let value = try Value(json, as: sample.type)

    #expect(String(decoding: writer.bytes, as: UTF8.self) == sample.text)
    #expect("\(value)" == "\(sample.value)")
    #expect(value.kindName == sample.value.kindName)
  }

  private static func number(_ text: String) -> Value {
    WrittenNumber(text).map(Value.number) ?? .null
  }

  static let cases: [Case] = [
    Case(
      id: "decimal", type: .decimal, value: .decimal(Decimal(significand: 1250, scale: 2)),
      text: #""12.50""#),
    Case(id: "int", type: .int, value: .int(.min), text: "-9223372036854775808"),
    Case(id: "uint", type: .uint, value: .uint(.max), text: "18446744073709551615"),
    Case(id: "double", type: .double, value: .double(3), text: "3.0"),
    Case(id: "small double", type: .double, value: .double(.leastNonzeroMagnitude), text: "5e-324"),
    Case(id: "infinite", type: .dynamic, value: .double(-.infinity), text: #"{"$double":"-inf"}"#),
    Case(id: "bytes", type: .bytes, value: .bytes(Bytes([0, 255])), text: #""AP8=""#),
    Case(
      id: "instant", type: .timestamp, value: .timestamp(.epoch), text: #""1970-01-01T00:00:00Z""#),
    Case(
      id: "span", type: .duration, value: .duration(.milliseconds(-1500)), text: #""-1.5s""#),
    Case(id: "absent", type: .optional(.int), value: .null, text: "null"),
    Case(
      id: "map in order of names", type: .map(.int),
      value: .map(ValueMap([("a", .int(1)), ("b", .int(2))])), text: #"{"a":1,"b":2}"#),
    Case(
      id: "dynamic decimal", type: .dynamic, value: .decimal(Decimal(significand: 10, scale: 2)),
      text: #"{"$decimal":"0.10"}"#),
    Case(
      id: "a number with an exponent", type: .dynamic, value: number("-1.50E+5"),
      text: #"{"$number":"-1.50E+5"}"#),
    Case(
      id: "a number of 41 digits in a list", type: .list(.dynamic),
      value: .list([number("12345678901234567890123456789012345678901")]),
      text: #"[{"$number":"12345678901234567890123456789012345678901"}]"#),
    Case(id: "minus zero", type: .dynamic, value: number("-0"), text: #"{"$number":"-0"}"#),
    Case(id: "dynamic uint", type: .dynamic, value: .uint(5), text: #"{"$uint":"5"}"#),
    Case(
      id: "dynamic map with a dollar", type: .dynamic,
      value: .map(ValueMap([("$decimal", .string("1"))])), text: #"{"$map":[["$decimal","1"]]}"#),
    Case(
      id: "dynamic map with a dollar and a combining mark", type: .dynamic,
      value: .map(ValueMap([("$\u{301}a", .string("1"))])),
      text: "{\"$map\":[[\"$\u{301}a\",\"1\"]]}"),
    Case(
      id: "typed map that looks like a matcher", type: .map(.string),
      value: .map(ValueMap([("$any", .string("int")), ("b", .string("x"))])),
      text: #"{"$literal":{"$any":"int","b":"x"}}"#),
    Case(
      id: "typed map that looks escaped", type: .map(.map(.int)),
      value: .map(ValueMap([("$literal", .map(ValueMap([("$near", .int(1))])))])),
      text: #"{"$literal":{"$literal":{"$literal":{"$near":1}}}}"#),
    Case(
      id: "typed map with another sign", type: .map(.string),
      value: .map(ValueMap([("$decimal", .string("1"))])), text: #"{"$decimal":"1"}"#),
    Case(
      id: "dynamic map that looks like a matcher", type: .dynamic,
      value: .map(ValueMap([("$any", .string("int"))])), text: #"{"$map":[["$any","int"]]}"#),
    Case(
      id: "list of lists", type: .list(.list(.bool)),
      value: .list([.list([.bool(true)]), .list([])]), text: "[[true],[]]"),
  ]

  @Test(arguments: [Double.nan, -.nan, .signalingNaN, Double(nan: 5, signaling: false)])
  func `whatever is not a number is written as nan and read back`(_ number: Double) throws {
    var writer = JSONWriter()
    writer.value(JSON(.double(number), as: .double))
    let value = try Value(JSONParser.parse(writer.bytes[...]), as: .double)

    #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"$double":"nan"}"#)
    #expect("\(value)" == "nan")
  }

  @Test(arguments: [ValueType.map(.int), .dynamic])
  func `equal maps are written as equal bytes, in the order of their bytes`(_ type: ValueType) {
    // The first two are one text to `==` of strings, in two forms.
    let entries: [(String, Value)] = [
      ("\u{E9}", .int(1)), ("e\u{301}", .int(2)), ("z", .int(3)), ("\u{FF21}", .int(4)),
      ("\u{1D400}", .int(5)),
    ]
    let texts = [entries, entries.reversed()].map { entries in
      var writer = JSONWriter()
      writer.value(JSON(.map(ValueMap(entries)), as: type))
      return writer.bytes
    }

    let expected =
      "{\"e\u{301}\":2,\"z\":3,\"\u{E9}\":1,\"\u{FF21}\":4,\"\u{1D400}\":5}"
    #expect(texts == [Array(expected.utf8), Array(expected.utf8)])
  }

  @Test func `keys of several kinds are sorted by their bytes`() {
    let keys: [Value] = [.string("\u{E9}"), .string("e\u{301}"), .int(10), .int(9), .bool(true)]
    let texts = [keys, keys.reversed()].map { keys in
      var (map, writer) = (ValueMap(), JSONWriter())
      for key in keys { map[key] = .null }
      writer.value(JSON(.map(map), as: .dynamic))
      return writer.bytes
    }

    #expect(texts[0] == texts[1])
  }

  struct Refused: Sendable, CustomTestStringConvertible {
    let text: String
    let type: ValueType
    let expected: String
    var testDescription: String { text }
  }

  @Test(arguments: refused) func `a text of another type is refused`(_ sample: Refused) throws {
    let json = try JSONParser.parse(Array(sample.text.utf8)[...])
    let error = #expect(throws: DecodeError.self) { try Value(json, as: sample.type) }

    #expect(error?.description == sample.expected)
  }

  static let refused: [Refused] = [
    Refused(text: #""12,5""#, type: .decimal, expected: #"expected decimal, got "12,5""#),
    Refused(text: "1.5", type: .int, expected: "expected int, got 1.5"),
    Refused(text: "-1", type: .uint, expected: "expected uint, got -1"),
    Refused(text: "1e999", type: .dynamic, expected: #"expected double, got "1e999""#),
    Refused(text: #"["a",1]"#, type: .list(.string), expected: "'[1]': expected string, got 1"),
    Refused(
      text: #"{"$nothing":"x"}"#, type: .dynamic, expected: #"expected any value, got "$nothing""#),
    Refused(
      text: #"{"$any":"int","example":1}"#, type: .map(.dynamic),
      expected: #"expected map(any value), got "$any""#),
    Refused(
      text: #"{"$match":"a"}"#, type: .dynamic, expected: #"expected any value, got "$match""#),
    Refused(text: "1e400", type: .double, expected: #"expected double, got null"#),
    Refused(text: "-0", type: .uint, expected: "expected uint, got 0"),
    Refused(text: #"{"$type":5}"#, type: .dynamic, expected: #"expected any value, got "$type""#),
    Refused(text: #"{"$type":""}"#, type: .dynamic, expected: #"expected any value, got "$type""#),
    Refused(
      text: #"{"$uint":"+5"}"#, type: .dynamic, expected: #"expected any value, got "$uint""#),
    Refused(
      text: #"{"$double":"0x1p3"}"#, type: .dynamic, expected: #"expected any value, got "$double""#
    ),
    Refused(text: #"{"$double":"1.5"}"#, type: .double, expected: "expected double, got null"),
    Refused(
      text: #"{"$map":[["$a",1],["$a",2]]}"#, type: .dynamic,
      expected: #"expected map(any value), got "$a""#),
    Refused(
      text: #"{"$map":[[1,1],[{"$uint":"1"},2]]}"#, type: .dynamic,
      expected: "expected map(any value), got 1"),
    Refused(
      text: #"{"$map":[[1.5,1]]}"#, type: .dynamic, expected: "expected map(any value), got 1.5"),
    Refused(
      text: "\"e\u{301}\"", type: .enumeration(["\u{E9}"]),
      expected: "expected '\u{E9}', got \"e\u{301}\""),
    Refused(text: #""AP8""#, type: .bytes, expected: #"expected bytes, got "AP8""#),
  ]
}
