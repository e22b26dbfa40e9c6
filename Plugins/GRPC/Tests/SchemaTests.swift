import FlowCore
import ProtobufCoding
import Testing

/// The codec with schemas as flow.lock has them.
struct SchemaTests {
  private static let lock: Value = .map(
    ValueMap([
      (
        "messages",
        .map(
          ValueMap([
            (
              "t.All",
              .map(
                ValueMap(
                  [
                    ("user_id", "int64 = 1"), ("note", "optional string = 2"),
                    ("tags", "repeated int32 = 3"), ("loose", "repeated int32 = 4 [expanded]"),
                    ("names", "map<string, int32> = 5"), ("kind", "t.Kind = 6"),
                    ("a", "string = 7 [oneof: choice]"), ("b", "t.All = 8 [oneof: choice]"),
                    ("data", "bytes = 9"), ("big", "fixed64 = 10"),
                    ("part", "t.All = 11 [delimited]"),
                    ("ratio", "float = 12"), ("at", "google.protobuf.Timestamp = 13"),
                  ].map { ($0, .string($1)) }))
            ),
            ("t.Must", .map(ValueMap([("a", .string("required int32 = 1"))]))),
            (
              "google.protobuf.Timestamp",
              .map(ValueMap([("seconds", .string("int64 = 1")), ("nanos", .string("int32 = 2"))]))
            ),
          ]))
      ),
      ("enums", .map(ValueMap([("t.Kind", .list([.string("NONE = 0"), .string("SOME = 1")]))]))),
      (
        "services",
        .map(
          ValueMap([
            (
              "t.Calls",
              .map(ValueMap([("Get", .string("t.All -> stream t.Must [no side effects]"))]))
            )
          ]))
      ),
    ]))

  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let bytes: [UInt8]
    let expected: String
    var testDescription: String { id }
  }

  @Test(arguments: [
    Case(id: "nothing", bytes: [], expected: "{}"),
    Case(id: "a number", bytes: [0x08, 0x96, 0x01], expected: #"{"userId":150}"#),
    Case(
      id: "a negative number", bytes: [0x08] + [UInt8](repeating: 0xFF, count: 9) + [0x01],
      expected: #"{"userId":-1}"#),
    Case(
      id: "more bytes than needed", bytes: [0x08, 0x81, 0x80, 0x00], expected: #"{"userId":1}"#),
    Case(
      id: "a number of eleven bytes", bytes: [0x08] + [UInt8](repeating: 0x80, count: 10) + [1],
      expected: "the message is not one of protocol buffers: a number has more than ten bytes"),
    Case(id: "half a number", bytes: [0x08, 0x96], expected: "the message ends too early"),
    Case(
      id: "a length beyond the end", bytes: [0x12, 0x05, 0x61],
      expected: "the message ends too early"),
    Case(
      id: "field 0", bytes: [0x00, 0x01],
      expected: "the message is not one of protocol buffers: a field has the number 0"),
    Case(
      id: "wire type 7", bytes: [0x0F],
      expected: "the message is not one of protocol buffers: the field 1 has the wire type 7"),
    Case(
      id: "text that is not UTF-8", bytes: [0x12, 0x02, 0xC3, 0x28],
      expected: "the string in 'note' is not UTF-8"),
    Case(id: "the last of two values", bytes: [0x08, 1, 0x08, 2], expected: #"{"userId":2}"#),
    Case(id: "packed numbers", bytes: [0x1A, 2, 1, 2], expected: #"{"tags":[1,2]}"#),
    Case(
      id: "numbers alone, though packed ones are usual", bytes: [0x18, 1, 0x18, 2],
      expected: #"{"tags":[1,2]}"#),
    Case(
      id: "packed numbers of an expanded field", bytes: [0x22, 2, 1, 2],
      expected: #"{"loose":[1,2]}"#),
    Case(
      id: "an entry without a value", bytes: [0x2A, 3, 0x0A, 1, 0x61],
      expected: #"{"names":{"a":0}}"#),
    Case(id: "an unknown number of an enum", bytes: [0x30, 9], expected: #"{"kind":"9"}"#),
    Case(id: "the last of a oneof", bytes: [0x3A, 1, 0x61, 0x42, 0], expected: #"{"b":{}}"#),
    Case(
      id: "two parts of a message", bytes: [0x42, 2, 0x08, 1, 0x42, 3, 0x12, 1, 0x61],
      expected: #"{"b":{"userId":1,"note":"a"}}"#),
    Case(id: "a group", bytes: [0x5B, 0x08, 1, 0x5C], expected: #"{"part":{"userId":1}}"#),
    Case(
      id: "a group without an end", bytes: [0x5B, 0x08, 1], expected: "the message ends too early"),
    Case(
      id: "an end without a group", bytes: [0x5C],
      expected: "the message is not one of protocol buffers: the group 11 ends without a start"),
    Case(id: "a number in place of a text", bytes: [0x10, 1], expected: "{} and 1 unknown"),
    Case(id: "an unknown field", bytes: [0xF8, 0x07, 1], expected: "{} and 1 unknown"),
    Case(id: "the default of a field", bytes: [0x08, 0], expected: "{}"),
  ])
  func `bytes are read as a value or refused`(_ test: Case) throws {
    let schema = try ProtobufSchema(lock: Self.lock)

    let text: String
    do {
      let read = try schema.read(test.bytes, as: "t.All")
      text = read.value.json + (read.unknownCount > 0 ? " and \(read.unknownCount) unknown" : "")
    } catch {
      text = "\(error)"
    }

    #expect(text.replacingOccurrences(" ") == test.expected.replacingOccurrences(" "))
  }

  @Test func `a message inside itself is bounded`() throws {
    let schema = try ProtobufSchema(lock: Self.lock)
    var bytes: [UInt8] = []
    for _ in 0..<150 {
      var writer: [UInt8] = [0x42]
      var count = bytes.count
      while count >= 0x80 {
        writer.append(UInt8(count & 0x7F) | 0x80)
        count >>= 7
      }
      bytes = writer + [UInt8(count)] + bytes
    }

    #expect(throws: ProtobufError.tooLarge("more than 100 levels")) {
      try schema.read(bytes, as: "t.All")
    }
  }

  @Test func `a required field has to be there`() throws {
    let schema = try ProtobufSchema(lock: Self.lock)

    #expect(throws: ProtobufError.missing("t.Must.a")) { try schema.read([], as: "t.Must") }
    #expect(throws: ProtobufError.missing("t.Must.a")) {
      try schema.written(.map(ValueMap()), as: "t.Must")
    }
  }

  @Test(
    arguments: [
      (#"{"user_id": "7"}"#, [0x08, 7]), (#"{"userId": 7.0}"#, [0x08, 7]),
      (#"{"note": ""}"#, [0x12, 0]), (#"{"userId": 0, "note": null}"#, []),
      (#"{"kind": "SOME"}"#, [0x30, 1]), (#"{"kind": 9}"#, [0x30, 9]),
      (#"{"data": "AQI="}"#, [0x4A, 2, 1, 2]), (#"{"data": "_-8"}"#, [0x4A, 2, 0xFF, 0xEF]),
      (
        #"{"names": {"b": 2, "a": 1}}"#,
        [0x2A, 5, 0x0A, 1, 0x61, 0x10, 1, 0x2A, 5, 0x0A, 1, 0x62, 0x10, 2]
      ),
      (#"{"ratio": "NaN"}"#, [0x65, 0, 0, 0xC0, 0x7F]),
      (#"{"at": "1970-01-01T00:00:01Z"}"#, [0x6A, 2, 0x08, 1]),
    ] as [(String, [UInt8])])
  func `forms of JSON are written`(_ json: String, _ expected: [UInt8]) throws {
    let schema = try ProtobufSchema(lock: Self.lock)

    let bytes = try schema.written(try Value(json: Array(json.utf8)), as: "t.All")

    #expect(bytes == expected)
  }

  @Test(arguments: [
    (#"{"userId": 1.5}"#, "userId: a value of the type int64 cannot be 1.5"),
    (#"{"big": -1}"#, "big: a value of the type fixed64 cannot be -1"),
    (#"{"ratio": 1e39}"#, "ratio: a value of the type float cannot be 1e39"),
    (#"{"kind": "OTHER"}"#, "kind: 'OTHER' is not one of NONE, SOME"),
    (#"{"b": {"tags": [1, "x"]}}"#, #"b.tags[1]: a value of the type int32 cannot be "x""#),
    (#"{"a": "x", "b": {}}"#, "only one of 'a' and 'b' can have a value"),
    (#"{"user_id": 1, "userId": 1}"#, "the field 'userId' is given twice"),
    (#"{"usrId": 1}"#, "t.All has no field 'usrId'"),
  ])
  func `a value that is no message is refused with its place`(
    _ json: String, _ expected: String
  ) throws {
    let schema = try ProtobufSchema(lock: Self.lock)

    var text = ""
    do { _ = try schema.written(try Value(json: Array(json.utf8)), as: "t.All") } catch {
      text = "\(error)"
    }

    #expect(text == expected)
  }

  @Test func `the types of messages end where these contain themselves`() throws {
    let schema = try ProtobufSchema(lock: Self.lock)
    var types = MessageValueTypes(schema, isInput: true)

    guard case .record(let record) = types.type(of: "t.All") else {
      Issue.record("it is no record")
      return
    }

    #expect(
      record.fields.map { "\($0.name): \($0.type)" } == [
        "userId: int", "note: optional(string)", "tags: list(int)", "loose: list(int)",
        "names: map(int)", "kind: 'NONE' or 'SOME'", "a: optional(string)",
        "b: optional(any value)", "data: bytes", "big: uint", "part: optional(any value)",
        "ratio: double", "at: optional(timestamp)",
      ])
  }
}

extension String {
  /// The string without some characters.
  fileprivate func replacingOccurrences(_ character: Character) -> String {
    filter { $0 != character }
  }
}
