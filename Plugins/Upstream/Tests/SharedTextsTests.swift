import FlowCore
import Testing

@testable import UpstreamPlugin

/// Long texts that come again with each request, as the messages of a conversation do.
@Suite struct SharedTextsTests {
  /// The place of a text in memory.
  private func place(_ value: Value) -> UInt? {
    guard case .string(let text) = value else { return nil }
    return unsafe text.utf8.withContiguousStorageIfAvailable {
      UInt(bitPattern: $0.baseAddress)
    }
  }

  private func text(_ end: String) -> Value {
    .string(String(repeating: "word ", count: 300) + end)
  }

  @Test func `equal long texts are in memory once`() {
    let texts = SharedTexts()

    let (first, second) = (texts.shared(text("a")), texts.shared(text("a")))

    #expect(first == text("a") && second == text("a"))
    #expect(place(first) == place(second))
    #expect(place(text("a")) != place(first))
  }

  @Test func `two forms of one letter stay two texts`() {
    let texts = SharedTexts()

    let (first, second) = (texts.shared(text("\u{e9}")), texts.shared(text("e\u{301}")))

    #expect(place(first) != place(second))
    #expect(Array("\(second)".utf8.suffix(3)) == Array("\(text("e\u{301}"))".utf8.suffix(3)))
  }

  @Test(arguments: [Value.string("short"), .int(7), .null, .list([.string("a")])])
  func `other values stay as they are`(_ value: Value) {
    let texts = SharedTexts()
    _ = texts.shared(value)

    #expect(texts.shared(value) == value)
  }
}
