private import CCharset

/// The encoding of a text, by the labels of the Encoding Standard
/// (https://encoding.spec.whatwg.org/#names-and-labels).
///
/// Other labels are unknown, so that a server cannot choose among all converters of the system.
public enum Charset: Sendable, Hashable {
  /// UTF-8.
  case utf8
  /// UTF-16 in one order of its bytes.
  case utf16(isBigEndian: Bool)
  /// Latin 1, read as in all browsers.
  case windows1252
  /// A converter of the system, by its name for iconv(3).
  case system(String)

  /// Creates the encoding of a label, or nil if it is unknown.
  public init?(label: String) {
    let label = String(label.lowercased().filter { !"\"' \t".contains($0) })
    switch label {
    case "utf-8", "utf8", "unicode-1-1-utf-8", "unicode11utf8", "x-unicode20utf8": self = .utf8
    case "utf-16", "utf-16le", "unicode", "ucs-2", "csunicode", "iso-10646-ucs-2", "unicodefeff":
      self = .utf16(isBigEndian: false)
    case "utf-16be", "unicodefffe": self = .utf16(isBigEndian: true)
    case _ where Self.latin1.contains(label): self = .windows1252
    default:
      guard let name = Self.systemName(of: label) else { return nil }
      self = .system(name)
    }
  }

  /// Returns the encoding of a byte order mark and the mark's length, or nil without a mark.
  public static func mark(of bytes: [UInt8]) -> (charset: Charset, length: Int)? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16(isBigEndian: true), 2) }
    if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16(isBigEndian: false), 2) }
    return nil
  }

  /// Decodes bytes in the encoding of their byte order mark or, without one, in this one.
  ///
  /// Returns nil if they are not valid in it.
  public func text(ofMarked bytes: [UInt8]) -> String? {
    let mark = Self.mark(of: bytes)
    return (mark?.charset ?? self).text(of: bytes.dropFirst(mark?.length ?? 0))
  }

  /// Decodes bytes, or returns nil if they are not valid in this encoding.
  public func text(of bytes: ArraySlice<UInt8>) -> String? {
    switch self {
    case .utf8: String(validating: bytes, as: UTF8.self)
    case .utf16(let isBigEndian): Self.utf16(bytes, isBigEndian: isBigEndian)
    case .windows1252: Self.windows1252(bytes)
    case .system(let name): Self.converted(bytes, from: name)
    }
  }

  private static let latin1: Set<String> = [
    "ansi_x3.4-1968", "ascii", "cp1252", "cp819", "csisolatin1", "ibm819", "iso-8859-1",
    "iso-ir-100", "iso8859-1", "iso88591", "iso_8859-1", "iso_8859-1:1987", "l1", "latin1",
    "us-ascii", "windows-1252", "x-cp1252",
  ]

  /// Returns the system's converter for a label outside of the encodings above.
  private static func systemName(of label: String) -> String? {
    for prefix in ["windows-", "cp", "x-cp"] where label.hasPrefix(prefix) {
      let number = String(label.dropFirst(prefix.count))
      if ["874", "1250", "1251", "1253", "1254", "1255", "1256", "1257", "1258"].contains(number) {
        return "CP" + number
      }
    }
    for prefix in ["iso-8859-", "iso8859-", "iso_8859-"] where label.hasPrefix(prefix) {
      let number = label.dropFirst(prefix.count)
      if number == "9" { return "CP1254" }
      if number == "11" { return "CP874" }
      if ["2", "3", "4", "5", "6", "7", "8", "10", "13", "14", "15", "16"].contains(number) {
        return "ISO-8859-" + number
      }
    }
    return systemNames[label]
  }

  private static let systemNames = [
    "latin2": "ISO-8859-2", "latin3": "ISO-8859-3", "latin4": "ISO-8859-4", "latin5": "CP1254",
    "latin6": "ISO-8859-10", "latin9": "ISO-8859-15", "cyrillic": "ISO-8859-5",
    "arabic": "ISO-8859-6", "greek": "ISO-8859-7", "hebrew": "ISO-8859-8", "tis-620": "CP874",
    "ibm866": "IBM866", "cp866": "IBM866", "koi8-r": "KOI8-R", "koi8": "KOI8-R",
    "koi8-u": "KOI8-U", "macintosh": "MACINTOSH", "x-mac-roman": "MACINTOSH",
    "gbk": "GB18030", "gb2312": "GB18030", "x-gbk": "GB18030", "gb_2312-80": "GB18030",
    "gb18030": "GB18030", "big5": "BIG5-HKSCS", "big5-hkscs": "BIG5-HKSCS",
    "cn-big5": "BIG5-HKSCS", "euc-jp": "EUC-JP", "x-euc-jp": "EUC-JP",
    "iso-2022-jp": "ISO-2022-JP", "shift_jis": "CP932", "shift-jis": "CP932", "sjis": "CP932",
    "x-sjis": "CP932", "windows-31j": "CP932", "ms_kanji": "CP932", "euc-kr": "CP949",
    "ks_c_5601-1987": "CP949", "ksc5601": "CP949", "korean": "CP949", "windows-949": "CP949",
  ]

  private static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> String? {
    guard bytes.count.isMultiple(of: 2) else { return nil }
    let start = bytes.startIndex
    let units = (0..<bytes.count / 2).map { index in
      let (first, second) = (UInt16(bytes[start + 2 * index]), UInt16(bytes[start + 2 * index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    return String(validating: units, as: UTF16.self)
  }

  /// Decodes every byte to a character, a control character of the same number if the table has
  /// none.
  private static func windows1252(_ bytes: ArraySlice<UInt8>) -> String? {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count)
    for byte in bytes {
      units.append(0x80..<0xA0 ~= byte ? high[Int(byte) - 0x80] : UInt16(byte))
    }
    return String(validating: units, as: UTF16.self)
  }

  // https://encoding.spec.whatwg.org/index-windows-1252.txt
  private static let high: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  ]

  private static func converted(_ bytes: ArraySlice<UInt8>, from name: String) -> String? {
    var (length, place) = (0, 0)
    let bytes = Array(bytes)
    let text = unsafe bytes.withUnsafeBufferPointer { source -> UnsafeMutablePointer<UInt8>? in
      guard let start = source.baseAddress else { return nil }
      return unsafe flow_text_decode(name, start, source.count, &length, &place)
    }
    guard let text = unsafe text else { return bytes.isEmpty ? "" : nil }
    defer { unsafe flow_text_free(text) }
    return unsafe String(
      decoding: UnsafeBufferPointer(start: text, count: length), as: UTF8.self)
  }
}
