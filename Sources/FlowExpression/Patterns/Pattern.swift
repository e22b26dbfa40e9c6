private import CPCRE2

/// A compiled regular expression: RE2's syntax, run by PCRE2 within limits.
///
/// Unchecked because of the pointer: compiled code is never changed (pcre2api, "Multithreading"), and
/// each match has data of its own.
@safe package final class Pattern: @unchecked Sendable {
  let code: OpaquePointer

  /// Compiles a pattern; with `takesAnyBytes` bytes that are not UTF-8 are allowed, and never match.
  ///
  /// - Throws: `EvaluationError` for a text that is not a pattern, or that RE2 does not have.
  package init(_ source: String, takesAnyBytes: Bool = false) throws(EvaluationError) {
    let bytes: [UInt8]
    do throws(PatternProblem) { bytes = Array(try PatternTranslator.translated(source).utf8) } catch
    {
      throw .pattern(source, error.description)
    }
    var (error, offset): (CInt, Int) = (0, 0)
    // The translator writes `\A`, `\z` and `\N` where these options are not meant.
    var options = UInt32(PCRE2_UTF) | UInt32(PCRE2_MULTILINE) | UInt32(PCRE2_DOTALL)
    // In RE2 a line also begins behind a line feed that ends the text.
    options |= UInt32(PCRE2_ALT_CIRCUMFLEX)
    if takesAnyBytes { options |= UInt32(PCRE2_MATCH_INVALID_UTF) }
    let context = unsafe pcre2_compile_context_create_8(nil)
    defer { unsafe pcre2_compile_context_free_8(context) }
    // What a line ends with is otherwise decided where PCRE2 is built.
    unsafe pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_LF))
    let code = unsafe pcre2_compile_8(bytes, bytes.count, options, &error, &offset, context)
    guard let code = unsafe code else { throw .pattern(source, Self.message(error)) }
    unsafe self.code = code
  }

  deinit { unsafe pcre2_code_free_8(code) }

  /// Whether a part of the text matches; nil when that takes more steps.
  ///
  /// - Throws: `EvaluationError` when the match takes more memory than `Limits` allows.
  package func matches(_ text: String, steps: UInt32) throws(EvaluationError) -> Bool? {
    let data = unsafe pcre2_match_data_create_8(1, nil)
    let context = unsafe pcre2_match_context_create_8(nil)
    defer {
      unsafe pcre2_match_data_free_8(data)
      unsafe pcre2_match_context_free_8(context)
    }
    unsafe pcre2_set_match_limit_8(context, steps)
    unsafe pcre2_set_depth_limit_8(context, steps)
    unsafe pcre2_set_heap_limit_8(context, Limits.patternKilobytes)
    let bytes = Array(text.utf8)
    // Swift's text is valid UTF-8, which need not be checked again.
    let result = unsafe pcre2_match_8(
      code, bytes, bytes.count, 0, UInt32(PCRE2_NO_UTF_CHECK), data, context)
    if result == PCRE2_ERROR_NOMATCH { return false }
    // Zero says that the match was found but that there was no room for its groups.
    if result >= 0 { return true }
    if result == PCRE2_ERROR_MATCHLIMIT || result == PCRE2_ERROR_DEPTHLIMIT { return nil }
    throw .patternLimit
  }

  private static func message(_ error: CInt) -> String {
    var buffer = [UInt8](repeating: 0, count: 256)
    let length = unsafe pcre2_get_error_message_8(error, &buffer, buffer.count)
    return String(decoding: buffer.prefix(Int(max(0, length))), as: UTF8.self)
  }

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

/// A regular expression in RE2's syntax whose every match in a text is found.
package struct TextPattern: Sendable {
  private let pattern: Pattern

  /// Compiles a pattern.
  ///
  /// - Throws: `EvaluationError` for a text that is not a pattern, or that RE2 does not have.
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
