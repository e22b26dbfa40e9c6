internal import FlowSystem
internal import FlowYAML

/// A variable of a `.env` file.
struct EnvironmentVariable: Sendable, Hashable {
  var name: String
  var value: String
  /// The place of the name.
  var span: Span
}

/// A reader of `.env` files: lines of `NAME=VALUE`, as shells, Docker and the libraries named
/// dotenv read them.
///
/// The rules common to them: `export` before a name means nothing, `#` starts a comment at the start
/// of a line and after a blank, single quotes keep everything, double quotes know `\n`, `\r`, `\t`
/// and a `\` before `"`, `\` and `$`, and a value in quotes may have several lines. `$` has no
/// meaning, on which they differ.
struct EnvironmentFile {
  private var rest: Substring.UnicodeScalarView
  private var line = 1
  private var column = 1

  /// Returns true if a file is known by its name: `.env`, `.env.local`, `staging.env`.
  static func isNamed(_ file: String) -> Bool {
    let name = file.split(separator: "/").last ?? ""
    return name == ".env" || name.hasPrefix(".env.") || name.hasSuffix(".env")
  }

  /// Reads the variables in their order.
  ///
  /// - Throws: `EnvironmentFileError` for the first line of another form, or for a name given twice.
  static func variables(in text: String) throws(EnvironmentFileError) -> [EnvironmentVariable] {
    var reader = EnvironmentFile(rest: Substring(text).unicodeScalars)
    var lines: [String: Int] = [:]
    var variables: [EnvironmentVariable] = []
    while let variable = try reader.next() {
      if let earlier = lines[variable.name] {
        throw EnvironmentFileError(.repeated(variable.name, line: earlier), variable.span)
      }
      lines[variable.name] = variable.span.start.line
      variables.append(variable)
    }
    return variables
  }

  private init(rest: Substring.UnicodeScalarView) { self.rest = rest }

  private var place: Position { Position(line: line, column: column) }

  private mutating func next() throws(EnvironmentFileError) -> EnvironmentVariable? {
    skip { Self.isBlank($0) || Self.isBreak($0) }
    while rest.first == "#" {
      skip { !Self.isBreak($0) }
      skip { Self.isBlank($0) || Self.isBreak($0) }
    }
    if rest.isEmpty { return nil }
    var start = place
    var name = take(while: Self.isOfName)
    if name == "export", rest.first.map(Self.isBlank) == true {
      skip(while: Self.isBlank)
      (start, name) = (place, take(while: Self.isOfName))
    }
    let span = Span(start: start, end: place)
    skip(while: Self.isBlank)
    guard !name.isEmpty, !("0"..."9").contains(name.unicodeScalars.first ?? "0"), pop("=") else {
      throw EnvironmentFileError(.noVariable, Span(start: start, end: start))
    }
    skip(while: Self.isBlank)
    return EnvironmentVariable(name: name, value: try value(), span: span)
  }

  private mutating func value() throws(EnvironmentFileError) -> String {
    guard let quote = rest.first, quote == "\"" || quote == "'" else {
      return plainValue()
    }
    let start = place
    step()
    var text = String.UnicodeScalarView()
    while let scalar = rest.first {
      step()
      if scalar == quote {
        try endLine(after: start)
        return String(text)
      }
      text.append(scalar == "\\" && quote == "\"" ? escaped() ?? "\\" : scalar)
    }
    throw EnvironmentFileError(.openQuote, Span(start: start, end: start))
  }

  /// Takes a value without quotes, up to a comment or the end of the line.
  private mutating func plainValue() -> String {
    var text = String.UnicodeScalarView()
    while let scalar = rest.first, !Self.isBreak(scalar) {
      if scalar == "#", text.last.map(Self.isBlank) ?? true { break }
      text.append(scalar)
      step()
    }
    skip { !Self.isBreak($0) }
    while text.last.map(Self.isBlank) == true { text.removeLast() }
    return String(text)
  }

  /// Takes the character of an escape, or returns nil if the `\` stands for itself.
  private mutating func escaped() -> Unicode.Scalar? {
    let scalar: Unicode.Scalar
    switch rest.first {
    case "n": scalar = "\n"
    case "r": scalar = "\r"
    case "t": scalar = "\t"
    case "\"", "\\", "$": scalar = rest.first ?? "\\"
    default: return nil
    }
    step()
    return scalar
  }

  private mutating func endLine(after start: Position) throws(EnvironmentFileError) {
    let hasBlank = rest.first.map(Self.isBlank) == true
    skip(while: Self.isBlank)
    guard let scalar = rest.first, !Self.isBreak(scalar) else { return }
    guard scalar == "#", hasBlank else {
      throw EnvironmentFileError(.textAfterQuote, Span(start: place, end: place))
    }
    skip { !Self.isBreak($0) }
  }

  private mutating func take(while isPart: (Unicode.Scalar) -> Bool) -> String {
    var text = String.UnicodeScalarView()
    while let scalar = rest.first, isPart(scalar) {
      text.append(scalar)
      step()
    }
    return String(text)
  }

  private mutating func skip(while isPart: (Unicode.Scalar) -> Bool) {
    while let scalar = rest.first, isPart(scalar) { step() }
  }

  private mutating func pop(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == scalar else { return false }
    step()
    return true
  }

  private mutating func step() {
    let scalar = rest.removeFirst()
    let isEnd = scalar == "\n" || (scalar == "\r" && rest.first != "\n")
    (line, column) = isEnd ? (line + 1, 1) : (line, column + 1)
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

  private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\n" || scalar == "\r"
  }

  private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && (scalar.properties.isAlphabetic || "0"..."9" ~= scalar)
      || "_-.".unicodeScalars.contains(scalar)
  }
}

/// A malformed line of a `.env` file.
///
/// Its text is left out, because it may be a secret.
struct EnvironmentFileError: Error {
  enum Reason {
    case noVariable
    case openQuote
    case textAfterQuote
    case repeated(String, line: Int)
  }

  let reason: Reason
  let span: Span

  init(_ reason: Reason, _ span: Span) { (self.reason, self.span) = (reason, span) }
}
