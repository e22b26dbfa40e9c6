/// Commands as Windows' `cmd` takes them, which browsers copy, too: `^` continues a line and escapes a character.
enum CommandPrompt {
  private enum Part: Equatable {
    case character(Unicode.Scalar)
    /// A line end inside of an argument.
    case lineFeed
    /// A line end after `^`.
    case continuation
  }

  /// Returns true for a text with `^` at the ends of its lines or before its quotes.
  static func isWritten(_ text: String) -> Bool {
    let lines = text.split(whereSeparator: \.isNewline)
    return text.contains("^\"") || lines.dropLast().contains { $0.hasSuffix(" ^") }
  }

  /// Returns the commands with the quotes of a shell, on the same lines.
  static func script(of text: String) -> String {
    var (script, parts) = ("", parts(of: text)[...])
    while let part = parts.first {
      switch part {
      case .continuation:
        script += "\\\n"
        parts.removeFirst()
      case .character(let scalar) where " \t\n".unicodeScalars.contains(scalar):
        script.unicodeScalars.append(scalar)
        parts.removeFirst()
      default:
        script += "'" + argument(&parts).replacing("'", with: "'\\''") + "'"
      }
    }
    return script
  }

  /// Returns the characters passed on by `cmd`.
  ///
  /// Between quotes `^` is a character itself.
  private static func parts(of text: String) -> [Part] {
    var (parts, isQuoted) = ([Part](), false)
    var rest = text.unicodeScalars.filter { $0 != "\r" }[...]
    while let scalar = rest.popFirst() {
      guard scalar == "^", !isQuoted else {
        if scalar == "\"" { isQuoted.toggle() }
        parts.append(.character(scalar))
        continue
      }
      guard let escaped = rest.popFirst() else { break }
      if escaped != "\n" {
        parts.append(.character(escaped))
      } else if rest.first == "\n" {
        rest.removeFirst()
        parts.append(.lineFeed)
      } else {
        parts.append(.continuation)
      }
    }
    return parts
  }

  /// Takes an argument as programs on Windows read it: backslashes count before a quote alone.
  private static func argument(_ parts: inout ArraySlice<Part>) -> String {
    var (text, isQuoted, slashes) = (String.UnicodeScalarView(), false, 0)
    while let part = parts.first {
      guard case .character(let scalar) = part else {
        if part == .continuation, !isQuoted { break }
        text.append("\n")
        slashes = 0
        parts.removeFirst()
        continue
      }
      if !isQuoted, " \t\n".unicodeScalars.contains(scalar) { break }
      parts.removeFirst()
      if scalar == "\"" {
        text.removeLast((slashes + 1) / 2)
        let isDoubled = slashes % 2 == 0 && isQuoted && parts.first == .character("\"")
        if isDoubled { parts.removeFirst() }
        if slashes % 2 == 1 || isDoubled { text.append(scalar) } else { isQuoted.toggle() }
      } else {
        text.append(scalar)
      }
      slashes = scalar == "\\" ? slashes + 1 : 0
    }
    return String(text)
  }
}
