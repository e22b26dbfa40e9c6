/// The lines of a file, any stretch of which is found without walking through what is before it.
///
/// A file may be one line of megabytes with a problem in every few characters.
struct SourceLines {
  /// Every how many scalars an index is kept.
  private static let stride = 64

  private let scalars: String.UnicodeScalarView
  private var indices: [String.Index] = []
  /// Each line without what ends it, as numbers of scalars from the beginning of the file.
  private var lines: [Range<Int>] = []

  /// The lines as a YAML reader counts them (YAML 1.1, section 4.1.4, which libyaml follows).
  init(_ bytes: [UInt8]) {
    scalars = String(decoding: SourceText.utf8(bytes), as: UTF8.self).unicodeScalars
    var (start, number) = (0, 0)
    var previous: Unicode.Scalar?
    for index in scalars.indices {
      if number.isMultiple(of: Self.stride) { indices.append(index) }
      let scalar = scalars[index]
      switch scalar {
      // A byte order mark has no column.
      case "\u{FEFF}" where number == 0: start = 1
      // The carriage return has ended the line.
      case "\n" where previous == "\r": start = number + 1
      case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}":
        lines.append(start..<number)
        start = number + 1
      default: break
      }
      previous = scalar
      number += 1
    }
    lines.append(start..<number)
  }

  /// How many scalars a line has, from line 1; nil when the file has no such line.
  func length(ofLine line: Int) -> Int? {
    lines.indices.contains(line - 1) ? lines[line - 1].count : nil
  }

  /// At most `count` scalars of a line from a column on, which counts from 0 here.
  ///
  /// - Precondition: the line is one of the file, and has that many columns.
  func stretch(ofLine line: Int, from column: Int, count: Int) -> Substring.UnicodeScalarView {
    let line = lines[line - 1]
    let first = line.lowerBound + column
    guard first < line.upperBound else { return Substring().unicodeScalars }
    let near = indices[first / Self.stride]
    let start = scalars.index(near, offsetBy: first % Self.stride)
    return scalars[start...].prefix(min(count, line.upperBound - first))
  }
}
