internal import FlowSystem

/// A problem with a part of a Hurl file: it is invalid, or valid without a counterpart in flow.
enum HurlProblem: Error {
  case gap(String)
  case malformed(String)
}

/// A piece of a line of captures and asserts.
enum HurlToken: Equatable {
  case word(String)
  case number(String)
  /// Text between quotes.
  case text(ImportedText)
  case regex(String)
  /// The content between `{{` and `}}`.
  case template(String)
  /// The value of a template.
  case value(ImportedText)
  /// The value of a variable.
  case variable(HurlValue)
  case bytes([UInt8])
  /// The path of a file.
  case file(ImportedText)
  /// The expression for the bytes of a file.
  case fileBytes(String)
}

/// Reads the characters of a Hurl file.
struct HurlScanner {
  private let bytes: [UInt8]
  private(set) var position = 0
  private var counted = (position: 0, line: 1)
  /// The comments not yet taken, without their marks.
  private(set) var comments: [String] = []

  init(_ text: String) { bytes = Array(text.utf8) }

  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Returns the line of the next character, from 1.
  mutating func line() -> Int {
    // Never far back, since at most one line is read twice.
    if position < counted.position { counted = (0, 1) }
    counted.line += bytes[counted.position..<position].count { $0 == 0x0A }
    counted.position = position
    return counted.line
  }

  func error(_ message: String, at place: Int? = nil) -> ImportError {
    ImportError(at: place ?? position, in: bytes, message)
  }

  /// Returns the text between two places.
  func text(from start: Int, to end: Int? = nil) -> String {
    String(decoding: bytes[start..<(end ?? position)], as: UTF8.self)
  }

  func isNext(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  /// The rest of the line, without blanks around it.
  var restOfLine: String {
    let end = bytes[position...].firstIndex(of: 0x0A) ?? bytes.count
    return text(from: position, to: end).trimmed
  }

  mutating func advance(_ count: Int = 1) { position = min(position + count, bytes.count) }

  mutating func take(_ text: String) -> Bool {
    guard isNext(text) else { return false }
    advance(text.utf8.count)
    return true
  }

  mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0D { position += 1 }
  }

  mutating func skipLine() {
    while let byte = next, byte != 0x0A { position += 1 }
    advance()
  }

  /// Skips empty lines and comments.
  ///
  /// Returns false at the end.
  mutating func skipEmptyLines() -> Bool {
    while next != nil {
      skipBlanks()
      guard next == 0x0A || next == UInt8(ascii: "#") else { break }
      endComment()
      skipLine()
    }
    return next != nil
  }

  /// Returns the comments since the last call.
  mutating func takeComments() -> [String] {
    defer { comments = [] }
    return comments
  }

  /// Keeps the comment that starts here, if there is one.
  private mutating func endComment() {
    guard next == UInt8(ascii: "#") else { return }
    let text = String(restOfLine.drop { $0 == "#" }).trimmed
    if !text.isEmpty { comments.append(text) }
  }

  /// Takes everything through `end` and returns the part before it.
  mutating func take(until end: String, _ what: String) throws(ImportError) -> String {
    let start = position
    while next != nil, !isNext(end) { position += 1 }
    guard next != nil else { throw error("\(what) has no end", at: start) }
    let content = text(from: start)
    advance(end.utf8.count)
    return content
  }

  /// Takes the end of a line: only blanks and a comment.
  mutating func endLine() throws(ImportError) {
    skipBlanks()
    guard next == nil || next == 0x0A || next == UInt8(ascii: "#") else {
      throw error("unexpected text at the end of the line")
    }
    endComment()
    skipLine()
  }

  // MARK: - Texts with escapes

  /// Takes a text up to one of these characters, or to the end of the line, with escapes by `\`.
  mutating func escaped(until ends: String, isRegex: Bool = false) throws(ImportError) -> String {
    var content: [UInt8] = []
    while let byte = next, !ends.utf8.contains(byte) {
      if isNext("{{"), !isRegex {
        let start = position
        _ = try take(until: "}}", "a template")
        content += bytes[start..<position]
      } else if byte == UInt8(ascii: "\\") {
        advance()
        if isRegex, next != UInt8(ascii: "/") { content.append(byte) }
        content += isRegex ? takeOne() : try escape()
      } else {
        content.append(byte)
        advance()
      }
    }
    return String(decoding: content, as: UTF8.self)
  }

  private mutating func takeOne() -> [UInt8] {
    guard let byte = next else { return [] }
    advance()
    return [byte]
  }

  private mutating func escape() throws(ImportError) -> [UInt8] {
    guard let byte = next else { throw error("an escape has no end") }
    advance()
    switch byte {
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "u"):
      guard take("{") else { throw error("expected '{' after '\\u'") }
      let digits = try take(until: "}", "an escape")
      guard let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) else {
        throw error("'\\u{\(digits.prefix(20))}' is not a character")
      }
      return Array(String(scalar).utf8)
    default: return [byte]
    }
  }

  // MARK: - Tokens

  /// Takes all tokens up to the end of the line, and the line end.
  mutating func tokens() throws(ImportError) -> [HurlToken] {
    var tokens: [HurlToken] = []
    skipBlanks()
    while let byte = next, byte != 0x0A, byte != UInt8(ascii: "#") {
      tokens.append(try token())
      skipBlanks()
    }
    endComment()
    skipLine()
    return tokens
  }

  private mutating func token() throws(ImportError) -> HurlToken {
    if isNext("```") {
      let (language, text) = try multilineText()
      return .text(ImportedText(language == "graphql" ? Self.graphQL(text) : text))
    }
    if take("{{") { return .template(try take(until: "}}", "a template")) }
    if let bytes = try encodedBytes() { return .bytes(bytes) }
    if take("file,") {
      let path = try escaped(until: ";\n").trimmed
      guard take(";") else { throw error("the name of a file has no end") }
      return .file(ImportedText(path))
    }
    let start = position
    switch next {
    case UInt8(ascii: "\""), UInt8(ascii: "`"):
      let mark = isNext("\"") ? "\"" : "`"
      advance()
      let content = try escaped(until: mark)
      guard take(mark) else { throw error("the text in quotes has no end", at: start) }
      return .text(ImportedText(content))
    case UInt8(ascii: "/"):
      advance()
      let content = try escaped(until: "/\n", isRegex: true)
      guard take("/") else { throw error("the regular expression has no end", at: start) }
      return .regex(content)
    default: return word()
    }
  }

  /// Returns the JSON that a query of GraphQL without variables is sent as.
  private static func graphQL(_ query: String) -> String {
    var json = JSONWriter()
    json.beginObject()
    json.member("query", string: query.trimmed)
    json.endObject()
    return json.text
  }

  private mutating func word() -> HurlToken {
    let start = position
    while let byte = next, byte > 0x20, byte != UInt8(ascii: "#") { position += 1 }
    let text = text(from: start)
    return text.isNumber ? .number(text) : .word(text)
  }

  /// Takes `base64,…;` or `hex,…;`, or returns nil.
  mutating func encodedBytes() throws(ImportError) -> [UInt8]? {
    let start = position
    if take("base64,") {
      let text = try take(until: ";", "the text in base 64").filter { !$0.isWhitespace }
      guard let bytes = Base64.decodeLeniently(text) else {
        throw error("invalid base64", at: start)
      }
      return bytes
    }
    guard take("hex,") else { return nil }
    let digits = try take(until: ";", "the hexadecimal text").filter { !$0.isWhitespace }
    guard let bytes = [UInt8](hexadecimal: digits) else {
      throw error("invalid hexadecimal", at: start)
    }
    return bytes
  }

  /// Takes a text between three backquotes, and the word after the first ones, such as `json`.
  mutating func multilineText() throws(ImportError) -> (language: String, text: String) {
    advance(3)
    let content = try take(until: "```", "the text between three backquotes")
    guard let end = content.firstIndex(where: \.isNewline) else { return ("", content) }
    let language = String(content[..<end]).trimmed
    return (language, String(content[content.index(after: end)...]))
  }

  /// Takes a JSON value with templates in it: up to where its last bracket is closed, or one word.
  mutating func jsonText() throws(ImportError) -> String {
    let start = position
    let isWord = next.map { !"{[\"".utf8.contains($0) } ?? true
    var depth = 0
    repeat {
      guard let byte = next else { throw error("the JSON has no end", at: start) }
      if take("{{") {
        _ = try take(until: "}}", "a template")
      } else if byte == UInt8(ascii: "\"") {
        try skipJSONString()
      } else {
        if "{[".utf8.contains(byte) { depth += 1 }
        if "}]".utf8.contains(byte) { depth -= 1 }
        advance()
      }
    } while depth > 0
    while isWord, let byte = next, byte > 0x20, byte != UInt8(ascii: "#") { advance() }
    return text(from: start)
  }

  private mutating func skipJSONString() throws(ImportError) {
    let start = position
    advance()
    while let byte = next, byte != UInt8(ascii: "\"") {
      advance(byte == UInt8(ascii: "\\") ? 2 : 1)
    }
    guard next != nil else { throw error("the text in quotes has no end", at: start) }
    advance()
  }

  /// Takes an XML document: up to the end of its root element.
  mutating func xmlText() throws(ImportError) -> String {
    let start = position
    var depth = 0
    while next != nil {
      guard isNext("<") else {
        advance()
        continue
      }
      if take("<!--") {
        _ = try take(until: "-->", "a comment of XML")
      } else if take("<![CDATA[") {
        _ = try take(until: "]]>", "a section of XML")
      } else if isNext("<?") || isNext("<!") {
        _ = try take(until: ">", "a declaration of XML")
      } else {
        let isEnd = isNext("</")
        let tag = try take(until: ">", "a tag of XML")
        depth += isEnd ? -1 : tag.hasSuffix("/") ? 0 : 1
        if depth <= 0 { return text(from: start) }
      }
    }
    throw error("the XML has no end", at: start)
  }
}
