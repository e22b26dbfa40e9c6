import FlowCore
import Testing

/// JSON texts of values, as plugins read and write them.
struct JSONTextTests {
  @Test(arguments: [
    Row("scalars", #"[null, true, 12, "a\u00e9\ud83d\ude00"]"#, #"[null, true, 12, "aé😀"]"#),
    Row("digits are kept", "[87.50, 1e3, -0.1]", "[87.50, 1e3, -0.1]"),
    Row(
      "64 bits", "[9223372036854775807, 9223372036854775808]",
      "[9223372036854775807, 9223372036854775808]"),
    Row("beyond decimals", "1e300", "1e300"),
    Row("the largest double", "-1.7976931348623157e308", "-1.7976931348623157e308"),
    Row("too close to zero", "1e-400", "1e-400"),
    Row("beyond doubles", "[1, 1e400]", "byte 5: the number is too large for a double"),
    Row("below doubles", "{\"a\": -1E400}", "byte 7: the number is too large for a double"),
    Row("an object", #"{"b": 1, "a": {"c": []}}"#, "{b: 1, a: {c: []}}"),
    Row(
      "two forms of one name", "{\"\u{E9}\": 1, \"e\u{301}\": 2}", "{\u{E9}: 1, \"e\u{301}\": 2}"),
    Row("a name twice", #"{"a": 1, "a": 2}"#, "byte 17: the name 'a' appears twice"),
    Row("nothing", "", "byte 1: the text ends too early"),
    Row("a byte order mark", "\u{FEFF} [1]", "[1]"),
    Row("a mistake behind a mark", "\u{FEFF}[1", "byte 6: the text ends too early"),
    Row("another encoding", "[1, \u{2}\u{0}\u{0}", "byte 5: expected a value"),
    Row(
      "UTF-32", "\u{0}\u{0}\u{0}[\u{0}\u{0}\u{0}]",
      "byte 1: the text is in UTF-32, not UTF-8"),
    Row("two values", "1 2", "byte 3: unexpected text after the value"),
    Row("too large", String(repeating: " ", count: 65), "byte 65: larger than 64 bytes"),
  ]) func `a JSON text becomes a value`(_ row: Row<String, String>) {
    #expect(text { try Value(json: Array(row.input.utf8), limit: 64) } == row.expected)
  }

  @Test func `a whole number is an int and one with a fraction an exact decimal`() throws {
    #expect(
      try Value(json: Array("[12, 0.10, 1e300]".utf8))
        == .list([.int(12), .decimal(try #require(Decimal("0.10"))), .double(1e300)]))
  }

  @Test func `a value becomes a JSON text`() throws {
    let value = Value.map(
      ValueMap([
        ("text", .string("a\"b\u{1}")), ("none", .null), ("infinite", .double(.infinity)),
        ("decimal", .decimal(try #require(Decimal("87.50")))), ("bytes", .bytes(Bytes([0, 255]))),
        ("time", .duration(.milliseconds(1500))), ("list", .list([.uint(.max), .double(0.5)])),
        ("some", .optional(.bool(true))),
      ]))

    #expect(
      value.json
        == #"{"text":"a\"b\u0001","none":null,"infinite":null,"decimal":87.50,"bytes":"AP8=","#
        + #""time":"1.5s","list":[18446744073709551615,0.5],"some":true}"#)
  }

  @Test(
    arguments: [
      Row("infinite", .double(.infinity), "the value is inf, which JSON cannot hold"),
      Row("NaN", .optional(.double(-.nan)), "the value is nan, which JSON cannot hold"),
      Row(
        "inside of collections",
        .list([
          .null, .map(ValueMap([("a b", .list([.double(1), .optional(.double(-.infinity))]))])),
        ]), "'[1].a b[1]' is -inf, which JSON cannot hold"),
      Row(
        "in a record",
        .record(
          RecordValue(
            RecordType([.init(name: "net", type: .double, summary: "", defaultValue: nil)]),
            [.double(.infinity)])), "'net' is inf, which JSON cannot hold"),
    ] as [Row<Value, String>])
  func `a number that JSON cannot hold is an error with its place`(_ row: Row<Value, String>) {
    let error = #expect(throws: JSONNumberError.self) { try row.input.jsonText() }

    #expect(error.map { "\($0)" } == row.expected)
  }

  @Test func `a finite value has the same text as before`() throws {
    let value = Value.list([.double(1e300), .optional(.double(0.5)), .map(ValueMap([]))])

    #expect(try value.jsonText() == value.json)
  }

  @Test func `numbers that JSON cannot hold stay different where values are compared`() {
    let texts = [Value.null, .double(.nan), .double(.infinity), .double(-.infinity)].map {
      Value.list([$0]).canonicalText
    }

    #expect(Set(texts).count == 4)
    #expect(Value.double(.nan).canonicalText == Value.double(-.nan).canonicalText)
  }

  @Test(arguments: ["{}", "[1,2.50,\"x\",null,{\"a\":{\"b\":[true]}}]", "1e+300"])
  func `what was read is written the same`(_ text: String) throws {
    #expect(try Value(json: Array(text.utf8)).json == text)
  }
}
