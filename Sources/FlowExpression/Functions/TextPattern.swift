private import CPCRE2

/// A regular expression in RE2's syntax whose every match in a text is found.
package struct TextPattern: Sendable {
  private let pattern: Pattern

  /// Compiles a pattern.
  ///
  /// - Throws: `EvaluationError` for a text that is no pattern, or that RE2 does not have.
  package init(_ source: String) throws(EvaluationError) {
    pattern = try Pattern(source, takesAnyBytes: true)
  }

  /// The stretches that match, in order; the whole text when finding them takes too long.
  ///
  /// The bytes need not be UTF-8.
  package func ranges(in bytes: [UInt8]) -> [Range<Int>] {
    pattern.ranges(in: bytes) ?? [0..<bytes.count]
  }
}

extension Pattern {
  /// The stretches of a text that match, in order; nil when it takes more than `Limits` allows.
  fileprivate func ranges(in bytes: [UInt8]) -> [Range<Int>]? {
    let data = unsafe pcre2_match_data_create_8(1, nil)
    let context = unsafe pcre2_match_context_create_8(nil)
    defer {
      unsafe pcre2_match_data_free_8(data)
      unsafe pcre2_match_context_free_8(context)
    }
    unsafe pcre2_set_match_limit_8(context, Limits.searchSteps)
    unsafe pcre2_set_depth_limit_8(context, Limits.searchSteps)
    unsafe pcre2_set_heap_limit_8(context, Limits.patternKilobytes)
    var (ranges, start): ([Range<Int>], Int) = ([], 0)
    while start < bytes.count {
      let result = unsafe pcre2_match_8(code, bytes, bytes.count, start, 0, data, context)
      if result == PCRE2_ERROR_NOMATCH { return ranges }
      guard result >= 0, let places = unsafe pcre2_get_ovector_pointer_8(data) else { return nil }
      let range = unsafe Int(places[0])..<max(Int(places[0]), Int(places[1]))
      if !range.isEmpty { ranges.append(range) }
      // Behind an empty match the next one begins with another character.
      start = range.isEmpty ? range.upperBound + 1 : range.upperBound
      while start < bytes.count, 0x80..<0xC0 ~= bytes[start] { start += 1 }
    }
    return ranges
  }
}
