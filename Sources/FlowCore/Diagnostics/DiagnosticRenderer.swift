internal import FlowSystem

/// Turns diagnostics into text: the place and message, the source line, and a caret run under it.
///
///     shop.yaml:12:5: error: unknown key 'usse'; did you mean 'uses'? [F1102]
///        12 |     usse: balance.load
///           |     ^^^^
package struct DiagnosticRenderer {
  /// The longest part of a source line to show, in characters.
  private static let widest = 120
  /// The longest part of a message to show, in characters.
  private static let longest = 500

  private let sources: [String: SourceLines]
  private let hasColors: Bool
  private let subject: String?

  /// Creates a renderer that can quote these files, by their paths in the diagnostics.
  ///
  /// `subject` is the file of diagnostics without a place, if several are possible.
  package init(sources: [String: [UInt8]], hasColors: Bool = false, subject: String? = nil) {
    self.subject = subject
    self.sources = sources.mapValues(SourceLines.init)
    self.hasColors = hasColors
  }

  /// Returns the diagnostics in file order, each ending in a newline, or the empty string for none.
  package func render(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.sorted().map(render).joined()
  }

  /// One diagnostic, ending in a newline.
  package func render(_ diagnostic: Diagnostic) -> String {
    let label = paint("\(diagnostic.severity.rawValue):", diagnostic.severity.paint)
    let code = paint("[\(diagnostic.code)]", .dim)
    var text = "\(label) \(message(of: diagnostic)) \(code)\n"
    if let span = diagnostic.span {
      let file = Self.visible(span.file.unicodeScalars)
      text =
        paint("\(file):\(span.start.line):\(span.start.column):", .bold) + " " + text
        + (diagnostic.showsLine ? excerpt(span, diagnostic.severity.paint) : "")
    } else if let subject, !diagnostic.message.contains(subject) {
      text = paint("\(Self.visible(subject.unicodeScalars)):", .bold) + " " + text
    }
    for note in diagnostic.notes {
      // An indented note belongs to the one before it.
      let start = note.hasPrefix("  ") ? "      " : "  " + paint("note:", .boldCyan) + " "
      text += start + Self.sentence(note) + "\n"
    }
    for line in diagnostic.context { text += "  " + Self.visible(line.unicodeScalars) + "\n" }
    return text
  }

  private func paint(_ text: some StringProtocol, _ paint: Paint) -> String {
    String(text).painted(paint, if: hasColors)
  }

  /// Returns the problem and the possible replacements.
  private func message(of diagnostic: Diagnostic) -> String {
    let message = Self.sentence(diagnostic.message)
    guard let offer = Suggestion.phrase(diagnostic.fixes), message.hasSuffix("; \(offer)") else {
      return paint(message, .bold)
    }
    return paint(message.dropLast(offer.count + 2), .bold) + "; " + paint(offer, .green)
  }

  /// Returns a message on one line, ending with an ellipsis if a hostile file makes it too long.
  private static func sentence(_ text: String) -> String {
    visible(text.shortened(to: longest + 1).unicodeScalars)
  }

  private func excerpt(_ span: SourceSpan, _ color: Paint) -> String {
    let line = span.start.line
    guard let source = sources[span.file], let length = source.length(ofLine: line) else {
      return ""
    }
    let first = min(span.start.column - 1, length)
    let last = span.end.line == line ? span.end.column - 1 : length
    // A long line is shown from shortly before the caret.
    let from = first > Self.widest - 20 ? first - 20 : 0
    let shown = source.stretch(ofLine: line, from: from, count: Self.widest)
    let marked = shown.dropFirst(first - from).prefix(max(0, last - first))
    let (before, carets) = (Self.width(shown.prefix(first - from)), max(1, Self.width(marked)))
    let number = String(line)
    let gutter = String(repeating: " ", count: max(5, number.utf8.count))
    let padding = String(repeating: " ", count: gutter.utf8.count - number.utf8.count)
    return paint(padding + number + " |", .dim) + " " + Self.visible(shown) + "\n"
      + paint(gutter + " |", .dim) + " " + String(repeating: " ", count: before)
      + paint(String(repeating: "^", count: carets), color) + "\n"
  }

  /// Returns the width of the scalars in cells of a terminal, as they are shown.
  private static func width(_ scalars: some Sequence<Unicode.Scalar>) -> Int {
    scalars.reduce(0) { $0 + ($1.breaksText ? 1 : $1.cellWidth) }
  }

  /// Returns one visible character for each scalar, so that the carets stay under their text.
  private static func visible(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    for scalar in scalars {
      text.append(scalar == "\t" ? " " : scalar.breaksText ? "\u{FFFD}" : scalar)
    }
    return String(text)
  }
}

extension Diagnostic.Severity {
  fileprivate var paint: Paint { self == .error ? .boldRed : .boldYellow }
}

/// The lines of a file, with fast access to any part of a line.
///
/// A file may be one line of megabytes with a problem in every few characters.
struct SourceLines {
  /// Every how many scalars an index is kept.
  private static let stride = 64

  private let scalars: String.UnicodeScalarView
  private var indices: [String.Index] = []
  /// The lines without their ends, as ranges of scalars from the start of the file.
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

  /// Returns the number of scalars in a line, from line 1, or nil if there is no such line.
  func length(ofLine line: Int) -> Int? {
    lines.indices.contains(line - 1) ? lines[line - 1].count : nil
  }

  /// Returns at most `count` scalars of a line from a column on, counted from 0 here.
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

/// A file's text as it can be quoted.
package enum SourceText {
  /// Converts UTF-16 with a byte order mark, which YAML allows as well, to UTF-8.
  ///
  /// YAML 1.2.2, section 5.2. Anything else is returned unchanged.
  package static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    let isLittleEndian = bytes.starts(with: [0xFF, 0xFE])
    guard isLittleEndian || bytes.starts(with: [0xFE, 0xFF]) else { return bytes }
    let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isLittleEndian ? second << 8 | first : first << 8 | second
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}
