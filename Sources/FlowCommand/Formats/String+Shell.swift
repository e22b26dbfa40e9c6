extension String {
  /// The text as one word of a POSIX shell's command, in quotes only where it needs them.
  var shellWord: String {
    if !utf8.isEmpty, utf8.allSatisfy(Self.isPlain) { return self }
    return "'" + replacing("'", with: #"'\''"#) + "'"
  }

  /// A path as a word that is no option.
  var shellPath: String { (hasPrefix("-") ? "./" + self : self).shellWord }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "_@%+=:,./-".utf8.contains(byte)
    }
  }
}
