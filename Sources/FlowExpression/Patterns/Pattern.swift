private import CRE2
private import FlowSystem

/// A compiled regular expression, run by RE2 in linear time.
///
/// Unchecked because of the pointer: RE2 may be used from several threads at once (`re2.h`, "Thread safety").
@safe package final class Pattern: @unchecked Sendable {
  private let code: OpaquePointer
  /// Instructions of the program: the most steps that a byte of text can take.
  let size: Int

  /// Compiles a pattern with a limit on its memory in bytes.
  ///
  /// - Throws: `EvaluationError` for a string that is not a pattern of RE2, or too large.
  package init(_ source: String, memory: Int? = nil) throws(EvaluationError) {
    let bytes = source.utf8.map { CChar(bitPattern: $0) }
    guard bytes.count <= Limits.patternLength else { throw .longPattern(Limits.patternLength) }
    let memory = Int64(memory ?? Limits.patternMemory)
    guard let code = unsafe flow_re2_compile(bytes, bytes.count, memory) else {
      throw .patternMemory
    }
    if let error = unsafe Self.error(of: code, source) {
      unsafe flow_re2_free(code)
      throw error
    }
    unsafe self.code = code
    size = Int(unsafe flow_re2_size(code))
  }

  deinit { unsafe flow_re2_free(code) }

  /// True if a part of the text matches.
  ///
  /// - Throws: `EvaluationError` when there is not enough memory.
  package func matches(_ text: String) throws(EvaluationError) -> Bool {
    var text = text
    let result = text.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
        unsafe flow_re2_find(code, characters.baseAddress, characters.count, 0, nil, nil)
      }
    }
    guard result >= 0 else { throw .patternMemory }
    return result == 1
  }

  /// The first match from a position on, or nil.
  ///
  /// - Throws: `EvaluationError` if there is not enough memory.
  fileprivate func range(
    in bytes: UnsafeBufferPointer<CChar>, from start: Int
  ) throws(EvaluationError) -> Range<Int>? {
    var (first, last) = (0, 0)
    let result = unsafe flow_re2_find(
      code, bytes.baseAddress, bytes.count, start, &first, &last)
    guard result >= 0 else { throw .patternMemory }
    return result == 1 ? first..<last : nil
  }

  private static func error(of code: OpaquePointer, _ source: String) -> EvaluationError? {
    guard let reason = unsafe flow_re2_error(code) else { return nil }
    var length = 0
    guard let start = unsafe flow_re2_error_part(code, &length) else { return nil }
    let bytes = unsafe UnsafeBufferPointer(start: start, count: length)
    let part = String(decoding: unsafe bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var text = unsafe String(cString: reason)
    // RE2 appends the part to its reason.
    if !part.isEmpty, text.hasSuffix(": " + part) { text.removeLast(part.count + 2) }
    return .pattern(source, text, part)
  }
}

/// A regular expression for finding every match in a text.
package struct TextPattern: Sendable {
  /// The processor time that one text may take: a second, and two microseconds for each byte.
  ///
  /// RE2 takes a tenth of a microsecond for a byte, in each search. A search may look far beyond its match, for
  /// the end of a longer one (`[0-9]|([0-9]+-)+x`), so that many searches can be quadratic.
  private static func limit(_ count: Int) -> Duration {
    .seconds(1) + .microseconds(2 * count)
  }
  /// Searches between two looks at the clock.
  private static let searches = 64

  private let pattern: Pattern

  /// Compiles a pattern.
  ///
  /// - Throws: `EvaluationError` for a string that is not a pattern of RE2, or too large.
  package init(_ source: String) throws(EvaluationError) { pattern = try Pattern(source) }

  /// Returns the non-empty matches in order, or the whole text if that takes too long.
  ///
  /// The bytes need not be UTF-8.
  package func ranges(in bytes: [UInt8]) -> [Range<Int>] {
    ranges(in: bytes) { ThreadClock.now }
  }

  /// Returns the matches with another clock.
  func ranges(in bytes: [UInt8], time: () -> Duration) -> [Range<Int>] {
    let whole = [0..<bytes.count]
    let found = unsafe bytes.withUnsafeBytes { text in
      unsafe text.withMemoryRebound(to: CChar.self) { characters in
        try? unsafe ranges(in: characters, time)
      }
    }
    return found ?? whole
  }

  /// True for a byte that continues a character of UTF-8.
  private static func isInside(_ byte: CChar) -> Bool { 0x80..<0xC0 ~= UInt8(bitPattern: byte) }

  private func ranges(
    in text: UnsafeBufferPointer<CChar>, _ time: () -> Duration
  ) throws(EvaluationError) -> [Range<Int>]? {
    var (ranges, start, count): ([Range<Int>], Int, Int) = ([], 0, 0)
    let end = time() + Self.limit(text.count)
    while start < text.count, let range = unsafe try pattern.range(in: text, from: start) {
      // `\C` matches a byte of a character, of which the others are taken as well.
      var (first, next) = (range.lowerBound, range.upperBound)
      while first > start, unsafe Self.isInside(text[first]) { first -= 1 }
      // Behind an empty match the next one starts with another character.
      if range.isEmpty { next += 1 }
      while next < text.count, unsafe Self.isInside(text[next]) { next += 1 }
      if !range.isEmpty { ranges.append(first..<next) }
      start = next
      count += 1
      if count.isMultiple(of: Self.searches), time() > end { return nil }
    }
    return ranges
  }
}
