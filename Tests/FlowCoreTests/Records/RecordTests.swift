import FlowCore
import Testing

struct RecordTests {
  private static let encoded: Value = .map(
    ValueMap([
      ("name", .string("Barn")), ("price", .decimal(Decimal(significand: 1250, scale: 2))),
      ("note", .string("old")), ("size", .string("large")),
      ("place", .map(ValueMap([("x", .int(1)), ("y", .int(2))]))),
      ("tags", .list([.string("a"), .string("b")])),
      ("stock", .map(ValueMap([("north", .int(3))]))), ("count", .int(7)),
    ]))

  private static let model = Article(
    name: "Barn", price: Decimal(significand: 1250, scale: 2), note: "old", size: .large,
    place: Point(x: 1, y: 2), tags: ["a", "b"], stock: ["north": 3], count: 7)

  @Test
  func `a map is read field by field`() throws {
    #expect(try Article.record.decode(Self.encoded) == Self.model)
  }

  @Test
  func `a model is written in the order of its fields`() {
    let value = Article.record.encode(Self.model)

    #expect(
      value.description == """
        {name: "Barn", price: 12.50, note: "old", size: "large", place: {x: 1, y: 2}, \
        tags: ["a", "b"], stock: {north: 3}, count: 7}
        """)
  }

  @Test
  func `what is written is read again`() throws {
    #expect(try Article.record.decode(Article.record.encode(Self.model)) == Self.model)
  }

  @Test
  func `absent fields have their defaults, and absent optionals none`() throws {
    let value = Value.map(ValueMap([("name", .string("Barn")), ("price", .int(3))]))

    #expect(
      try Article.record.decode(value)
        == Article(
          name: "Barn", price: Decimal(3), note: nil, size: .small, place: Point(x: 0, y: 0),
          tags: [], stock: [:], count: 1))
  }

  @Test
  func `an optional field may be null, and is written as null`() throws {
    let value = Value.map(
      ValueMap([("name", .string("Barn")), ("price", .int(3)), ("note", .null)]))
    let article = try Article.record.decode(value)

    #expect(article.note == nil)
    #expect(Article.record.encode(article).description.contains("note: null"))
  }

  @Test
  func `a value laid out by the very type is read by position`() throws {
    let value = Value.record(RecordValue(Point.record.type, [.int(4), .int(5)]))

    #expect(try Point.record.decode(value) == Point(x: 4, y: 5))
  }

  @Test
  func `a value laid out by the very type with a wrong value is refused by name`() {
    let value = Value.record(RecordValue(Point.record.type, [.int(4), .string("5")]))

    #expect(text { try Point.record.decode(value) } == "'y': expected int, got \"5\"")
  }

  @Test
  func `a record of another type is read by name`() throws {
    let turned = Record(
      Point.init(y:x:), Field("y", \.y, "Downwards."), Field("x", \.x, "Rightwards."))

    #expect(try Point.record.decode(turned.encode(Point(x: 1, y: 2))) == Point(x: 1, y: 2))
  }

  @Test
  func `the fields are described in order`() {
    let fields = Article.record.type.fields.map {
      "\($0.name): \($0.type) \($0.isRequired ? "required" : "\($0.defaultValue ?? .null)")"
    }

    #expect(
      fields == [
        "name: string required", "price: decimal required", "note: optional(string) null",
        "size: 'small' or 'large' \"small\"", "place: record {x: 0, y: 0}",
        "tags: list(string) []", "stock: map(int) {}", "count: int 1",
      ])
  }

  @Test
  func `a field is found by its name`() {
    let type = Article.record.type

    #expect(type.index(of: "price") == 1)
    #expect(type.field("price")?.summary == "What it costs.")
    #expect(type.index(of: "Price") == nil)
    #expect(type.field("other") == nil)
  }

  @Test(arguments: [2, 20])
  func `a name of other scalars is another field`(_ count: Int) {
    let names = ["caf\u{e9}", "cafe\u{301}"] + (2..<count).map { "field \($0)" }
    let (type, turned) = (Self.type(of: names), Self.type(of: [names[1], names[0]] + names[2...]))
    let values = names.map { Value.string($0) }

    #expect(names.map(type.index) == Array(0..<count))
    #expect(Self.type(of: Array(names.dropFirst())).index(of: names[0]) == nil)
    #expect(type != turned)
    #expect(RecordValue(type, values) != RecordValue(turned, values))
  }

  private static func type(of names: [String]) -> RecordType {
    RecordType(
      names.map {
        RecordType.Field(name: $0, type: .string, summary: "A text.", defaultValue: nil)
      })
  }

  @Test
  func `a record value gives its fields by name`() {
    let value = RecordValue(Point.record.type, [.int(4), .int(5)])

    #expect(value["y"] == .int(5))
    #expect(value["z"] == nil)
  }

  @Test
  func `types are equal by names and types, not by documentation`() {
    let twin = Record(
      Point.init(x:y:), Field("x", \.x, "Another.", default: 3), Field("y", \.y, "Sentence."))
    let turned = Record(
      Point.init(y:x:), Field("y", \.y, "Downwards."), Field("x", \.x, "Rightwards."))
    let wide = RecordType(
      Point.record.type.fields.map {
        RecordType.Field(name: $0.name, type: .double, summary: "Wide.", defaultValue: nil)
      })

    #expect(twin.type == Point.record.type)
    #expect(twin.type.hashValue == Point.record.type.hashValue)
    #expect(turned.type != Point.record.type)
    #expect(wide != Point.record.type)
    #expect(Article.record.type != Point.record.type)
  }

  @Test
  func `the record of nothing takes and gives no fields`() throws {
    try Record.none.decode(.map(ValueMap()))

    #expect(Record.none.encode(()).description == "{}")
    #expect(text { try Record.none.decode(.int(1)) } == "expected record, got 1")
  }

  @Test
  func `a dynamic field passes any value through`() throws {
    let record = Record(Box.init(content:), Field("content", \.content, "Anything."))
    let value = Value.list([.null, .int(1), .map(ValueMap([("a", .bool(true))]))])

    #expect(try record.decode(.map(ValueMap([("content", value)]))).content == value)
  }

  @Test
  func `a dictionary is written by its sorted keys`() {
    let stock = ["b": 2, "a": 1, "c": 3]

    #expect(stock.encoded.description == "{a: 1, b: 2, c: 3}")
  }
}

struct Box: Sendable {
  var content: Value
}

struct Point: RecordRepresentable, Equatable {
  var x: Int
  var y: Int

  init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }

  init(y: Int, x: Int) {
    self.init(x: x, y: y)
  }

  static let record = Record(
    Point.init(x:y:), Field("x", \.x, "Rightwards."), Field("y", \.y, "Downwards."))
}

enum Size: String, CaseIterable, FieldValue {
  case small, large
}

struct Article: Sendable, Equatable {
  var name: String
  var price: Decimal
  var note: String?
  var size: Size
  var place: Point
  var tags: [String]
  var stock: [String: Int]
  var count: Int

  static let record = Record(
    Article.init,
    Field("name", \.name, "What it is called."), Field("price", \.price, "What it costs."),
    Field("note", \.note, "Something about it."),
    Field("size", \.size, "How large it is.", default: .small),
    Field("place", \.place, "Where it stands.", default: Point(x: 0, y: 0)),
    Field("tags", \.tags, "What it belongs to.", default: []),
    Field("stock", \.stock, "How many there are, by place.", default: [:]),
    Field("count", \.count, "How many.", default: 1))
}
