import FlowCore

/// Text from a server, which may contain anything.
enum ServerText {
  private static let longest = 300

  /// Returns a text on one line, without characters that drive a terminal, cut to a limit.
  static func line(_ text: String, limit: Int = longest) -> String {
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(limit * 2) {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: line.append(" ")
      case .format where scalar != "\u{200D}": continue
      default: line.append(scalar)
      }
    }
    return String(line).shortened(to: limit)
  }

  /// Returns bytes as a quoted text, cut to a limit.
  static func quoted(_ bytes: some Collection<UInt8>) -> String {
    "'\(line(String(decoding: bytes.prefix(longest * 4), as: UTF8.self)))'"
  }

  /// Returns the problem of bytes that are not JSON: `is not JSON (byte 1: expected a value): 'oh'`.
  static func unreadable(_ error: JSONError, _ bytes: some Collection<UInt8>) -> String {
    "is not JSON (\(line("\(error)"))): \(quoted(bytes))"
  }
}
