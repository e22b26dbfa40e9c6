/// One command of a shell script, as far as requests need it.
struct ShellCommand: Sendable {
  struct Word: Sendable {
    var text: ImportedText
    let line: Int
  }

  /// A text for standard input.
  struct Input: Sendable {
    var text: ImportedText
    let line: Int
    /// The kind: a here-document or a here-string.
    let what: String
  }

  var words: [Word] = []
  var input: Input?
  /// The further actions that need a shell: pipes, files for the output.
  var remarks: [(line: Int, what: String)] = []
}

/// Reads commands as a POSIX shell does (XCU 2.2 and 2.3), with `$'…'` of Bash.
///
/// A variable is the expression `$NAME`, and `$` where it has no name.
struct ShellWords {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var line = 1
  /// The start of the present line.
  private var lineStart = 0
  private var command = ShellCommand()
  private var word: ImportedText?
  private var wordLine = 1
  private var commands: [ShellCommand] = []
  /// The here-documents with their text below this line.
  private var documents: [Document] = []

  private struct Document {
    /// The line that ends it.
    let end: String
    /// True if tabs before its lines are no part of it.
    let dropsTabs: Bool
    /// True if variables in it are their names.
    let isQuoted: Bool
    let line: Int
    /// The index of the reading command.
    let command: Int
  }

  /// Returns all commands of a text.
  ///
  /// - Throws: `ImportError` for a quote without an end.
  static func commands(of text: String) throws(ImportError) -> [ShellCommand] {
    var reader = ShellWords(text)
    return try reader.read()
  }

  private init(_ text: String) { scalars = Array(text.unicodeScalars) }

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func take() -> Unicode.Scalar? {
    guard let scalar = next else { return nil }
    position += 1
    if scalar == "\n" {
      line += 1
      lineStart = position
    }
    return scalar
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    _ = take()
    return true
  }

  private mutating func read() throws(ImportError) -> [ShellCommand] {
    while let scalar = next {
      switch scalar {
      case " ", "\t", "\r":
        endWord()
        _ = take()
      case "\n", ";", "&", "|":
        endWord()
        try separator()
      case "#" where word == nil: while let scalar = next, scalar != "\n" { position += 1 }
      case ">", "<": try redirection()
      case "(" where word == nil: _ = take()
      case ")":
        endWord()
        _ = take()
      default: try part()
      }
    }
    endWord()
    endCommand()
    return commands
  }

  private mutating func endWord() {
    if let word { command.words.append(.init(text: word, line: wordLine)) }
    word = nil
  }

  private mutating func endCommand() {
    if !command.words.isEmpty { commands.append(command) }
    command = ShellCommand()
  }

  private mutating func separator() throws(ImportError) {
    let here = line
    let scalar = take()
    if scalar == "|", next != "|" { command.remarks.append((here, "the pipe")) }
    endCommand()
    if scalar == "\n" { try readDocuments() }
  }

  /// Takes the texts of here-documents, which contain no commands.
  private mutating func readDocuments() throws(ImportError) {
    for document in documents {
      var lines = String.UnicodeScalarView()
      while next != nil {
        var text = String.UnicodeScalarView()
        while let scalar = take(), scalar != "\n" { text.append(scalar) }
        if text.last == "\r" { text.removeLast() }
        if document.dropsTabs { text = String.UnicodeScalarView(text.drop { $0 == "\t" }) }
        if String(text) == document.end { break }
        lines += text + ["\n"]
      }
      guard commands.indices.contains(document.command) else { continue }
      let text = ImportedText(String(lines))
      let content = document.isQuoted ? text : try Self.expanded(lines)
      commands[document.command].input = .init(
        text: content, line: document.line, what: "the here-document")
    }
    documents = []
  }

  /// Returns the text of a here-document with its variables.
  private static func expanded(_ text: String.UnicodeScalarView) throws(ImportError) -> ImportedText
  {
    var reader = ShellWords(String(text))
    while let scalar = reader.take() {
      let start = (line: reader.line, column: reader.position - reader.lineStart)
      switch scalar {
      case "\\":
        guard let escaped = reader.take() else { break }
        if escaped == "\n" { break }
        if !"\\$`".unicodeScalars.contains(escaped) { reader.add(scalar) }
        reader.add(escaped)
      case "$": try reader.dollar(from: start, isQuoted: true)
      case "`": try reader.substitution(until: "`", from: start)
      default: reader.add(scalar)
      }
    }
    return reader.word ?? ImportedText()
  }

  /// Takes a file for the output or the input of a command, or a text for the input.
  ///
  /// Neither is a word of the command.
  private mutating func redirection() throws(ImportError) {
    let here = line
    let marks = scalars[position...].prefix { $0 == "<" }.count
    // The number of a stream belongs to it.
    if let text = word?.literal, text == "1" || text == "2" { word = nil } else { endWord() }
    while next == ">" || next == "<" || next == "&" { _ = take() }
    let allowsTabs = marks == 2 && take("-")
    while next == " " || next == "\t" { _ = take() }
    let isBlank = next == nil || next == "\n"
    let start = position
    while let scalar = next, !" \t\r\n;&|<>".unicodeScalars.contains(scalar) { try part() }
    let isQuoted = scalars[start..<position].contains { "'\"\\".unicodeScalars.contains($0) }
    let target = word ?? ImportedText()
    word = nil
    switch marks {
    case 2:
      documents.append(
        Document(
          end: target.literal ?? "", dropsTabs: allowsTabs, isQuoted: isQuoted, line: here,
          command: commands.count))
    case 3:
      command.input = .init(text: target + ImportedText("\n"), line: here, what: "the here-string")
    default: if !isBlank { command.remarks.append((here, "the redirection to a file")) }
    }
  }

  // MARK: - Parts of a word

  private mutating func add(_ text: ImportedText) {
    if word == nil {
      wordLine = line
      word = ImportedText()
    }
    word?.append(text)
  }

  private func variable(_ name: String) -> ImportedText { ImportedText(expression: "$" + name) }

  private mutating func add(_ scalar: Unicode.Scalar) { add(ImportedText(String(scalar))) }

  private mutating func part() throws(ImportError) {
    guard let scalar = next else { return }
    let start = (line: line, column: position - lineStart + 1)
    _ = take()
    switch scalar {
    case "'":
      add(ImportedText())
      try quoted(until: "'", from: start)
    case "\"":
      add(ImportedText())
      try doubleQuoted(from: start)
    case "\\":
      if take("\r") { _ = take("\n") } else if !take("\n"), let escaped = take() { add(escaped) }
    case "$": try dollar(from: start)
    case "`": try substitution(until: "`", from: start)
    default: add(scalar)
    }
  }

  private func open(_ mark: String, _ start: (line: Int, column: Int)) -> ImportError {
    let kind = mark == "$(" || mark == "${" ? "" : "quote "
    return ImportError(
      line: start.line, column: start.column, message: "unterminated \(kind)\(mark)")
  }

  private mutating func quoted(
    until end: Unicode.Scalar, from start: (line: Int, column: Int)
  ) throws(ImportError) {
    var text = String.UnicodeScalarView()
    while let scalar = take() {
      if scalar == end {
        add(ImportedText(String(text)))
        return
      }
      text.append(scalar)
    }
    throw open(String(end), start)
  }

  private mutating func doubleQuoted(
    from start: (line: Int, column: Int)
  ) throws(ImportError) {
    while let scalar = take() {
      switch scalar {
      case "\"": return
      case "\\":
        guard let escaped = take() else { break }
        if escaped == "\n" { break }
        if !"\"\\$`".unicodeScalars.contains(escaped) { add(scalar) }
        add(escaped)
      case "$": try dollar(from: start, isQuoted: true)
      case "`": try substitution(until: "`", from: start)
      default: add(scalar)
      }
    }
    throw open("\"", start)
  }

  private mutating func dollar(
    from start: (line: Int, column: Int), isQuoted: Bool = false
  ) throws(ImportError) {
    switch next {
    case "'" where !isQuoted:
      _ = take()
      add(ImportedText())
      try escaped(from: start)
    case "\"" where !isQuoted: break
    case "(":
      _ = take()
      try substitution(until: ")", from: start)
    case "{":
      _ = take()
      try braced(from: start)
    case let first? where first.properties.isAlphabetic && first.isASCII || first == "_":
      var name = ""
      while let scalar = next, scalar.isASCII,
        scalar.properties.isAlphabetic || scalar == "_" || "0"..."9" ~= scalar
      {
        name.unicodeScalars.append(scalar)
        position += 1
      }
      add(variable(name))
    default: add("$")
    }
  }

  /// Takes `${NAME}`.
  ///
  /// Everything else between the braces, such as a default, has no counterpart.
  private mutating func braced(from start: (line: Int, column: Int)) throws(ImportError) {
    var (content, depth) = (String.UnicodeScalarView(), 1)
    while let scalar = take() {
      if scalar == "}" { depth -= 1 }
      if depth == 0 { return parameter(String(content), start.line) }
      if scalar == "$", next == "{" { depth += 1 }
      content.append(scalar)
    }
    throw open("${", start)
  }

  private mutating func parameter(_ content: String, _ line: Int) {
    let isChanged = content.hasPrefix("#") || content.hasPrefix("!")
    let rest = isChanged ? content.dropFirst() : content[...]
    let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" }
    let operation = rest[name.endIndex...]
    if ["-", "=", ":-", ":="].contains(where: operation.hasPrefix) {
      command.remarks.append((line, "the default of '$\(name)'"))
    } else if isChanged || !operation.isEmpty {
      command.remarks.append((line, "the expansion of '$\(name)' in braces"))
    }
    add(variable(String(name)))
  }

  /// Skips a substituted command and adds an input for its output.
  private mutating func substitution(
    until end: Unicode.Scalar, from start: (line: Int, column: Int)
  ) throws(ImportError) {
    var depth = 1
    while let scalar = take() {
      if scalar == end { depth -= 1 } else if scalar == "(", end == ")" { depth += 1 }
      if depth == 0 {
        add(variable(""))
        return
      }
    }
    throw open(end == ")" ? "$(" : "`", start)
  }

  /// Takes the content of `$'…'`.
  private mutating func escaped(from start: (line: Int, column: Int)) throws(ImportError) {
    var bytes: [UInt8] = []
    while let scalar = take() {
      switch scalar {
      case "'":
        add(ImportedText(String(decoding: bytes, as: UTF8.self)))
        return
      case "\\": bytes += escape()
      default: bytes += Array(String(scalar).utf8)
      }
    }
    throw open("$'", start)
  }

  private mutating func escape() -> [UInt8] {
    guard let mark = take() else { return [] }
    switch mark {
    case "n": return [0x0A]
    case "r": return [0x0D]
    case "t": return [0x09]
    case "a": return [0x07]
    case "b": return [0x08]
    case "e", "E": return [0x1B]
    case "f": return [0x0C]
    case "v": return [0x0B]
    case "x": return [UInt8(truncatingIfNeeded: number(16, most: 2))]
    case "u", "U":
      let value = number(16, most: mark == "u" ? 4 : 8)
      return Unicode.Scalar(value).map { Array(String($0).utf8) } ?? []
    case "0"..."7":
      position -= 1
      return [UInt8(truncatingIfNeeded: number(8, most: 3))]
    default: return Array(String(mark).utf8)
    }
  }

  private mutating func number(_ radix: UInt32, most: Int) -> UInt32 {
    var (value, count) = (UInt32(0), 0)
    while count < most, let scalar = next, scalar.isASCII,
      let digit = Character(scalar).hexDigitValue, digit < radix
    {
      value = value &* radix &+ UInt32(digit)
      position += 1
      count += 1
    }
    return value
  }
}
