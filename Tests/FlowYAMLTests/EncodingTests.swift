import FlowYAML
import Testing

struct EncodingTests {
  struct Case: CustomTestStringConvertible {
    let id: String
    let bytes: [UInt8]
    let error: String

    init(_ id: String, _ bytes: [UInt8], _ error: String) {
      self.id = id
      self.bytes = bytes
      self.error = error
    }

    var testDescription: String { id }
  }

  static let malformed = [
    Case(
      "a stray byte", Array("a: b\nc: ".utf8) + [0xFF],
      "2:4: the bytes are not text: invalid leading UTF-8 octet"),
    Case(
      "a stray continuation byte", Array("é: ".utf8) + [0x80],
      "1:4: the bytes are not text: invalid leading UTF-8 octet"),
    Case(
      "an overlong form", [0x61, 0xC0, 0xAF],
      "1:2: the bytes are not text: invalid length of a UTF-8 sequence"),
    Case(
      "a surrogate", [0x61, 0xED, 0xA0, 0x80],
      "1:2: the bytes are not text: invalid Unicode character"),
    Case(
      "a value that is too large", [0x61, 0xF4, 0x90, 0x80, 0x80],
      "1:2: the bytes are not text: invalid Unicode character"),
    Case(
      "a character cut short", Array("é".utf8.prefix(1)),
      "1:1: the bytes are not text: incomplete UTF-8 octet sequence"),
    Case(
      "a null character", Array("a: \0b".utf8),
      "1:4: character U+0000 is not allowed"),
    Case(
      "a control character after CRLF", Array("a\r\nb \u{7}".utf8),
      "2:3: character U+0007 is not allowed"),
    Case(
      "a control character after the mark", Array("\u{FEFF}a: \u{1B}".utf8),
      "1:4: character U+001B is not allowed"),
    Case(
      "a control character after a mark inside", Array("a: \u{FEFF}b\u{1}".utf8),
      "1:6: character U+0001 is not allowed"),
    Case(
      "a delete character", Array("a: '\u{7F}'".utf8),
      "1:5: character U+007F is not allowed"),
    Case(
      "UTF-16 without a mark", Array("a: bcd\n".utf8.flatMap { [$0, 0] }),
      "1:1: the text is in UTF-16, not UTF-8"),
    Case(
      "UTF-32 with a mark", [0xFF, 0xFE, 0, 0] + "a: b".utf8.flatMap { [$0, 0, 0, 0] },
      "1:1: the text is in UTF-32, not UTF-8"),
    Case(
      "half a character of UTF-16", [0xFF, 0xFE, 0x61, 0x00, 0x62],
      "1:2: the bytes are not text: incomplete UTF-16 character"),
    Case(
      "a lone surrogate of UTF-16", [0xFE, 0xFF, 0x00, 0x61, 0x00, 0x0A, 0xDC, 0x00],
      "2:1: the bytes are not text: unexpected low surrogate area"),
  ]

  @Test(arguments: malformed)
  func `bytes that are no text are refused with the place of the first`(_ testCase: Case) {
    #expect(failure(testCase.bytes) == testCase.error)
  }

  @Test
  func `arbitrary bytes are an error or a tree, never a crash`() {
    var generator = SplitMix(state: 7)
    for length in 0..<400 {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
      #expect(failure(bytes) != "")
    }
  }

  @Test
  func `arbitrary indicators are an error or a tree, never a crash`() {
    var generator = SplitMix(state: 11)
    let alphabet = Array("ab1 \n\t-?:,[]{}#&*!|>'\"%@~<.\\".utf8)
    for _ in 0..<5000 {
      let bytes = (0..<24).compactMap { _ in alphabet.randomElement(using: &generator) }
      #expect(failure(bytes) != "")
    }
  }

  @Test(arguments: [true, false])
  func `UTF-16 with a byte order mark is read as UTF-8 is`(isLittleEndian: Bool) throws {
    let text = "\u{FEFF}ключ: [é, 👍]\nb: 2\n"
    let bytes = text.utf16.flatMap { unit in
      isLittleEndian
        ? [UInt8(unit & 0xFF), UInt8(unit >> 8)] : [UInt8(unit >> 8), UInt8(unit & 0xFF)]
    }

    #expect(outline(try Node(parsing: bytes)) == outline(try parse(text)))
  }

  @Test
  func `escapes may name any character`() throws {
    let node = try parse(#""\0\a\u00e9\U0001F44D\x41""#)

    #expect(node.text == "\0\u{7}é👍A")
  }
}

/// A generator of the same numbers in every run.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
