internal import FlowSystem

/// A way to write bytes as digits: base 64 in both alphabets, and hexadecimal.
enum DigitForm: Sendable {
  case base64
  case hexadecimal

  var bitsPerDigit: Int { self == .base64 ? 6 : 4 }

  /// The offsets from the first digit of a run at which a byte may start.
  ///
  /// A text joined to others by a possible digit may start at any of them.
  var phases: Range<Int> { 0..<(self == .base64 ? 4 : 2) }

  /// The value of each byte as a digit, `Base64.notADigit` for any other.
  var worth: [UInt8] { self == .base64 ? Base64.worth : Self.hexadecimalWorth }

  /// Returns the fewest digits for a number of bytes, at any phase.
  func digits(of bytes: Int) -> Int {
    self == .base64 ? max(6, (bytes * 8 + 5) / 6) : bytes * 2
  }

  private static let hexadecimalWorth: [UInt8] = (UInt8.min...UInt8.max).map {
    $0.hexadecimalValue ?? Base64.notADigit
  }
}

/// A text to search for secrets.
struct SearchedText {
  let bytes: [UInt8]
  /// The escapes removed from it, or nil without any.
  var escapes: [UnescapedText.Escape]?
  /// True if it contains an ellipsis.
  var isCut = false
}

/// The runs of a text that may be digits of something with a secret in it.
struct DigitRuns {
  let form: DigitForm
  /// In order, without overlaps.
  let ranges: [Range<Int>]
  /// The ends of the runs at which the text was cut off.
  private let cut: Set<Int>
  private let text: [UInt8]
  private let shortest: Int
  private let isText: [Bool]

  /// Finds the runs outside of these ranges.
  ///
  /// If escapes were removed, it finds only the runs with an escape in them or next to them: the
  /// others are the same with the escapes.
  init(
    _ form: DigitForm, in searched: SearchedText, besides found: [Range<Int>],
    for table: NeedleTable
  ) {
    self.form = form
    text = searched.bytes
    shortest = table.shortest
    isText = table.isText
    let isCut = searched.isCut
    let worth = form.worth
    // The text may contain only the start of a secret.
    let least = form.digits(of: isCut ? Needle.shortest : table.shortest)
    var (ranges, start): ([Range<Int>], Int) = ([], 0)
    for end in found + [text.count..<text.count] {
      if start < end.lowerBound {
        Self.add(start..<end.lowerBound, of: text, worth, least, to: &ranges)
      }
      start = max(start, end.upperBound)
    }
    ranges = searched.escapes.map { Self.changed(ranges, by: $0) } ?? ranges
    self.ranges = ranges
    let (ends, text) = (isCut ? ranges.map(\.upperBound) : [], searched.bytes)
    cut = Set(ends.filter { text[$0...].starts(with: Ellipsis.bytes) })
  }

  /// Returns true if the text was cut off at the end of a run.
  func isCut(_ range: Range<Int>) -> Bool { cut.contains(range.upperBound) }

  /// Adds the stretches of digits that are long enough, without a look at most bytes.
  private static func add(
    _ range: Range<Int>, of text: [UInt8], _ worth: [UInt8], _ least: Int,
    to ranges: inout [Range<Int>]
  ) {
    var start = range.lowerBound
    while start + least <= range.upperBound {
      var place = start + least - 1
      while place >= start, worth[Int(text[place])] != Base64.notADigit { place -= 1 }
      if place >= start {
        start = place + 1
        continue
      }
      var end = start + least
      while end < range.upperBound, worth[Int(text[end])] != Base64.notADigit { end += 1 }
      ranges.append(start..<end)
      start = end + 1
    }
  }

  private static func changed(
    _ ranges: [Range<Int>], by escapes: [UnescapedText.Escape]
  ) -> [Range<Int>] {
    var rest = escapes[...]
    return ranges.filter { range in
      rest = rest.drop { $0.inner.upperBound < range.lowerBound }
      return rest.first.map { $0.inner.lowerBound <= range.upperBound } ?? false
    }
  }

  /// Returns the possible texts encoded by the digits, for bytes that start at a phase.
  ///
  /// Only parts long enough for a secret count. Nearly all digits of other content have none.
  func decoded(at phase: Int) -> DecodedDigits {
    var result = DecodedDigits(form: form, phase: phase)
    let (worth, bitsPerDigit) = (form.worth, form.bitsPerDigit)
    for (run, range) in ranges.enumerated() where range.count > phase {
      var (bits, count, offset) = (UInt32(0), 0, 0)
      for place in range.lowerBound + phase..<range.upperBound {
        bits = bits << UInt32(bitsPerDigit) | UInt32(worth[Int(text[place])])
        count += bitsPerDigit
        if count < 8 { continue }
        count -= 8
        let byte = UInt8(truncatingIfNeeded: bits >> UInt32(count))
        if isText[Int(byte)] {
          result.bytes.append(byte)
        } else {
          result.endStretch(before: offset, of: run, shortest)
        }
        offset += 1
      }
      if isCut(range) {
        result.endCutStretch(before: offset, of: run)
      } else {
        result.endStretch(before: offset, of: run, shortest)
      }
    }
    return result
  }
}

/// The texts encoded by runs of digits, one after the other.
struct DecodedDigits {
  /// A text among the bytes.
  private struct Stretch {
    /// The start of the stretch in `bytes`.
    let start: Int
    let run: Int
    /// The number of bytes of the run before it.
    let offset: Int
  }

  /// A part of the digits of a run.
  struct Place {
    let run: Int
    /// From the first digit of the run on.
    let bits: Range<Int>
  }

  let form: DigitForm
  let phase: Int
  /// The texts, with a separator between them that no text contains.
  fileprivate(set) var bytes: [UInt8] = []
  private var stretches: [Stretch] = []
  private var start = 0

  init(form: DigitForm, phase: Int) {
    self.form = form
    self.phase = phase
  }

  private static let separator: [UInt8] = [0xFF, 0x00]

  /// Keeps the bytes since the last stretch if they are long enough.
  ///
  /// `offset` bytes of the run come before their end.
  fileprivate mutating func endStretch(before offset: Int, of run: Int, _ shortest: Int) {
    let count = bytes.count - start
    if count == 0 { return }
    if count < shortest {
      bytes.removeLast(count)
    } else {
      stretches.append(Stretch(start: start, run: run, offset: offset - count))
      bytes += Self.separator
    }
    start = bytes.count
  }

  /// Keeps the bytes since the last stretch, after which the text was cut off.
  fileprivate mutating func endCutStretch(before offset: Int, of run: Int) {
    let count = bytes.count - start
    if count >= Needle.shortest { bytes += Ellipsis.bytes }
    let added = bytes.count - start - count
    endStretch(before: offset + added, of: run, Needle.shortest)
  }

  /// Returns the place in the digits of a part of the bytes.
  func place(of range: Range<Int>) -> Place {
    // The last stretch that starts there or earlier.
    var (low, high) = (0, stretches.count)
    while low < high {
      let middle = (low + high) / 2
      if stretches[middle].start <= range.lowerBound { low = middle + 1 } else { high = middle }
    }
    let stretch = stretches[low - 1]
    let first = stretch.offset + range.lowerBound - stretch.start
    let begin = phase * form.bitsPerDigit + first * 8
    return Place(run: stretch.run, bits: begin..<begin + range.count * 8)
  }
}
