import FlowSystem
import Testing

/// Text that grows by small pieces.
@Suite struct TextBufferTests {
  @Test func `pieces follow each other, however many there are`() {
    var buffer = TextBuffer(capacity: 8)
    var expected = ""
    for number in 0..<1_000 {
      buffer.append(constant: "é ")
      buffer.append(text: "😀")
      buffer.append(UInt8(ascii: "-"))
      buffer.append(number: number)
      buffer.append(bytes: [0x0A])
      expected += "é 😀-\(number)\n"
    }

    #expect(buffer.text == expected)
    #expect(buffer.count == expected.utf8.count)
    #expect(buffer.bytes == Array(expected.utf8))
  }

  @Test func `a copy and what it was copied from do not see each other grow`() {
    var first = TextBuffer(capacity: 100)
    first.append(constant: "one")
    var second = first
    first.append(constant: " two")
    second.append(constant: " three")
    let third = second
    second.cut(at: 3)
    second.append(third)

    #expect([first, second, third].map(\.text) == ["one two", "oneone three", "one three"])
  }

  @Test func `what is cut off is gone, and what follows takes its place`() {
    var buffer = TextBuffer()
    buffer.append(constant: "")
    #expect(buffer.isEmpty)
    buffer.append(constant: "kept gone")
    buffer.cut(at: 4)
    buffer.append(text: "!")

    #expect(buffer.text == "kept!")
    #expect(buffer[4...] == [UInt8(ascii: "!")])
  }

  @Test(arguments: [
    (0, 1, "0"), (9, 1, "9"), (10, 1, "10"), (99, 2, "99"), (7, 3, "007"), (1_000, 3, "1000"),
    (999_999_999_999_999_999, 1, "999999999999999999"),
    (1_000_000_000_000_000_000, 1, "1000000000000000000"), (Int.max, 20, "09223372036854775807"),
  ])
  func `a number has its digits, and zeros before them`(
    _ number: Int, _ width: Int, _ expected: String
  ) {
    var buffer = TextBuffer()
    buffer.append(number: number, width: width)

    #expect(buffer.text == expected)
  }
}
