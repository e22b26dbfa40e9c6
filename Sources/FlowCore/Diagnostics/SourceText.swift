/// A file's text as it can be quoted.
package enum SourceText {
  /// The text in UTF-8: a byte order mark says that it is in UTF-16, which YAML allows as well.
  ///
  /// YAML 1.2.2, section 5.2. Anything else stays as it is.
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
