import FlowCore
import FlowRedaction
import Testing

/// Parts of answers that are hidden from then on.
@Suite struct HiddenPartTests {
  private static let session: Value = .map(
    ValueMap([
      ("token", .string("hunter22")),
      ("pins", .list([.int(48_151), .optional(.string("sesame"))])),
      ("on", .bool(true)), ("none", .null), ("empty", .string("")),
      ("raw", .bytes(Bytes(Array("swordfish".utf8)))),
    ]))

  @Test func `every text and number in a part is hidden, in order`() throws {
    let redactor = Redactor()
    try redactor.hideTexts(in: Self.session, named: "api.session")

    #expect(
      redactor.redacted("hunter22 48151 sesame swordfish true on")
        == "${secret:api.session} ${secret:api.session#2} ${secret:api.session#3} "
        + "${secret:api.session#4} true on")
  }

  @Test(arguments: [
    (Value.string("abc"), SecretError.tooShort("x")), (.int(7), .tooShort("x")),
    (.bytes(Bytes([0xFF, 0, 1, 2])), .notText("x")),
    (.list((0...1_000).map { .string("text \($0)") }), .tooMany("x", most: 1_000)),
  ])
  func `a part that cannot be hidden is an error`(_ value: Value, _ error: SecretError) {
    #expect(throws: error) { try Redactor().hideTexts(in: value, named: "x") }
  }

  @Test(arguments: [
    ("token", "api.token"), ("x-csrf token", "api.x-csrf_token"), ("größe", "api.gr____e"),
    (String(repeating: "a", count: 300), "api." + String(repeating: "a", count: 196)),
  ])
  func `the name of a part has no other characters than names have`(
    _ field: String, _ name: String
  ) throws {
    let redactor = Redactor()
    let given = Redactor.name(ofField: field, of: "api")
    try redactor.hideTexts(in: .string("hunter22"), named: given)

    #expect(given == name)
    #expect(
      Redactor.placeholders(in: .string(redactor.redacted("<hunter22>"))) == ["${secret:\(name)}"])
  }

  @Test func `a text in the place of a placeholder is hidden under its name`() {
    let recorded: Value = .map(
      ValueMap([
        ("token", .string("${secret:api.key#2}")), ("part", .string("Bearer ${secret:api.key}")),
        ("encoded", .string("${secret:api.key:base64}")), ("short", .string("${secret:api.key#3}")),
        ("rest", .list([.string("plain"), .string("${secret:api.other}")])),
      ]))
    let now: Value = .map(
      ValueMap([
        ("token", .string("hunter22")), ("part", .string("Bearer swordfish")),
        ("encoded", .string("c3dvcmRmaXNo")), ("short", .string("abc")),
        ("rest", .list([.string("plain"), .string("sesame-open")])), ("more", .string("more")),
      ]))
    let redactor = Redactor()
    redactor.hideTexts(in: now, like: recorded)

    #expect(
      redactor.redacted("hunter22 swordfish c3dvcmRmaXNo abc plain sesame-open more")
        == "${secret:api.key} swordfish c3dvcmRmaXNo abc plain ${secret:api.other} more")
  }
}
