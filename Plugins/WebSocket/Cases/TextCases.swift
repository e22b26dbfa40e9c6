extension WebSocketCase {
  /// Texts that are UTF-8, and those that are not, with the bytes that still can be.
  static let utf8: [WebSocketCase] =
    validTexts.flatMap(valid) + invalidTexts.flatMap(invalid) + [
      WebSocketCase(
        .utf8, "a wrong byte in the first part of an open frame",
        [CaseFrame(1, [0xCE, 0xBA, 0xF4, 0x90, 0x80, 0x80, 0x61]).with { $0.sent = 4 }],
        ["fails 1007"]),
      WebSocketCase(
        .utf8, "a wrong byte in the first frame of an open text",
        [CaseFrame(1, [0x61, 0xED, 0xA0]).open], ["fails 1007"]),
      WebSocketCase(
        .utf8, "a ping within a character",
        [CaseFrame(1, [0xE2, 0x82]).open, .ping("within"), CaseFrame(0, [0xAC]), end],
        ["pong 'within'", "text '€'", closed]),
      WebSocketCase(
        .utf8, "bytes that are no text", [.binary([0xFF, 0xC0, 0x80]), end],
        ["binary of 3 bytes", closed]),
    ]

  /// The first and the last character of each length, those around the surrogates, and some without
  /// a meaning.
  private static let validTexts: [(name: String, text: [UInt8])] =
    [
      0x0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFDD0, 0xFFFD, 0xFFFE, 0xFFFF, 0x10000,
      0x1FFFE, 0x1F600, 0x10FFFF,
    ].map { number in
      let scalar = Unicode.Scalar(UInt32(number)) ?? " "
      return ("U+" + String(number, radix: 16, uppercase: true), Array(String(scalar).utf8))
    } + [
      ("several scripts", Array("Hello-µ@ßöäüàá-UTF-8!! κόσμε 日本語 🇺🇳".utf8))
    ]

  private static let invalidTexts: [(name: String, text: [UInt8])] = [
    ("the first continuation alone", [0x80]), ("the last continuation alone", [0xBF]),
    ("six continuations", [0x80, 0xBF, 0x80, 0xBF, 0x80, 0xBF]),
    ("a first byte of two behind a letter", [0x61, 0xC3, 0x61]),
    ("a first byte of three before a letter", [0xE2, 0x82, 0x61]),
    ("a first byte of four before a letter", [0xF0, 0x9F, 0x98, 0x61]),
    ("an incomplete character of two", [0xC3]), ("an incomplete character of three", [0xE2, 0x82]),
    ("an incomplete character of four", [0xF0, 0x9F, 0x98]),
    ("a slash in two bytes", [0xC0, 0xAF]), ("the last character in two bytes", [0xC1, 0xBF]),
    ("a slash in three bytes", [0xE0, 0x80, 0xAF]), ("U+7FF in three bytes", [0xE0, 0x9F, 0xBF]),
    ("a slash in four bytes", [0xF0, 0x80, 0x80, 0xAF]),
    ("U+FFFF in four bytes", [0xF0, 0x8F, 0xBF, 0xBF]),
    ("a slash in five bytes", [0xF8, 0x80, 0x80, 0x80, 0xAF]),
    ("a slash in six bytes", [0xFC, 0x80, 0x80, 0x80, 0x80, 0xAF]),
    ("the first surrogate", [0xED, 0xA0, 0x80]), ("the last surrogate", [0xED, 0xBF, 0xBF]),
    ("a pair of surrogates", [0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80]),
    ("U+110000", [0xF4, 0x90, 0x80, 0x80]), ("U+140000", [0xF5, 0x80, 0x80, 0x80]),
    ("a byte of Latin 1", [0x66, 0xFC, 0x72]), ("0xFE", [0xFE]), ("0xFF", [0xFF]),
  ]

  private static func valid(_ name: String, _ text: [UInt8]) -> [WebSocketCase] {
    let expected = [outcome("text", text), closed]
    return [
      WebSocketCase(.utf8, "\(name) in one frame", [CaseFrame(1, text), end], expected),
      WebSocketCase(
        .utf8, "\(name) in frames of one byte", parts(of: text, each: 1) + [end], expected),
      WebSocketCase(.utf8, "\(name) byte by byte", [CaseFrame(1, text), end], expected, piece: 1),
    ]
  }

  private static func invalid(_ name: String, _ text: [UInt8]) -> [WebSocketCase] {
    [
      WebSocketCase(.utf8, "\(name) in one frame", [CaseFrame(1, text), end], ["fails 1007"]),
      WebSocketCase(
        .utf8, "\(name) in frames of one byte", parts(of: text, each: 1) + [end], ["fails 1007"]),
      WebSocketCase(
        .utf8, "\(name) byte by byte", [CaseFrame(1, text), end], ["fails 1007"], piece: 1),
    ]
  }

  /// Close frames, and what follows them.
  static let closing: [WebSocketCase] =
    [
      WebSocketCase(.closing, "without a code", [CaseFrame(8, [])], ["close"]),
      WebSocketCase(.closing, "with one byte", [CaseFrame(8, [3])], ["fails 1002"]),
      WebSocketCase(
        .closing, "with a reason", [.close(1000, "ok")], ["close 1000 'ok'"]),
      WebSocketCase(
        .closing, "with the longest reason",
        [.close(1000, String(repeating: "*", count: 123))],
        ["close 1000 '" + String(repeating: "*", count: 123) + "'"]),
      WebSocketCase(
        .closing, "with a longer reason", [.close(1000, String(repeating: "*", count: 124))],
        ["fails 1002"]),
      WebSocketCase(
        .closing, "with a reason that is not UTF-8",
        [CaseFrame(8, [3, 0xE8, 0xCE, 0xBA, 0xED, 0xA0])],
        ["fails 1007"]),
      WebSocketCase(.closing, "twice", [end, end], [closed]),
      WebSocketCase(.closing, "before a ping", [end, .ping("late")], [closed]),
      WebSocketCase(.closing, "before a text", [end, .text("late")], [closed]),
      WebSocketCase(.closing, "before faults", [end, CaseFrame(7, [])], [closed]),
      WebSocketCase(
        .closing, "byte by byte", [.close(1001, "gone")], ["close 1001 'gone'"], piece: 1),
    ]
    + [
      1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000,
      4999,
    ]
    .map { WebSocketCase(.closing, "with the code \($0)", [.close($0)], ["close \($0)"]) }
    + [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535]
    .map { WebSocketCase(.closing, "with the code \($0)", [.close($0)], ["fails 1002"]) }

  /// Long messages in frames and pieces of several sizes, up to the limit and above it.
  static let limits: [WebSocketCase] =
    [1 << 16, 1 << 18, limit].flatMap { count in
      let text = [UInt8](repeating: 0x2A, count: count)
      let expected = ["text of \(count) bytes", closed]
      return [
        WebSocketCase(.limits, "\(count) bytes of text", [CaseFrame(1, text), end], expected),
        WebSocketCase(
          .limits, "\(count) bytes in frames of 4096", parts(of: text, each: 4_096) + [end],
          expected),
        WebSocketCase(
          .limits, "\(count) bytes in pieces of 1024", [CaseFrame(1, text), end], expected,
          piece: 1_024),
        WebSocketCase(
          .limits, "\(count) bytes", [.binary(text), end], ["binary of \(count) bytes", closed],
          piece: 65_536),
      ]
    } + [
      WebSocketCase(
        .limits, "an announced text above the limit",
        [CaseFrame.text("start").with { $0.length = [127, 0, 0, 0, 0, 0, 0x10, 0, 1] }],
        ["fails 1009"]),
      WebSocketCase(
        .limits, "an announced text of 63 bits",
        [
          CaseFrame.text("start").with {
            $0.length = [127, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
          }
        ], ["fails 1009"]),
      WebSocketCase(
        .limits, "parts that exceed the limit together",
        parts(of: [UInt8](repeating: 0x2A, count: limit + 1), each: 65_536), ["fails 1009"]),
    ]
}
