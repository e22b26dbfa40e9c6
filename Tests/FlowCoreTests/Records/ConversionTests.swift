import FlowCore
import Testing

struct ConversionTests {
  /// One value of every kind.
  static let values: [Value] = [
    .null, .bool(true), .int(-1), .int(1), .int(1 << 53 + 1), .uint(1), .uint(.max),
    .uint(1 << 53 + 1), .double(1), .double(.nan), .decimal(Decimal(1)),
    .decimal(Decimal(significand: 15, scale: 1)), .string("text"), .string("small"),
    .string("1h30m"), .string("1970-01-01T00:00:00Z"), .bytes(Bytes([1])), .timestamp(.epoch),
    .duration(.seconds(1)), .list([.int(1)]), .map(ValueMap([("x", .int(1)), ("y", .uint(2))])),
    Point.record.encode(Point(x: 1, y: 2)), .type("int"), .optional(.int(1)),
  ]

  @Test
  func `a name of other scalars is not of the enumeration`() throws {
    let type = ValueType.enumeration(["caf\u{e9}"])

    #expect(try Value.string("caf\u{e9}").converted(to: type) == .string("caf\u{e9}"))
    #expect(throws: DecodeError.self) { try Value.string("cafe\u{301}").converted(to: type) }
  }

  /// For each type, what becomes of the values above that it does not refuse, as `kind value`.
  static let accepted: [Row<ValueType, [String]>] = [
    Row("bool", .bool, ["bool true"]),
    Row("int", .int, ["int -1", "int 1", "int 9007199254740993", "int 1", "int 9007199254740993"]),
    Row(
      "uint", .uint,
      [
        "uint 1", "uint 9007199254740993", "uint 1", "uint 18446744073709551615",
        "uint 9007199254740993",
      ]),
    Row(
      "double", .double,
      [
        "double -1.0", "double 1.0", "double 1.0", "double 1.0", "double nan", "double 1.0",
        "double 1.5",
      ]),
    Row(
      "decimal", .decimal,
      [
        "decimal -1", "decimal 1", "decimal 9007199254740993", "decimal 1",
        "decimal 18446744073709551615", "decimal 9007199254740993", "decimal 1", "decimal 1.5",
      ]),
    Row(
      "string", .string,
      [
        "string \"text\"", "string \"small\"", "string \"1h30m\"",
        "string \"1970-01-01T00:00:00Z\"",
      ]),
    Row("enumeration", .enumeration(["small", "large"]), ["string \"small\""]),
    Row("bytes", .bytes, ["bytes 1 bytes"]),
    Row(
      "timestamp", .timestamp, ["timestamp 1970-01-01T00:00:00Z", "timestamp 1970-01-01T00:00:00Z"]),
    Row("duration", .duration, ["duration 5400s", "duration 1s"]),
    Row("list of int", .list(.int), ["list [1]"]), Row("list of string", .list(.string), []),
    Row("list of decimal", .list(.decimal), ["list [1]"]),
    Row("map of int", .map(.int), ["map {x: 1, y: 2}"]), Row("map of string", .map(.string), []),
    Row("record", .record(Point.record.type), ["record {x: 1, y: 2}", "record {x: 1, y: 2}"]),
    Row("optional", .optional(.bool), ["null null", "bool true"]),
    Row("dynamic", .dynamic, values.map { "\($0.kindName) \($0)" }),
  ]

  @Test(arguments: accepted)
  func `a type takes its own values and those that lose nothing`(_ row: Row<ValueType, [String]>) {
    let converted = Self.values.compactMap { value in
      // A refusal is what the next test looks at.
      (try? value.converted(to: row.input)).map { "\($0.kindName) \($0)" }
    }

    #expect(converted == row.expected)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let value: Value
    let type: ValueType
    let expected: String

    init(_ id: String, _ value: Value, _ type: ValueType, _ expected: String) {
      self.id = id
      self.value = value
      self.type = type
      self.expected = expected
    }

    var testDescription: String { id }
  }

  private static let stock: Value = .map(ValueMap([("a", .int(1)), ("b", .string("2"))]))

  static let refused = [
    Case(
      "a number too great for double", .int(1 << 53 + 1), .double,
      "expected double, got 9007199254740993"),
    Case("a negative number", .int(-1), .uint, "expected uint, got -1"),
    Case("a number too great for int", .uint(.max), .int, "expected int, got 18446744073709551615"),
    Case("a whole double", .double(1), .int, "expected int, got 1.0"),
    Case("a whole decimal", .decimal(Decimal(1)), .int, "expected int, got 1"),
    Case("a double for a decimal", .double(0.5), .decimal, "expected decimal, got the double 0.5"),
    Case("a text of digits", .string("1"), .int, "expected int, got \"1\""),
    Case("a number for a text", .int(1), .string, "expected string, got 1"),
    Case("a text for bytes", .string("a"), .bytes, "expected bytes, got \"a\""),
    Case("no timestamp", .string("today"), .timestamp, "expected timestamp, got \"today\""),
    Case("no duration", .string("soon"), .duration, "expected duration, got \"soon\""),
    Case("a number of seconds", .int(5), .duration, "expected duration, got 5"),
    Case("null", .null, .list(.int), "expected list(int), got null"),
    Case("an element", .list([.int(1), .null]), .list(.int), "'[1]': expected int, got null"),
    Case("an entry", stock, .map(.int), "'b': expected int, got \"2\""),
    Case(
      "an element of an element", .list([.list([.bool(true)])]), .list(.list(.int)),
      "'[0][0]': expected int, got true"),
    Case("a value of an optional", .int(1), .optional(.string), "expected string, got 1"),
    Case(
      "a record for a map", Point.record.encode(Point(x: 1, y: 2)), .map(.int),
      "expected map(int), got {x: 1, y: 2}"),
  ]

  @Test(arguments: refused)
  func `what does not fit is refused with its place`(_ row: Case) {
    #expect(text { try row.value.converted(to: row.type) } == row.expected)
  }

  @Test(arguments: [
    Case("nulls in a list", .list([.null, .int(1)]), .list(.optional(.decimal)), "[null, 1]"),
    Case("an optional of an optional", .null, .optional(.optional(.int)), "null"),
    Case("numbers in a map", .map(ValueMap([("a", .int(1))])), .map(.double), "{a: 1.0}"),
    Case("numbers in a list", .list([.int(1), .double(2)]), .list(.double), "[1.0, 2.0]"),
    Case("the nearest double", .decimal(Decimal(significand: 1, scale: 1)), .double, "0.1"),
  ])
  func `what collections hold is converted`(_ row: Case) {
    #expect(text { try row.value.converted(to: row.type) } == row.expected)
  }

  @Test
  func `a key that is no text makes no map of a type`() {
    var map = ValueMap()
    map[.int(1)] = .int(1)

    #expect(text { try Value.map(map).converted(to: .map(.int)) } == "expected string, got 1")
  }

  static let names: [Row<ValueType, String>] = [
    Row("bool", .bool, "bool"), Row("int", .int, "int"), Row("uint", .uint, "uint"),
    Row("double", .double, "double"), Row("decimal", .decimal, "decimal"),
    Row("string", .string, "string"), Row("enumeration", .enumeration(["a", "b"]), "'a' or 'b'"),
    Row("bytes", .bytes, "bytes"), Row("timestamp", .timestamp, "timestamp"),
    Row("duration", .duration, "duration"), Row("list", .list(.list(.int)), "list(list(int))"),
    Row("map", .map(.string), "map(string)"), Row("record", .record(.empty), "record"),
    Row("optional", .optional(.int), "optional(int)"), Row("dynamic", .dynamic, "any value"),
  ]

  @Test(arguments: names)
  func `a type prints as messages name it`(_ row: Row<ValueType, String>) {
    #expect(row.input.description == row.expected)
  }
}
