extension WebSocketCase {
  /// The end of a conversation without a fault.
  static let end = CaseFrame.close(1000)
  static let closed = "close 1000"

  /// Messages of each form of length, in one piece and in many.
  static let framing: [WebSocketCase] =
    [0, 125, 126, 127, 128, 65_535, 65_536].flatMap { count in
      let text = CaseFrame.text(String(repeating: "*", count: count))
      let bytes = CaseFrame.binary([UInt8](repeating: 0xFE, count: count))
      return [
        WebSocketCase(
          .framing, "a text of \(count) bytes", [text, end],
          [outcome("text", text.payload), closed]),
        WebSocketCase(
          .framing, "\(count) bytes", [bytes, end], [outcome("binary", bytes.payload), closed]),
        WebSocketCase(
          .framing, "a text of \(count) bytes in pieces of 997", [text, end],
          [outcome("text", text.payload), closed], piece: 997),
      ]
    } + [
      WebSocketCase(
        .framing, "a short text byte by byte", [.text("héllo"), end], ["text 'héllo'", closed],
        piece: 1),
      WebSocketCase(
        .framing, "a length in two bytes that needs one",
        [CaseFrame.text("ab").with { $0.length = [126, 0, 2] }], ["fails 1002"]),
      WebSocketCase(
        .framing, "a length in eight bytes that needs two",
        [CaseFrame.text("ab").with { $0.length = [127, 0, 0, 0, 0, 0, 0, 1, 0] }], ["fails 1002"]),
      WebSocketCase(
        .framing, "a length above 63 bits",
        [CaseFrame.text("ab").with { $0.length = [127, 0x80, 0, 0, 0, 0, 0, 0, 2] }],
        ["fails 1002"]),
      WebSocketCase(
        .framing, "the wrong use of masks",
        [CaseFrame.text("ab").with { $0.isMaskedRightly = false }], ["fails 1002"]),
      WebSocketCase(
        .framing, "a ping with the wrong use of masks",
        [CaseFrame.ping("ab").with { $0.isMaskedRightly = false }], ["fails 1002"]),
    ]

  /// Pings and pongs.
  static let pings: [WebSocketCase] = [
    WebSocketCase(.pings, "an empty one", [.ping(), end], ["pong ''", closed]),
    WebSocketCase(
      .pings, "one with a text", [.ping("Hello, world!"), end], ["pong 'Hello, world!'", closed]),
    WebSocketCase(
      .pings, "one with bytes that are no text",
      [CaseFrame(9, [0, 0xFF, 0xFE, 0xFD, 0xFC, 0xFB]), end],
      ["pong of 6 bytes", closed]),
    WebSocketCase(
      .pings, "one of 125 bytes", [CaseFrame(9, [UInt8](repeating: 0xFE, count: 125)), end],
      ["pong of 125 bytes", closed]),
    WebSocketCase(
      .pings, "one of 125 bytes byte by byte",
      [CaseFrame(9, [UInt8](repeating: 0xFE, count: 125)), end], ["pong of 125 bytes", closed],
      piece: 1),
    WebSocketCase(
      .pings, "one of 126 bytes", [CaseFrame(9, [UInt8](repeating: 0xFE, count: 126)), end],
      ["fails 1002"]),
    WebSocketCase(.pings, "a pong that none asked for", [.pong(), end], [closed]),
    WebSocketCase(.pings, "a pong with a text", [.pong("unasked"), end], [closed]),
    WebSocketCase(
      .pings, "a pong before a ping", [.pong("unasked"), .ping("ping"), end],
      ["pong 'ping'", closed]),
    WebSocketCase(
      .pings, "ten at once", (0..<10).map { .ping("payload-\($0)") } + [end],
      (0..<10).map { "pong 'payload-\($0)'" } + [closed]),
    WebSocketCase(
      .pings, "ten in pieces", (0..<10).map { .ping("payload-\($0)") } + [end],
      (0..<10).map { "pong 'payload-\($0)'" } + [closed], piece: 3),
  ]

  /// Bits that belong to extensions, which have not been agreed.
  static let reservedBits: [WebSocketCase] = (1...7).flatMap { (bits: UInt8) in
    let text = CaseFrame.text("Hello").with { $0.reserved = bits }
    let ping = CaseFrame.ping("Hello").with { $0.reserved = bits }
    let close = end.with { $0.reserved = bits }
    return [
      WebSocketCase(.reservedBits, "\(bits) of a text", [text], ["fails 1002"]),
      WebSocketCase(
        .reservedBits, "\(bits) behind a good text", [.text("good"), text, .ping()],
        ["text 'good'", "fails 1002"]),
      WebSocketCase(
        .reservedBits, "\(bits) behind a good text, byte by byte", [.text("good"), text, .ping()],
        ["text 'good'", "fails 1002"], piece: 1),
      WebSocketCase(.reservedBits, "\(bits) of a ping", [ping], ["fails 1002"]),
      WebSocketCase(.reservedBits, "\(bits) of a close frame", [close], ["fails 1002"]),
      WebSocketCase(
        .reservedBits, "\(bits) of bytes",
        [CaseFrame.binary([1, 2]).with { $0.reserved = bits }], ["fails 1002"]),
    ]
  }

  /// Opcodes without a meaning, of messages and of control frames.
  static let opcodes: [WebSocketCase] = (Array(3...7) + Array(11...15)).flatMap { opcode in
    [
      WebSocketCase(
        .opcodes, "\(opcode) without a payload", [CaseFrame(opcode, [])], ["fails 1002"]),
      WebSocketCase(
        .opcodes, "\(opcode) with a payload", [CaseFrame(opcode, Array("unknown".utf8))],
        ["fails 1002"]),
      WebSocketCase(
        .opcodes, "\(opcode) behind a text", [.text("good"), CaseFrame(opcode, []), .ping()],
        ["text 'good'", "fails 1002"]),
      WebSocketCase(
        .opcodes, "\(opcode) behind a text, byte by byte",
        [.text("good"), CaseFrame(opcode, [1, 2]), .ping()],
        ["text 'good'", "fails 1002"], piece: 1),
    ]
  }

  /// Messages in several frames.
  static let fragmentation: [WebSocketCase] = [
    WebSocketCase(
      .fragmentation, "a ping in two", [CaseFrame.ping("one").open, .more("two")], ["fails 1002"]),
    WebSocketCase(
      .fragmentation, "a pong in two", [CaseFrame.pong("one").open, .more("two")], ["fails 1002"]),
    WebSocketCase(
      .fragmentation, "a close frame in two", [CaseFrame.close(1000).open, .more("two")],
      ["fails 1002"]),
    WebSocketCase(
      .fragmentation, "a text in two", [CaseFrame.text("one, ").open, .more("two"), end],
      ["text 'one, two'", closed]),
    WebSocketCase(
      .fragmentation, "bytes in two", [CaseFrame.binary([1, 2]).open, .more("two"), end],
      ["binary of 5 bytes", closed]),
    WebSocketCase(
      .fragmentation, "a text in two, byte by byte",
      [CaseFrame.text("one, ").open, .more("two"), end], ["text 'one, two'", closed], piece: 1),
    WebSocketCase(
      .fragmentation, "a ping within a text",
      [CaseFrame.text("one, ").open, .ping("within"), .more("two"), end],
      ["pong 'within'", "text 'one, two'", closed]),
    WebSocketCase(
      .fragmentation, "a ping within a text, byte by byte",
      [CaseFrame.text("one, ").open, .ping("within"), .more("two"), end],
      ["pong 'within'", "text 'one, two'", closed], piece: 1),
    WebSocketCase(
      .fragmentation, "several pings within a text",
      [
        CaseFrame.text("a").open, .ping("1"), CaseFrame.more("b").open, .ping("2"), .pong(),
        CaseFrame.more("c").open, .more("d"), end,
      ], ["pong '1'", "pong '2'", "text 'abcd'", closed]),
    WebSocketCase(
      .fragmentation, "empty parts",
      [CaseFrame.text("").open, CaseFrame.more("").open, .more(""), end],
      ["text ''", closed]),
    WebSocketCase(
      .fragmentation, "empty parts around a text",
      [CaseFrame.text("").open, CaseFrame.more("middle").open, .more(""), end],
      ["text 'middle'", closed]),
    WebSocketCase(
      .fragmentation, "a last part of nothing", [.more("stray"), .text("next")], ["fails 1002"]),
    WebSocketCase(
      .fragmentation, "a first part of nothing",
      [CaseFrame.more("stray").open, .more("next")], ["fails 1002"]),
    WebSocketCase(
      .fragmentation, "a part behind a whole text", [.text("whole"), .more("stray")],
      ["text 'whole'", "fails 1002"]),
    WebSocketCase(
      .fragmentation, "a part behind a whole text, byte by byte", [.text("whole"), .more("stray")],
      ["text 'whole'", "fails 1002"], piece: 1),
    WebSocketCase(
      .fragmentation, "a text within a text", [CaseFrame.text("one").open, .text("two")],
      ["fails 1002"]),
    WebSocketCase(
      .fragmentation, "bytes within a text", [CaseFrame.text("one").open, .binary([1])],
      ["fails 1002"]),
    WebSocketCase(
      .fragmentation, "a close frame within a text",
      [CaseFrame.text("one").open, .close(1000), .more("two")], [closed]),
    WebSocketCase(
      .fragmentation, "65536 bytes in parts of 1300",
      parts(of: [UInt8](repeating: 0x2A, count: 65_536), each: 1_300) + [end],
      ["text of 65536 bytes", closed]),
  ]

  /// Cuts a text into frames.
  static func parts(of text: [UInt8], each count: Int) -> [CaseFrame] {
    stride(from: 0, to: text.count, by: count).map { start in
      let part = Array(text[start..<min(start + count, text.count)])
      return CaseFrame(start == 0 ? 1 : 0, part).with {
        $0.isLast = start + count >= text.count
      }
    }
  }
}
