internal import FlowSystem

/// The braces and brackets that are open at the end of a text, with their entries.
struct FlowContext {
  struct OpenLevel {
    let isList: Bool
    var entries: [CursorContext.Entry] = []
    /// The key whose value is open, or nil.
    var key: String?

    var level: CursorContext.Level {
      isList ? .item(line: 0, before: nil) : .key(key ?? "", siblings: entries)
    }
  }

  private(set) var levels: [OpenLevel] = []
  /// The written start of the key or the value at the end.
  private(set) var prefix = ""
  private(set) var quote: Character?

  private var token: [UInt8] = []
  private var openQuote: UInt8?

  private static let largest = 1 << 16

  /// Reads a text from its first bracket on.
  ///
  /// The text after it has further entries of the open mappings. Nil for a long text.
  init?(_ bytes: [UInt8], after: [UInt8]) {
    guard bytes.count <= Self.largest else { return nil }
    var index = 0
    while index < bytes.count {
      take(bytes[index], next: index + 1 < bytes.count ? bytes[index + 1] : 0x20)
      index += 1
    }
    let text = String(decoding: token, as: UTF8.self)
    prefix = String(text.drop { $0 == " " })
    if let first = prefix.first, first == "\"" || first == "'" {
      quote = first
      prefix = String(prefix.dropFirst())
    }
    if !levels.isEmpty { takeEntries(in: after) }
  }

  private mutating func take(_ byte: UInt8, next: UInt8) {
    if let quote = openQuote {
      token.append(byte)
      if byte == quote { openQuote = nil }
      return
    }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      if token.allSatisfy({ $0 == 0x20 }) { openQuote = byte }
      token.append(byte)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard token.allSatisfy({ $0 == 0x20 }) else { return token.append(byte) }
      levels.append(OpenLevel(isList: byte == UInt8(ascii: "[")))
      token = []
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      endValue()
      _ = levels.popLast()
    case UInt8(ascii: ","): endValue()
    case UInt8(ascii: ":") where next == 0x20 || token.last == UInt8(ascii: "\""):
      guard let last = levels.indices.last, !levels[last].isList, levels[last].key == nil else {
        return token.append(byte)
      }
      levels[last].key = text
      token = []
    default: token.append(byte)
    }
  }

  private var text: String {
    String(decoding: token.trimming { $0 == 0x20 }, as: UTF8.self).scalarText
  }

  private mutating func endValue() {
    defer { token = [] }
    guard let last = levels.indices.last, let key = levels[last].key else { return }
    levels[last].entries.append(.init(key: key, text: text))
    levels[last].key = nil
  }

  /// Adds the entries after the cursor to the mappings around it, each up to its end.
  private mutating func takeEntries(in bytes: [UInt8]) {
    let ends = [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")]
    // The rest of the key or the value at the cursor is no entry of its own.
    guard let start = bytes.firstIndex(where: ends.contains) else { return }
    var rest = FlowContext(levels: levels.map { OpenLevel(isList: $0.isList) })
    // The number of levels around the cursor that have not ended.
    var open = levels.count
    for index in start..<bytes.count where !rest.levels.isEmpty {
      if rest.openQuote == nil, bytes[index] != ends[0], ends.contains(bytes[index]) {
        rest.endValue()
        if rest.levels.count <= open { keep(rest.levels.count - 1, of: rest) }
      }
      rest.take(bytes[index], next: index + 1 < bytes.count ? bytes[index + 1] : 0x20)
      open = min(open, rest.levels.count)
    }
    // A half-written line does not end them.
    rest.endValue()
    for level in 0..<open { keep(level, of: rest) }
  }

  private mutating func keep(_ level: Int, of rest: FlowContext) {
    levels[level].entries += rest.levels[level].entries
  }

  private init(levels: [OpenLevel]) { self.levels = levels }
}
