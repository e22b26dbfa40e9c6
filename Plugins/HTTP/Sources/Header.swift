/// The fields of heads (RFC 9110, section 5).
enum Header {
  /// Whether a text can be a name: a token.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
  }

  /// Whether a text can be a value: a line break in it would begin another header.
  static func isValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }

  /// The line of a header as libcurl takes it, which has a form of its own for an empty value.
  static func line(_ name: String, _ value: String) -> String {
    value.isEmpty ? "\(name);" : "\(name): \(value)"
  }

  /// The headers of the last head in some lines, by their lower-case names.
  ///
  /// Several of one name are joined by `, `, and cookies, which may contain that, by line breaks.
  static func fields(in head: [UInt8]) -> [String: String] {
    var fields: [String: String] = [:]
    for line in head.split(separator: UInt8(ascii: "\n")) {
      if line.starts(with: "HTTP/".utf8) { fields = [:] }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      let value = String(decoding: line[(colon + 1)...].trimmed, as: UTF8.self)
      let separator = name == "set-cookie" ? "\n" : ", "
      fields[name] = fields[name].map { $0 + separator + value } ?? value
    }
    return fields
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}

extension ArraySlice<UInt8> {
  /// Without blanks and line ends around it.
  fileprivate var trimmed: ArraySlice<UInt8> {
    let blanks: [UInt8] = [0x20, 0x09, 0x0D]
    let begin = firstIndex { !blanks.contains($0) } ?? endIndex
    let end = lastIndex { !blanks.contains($0) }.map { $0 + 1 } ?? begin
    return self[begin..<end]
  }
}
