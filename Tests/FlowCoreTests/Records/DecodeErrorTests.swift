import FlowCore
import Testing

struct DecodeErrorTests {
  private static let page = Record(
    Page.init, Field("items", \.items, "The items."), Field("start", \.start, "The first."),
    Field("names", \.names, "The names.", default: [:]))

  struct Page: Sendable {
    var items: [Item]
    var start: Int
    var names: [String: Item]
  }

  struct Item: RecordRepresentable {
    var title: String
    var size: Size?

    static let record = Record(
      Item.init, Field("title", \.title, "The title."), Field("size", \.size, "The size."))
  }

  private static func map(_ pairs: (String, Value)...) -> Value { .map(ValueMap(pairs)) }
  private static let item = map(("title", .string("a")))

  static let cases: [Row<Value, String>] = [
    Row("no record", .int(12), "expected record, got 12"),
    Row("null", .null, "expected record, got null"),
    Row("missing", map(("items", .list([]))), "'start': missing, expected int"),
    Row("missing of all", map(), "'items': missing, expected list(record)"),
    Row(
      "missing inside", map(("items", .list([item, map()])), ("start", .int(1))),
      "'items[1].title': missing, expected string"),
    Row(
      "a number for text", map(("items", .list([item, item, item, map(("title", .int(12)))]))),
      "'items[3].title': expected string, got 12"),
    Row(
      "text for a number", map(("items", .list([])), ("start", .string("1"))),
      "'start': expected int, got \"1\""),
    Row("null for a number", map(("start", .null)), "'start': expected int, got null"),
    Row(
      "a map for a list", map(("items", item)), "'items': expected list(record), got {title: \"a\"}"
    ),
    Row("a list for a map", map(("names", .list([]))), "'names': expected map(record), got []"),
    Row(
      "inside a map", map(("names", map(("first", map(("size", .int(1))))))),
      "'names.first.size': expected 'small' or 'large', got 1"),
    Row(
      "another name of an enumeration", map(("items", .list([map(("size", .string("Large")))]))),
      "'items[0].size': expected 'small' or 'large', got \"Large\""),
    Row("a near name", map(("strat", .int(1))), "'strat': unknown field; did you mean 'start'?"),
    Row(
      "a near name inside", map(("items", .list([map(("titel", .null))]))),
      "'items[0].titel': unknown field; did you mean 'title'?"),
    Row(
      "a far name", map(("colour", .int(1))),
      "'colour': unknown field; there are items, start, names"),
    Row(
      "unknown before missing", map(("start", .int(1)), ("colour", .int(1))),
      "'colour': unknown field; there are items, start, names"),
    Row(
      "a long value", .string(String(repeating: "a", count: 200)),
      "expected record, got \"\(String(repeating: "a", count: 78))…"),
    Row(
      "a control character in a name", map(("\u{1b}[2J", .null)),
      "'\\u{1b}[2J': unknown field; there are items, start, names"),
    Row(
      "a quote in a name", map(("a\"b\n", .null)),
      "'a\\\"b\\n': unknown field; there are items, start, names"),
  ]

  @Test(arguments: cases)
  func `a value that does not fit is told by path, expected type and value`(
    _ row: Row<Value, String>
  ) {
    #expect(text { try Self.page.decode(row.input) } == row.expected)
  }

  @Test
  func `a key that is no text is refused by name`() {
    var map = ValueMap()
    map[.int(1)] = .null

    #expect(
      text { try Self.page.decode(.map(map)) }
        == "'1': unknown field; there are items, start, names")
    #expect(text { try [String: Int](decoding: .map(map)) } == "expected string, got 1")
  }

  @Test
  func `keys in two forms of Unicode do not replace each other`() {
    let map = ValueMap([("\u{E9}", .int(1)), ("e\u{301}", .int(2))])

    #expect(map.count == 2)
    #expect(
      text { try [String: Int](decoding: .map(map)) }
        == "'e\u{301}': another key is the same text in another form of Unicode")
    #expect(["\u{E9}", "e\u{301}", "\u{E9}"].unique.map(\.utf8.count) == [2, 3])
  }

  @Test
  func `the problem alone has no path`() {
    let error = #expect(throws: DecodeError.self) {
      try Self.page.decode(Self.map(("start", .bool(true))))
    }

    #expect(error?.problem == "expected int, got true")
    #expect(error?.path == FieldPath([.field("start")]))
  }

  /// Every type that a field can have, given a value that none of them takes.
  static let types: [Row<any FieldValue.Type, String>] = [
    Row("bool", Bool.self, "expected bool, got a type"),
    Row("int", Int.self, "expected int, got a type"),
    Row("uint", UInt.self, "expected uint, got a type"),
    Row("double", Double.self, "expected double, got a type"),
    Row("decimal", Decimal.self, "expected decimal, got a type"),
    Row("string", String.self, "expected string, got a type"),
    Row("bytes", Bytes.self, "expected bytes, got a type"),
    Row("timestamp", Timestamp.self, "expected timestamp, got a type"),
    Row("duration", Duration.self, "expected duration, got a type"),
    Row("list", [Int].self, "expected list(int), got a type"),
    Row("map", [String: Int].self, "expected map(int), got a type"),
    Row("optional", Int?.self, "expected int, got a type"),
    Row("enumeration", Size.self, "expected 'small' or 'large', got a type"),
    Row("record", Point.self, "expected record, got a type"),
  ]

  @Test(arguments: types)
  func `every type refuses what is not its own`(_ row: Row<any FieldValue.Type, String>) {
    #expect(text { try row.input.init(decoding: .type("a type")) } == row.expected)
  }

  static let contents: [any FieldValue] = [
    true, -1, UInt(2), 1.5, Decimal(significand: 150, scale: 2), "text", Bytes([1, 2]),
    Timestamp.epoch, Duration.seconds(1), [1, 2], ["a": 1], Int?.some(1), Int?.none, Size.large,
    Point(x: 1, y: 2), Value.list([.null]), [[1], []], [Point(x: 1, y: 2)],
  ]

  @Test(arguments: contents.indices)
  func `what a type writes it reads again`(_ index: Int) throws {
    let content = Self.contents[index]

    let again = try type(of: content).init(decoding: content.encoded)

    #expect(again.encoded == content.encoded)
  }

  @Test(arguments: contents.indices)
  func `what a type writes has the form of its value type`(_ index: Int) throws {
    let content = Self.contents[index]

    #expect(try content.encoded.converted(to: type(of: content).valueType) == content.encoded)
  }
}
