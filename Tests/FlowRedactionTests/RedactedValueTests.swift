import FlowCore
import FlowRedaction
import Testing

/// Secrets hidden in values, by their content and by the types of records.
@Suite struct RedactedValueTests {
  private enum Color: String, CaseIterable, FieldValue { case green }

  private struct Model: Sendable {
    let key: String
    let color: Color
    let note: String?
    static let record = Record(
      Model.init(key:color:note:), Field("key", \.key, "A secret.", secret: true),
      Field("color", \.color, "A name."), Field("note", \.note, "A text."))
  }

  @Test func `texts, bytes, keys and elements are redacted, names of enumerations are not`() throws
  {
    let redactor = Redactor()
    try redactor.add("green", named: "a")
    let map = Value.map(
      ValueMap([("green", .list([.string("greens"), .bytes(Bytes(Array("green".utf8))), .int(1)]))])
    )
    let record = Model.record.encode(Model(key: "none", color: .green, note: "green"))

    #expect(
      redactor.redacted(map)
        == .map(
          ValueMap([
            (
              "${secret:a}",
              .list([.string("${secret:a}s"), .bytes(Bytes(Array("${secret:a}".utf8))), .int(1)])
            )
          ])))
    #expect(
      "\(redactor.redacted(record))" == #"{key: "none", color: "green", note: "${secret:a}"}"#)
  }

  @Test func `a secret field is learnt, and hidden from then on`() throws {
    let redactor = Redactor()
    let record = Model.record.encode(Model(key: "hunter22", color: .green, note: "hunter22!"))
    try redactor.hideSecrets(in: .list([record]))

    #expect(
      "\(redactor.redacted(record))"
        == #"{key: "${secret:key}", color: "green", note: "${secret:key}!"}"#)
  }

  @Test(arguments: ["abc", "abc \n"])
  func `a secret field that is too short is told, and hidden where it stands`(
    _ key: String
  ) throws {
    let redactor = Redactor()
    let record = Model.record.encode(Model(key: key, color: .green, note: "abcd"))
    try redactor.add("other", named: "x")

    #expect(throws: SecretError.tooShort("key")) { try redactor.hideSecrets(in: record) }
    #expect(
      "\(redactor.redacted(record))" == #"{key: "${secret:key}", color: "green", note: "abcd"}"#)
  }

  @Test func `a number that must not be seen becomes a text where any value may be`() throws {
    struct Model: Sendable {
      let port: Int
      let body: Value
      static let record = Record(
        Model.init(port:body:), Field("port", \.port, "A number."),
        Field("body", \.body, "Any value."))
    }
    let redactor = Redactor()
    try redactor.add("5150", named: "pin")
    let body = Value.list([.int(5150), .int(51500), .double(1.5), .string("5150")])

    let record = redactor.redacted(Model.record.encode(Model(port: 5150, body: body)))

    #expect(
      "\(record)"
        == #"{port: 5150, body: ["${secret:pin}", 51500, 1.5, "${secret:pin}"]}"#)
  }

  @Test func `a number in which a pattern matches is hidden whole or in part`() {
    let redactor = Redactor()
    redactor.use([
      RedactionPattern { bytes in
        bytes.indices.filter { bytes[$0] == UInt8(ascii: "7") }.map { $0..<$0 + 1 }
      }
    ])

    #expect(
      redactor.redacted(.list([.int(7), .uint(170), .int(8), .bool(true)]))
        == .list([.string("${redacted:1}"), .string("1${redacted:1}0"), .int(8), .bool(true)]))
  }

  @Test func `a secret field that is too short is hidden where nothing else is`() {
    let redactor = Redactor()
    let record = Model.record.encode(Model(key: "x", color: .green, note: "x"))
    try? redactor.hideSecrets(in: record)

    #expect(
      "\(redactor.redacted(record))" == #"{key: "${secret:key}", color: "green", note: "x"}"#)
  }

  @Test func `a mask keeps every line and column`() throws {
    let redactor = Redactor()
    try redactor.add("pässwort", named: "a")

    let masked = redactor.masked(Array("a: pässwort\nb: é".utf8))
    #expect(String(decoding: masked, as: UTF8.self) == "a: ********\nb: é")
  }

  @Test func `a secret is not put back where a part of it may have stood`() throws {
    let redactor = Redactor()
    try redactor.add("hunter22\n", named: "a")
    try redactor.add("first line\nsecond line", named: "b")

    for name in ["a", "b"] { #expect(redactor.restored(.string("${secret:\(name)}")) == nil) }
  }

  @Test func `known secrets are put back, others cannot be`() throws {
    let redactor = Redactor()
    try redactor.add("hunter22", named: "a")

    #expect(redactor.restored(.string("<${secret:a}>")) == .string("<hunter22>"))
    #expect(redactor.restored(.string("<${secret:b}>")) == nil)
    #expect(redactor.restored(.string("<${redacted:1}>")) == nil)
    #expect(redactor.restored(.list([.string("${secret:a:base64}")])) == nil)
    #expect(redactor.restored(.string("${secret")) == .string("${secret"))
  }

  @Test func `a pattern hides what it matches, and leaves placeholders alone`() throws {
    let redactor = Redactor()
    try redactor.add("hunter22", named: "a1")
    redactor.use([
      RedactionPattern { bytes in
        bytes.indices.filter { UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[$0] }.map {
          $0..<$0 + 1
        }
      }
    ])

    let once = redactor.redacted("4 hunter22 x2")
    #expect(once == "${redacted:1} ${secret:a1} x${redacted:1#2}")
    #expect(redactor.redacted(once) == once)
  }
}
