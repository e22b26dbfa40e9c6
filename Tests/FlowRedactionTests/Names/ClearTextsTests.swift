import Testing

@testable import FlowRedaction

/// Long texts that are searched for secrets once.
@Suite struct ClearTextsTests {
  private static let words = String(repeating: "nothing to hide, ", count: 100)

  @Test func `a long text without a secret is clear, and stays so`() {
    for _ in 0..<3 { #expect(SecretFinder.secrets(in: Self.words).isEmpty) }
  }

  @Test(arguments: ["password: hunter2x", "{\"token\": \"s3same-0pen\"}", "api_key=qwertz123"])
  func `a secret behind a clear text is found each time`(secret: String) {
    #expect(SecretFinder.secrets(in: Self.words).isEmpty)
    for _ in 0..<3 { #expect(SecretFinder.secrets(in: Self.words + secret).count == 1) }
  }

  @Test func `texts are told apart by their bytes`() {
    var texts = ClearTexts()
    texts.insert(Array("caf\u{E9}".utf8))

    #expect(texts.contains(Array("caf\u{E9}".utf8)))
    #expect(!texts.contains(Array("cafe\u{301}".utf8)))
  }

  @Test func `more than eight mebibytes are forgotten, and a text of one is not kept`() {
    var texts = ClearTexts()
    let text = { (number: UInt8) in [UInt8](repeating: number, count: 1 << 20) }
    for number in 0..<8 { texts.insert(text(UInt8(number))) }
    #expect(texts.contains(text(0)))
    texts.insert(text(8))
    #expect(!texts.contains(text(0)))
    #expect(texts.contains(text(8)))
    texts.insert(text(9) + [9])
    #expect(!texts.contains(text(9) + [9]))
  }
}
