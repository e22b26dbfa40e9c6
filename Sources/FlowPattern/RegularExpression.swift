private import CRE2

/// A regular expression in RE2's syntax.
///
/// A search takes linear time.
///
/// Unchecked because of the pointer: RE2 may be used from several threads at once (`re2.h`, "Thread
/// safety").
@safe package final class RegularExpression: @unchecked Sendable {
  /// The reason why there is no expression, or no result.
  package enum Problem: Error, Sendable, Hashable {
    /// A pattern refused by RE2: its reason and the wrong part, perhaps empty.
    case syntax(reason: String, part: String)
    /// There is not enough memory.
    case memory
  }

  private let code: OpaquePointer
  /// Instructions of the program: the most steps that a byte of text can take.
  package let size: Int

  /// Compiles a pattern with a limit on its memory in bytes.
  ///
  /// - Throws: `Problem` for a string that is not a pattern of RE2, or needs more memory.
  package init(_ source: String, memory: Int) throws(Problem) {
    let bytes = source.utf8.map { CChar(bitPattern: $0) }
    guard let code = unsafe flow_re2_compile(bytes, bytes.count, Int64(memory)) else {
      throw .memory
    }
    if let problem = unsafe Self.problem(of: code) {
      unsafe flow_re2_free(code)
      throw problem
    }
    unsafe self.code = code
    size = Int(unsafe flow_re2_size(code))
  }

  deinit { unsafe flow_re2_free(code) }

  /// True if a part of the text matches.
  ///
  /// - Throws: `Problem.memory`.
  package func matches(_ text: String) throws(Problem) -> Bool {
    var text = text
    let result = text.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
        unsafe flow_re2_find(code, characters.baseAddress, characters.count, 0, nil, nil)
      }
    }
    guard result >= 0 else { throw .memory }
    return result == 1
  }

  /// The first match from a position on, or nil.
  ///
  /// - Throws: `Problem.memory`.
  package func range(
    in bytes: UnsafeBufferPointer<CChar>, from start: Int
  ) throws(Problem) -> Range<Int>? {
    var (first, last) = (0, 0)
    let result = unsafe flow_re2_find(
      code, bytes.baseAddress, bytes.count, start, &first, &last)
    guard result >= 0 else { throw .memory }
    return result == 1 ? first..<last : nil
  }

  /// A match, with the place of its first group if this has a part in it.
  package typealias Match = (whole: Range<Int>, group: Range<Int>?)

  /// The number of capturing groups.
  package var groupCount: Int { Int(unsafe flow_re2_groups(code)) }

  /// The first match from a position on, with its first group, or nil.
  ///
  /// - Throws: `Problem.memory`.
  package func match(
    in bytes: UnsafeBufferPointer<CChar>, from start: Int
  ) throws(Problem) -> Match? {
    var places = [0, 0, 0, 0]
    let result = unsafe flow_re2_find_group(
      code, bytes.baseAddress, bytes.count, start, &places)
    guard result >= 0 else { throw .memory }
    guard result == 1 else { return nil }
    let hasGroup = places[2] >= 0
    return (places[0]..<places[1], hasGroup ? places[2]..<places[3] : nil)
  }

  private static func problem(of code: OpaquePointer) -> Problem? {
    guard let reason = unsafe flow_re2_error(code) else { return nil }
    var length = 0
    guard let start = unsafe flow_re2_error_part(code, &length) else { return .memory }
    let bytes = unsafe UnsafeBufferPointer(start: start, count: length)
    let part = String(decoding: unsafe bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var text = unsafe String(cString: reason)
    // RE2 appends the part to its reason.
    if !part.isEmpty, text.hasSuffix(": " + part) { text.removeLast(part.count + 2) }
    return .syntax(reason: text, part: part)
  }
}
