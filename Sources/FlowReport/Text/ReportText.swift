internal import FlowCore
internal import FlowSystem

// What a text has to be in a report, whatever it holds.
extension String {
  /// Returns true if each UTF-8 byte satisfies the condition.
  ///
  /// Reads contiguous bytes, since it sees every text of a report.
  @inline(__always) func everyByte(satisfies condition: (UInt8) -> Bool) -> Bool {
    unsafe utf8.withContiguousStorageIfAvailable { unsafe $0.allSatisfy(condition) }
      ?? utf8.allSatisfy(condition)
  }

  /// The text without what drives a terminal or is not a character of XML 1.0: escape sequences are left out, and
  /// other control characters, except line feeds and tabs, are replaced.
  var plain: String {
    // As nearly all texts.
    if everyByte(satisfies: { 0x20..<0x7F ~= $0 || $0 == 0x0A || $0 == 0x09 }) { return self }
    var result = String.UnicodeScalarView()
    var rest = Substring(self).unicodeScalars
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\u{1B}": rest.dropEscapeSequence()
      case "\u{9B}": rest.dropControlSequence()
      case "\n", "\t": result.append(scalar)
      case "\r": if rest.first != "\n" { result.append("\n") }
      default: result.append(scalar.isUnfit ? "\u{FFFD}" : scalar)
      }
    }
    return String(result)
  }

  /// Returns the string on one line, cut to a number of characters.
  func line(_ limit: Int) -> String {
    // As nearly all texts.
    if utf8.count <= limit, everyByte(satisfies: { 0x20..<0x7F ~= $0 }) { return self }
    return cut(toBytes: 8 * limit).plain.replacing("\n", with: " ").replacing("\t", with: " ")
      .shortened(to: limit)
  }

  /// Returns the string in at most `limit` bytes, with an ellipsis for the cut part.
  func cut(toBytes limit: Int) -> String {
    if utf8.count <= limit { return self }
    let ellipsis = "…"
    var end = utf8.index(utf8.startIndex, offsetBy: max(0, limit - ellipsis.utf8.count))
    // Back to the start of a scalar.
    while String.Index(end, within: unicodeScalars) == nil { end = utf8.index(before: end) }
    return self[..<end] + ellipsis
  }

  /// Returns the string in at most `limit` bytes, with references for the syntax of XML.
  func xml(limit: Int) -> String {
    let plain = cut(toBytes: 2 * limit).plain.cut(toBytes: limit)
    // As nearly all texts.
    if plain.everyByte(satisfies: { !"&<>\"".utf8.contains($0) }) { return plain }
    var bytes: [UInt8] = []
    for byte in plain.utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes += Array("&amp;".utf8)
      case UInt8(ascii: "<"): bytes += Array("&lt;".utf8)
      // Also the end of a CDATA section.
      case UInt8(ascii: ">"): bytes += Array("&gt;".utf8)
      case UInt8(ascii: "\""): bytes += Array("&quot;".utf8)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Unicode.Scalar {
  /// True for a scalar that is no character of XML 1.0, drives a terminal, or turns the direction
  /// of text.
  fileprivate var isUnfit: Bool {
    if isASCII { return value < 0x20 || value == 0x7F }
    // Noncharacters excluded by XML (section 2.2).
    return value == 0xFFFE || value == 0xFFFF || breaksText
  }
}

extension Substring.UnicodeScalarView {
  /// Drops the rest of an escape sequence after the character ESC (ECMA-48, section 5.3).
  fileprivate mutating func dropEscapeSequence() {
    switch first {
    case "[":
      removeFirst()
      dropControlSequence()
    case "]", "P", "X", "^", "_": dropControlString()
    case nil: break
    case let scalar? where scalar.isASCII && scalar.value >= 0x20: removeFirst()
    default: break
    }
  }

  /// Drops the parameters and the final byte of a control sequence.
  fileprivate mutating func dropControlSequence() {
    while let scalar = first, 0x20...0x3F ~= scalar.value { removeFirst() }
    if let scalar = first, 0x40...0x7E ~= scalar.value { removeFirst() }
  }

  /// Drops a control string, such as a window's title, to its end on the same line.
  ///
  /// Without an end it is text.
  private mutating func dropControlString() {
    removeFirst()
    guard
      let end = firstIndex(where: { $0 == "\u{07}" || $0 == "\u{1B}" || $0 == "\n" }),
      self[end] != "\n"
    else { return }
    let isLong = self[end] == "\u{1B}"
    self = self[index(after: end)...]
    if isLong, first == "\\" { removeFirst() }
  }
}

extension Duration {
  /// Seconds with three decimals: `1.234`.
  var seconds: String { parts(unitsPerSecond: 1, decimals: 3).text }

  /// Seconds with six decimals: `1.234567`.
  var preciseSeconds: String { secondParts.text }

  /// The seconds as parts, to be written without building a string.
  var secondParts: DecimalParts { parts(unitsPerSecond: 1, decimals: 6) }

  /// Milliseconds with three decimals: `1234.567`.
  var milliseconds: String { parts(unitsPerSecond: 1_000, decimals: 3).text }

  /// Microseconds with three decimals.
  var microsecondParts: DecimalParts { parts(unitsPerSecond: 1_000_000, decimals: 3) }

  // Inlined, so that the divisions are by constants.
  @inline(__always) private func parts(unitsPerSecond units: Int64, decimals: Int) -> DecimalParts {
    let (seconds, attoseconds) = components
    let (whole, isTooMuch) = max(0, seconds).multipliedReportingOverflow(by: units)
    let size = 1_000_000_000_000_000_000 / units
    let fraction = max(0, attoseconds)
    // More than 290,000 years count as that many.
    return DecimalParts(
      whole: Int(isTooMuch ? .max >> 1 : whole) + Int(fraction / size),
      part: Int(fraction % size / (size / (decimals == 3 ? 1_000 : 1_000_000))),
      decimals: decimals)
  }
}

/// A number from 0 with a fixed count of decimals.
struct DecimalParts {
  let whole: Int
  /// The fraction in units of the last decimal.
  let part: Int
  let decimals: Int

  /// The number for people and machines: `1.050`.
  var text: String {
    var text = TextBuffer()
    text.append(number: whole)
    text.append(UInt8(ascii: "."))
    text.append(number: part, width: decimals)
    return text.text
  }
}

extension JSONWriter {
  /// Writes a member with a decimal number.
  mutating func member(_ name: StaticString, _ parts: DecimalParts) {
    self.name(plain: name)
    number(parts.whole, parts.part, decimals: parts.decimals)
  }
}

extension Duration {
  /// The duration for people, three digits or so: `0.12 ms`, `35 ms`, `1.2 s`, `3 min 20 s`.
  package var reportText: String {
    let (seconds, attoseconds) = components
    // Of 200,000 years the microseconds are too many.
    if seconds > 6_000_000_000_000 { return Self.long(seconds: Int(seconds)) }
    let microseconds = max(
      0, Int(max(0, seconds)) * 1_000_000 + Int(attoseconds / 1_000_000_000_000))
    switch microseconds {
    case ..<1_000: return Self.twoDigits(microseconds / 10) + " ms"
    case ..<10_000: return "\(microseconds / 1_000).\(microseconds / 100 % 10) ms"
    case ..<1_000_000: return "\(microseconds / 1_000) ms"
    case ..<60_000_000: return "\(microseconds / 1_000_000).\(microseconds / 100_000 % 10) s"
    default: return Self.long(seconds: microseconds / 1_000_000)
    }
  }

  /// Returns a time above a minute in two units: `3 min 20 s`, `5 h 0 min`, `38 d 10 h`.
  private static func long(seconds: Int) -> String {
    let (minutes, hours) = (seconds / 60, seconds / 3_600)
    if minutes < 60 { return "\(minutes) min \(seconds % 60) s" }
    return hours < 24 ? "\(hours) h \(minutes % 60) min" : "\(hours / 24) d \(hours % 24) h"
  }

  private static func twoDigits(_ hundredths: Int) -> String {
    hundredths < 10 ? "0.0\(hundredths)" : "0.\(hundredths)"
  }
}

/// Returns a count with its noun: `1 step`, `3 steps`.
package func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}

/// Returns the note on items left out of a list: `3 more are left out`.
func moreLeftOut(_ count: Int) -> String { "\(count) more \(count == 1 ? "is" : "are") left out" }

/// Returns the note on the hidden part of a run.
func furtherLeftOut(_ count: Int) -> String {
  count == 1
    ? "1 further step or call is left out" : "\(count) further steps and calls are left out"
}
