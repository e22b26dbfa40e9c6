import FlowCore
import FlowRedaction
import Testing

/// The numbers that distinguish hidden strings of one name.
@Suite struct NumberTests {
  private static func redactor() -> Redactor {
    let redactor = Redactor()
    redactor.use([
      RedactionPattern { bytes in
        bytes.indices.filter { 0x30...0x39 ~= bytes[$0] }.map { $0..<$0 + 1 }
      }
    ])
    return redactor
  }

  @Test func `equal texts of a pattern have one placeholder, and others other ones`() {
    let redactor = Self.redactor()

    #expect(redactor.redacted("7 8 7") == "${redacted:1} ${redacted:1#2} ${redacted:1}")
    #expect(redactor.redacted("9 8") == "${redacted:1#3} ${redacted:1#2}")
  }

  @Test func `secrets of one name are told apart in every form`() throws {
    let redactor = Redactor()
    try redactor.add("hunter22", named: "cart.token")
    try redactor.add("swordfish", named: "cart.token")
    try redactor.add("hunter22", named: "cart.token")

    #expect(
      redactor.redacted("hunter22 swordfish c3dvcmRmaXNo")
        == "${secret:cart.token} ${secret:cart.token#2} ${secret:cart.token#2:base64}")
  }

  @Test(arguments: [
    "${redacted:1}", "${redacted:1#2}", "${secret:a.b#3:hex}", "${redacted:1#2}${redacted:1}",
  ]) func `what is hidden already stays as it is`(_ text: String) throws {
    let redactor = Self.redactor()
    redactor.registerPlaceholders(in: .string(text))

    #expect(redactor.redacted(text) == text)
  }

  @Test(arguments: [
    ("${redacted:2}", "${redacted:${redacted:1}}"),
    ("${redacted:1#1}", "${redacted:${redacted:1}#${redacted:1}}"),
    ("${redacted:11111111}", "${redacted:" + String(repeating: "${redacted:1}", count: 8) + "}"),
  ]) func `what only looks hidden is not left alone`(_ text: String, _ expected: String) {
    let redactor = Redactor()
    redactor.use([
      RedactionPattern { bytes in
        bytes.indices.filter { 0x31...0x32 ~= bytes[$0] }.map { $0..<$0 + 1 }
      }
    ])
    _ = redactor.redacted("1")

    #expect(redactor.redacted(text).replacing("${redacted:1#2}", with: "${redacted:1}") == expected)
  }

  @Test func `a redactor without numbers has one placeholder for all texts of a pattern`() {
    let redactor = Self.redactor()
    redactor.stopNumbering()

    #expect(redactor.redacted("7 8") == "${redacted:1} ${redacted:1}")
  }

  @Test func `numbers of a recording are given to nothing else until they are found to be it`() {
    let redactor = Self.redactor()
    redactor.reserve(["${redacted:1": 2])
    var pairs = HiddenPairs()

    #expect(redactor.redacted("7") == "${redacted:1#3}")
    let isPair = pairs.pair(recorded: "a ${redacted:1#2}", now: "a ${redacted:1#3}") {
      redactor.isOwn($1)
    }
    let renumbered = pairs.renumbered(.string(redactor.redacted("7 8"))) { redactor.isOwn($0) }
    #expect(isPair)
    #expect(renumbered == .string("${redacted:1#2} ${redacted:1#4}"))
  }

  @Test func `a recorded text belongs to one text of the run`() {
    var pairs = HiddenPairs()
    let any = { (_: PlaceholderNumbers.Place, _: PlaceholderNumbers.Place) in true }

    pairs.noteSame("a ${redacted:1}") { _ in true }
    let other = pairs.pair(recorded: "${redacted:1}", now: "${redacted:1#2}", canPair: any)
    let own = pairs.pair(recorded: "${redacted:1#2}", now: "${redacted:1#2}", canPair: any)

    #expect([other, own] == [false, true])
  }

  @Test func `a text of the run never looks like a recorded one that belongs to another`() {
    var pairs = HiddenPairs()
    _ = pairs.pair(recorded: "${redacted:1}", now: "${redacted:1#2}") { _, _ in true }

    let value = pairs.renumbered(.string("${redacted:1} ${redacted:1#2}")) { _ in true }

    #expect(value == .string("${redacted:1#9999998} ${redacted:1}"))
  }

  @Test(arguments: [
    ("${redacted:1}", "${redacted:1#2}", true), ("${redacted:1}", "${redacted:2}", false),
    ("${redacted:1} a", "${redacted:1#2} b", false),
    ("${redacted:1} ${redacted:1#2}", "${redacted:1#2} ${redacted:1}", true),
    ("${redacted:1} ${redacted:1#2}", "${redacted:1} ${redacted:1}", false),
    ("${secret:t#2:hex}", "${secret:t:hex}", true), ("${secret:t:hex}", "${secret:t}", false),
    ("a", "b", false),
  ]) func `texts are pairs but for their numbers, each of which belongs to one other`(
    _ recorded: String, _ now: String, _ expected: Bool
  ) {
    var pairs = HiddenPairs()
    let isPair = pairs.pair(recorded: recorded, now: now) { _, _ in true }

    #expect(isPair == expected)
  }

  @Test func `a recording counts in its own order`() {
    var numbers = CanonicalNumbers()
    let lines = [
      "${redacted:1#3} ${secret:t#2:hex}", "${redacted:1} ${redacted:2#9} ${redacted:1#3}",
      "${secret:t} ${redacted:x}",
    ].map { String(decoding: numbers.renumbered(Array($0.utf8)), as: UTF8.self) }

    #expect(
      lines == [
        "${redacted:1} ${secret:t:hex}", "${redacted:1#2} ${redacted:2} ${redacted:1}",
        "${secret:t#2} ${redacted:x}",
      ])
  }
}
