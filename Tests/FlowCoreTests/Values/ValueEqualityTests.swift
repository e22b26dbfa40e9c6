import FlowCore
import Testing

struct ValueEqualityTests {
  private static let point = RecordType([field("x"), field("y")])
  private static let twin = RecordType([field("x"), field("y")])
  private static let turned = RecordType([field("y"), field("x")])

  private static func field(_ name: String) -> RecordType.Field {
    RecordType.Field(name: name, type: .int, summary: "A coordinate.", defaultValue: nil)
  }

  /// The values of one row are equal, and unequal to those of every other row.
  static let classes: [[Value]] = [
    [.null], [.bool(false)], [.bool(true)],
    [.int(0), .double(-0.0)], [.int(1), .uint(1), .double(1), .decimal(Decimal(1))],
    [.string("")], [.string("1")], [.string("e\u{301}")], [.string("\u{e9}")], [.string("null")],
    [.bytes(Bytes([]))], [.bytes(Bytes([49]))],
    [.timestamp(.epoch)], [.duration(.zero)],
    [.duration(.seconds(1)), .duration(.milliseconds(1000))],
    [.list([])], [.list([.int(1), .int(2)]), .list([.double(1), .uint(2)])],
    [.list([.int(2), .int(1)])],
    [.list([.list([])])], [.list([.null])],
    [.map(ValueMap())],
    [
      .map(ValueMap([("a", .int(1)), ("b", .int(2))])),
      .map(ValueMap([("b", .double(2)), ("a", .uint(1))])),
    ],
    [.map(ValueMap([("a", .int(1))]))], [.map(ValueMap([("a", .null)]))],
    [.map(ValueMap([("\u{e9}", .null)]))], [.map(ValueMap([("e\u{301}", .null)]))],
    [numericKeys([.int(1), .uint(2)]), numericKeys([.double(2), .int(1)])],
    [
      .record(RecordValue(point, [.int(1), .int(2)])),
      .record(RecordValue(twin, [.uint(1), .int(2)])),
    ],
    [.record(RecordValue(turned, [.int(1), .int(2)]))],
    [.record(RecordValue(point, [.int(2), .int(1)]))],
    [.record(RecordValue(.empty, []))],
    [.type("int")], [.type("uint")],
    [.optional(nil)], [.optional(.null)], [.optional(.int(1)), .optional(.double(1))],
    [.optional(.optional(nil))],
  ]

  private static func numericKeys(_ keys: [Value]) -> Value {
    var map = ValueMap()
    for key in keys { map[key] = .bool(true) }
    return .map(map)
  }

  @Test
  func `values are equal within their class only`() {
    for (leftClass, left) in Self.classes.enumerated() {
      for (rightClass, right) in Self.classes.enumerated() {
        for (a, b) in left.flatMap({ a in right.map { (a, $0) } }) {
          #expect((a == b) == (leftClass == rightClass), "\(a.kindName) \(a), \(b.kindName) \(b)")
        }
      }
    }
  }

  @Test
  func `equal values hash alike`() {
    for row in Self.classes {
      #expect(Set(row.map(\.hashValue)).count == 1, "\(row)")
    }
  }

  @Test(arguments: [
    Value.double(.nan), .list([.double(.nan)]), .list([.list([.double(.nan)])]),
    .map(ValueMap([("a", .double(.nan))])), .record(RecordValue(point, [.double(.nan), .null])),
    .optional(.double(.nan)),
  ])
  func `a value that holds not a number is unequal to itself`(_ value: Value) {
    let copy = value

    #expect(value != copy)
  }

  @Test(arguments: [
    Row("null", Value.null, "null"), Row("bool", .bool(true), "bool"), Row("int", .int(1), "int"),
    Row("uint", .uint(1), "uint"), Row("double", .double(1), "double"),
    Row("decimal", .decimal(.zero), "decimal"), Row("string", .string(""), "string"),
    Row("bytes", .bytes(Bytes([])), "bytes"), Row("timestamp", .timestamp(.epoch), "timestamp"),
    Row("duration", .duration(.zero), "duration"), Row("list", .list([]), "list"),
    Row("map", .map(ValueMap()), "map"), Row("record", .record(RecordValue(.empty, [])), "record"),
    Row("type", .type("int"), "type"), Row("optional", .optional(nil), "optional"),
  ])
  func `every kind has its name`(_ row: Row<Value, String>) {
    #expect(row.input.kindName == row.expected)
  }
}
