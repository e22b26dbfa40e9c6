import FlowCore
import Testing

/// The layouts of JSON texts beside their values.
@Suite struct JSONLayoutTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let json: String
    let layout: String?
    var testDescription: String { json }

    init(_ json: String, _ layout: String?) { (self.json, self.layout) = (json, layout) }
  }

  @Test(arguments: [
    Row(#"{"a":1,"b":[true,null,"x"]}"#, nil), Row("[]", nil), Row("7", nil),
    Row(#"{"b":1,"a":2}"#, ##"{"b":#,"a":#}"##), Row(#"{"a": 1}"#, ##"{"a": #}"##),
    Row("[1, 2]", "[#, #]"), Row("[1, 2, 3]", "[#, …]"), Row("[1, 2,3]", "[#, #,#]"),
    Row(" {} \n", " {} \n"), Row("[ ]", "[ ]"), Row("\t\"x\"", "\t#"),
    Row(#"[{"n": 1.50}, {"n": 1e2}, {"n": -0}]"#, ##"[{"n": #}, …]"##),
    Row(#"[[1,2],[3,4],[5,6,7]]"#, nil), Row(#"[[1, 2],[3, 4],[5, 6]]"#, "[[#, #],…]"),
    Row(#"{"a":"\u00fc"}"#, ##"u{"a":#}"##), Row(#"{"a":"\u00FC"}"#, ##"U{"a":#}"##),
    Row(#"["\ud83d\ude00"]"#, "u[#]"), Row(#"["a\/b"]"#, "s[#]"), Row(#"["\u00fc\/"]"#, "us[#]"),
    Row(#"["\u003ca\u003e \u0026"]"#, "h[#]"), Row(#"["\u001f\n\t\"\\"]"#, nil),
    // Two kinds of escapes in one text.
    Row(#"["\u00fc", "ü"]"#, nil), Row(#"["\u0041"]"#, nil),
  ]) func `the blanks, the order and the escapes are noted, and no value is`(_ row: Row) throws {
    let value = try Value(json: Array(row.json.utf8))
    let layout = JSONLayout(of: Array(row.json.utf8), value)

    #expect(layout?.text == row.layout)
    if let layout { #expect(layout.json(of: value) == Array(row.json.utf8)) }
  }

  @Test func `a layout holds for other values of the same shape`() throws {
    let layout = JSONLayout(text: ##"{"items": [{"sku": #}, …], "next": #}"##)
    let value = try Value(json: Array(#"{"next":null,"items":[{"sku":"a"},{"sku":"b"}]}"#.utf8))

    let json = try #require(layout.json(of: value))
    #expect(
      String(decoding: json, as: UTF8.self)
        == #"{"items": [{"sku": "a"}, {"sku": "b"}], "next": null}"#)
  }

  @Test(arguments: [
    "", "#", "{", "[", "[#", "[#,", "[#,…", "[#,…]]", "{}", ##"{"a"}"##, ##"{"a":#"##,
    ##"{"a":#}x"##, ##"{"b":#}"##, ##"{"a":#,"b":#}"##, ##"{"a":#,"a":#}"##, ##"{"a":[#]}"##,
    ##"{"a":[…]}"##, ##"{"\ud800":#}"##, String(repeating: "[", count: 100_000),
  ]) func `a layout that does not fit is none`(_ text: String) throws {
    let value = try Value(json: Array(#"{"a":[1,2]}"#.utf8))

    #expect(JSONLayout(text: text).json(of: value) == nil)
  }

  @Test func `a layout makes no text above the limit`() {
    let blanks = String(repeating: " ", count: 60_000)
    let value = Value.list(Array(repeating: .int(1), count: 100_000))

    #expect(JSONLayout(text: "[#,\(blanks)…]").json(of: value) == nil)
  }

  /// Texts as seeded writers make them.
  @Test(arguments: 0..<200) func `a text is written again as it was`(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed), label: "layout")
    let style = Style(
      comma: [",", ", ", " ,\n"].randomElement(using: &random) ?? ",",
      colon: [":", ": ", " : "].randomElement(using: &random) ?? ":",
      isASCII: Bool.random(using: &random))
    let text = style.text(depth: 3, &random)
    let value = try Value(json: Array(text.utf8))

    let layout = JSONLayout(of: Array(text.utf8), value)

    let json = layout.map { $0.json(of: value) } ?? JSONLayout.plain(value)
    #expect(json.map { String(decoding: $0, as: UTF8.self) } == text)
  }

  private struct Style {
    let comma: String
    let colon: String
    let isASCII: Bool

    func text(depth: Int, _ random: inout SeededGenerator) -> String {
      let count = Int.random(in: 0...4, using: &random)
      switch Int.random(in: 0...(depth > 0 ? 4 : 2), using: &random) {
      case 0: return "\(Int.random(in: -9...9, using: &random))"
      case 1: return isASCII ? #""\u00e9t\u00e9""# : "\"été\""
      case 2: return ["true", "null", "1.50", "2e3"].randomElement(using: &random) ?? "0"
      case 3:
        let elements = (0..<count).map { _ in text(depth: depth - 1, &random) }
        return "[" + elements.joined(separator: comma) + "]"
      default:
        let names = ["z", "a", "m", "\\u00fc"].shuffled(using: &random).prefix(count)
        let members = names.map { "\"\($0)\"\(colon)\(text(depth: depth - 1, &random))" }
        return "{" + members.joined(separator: comma) + "}"
      }
    }
  }
}
