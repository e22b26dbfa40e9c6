internal import FlowCore

/// The encoding that a document of HTML or XML declares in its first bytes.
///
/// It counts where the server names none
/// (https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding,
/// https://www.w3.org/TR/xml/#sec-guessing).
struct DeclaredCharset {
  private var rest: ArraySlice<UInt8>

  private init(_ bytes: [UInt8]) { rest = bytes.prefix(Self.greatestLength) }

  // A declaration behind it does not count.
  private static let greatestLength = 1024

  /// Returns the label in a document of this type, or nil without one.
  static func label(in bytes: [UInt8], of type: MediaType) -> String? {
    let reader = DeclaredCharset(bytes)
    guard type.isXML || type.isHTML || type.essence.isEmpty else { return nil }
    if let label = reader.labelOfXML() { return label }
    return type.isHTML ? reader.labelOfHTML() : nil
  }

  // MARK: - XML

  private func labelOfXML() -> String? {
    // Without a byte order mark.
    if rest.starts(with: [0x3C, 0, 0x3F, 0]) { return "utf-16le" }
    if rest.starts(with: [0, 0x3C, 0, 0x3F]) { return "utf-16be" }
    guard rest.starts(with: "<?xml".utf8), let end = rest.firstIndex(of: UInt8(ascii: ">")),
      let name = rest[..<end].firstRange(of: Array("encoding".utf8))
    else { return nil }
    var reader = self
    reader.rest = rest[name.upperBound..<end]
    return reader.valueAfterSign().flatMap(Self.readable)
  }

  // MARK: - HTML

  private func labelOfHTML() -> String? {
    var reader = self
    while let start = reader.rest.firstIndex(of: UInt8(ascii: "<")) {
      reader.rest = reader.rest[start...]
      if let label = reader.labelOfMarkup() { return Self.readable(label) }
    }
    return nil
  }

  /// Goes behind a comment or a tag, and returns the label of a `meta`.
  private mutating func labelOfMarkup() -> String? {
    if rest.starts(with: "<!--".utf8) {
      // `<!-->` is a whole comment.
      rest = rest.dropFirst(2)
      let end = rest.firstRange(of: Array("-->".utf8))?.upperBound
      rest = rest[(end ?? rest.endIndex)...]
      return nil
    }
    rest.removeFirst()
    if let first = rest.first, "!/?".utf8.contains(first), rest.dropFirst().first?.isLetter != true
    {
      rest = rest.drop { $0 != UInt8(ascii: ">") }
      return nil
    }
    if rest.first == UInt8(ascii: "/") { rest.removeFirst() }
    guard rest.first?.isLetter == true else { return nil }
    let name = rest.prefix { !$0.isBlank && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
    rest = rest.dropFirst(name.count)
    let attributes = attributes()
    return Self.lowered(name) == "meta" ? Self.label(in: attributes) : nil
  }

  private static func label(in attributes: [String: String]) -> String? {
    if let charset = attributes["charset"] { return charset }
    guard attributes["http-equiv"]?.lowercased() == "content-type",
      let content = attributes["content"]
    else { return nil }
    var reader = DeclaredCharset(Array(content.utf8))
    while let name = Array(lowered(reader.rest).utf8).firstRange(of: Array("charset".utf8)) {
      reader.rest = reader.rest.dropFirst(name.upperBound)
      if let label = reader.valueAfterSign() { return label }
    }
    return nil
  }

  private mutating func attributes() -> [String: String] {
    var attributes: [String: String] = [:]
    while true {
      rest = rest.drop { $0.isBlank || $0 == UInt8(ascii: "/") }
      guard let first = rest.first, first != UInt8(ascii: ">") else { return attributes }
      // An equals sign at the start is part of the name.
      let name =
        rest.prefix(1)
        + rest.dropFirst().prefix { !$0.isBlank && !"=/>".utf8.contains($0) }
      rest = rest.dropFirst(name.count)
      let value = valueAfterSign(endingAt: ">") ?? ""
      let key = Self.lowered(name)
      if attributes[key] == nil { attributes[key] = value }
    }
  }

  // MARK: - Values

  /// Goes behind `= value`, if it is next, and returns the value without its quotes.
  ///
  /// A value without quotes ends at a blank or a character.
  private mutating func valueAfterSign(endingAt end: Unicode.Scalar = ";") -> String? {
    let sign = rest.drop(while: \.isBlank)
    guard sign.first == UInt8(ascii: "=") else { return nil }
    rest = sign.dropFirst().drop(while: \.isBlank)
    if let quote = rest.first, "\"'".utf8.contains(quote) {
      let value = rest.dropFirst().prefix { $0 != quote }
      rest = rest.dropFirst(value.count + 2)
      return String(decoding: value, as: UTF8.self)
    }
    let value = rest.prefix { !$0.isBlank && $0 != UInt8(ascii: end) }
    rest = rest.dropFirst(value.count)
    return String(decoding: value, as: UTF8.self)
  }

  /// Returns the label to use for a declared one: these bytes cannot be UTF-16, since the
  /// declaration has been read in them.
  private static func readable(_ label: String) -> String {
    if case .utf16? = Charset(label: label) { return "utf-8" }
    return label.lowercased() == "x-user-defined" ? "windows-1252" : label
  }

  private static func lowered(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self).lowercased()
  }
}

extension MediaType {
  /// True for HTML and for XHTML, which browsers read alike.
  fileprivate var isHTML: Bool { ["text/html", "application/xhtml+xml"].contains(essence) }

  /// True for XML (https://mimesniff.spec.whatwg.org/#xml-mime-type).
  var isXML: Bool {
    essence == "text/xml" || essence == "application/xml" || essence.hasSuffix("+xml")
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains(self) }

  fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
