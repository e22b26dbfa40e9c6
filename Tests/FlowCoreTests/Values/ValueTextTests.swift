import FlowCore
import Testing

struct ValueTextTests {
  static let descriptions: [Row<Value, String>] = [
    Row("null", .null, "null"), Row("true", .bool(true), "true"),
    Row("false", .bool(false), "false"),
    Row("int", .int(-12), "-12"), Row("uint", .uint(.max), "18446744073709551615"),
    Row("double", .double(1), "1.0"), Row("NaN", .double(.nan), "nan"),
    Row("infinity", .double(-.infinity), "-inf"),
    Row("decimal", .decimal(Decimal(significand: 8750, scale: 2)), "87.50"),
    Row("string", .string("text"), "\"text\""), Row("empty string", .string(""), "\"\""),
    Row("bytes", .bytes(Bytes([1, 2, 3])), "3 bytes"),
    Row("timestamp", .timestamp(.epoch), "1970-01-01T00:00:00Z"),
    Row("duration", .duration(.milliseconds(1_500)), "1.5s"),
    Row("list", .list([.int(1), .string("a"), .list([])]), "[1, \"a\", []]"),
    Row(
      "map", .map(ValueMap([("title", .string("Barn")), ("n", .int(1))])), "{title: \"Barn\", n: 1}"
    ),
    Row("empty map", .map(ValueMap()), "{}"),
    Row("record", Point.record.encode(Point(x: 1, y: 2)), "{x: 1, y: 2}"),
    Row("type", .type("int"), "int"), Row("optional", .optional(.int(1)), "optional(1)"),
    Row("none", .optional(nil), "optional.none()"),
    Row("a key of two words", .map(ValueMap([("a b", .null)])), "{\"a b\": null}"),
    Row("a key with a colon", .map(ValueMap([("a: b", .null)])), "{\"a: b\": null}"),
    Row(
      "a key of control characters", .map(ValueMap([("\n\u{1b}", .null)])), "{\"\\n\\u{1b}\": null}"
    ),
    Row("a key of digits", .map(ValueMap([("1", .null)])), "{\"1\": null}"),
    Row("an empty key", .map(ValueMap([("", .null)])), "{\"\": null}"),
    Row("a key of letters", .map(ValueMap([("größe_1-a", .null)])), "{größe_1-a: null}"),
  ]

  @Test(arguments: descriptions)
  func `a value prints as a scenario would write it`(_ row: Row<Value, String>) {
    #expect(row.input.description == row.expected)
  }

  @Test(arguments: [("", []), ("AQI=", [1, 2]), ("+/8=", [0xfb, 0xff])] as [(String, [UInt8])])
  func `bytes are read from base 64`(_ text: String, _ bytes: [UInt8]) {
    #expect(Bytes(base64: text) == Bytes(bytes))
    #expect(Bytes(bytes).base64 == text)
  }

  @Test(arguments: ["AQI", "A", "AQ=I", "AQJ=", "AQ I", "-_8=", "é==="])
  func `another text is not base 64`(_ text: String) {
    #expect(Bytes(base64: text) == nil)
  }

  @Test
  func `a numeric key prints without quotes`() {
    var map = ValueMap()
    map[.int(1)] = .null
    map[.bool(true)] = .null

    #expect(Value.map(map).description == "{1: null, true: null}")
  }

  static let escapes: [Row<String, String>] = [
    Row("quote", "\"", #"\""#), Row("backslash", "\\", #"\\"#), Row("line feed", "\n", #"\n"#),
    Row("carriage return", "\r", #"\r"#), Row("both", "\r\n", #"\r\n"#), Row("tab", "\t", #"\t"#),
    Row("NUL", "\0", #"\u{0}"#), Row("escape", "\u{1b}[31m", #"\u{1b}[31m"#),
    Row("delete", "\u{7f}", #"\u{7f}"#), Row("next line", "\u{85}", #"\u{85}"#),
    Row("line separator", "\u{2028}", #"\u{2028}"#),
    Row("paragraph separator", "\u{2029}", #"\u{2029}"#),
    Row("right-to-left override", "\u{202e}", #"\u{202e}"#),
    Row("right-to-left isolate", "\u{2067}", #"\u{2067}"#),
    Row("other letters", "é ß 漢 👩‍👧", "é ß 漢 👩‍👧"), Row("single quote", "'", "'"),
  ]

  @Test(arguments: escapes)
  func `what would break a line or a terminal is escaped`(_ row: Row<String, String>) {
    #expect(scalars(Value.string(row.input).description) == scalars("\"\(row.expected)\""))
  }

  @Test(arguments: [
    Row("string", Value.string("a \"b\"\n"), "a \"b\"\n"), Row("number", .int(1), "1"),
    Row("list", .list([.string("a")]), "[\"a\"]"), Row("null", .null, "null"),
  ])
  func `text inside longer text has no quotes`(_ row: Row<Value, String>) {
    #expect(row.input.interpolated == row.expected)
  }

  @Test(arguments: [
    Row("as long as the limit", 8, "\"abcdef\""), Row("one too long", 7, "\"abcde…"),
    Row("much too long", 2, "\"…"), Row("one character", 1, "…"),
  ])
  func `a summary ends at its limit`(_ row: Row<Int, String>) {
    #expect(Value.string("abcdef").summary(limit: row.input) == row.expected)
  }

  @Test
  func `a summary has 80 characters unless told otherwise`() {
    let long = Value.string(String(repeating: "é", count: 100))

    #expect(long.summary() == "\"" + String(repeating: "é", count: 78) + "…")
    #expect(Value.string("short").summary() == "\"short\"")
  }

  @Test(arguments: [
    Row("itself", [FieldPath.Step](), ""), Row("field", [.field("a")], "a"),
    Row("index", [.index(3)], "[3]"),
    Row("inside", [.field("items"), .index(3), .field("title")], "items[3].title"),
    Row("two indices", [.index(0), .index(1)], "[0][1]"),
  ])
  func `a path prints dots and brackets`(_ row: Row<[FieldPath.Step], String>) {
    #expect(FieldPath(row.input).description == row.expected)
    #expect(FieldPath(row.input).isEmpty == row.input.isEmpty)
  }

  @Test func `two forms of one accented letter are two paths`() {
    #expect(FieldPath([.field("\u{E9}")]) != FieldPath([.field("e\u{301}")]))
    #expect(FieldPath([.field("\u{E9}"), .index(1)]) == FieldPath([.field("\u{E9}"), .index(1)]))
  }

  @Test
  func `a path grows at both ends`() {
    let path = FieldPath([.index(3)]).appending(.field("title")).inside(.field("items"))

    #expect(path.steps == [.field("items"), .index(3), .field("title")])
  }
}
