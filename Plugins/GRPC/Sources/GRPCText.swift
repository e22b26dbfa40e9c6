internal import FlowCore

/// Texts of a server in messages of flow.
enum GRPCText {
  /// Returns a text of a server or a file on one line, without characters that drive a terminal.
  static func line(_ text: String, limit: Int = 500) -> String {
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
}
