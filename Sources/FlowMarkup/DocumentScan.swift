/// A look at the tags, comments and declarations of an XML document before libxml2 parses it.
///
/// libxml2 takes quadratic time for the attributes of an element, the namespaces of a place and the
/// faults of a comment, and nothing interrupts it. It also parses on behind the first fault. So a
/// document has limits here, and libxml2 gets its bytes up to a little behind the first fault.
///
/// The scan finds only faults that XML 1.0 forbids: behind each, libxml2 reports this one or one
/// before it. Attribute values contain no `<`, so scan and parser meet again at each tag.
struct DocumentScan {
  /// The most attributes of one element, its namespaces among them.
  static let mostAttributes = 1_000
  /// The most namespaces that are declared by an element and those around it.
  static let mostNamespaces = 256
  /// The longest document type, in bytes.
  static let longestDeclarations = 256 << 10
  /// The most bytes of declared attributes, times the elements that may get them.
  private static let mostDeclaredBytes = 16 << 20
  /// The longest name that libxml2 accepts, in bytes.
  private static let longestName = 50_000

  private let bytes: [UInt8]
  private var place = 0
  /// The number of namespaces that each open element declares.
  private var open: [Int] = []
  private var namespaces = 0
  private var elements = 0
  private var declaredBytes = 0
  /// The declared prefixes in their order, with `_` for a namespace without one.
  private(set) var prefixes: [String] = []

  private struct Fault: Error {}

  init(_ document: String) { bytes = Array(document.utf8) }

  /// Returns the number of bytes that libxml2 must see: all, or those up to behind a fault.
  ///
  /// - Throws: `MarkupSearch.Problem` for entities, a zero byte, or a limit.
  mutating func bytesToParse() throws(MarkupSearch.Problem) -> Int {
    if let zero = bytes.firstIndex(of: 0) {
      let line = 1 + bytes[..<zero].count { $0 == UInt8(ascii: "\n") }
      throw .document("Char 0x0 out of allowed range", line: line)
    }
    do {
      while try toNextMarkup() { try skipMarkup() }
      return bytes.count
    } catch let problem as MarkupSearch.Problem {
      throw problem
    } catch {
      // The parser's message quotes what follows.
      return min(bytes.count, place + 64)
    }
  }

  // MARK: - Content

  /// Goes to the next `<`, and returns false at the end.
  private mutating func toNextMarkup() throws -> Bool {
    while place < bytes.count, bytes[place] != UInt8(ascii: "<") { try skipCharacter() }
    return place < bytes.count
  }

  private mutating func skipMarkup() throws {
    if skips("<!--") { return try skipComment() }
    if skips("<?") { return try skipInstruction() }
    if skips("<![CDATA[") { return try skip(past: "]]>") }
    if skips("<!DOCTYPE") { return try skipDocumentType() }
    if skips("</") {
      try skip(past: ">")
      guard let ended = open.popLast() else { throw Fault() }
      namespaces -= ended
      return
    }
    place += 1
    try skipStartTag()
  }

  /// Skips a comment.
  ///
  /// Two hyphens in it are a fault, for which libxml2 copies the whole comment.
  private mutating func skipComment() throws {
    try skip(past: "--")
    guard skips(">") else { throw Fault() }
  }

  private mutating func skipInstruction() throws {
    _ = try name()
    try skip(past: "?>")
  }

  private mutating func skipStartTag() throws {
    _ = try name()
    elements += 1
    if declaredBytes > 0, elements > Self.mostDeclaredBytes / declaredBytes {
      throw MarkupSearch.Problem.declaredAttributes
    }
    var attributes = 0, declared = 0
    while true {
      let hasSpace = skipSpace()
      if skips("/>") { return namespaces -= declared }
      if skips(">") { return open.append(declared) }
      guard hasSpace else { throw Fault() }
      let name = try name()
      try skipValue()
      attributes += 1
      guard attributes <= Self.mostAttributes else {
        throw MarkupSearch.Problem.attributes(limit: Self.mostAttributes)
      }
      guard isNamespace(name) else { continue }
      declared += 1
      namespaces += 1
      note(prefix: name)
      guard namespaces <= Self.mostNamespaces else {
        throw MarkupSearch.Problem.namespaces(limit: Self.mostNamespaces)
      }
    }
  }

  /// Notes the prefix that an attribute such as `xmlns:a` declares.
  private mutating func note(prefix name: ArraySlice<UInt8>) {
    guard prefixes.count < Self.mostPrefixes else { return }
    let own = name.dropFirst("xmlns:".utf8.count)
    let prefix = own.isEmpty ? "_" : String(decoding: own, as: UTF8.self)
    if !prefixes.contains(prefix) { prefixes.append(prefix) }
  }

  /// The most prefixes to name in a message.
  private static let mostPrefixes = 100

  private func isNamespace(_ name: ArraySlice<UInt8>) -> Bool {
    name.elementsEqual("xmlns".utf8) || name.starts(with: "xmlns:".utf8)
  }

  private mutating func skipValue() throws {
    _ = skipSpace()
    guard skips("=") else { throw Fault() }
    _ = skipSpace()
    guard let quote = quote() else { throw Fault() }
    try skipQuoted(by: quote, isMarkupAllowed: false)
  }

  // MARK: - Declarations

  /// Skips a document type, from behind its keyword.
  private mutating func skipDocumentType() throws {
    guard elements == 0 else { throw Fault() }
    let start = place
    while !skips(">") {
      guard place < bytes.count else { throw Fault() }
      if let quote = quote() {
        try skipQuoted(by: quote, isMarkupAllowed: true)
      } else if skips("[") {
        while !skips("]") { try skipDeclaration() }
      } else {
        try skipCharacter()
      }
    }
    guard place - start <= Self.longestDeclarations else {
      throw MarkupSearch.Problem.declarations(limit: Self.longestDeclarations)
    }
  }

  private mutating func skipDeclaration() throws {
    guard place < bytes.count else { throw Fault() }
    if skips("<!--") { return try skipComment() }
    if skips("<?") { return try skipInstruction() }
    if skips("<!ENTITY") { throw MarkupSearch.Problem.entities }
    let start = place
    let hasAttributes = skips("<!ATTLIST")
    // Space, or a reference to declarations that are not read.
    guard hasAttributes || skips("<!") else { return try skipCharacter() }
    while !skips(">") {
      guard place < bytes.count, bytes[place] != UInt8(ascii: "<") else { throw Fault() }
      if let quote = quote() {
        try skipQuoted(by: quote, isMarkupAllowed: !hasAttributes)
      } else {
        try skipCharacter()
      }
    }
    if hasAttributes { declaredBytes += place - start }
  }

  // MARK: - Characters

  /// Skips these characters if they are next.
  private mutating func skips(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard place + length <= bytes.count else { return false }
    for offset in 0..<length where unsafe bytes[place + offset] != text.utf8Start[offset] {
      return false
    }
    place += length
    return true
  }

  private mutating func skip(past end: StaticString) throws {
    while !skips(end) {
      guard place < bytes.count else { throw Fault() }
      try skipCharacter()
    }
  }

  /// Skips a byte that can be in a document: the parser leaves comments at others.
  private mutating func skipCharacter() throws {
    guard !isForbidden(place) else { throw Fault() }
    place += 1
  }

  /// True for control characters, U+FFFE and U+FFFF.
  private func isForbidden(_ place: Int) -> Bool {
    let byte = bytes[place]
    if byte < 0x20 { return byte != 9 && byte != 10 && byte != 13 }
    return byte == 0xEF && place + 2 < bytes.count && bytes[place + 1] == 0xBF
      && bytes[place + 2] >= 0xBE
  }

  private mutating func skipSpace() -> Bool {
    let start = place
    while place < bytes.count, isSpace(bytes[place]) { place += 1 }
    return place > start
  }

  private func isSpace(_ byte: UInt8) -> Bool {
    byte == 32 || byte == 9 || byte == 10 || byte == 13
  }

  /// Skips and returns a name.
  private mutating func name() throws -> ArraySlice<UInt8> {
    let start = place
    while place < bytes.count, !isSpace(bytes[place]), !"=/?><\"'".utf8.contains(bytes[place]) {
      try skipCharacter()
    }
    guard place > start, place - start <= Self.longestName else { throw Fault() }
    return bytes[start..<place]
  }

  /// Skips and returns a quote, or returns nil.
  private mutating func quote() -> UInt8? {
    guard place < bytes.count,
      bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "'")
    else { return nil }
    defer { place += 1 }
    return bytes[place]
  }

  private mutating func skipQuoted(by quote: UInt8, isMarkupAllowed: Bool) throws {
    while true {
      guard place < bytes.count else { throw Fault() }
      if bytes[place] == quote { break }
      guard isMarkupAllowed || bytes[place] != UInt8(ascii: "<") else { throw Fault() }
      try skipCharacter()
    }
    place += 1
  }
}
