/// A place in a statement or a file of statements.
struct SQLPlace: Equatable {
  /// The line, from 1.
  let line: Int
  /// The unicode scalar in the line, from 1, or nil if only the line is known.
  let column: Int?

  /// Creates the place of a byte, from 0, with its line alone.
  init(lineOf byte: Int, in text: [UInt8]) {
    line = text.prefix(byte).count { $0 == Self.lineEnd } + 1
    column = nil
  }

  /// Creates the place of a byte, from 0.
  init(byte: Int, in text: [UInt8]) {
    let before = text.prefix(byte)
    let start = before.lastIndex(of: Self.lineEnd).map { $0 + 1 } ?? 0
    line = before.count { $0 == Self.lineEnd } + 1
    column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
  }

  /// Returns the byte of a unicode scalar, both from 0, or the end of the text.
  static func byte(ofScalar index: Int, in text: [UInt8]) -> Int {
    var left = index
    for (byte, value) in text.enumerated() where value & 0xC0 != 0x80 {
      if left == 0 { return byte }
      left -= 1
    }
    return text.count
  }

  private static let lineEnd = UInt8(ascii: "\n")
}

extension SQLPlace: CustomStringConvertible {
  /// The place as `line 3, column 5`.
  var description: String { column.map { "line \(line), column \($0)" } ?? "line \(line)" }

  /// The place as `3:5`, to follow the name of a file.
  var suffix: String { column.map { "\(line):\($0)" } ?? "\(line)" }
}
