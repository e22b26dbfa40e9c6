internal import FlowSystem

/// The structure of a line in block style: its dashes, its key, and the text after them.
///
///     "  - uses: balance.load"   a dash in column 2, the key `uses` in column 4
struct WrittenLine {
  /// The keys whose values are lists of steps.
  static let stepKeys = ["invariants", "steps", "finally", "do", "else"]

  /// The columns of the dashes at its start, from 0, in bytes.
  private(set) var dashes: [Int] = []
  /// The key and its column, or nil for a line without one.
  private(set) var key: (name: String, column: Int)?
  /// The column of the text after the dashes and the key.
  private(set) var valueColumn: Int
  /// That text, without blanks around it.
  private(set) var value: String
  /// That text, without blanks before it.
  private(set) var rest: String

  /// The column of the first dash or of the content.
  var start: Int { dashes.first ?? contentColumn }
  /// The column of the content after the dashes.
  private(set) var contentColumn: Int

  /// Reads a line, or its first bytes.
  init(_ line: ArraySlice<UInt8>) {
    let bytes = Array(line)
    var index = bytes.prefix { $0 == 0x20 }.count
    while index < bytes.count, bytes[index] == UInt8(ascii: "-"),
      index + 1 == bytes.count || bytes[index + 1] == 0x20
    {
      dashes.append(index)
      index += 1
      while index < bytes.count, bytes[index] == 0x20 { index += 1 }
    }
    contentColumn = index
    valueColumn = index
    if let (name, end) = Self.key(in: bytes[index...]) {
      key = (name, index)
      valueColumn = end
      while valueColumn < bytes.count, bytes[valueColumn] == 0x20 { valueColumn += 1 }
    }
    let text = bytes[min(valueColumn, bytes.count)...].drop { $0 == 0x20 || $0 == 0x09 }
    (value, rest) = (Self.trimmed(text), String(decoding: text, as: UTF8.self))
  }

  /// Returns a key and the column after its colon.
  private static func key(in bytes: ArraySlice<UInt8>) -> (name: String, end: Int)? {
    guard let first = bytes.first else { return nil }
    var (index, name) = (bytes.startIndex, bytes[bytes.startIndex..<bytes.startIndex])
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
      guard let end = bytes.dropFirst().firstIndex(of: first) else { return nil }
      name = bytes[(index + 1)..<end]
      index = end + 1
    } else {
      // A flow collection, an anchor or a comment starts no key.
      if "{[#&*!|>%@`".utf8.contains(first) { return nil }
      let end = bytes.indices.first { place in
        bytes[place] == UInt8(ascii: ":")
          && (place + 1 == bytes.endIndex || bytes[place + 1] == 0x20)
      }
      guard let end else { return nil }
      (name, index) = (bytes[index..<end], end)
    }
    guard index < bytes.endIndex, bytes[index] == UInt8(ascii: ":") else { return nil }
    return (trimmed(name), index + 1)
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.trimming { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
  }

  /// True if the value starts a block scalar.
  var startsBlock: Bool { value.hasPrefix("|") || value.hasPrefix(">") }
}

extension String {
  /// The text of a scalar on one line, without its quotes and the comment after it.
  var scalarText: String {
    guard let quote = first, quote == "\"" || quote == "'" else {
      return range(of: " #").map { String(self[..<$0]) } ?? self
    }
    let rest = dropFirst()
    return rest.firstIndex(of: quote).map { String(rest[..<$0]) } ?? String(rest)
  }

  private func range(of text: String) -> String.Index? {
    var index = startIndex
    while index < endIndex {
      if self[index...].hasPrefix(text) { return index }
      index = self.index(after: index)
    }
    return nil
  }
}
