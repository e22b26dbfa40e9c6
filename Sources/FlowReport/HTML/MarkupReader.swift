internal import FlowSystem

/// A strict reader of markup in the form of `HTML`, which a browser cannot read in another way.
///
/// Attributes are in double quotes and names in lower case. Comments, declarations and instructions
/// are refused, and all references except the five of `HTML`.
struct MarkupReader {
  /// A piece of markup.
  enum Token: Equatable {
    /// The text between two tags, never empty.
    case text
    case opening(name: String, attributes: [Attribute], isClosed: Bool)
    case closing(name: String)
  }

  /// An attribute in its written form.
  ///
  /// The value is nil for a name alone.
  struct Attribute: Equatable {
    let name: String
    let value: String?
  }

  /// The error for markup that `HTML` never writes.
  struct Foreign: Error {}

  private let bytes: [UInt8]
  private var position = 0

  /// Creates a reader before the first byte.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the next piece, or nil at the end.
  mutating func next() throws(Foreign) -> Token? {
    guard let byte = byte else { return nil }
    if byte != UInt8(ascii: "<") { return try text() }
    position += 1
    if take("/") {
      let name = try name()
      try expect(">")
      return .closing(name: name)
    }
    return try opening()
  }

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard byte == UInt8(ascii: scalar) else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ scalar: Unicode.Scalar) throws(Foreign) {
    guard take(scalar) else { throw Foreign() }
  }

  private mutating func text() throws(Foreign) -> Token {
    while let byte, byte != UInt8(ascii: "<") { try character(byte) }
    return .text
  }

  /// Passes a byte of a text or a value, or a reference.
  private mutating func character(_ byte: UInt8) throws(Foreign) {
    switch byte {
    case UInt8(ascii: "&"): try reference()
    case UInt8(ascii: "<"), UInt8(ascii: ">"): throw Foreign()
    case 0x0A, 0x09: position += 1
    case 0..<0x20, 0x7F: throw Foreign()
    default: position += 1
    }
  }

  private static let references = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"]
    .map { Array($0.utf8) }

  private mutating func reference() throws(Foreign) {
    let rest = bytes[position...]
    guard let known = Self.references.first(where: rest.starts(with:)) else { throw Foreign() }
    position += known.count
  }

  private mutating func name() throws(Foreign) -> String {
    let start = position
    while let byte, 0x61...0x7A ~= byte || byte.isDigit || byte == UInt8(ascii: "-") {
      position += 1
    }
    guard position > start else { throw Foreign() }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func opening() throws(Foreign) -> Token {
    let name = try name()
    var attributes: [Attribute] = []
    while take(" ") {
      let attribute = try attribute()
      guard !attributes.contains(where: { $0.name == attribute.name }) else { throw Foreign() }
      attributes.append(attribute)
    }
    let isClosed = take("/")
    try expect(">")
    return .opening(name: name, attributes: attributes, isClosed: isClosed)
  }

  private mutating func attribute() throws(Foreign) -> Attribute {
    // `viewBox` and its like are in no report.
    let name = try name()
    guard take("=") else { return Attribute(name: name, value: nil) }
    try expect("\"")
    let start = position
    while let byte, byte != UInt8(ascii: "\"") { try character(byte) }
    let value = String(decoding: bytes[start..<position], as: UTF8.self)
    try expect("\"")
    return Attribute(name: name, value: value)
  }
}
