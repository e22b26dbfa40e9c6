private import FlowPattern
private import FlowSystem

/// A regular expression within the limits of expressions.
package struct Pattern: Sendable {
  private let expression: RegularExpression
  /// Instructions of the program: the most steps that a byte of text can take.
  var size: Int { expression.size }

  /// Compiles a pattern with a limit on its memory in bytes.
  ///
  /// - Throws: `EvaluationError` for a string that is not a pattern of RE2, or too large.
  package init(_ source: String, memory: Int? = nil) throws(EvaluationError) {
    guard source.utf8.count <= Limits.patternLength else {
      throw .longPattern(Limits.patternLength)
    }
    do throws(RegularExpression.Problem) {
      expression = try RegularExpression(source, memory: memory ?? Limits.patternMemory)
    } catch {
      throw EvaluationError(error, source)
    }
  }

  /// True if a part of the text matches.
  ///
  /// - Throws: `EvaluationError` when there is not enough memory.
  package func matches(_ text: String) throws(EvaluationError) -> Bool {
    do throws(RegularExpression.Problem) {
      return try expression.matches(text)
    } catch {
      throw .patternMemory
    }
  }

  /// The number of capturing groups.
  var groupCount: Int { expression.groupCount }

  /// Finds each match in order or, if the pattern has one, its group, which is nil without a part in
  /// the match.
  ///
  /// `isEnough` is called after each match, with the part and the number of bytes searched for it. True
  /// ends the search.
  ///
  /// - Throws: `EvaluationError` if there is not enough memory, and the errors of `isEnough`.
  func parts(
    of text: String,
    until isEnough: (String?, Int) throws(EvaluationError) -> Bool
  ) throws(EvaluationError) {
    let bytes = text.utf8.map { CChar(bitPattern: $0) }
    let hasGroup = groupCount > 0
    var start = 0
    while start <= bytes.count {
      let found: RegularExpression.Match?
      do throws(RegularExpression.Problem) {
        found = unsafe try bytes.withUnsafeBufferPointer {
          (buffer) throws(RegularExpression.Problem) in
          unsafe try expression.match(in: buffer, from: start)
        }
      } catch { throw .patternMemory }
      guard let found else { return }
      let range = hasGroup ? found.group : found.whole
      let part = range.map { range in
        String(decoding: bytes[range].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      }
      if try isEnough(part, found.whole.upperBound - start) { return }
      start = found.whole.upperBound
      // Behind an empty match the next one starts with another character.
      guard found.whole.isEmpty else { continue }
      start += 1
      while start < bytes.count, 0x80..<0xC0 ~= UInt8(bitPattern: bytes[start]) { start += 1 }
    }
  }

  /// The first match from a position on, or nil.
  ///
  /// - Throws: `EvaluationError` if there is not enough memory.
  fileprivate func range(
    in bytes: UnsafeBufferPointer<CChar>, from start: Int
  ) throws(EvaluationError) -> Range<Int>? {
    do throws(RegularExpression.Problem) {
      return unsafe try expression.range(in: bytes, from: start)
    } catch {
      throw .patternMemory
    }
  }
}

extension EvaluationError {
  fileprivate init(_ problem: RegularExpression.Problem, _ source: String) {
    switch problem {
    case .syntax(let reason, let part): self = .pattern(source, reason, part)
    case .memory: self = .patternMemory
    }
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
