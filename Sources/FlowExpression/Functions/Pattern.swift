private import CPCRE2

/// A compiled regular expression: RE2's syntax, run by PCRE2 within limits.
///
/// Unchecked because of the pointer: compiled code is never changed (pcre2api, "Multithreading"), and
/// each match has data of its own.
@safe package final class Pattern: @unchecked Sendable {
  private let code: OpaquePointer

  /// Compiles a pattern.
  ///
  /// - Throws: `EvaluationError` for a text that is no pattern, or that RE2 does not have.
  package init(_ source: String) throws(EvaluationError) {
    if let construct = PatternSyntax.foreignConstruct(in: source) {
      throw .pattern(source, construct)
    }
    let bytes = Array(source.utf8)
    var (error, offset): (CInt, Int) = (0, 0)
    // `$` is the end of the text alone, and `\C` would match half a character.
    let options = UInt32(PCRE2_UTF) | UInt32(PCRE2_DOLLAR_ENDONLY) | UInt32(PCRE2_NEVER_BACKSLASH_C)
    let code = unsafe pcre2_compile_8(bytes, bytes.count, options, &error, &offset, nil)
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
}
