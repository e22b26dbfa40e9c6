internal import FlowSystem

/// A JSON text as a tree with the line of each value.
struct PlacedJSON: Sendable {
  enum Content: Sendable {
    case scalar(JSON)
    case array([PlacedJSON])
    case object([Member])
  }

  struct Member: Sendable {
    let name: String
    let value: PlacedJSON
  }

  /// The line of the value's start, from 1.
  let line: Int
  let content: Content

  /// Reads a text in UTF-8.
  ///
  /// - Throws: `ImportError` at the first byte that is not JSON.
  static func read(_ bytes: [UInt8]) throws(ImportError) -> PlacedJSON {
    var reader = PlacedJSONReader(bytes)
    do throws(JSONError) {
      return try reader.read()
    } catch {
      throw ImportError(at: error.offset, in: bytes, error.message)
    }
  }

  /// The value of a member, or nil if there is none, it is null, or this is no object.
  subscript(name: String) -> PlacedJSON? {
    guard case .object(let members) = content,
      let value = members.first(where: { $0.name.isIdentical(to: name) })?.value
    else { return nil }
    if case .scalar(.null) = value.content { return nil }
    return value
  }

  /// The elements of an array, none for any other value.
  var elements: [PlacedJSON] {
    if case .array(let elements) = content { elements } else { [] }
  }

  /// The members of an object, none for any other value.
  var members: [Member] {
    if case .object(let members) = content { members } else { [] }
  }

  /// The content of a string, or nil for any other value.
  var string: String? {
    if case .scalar(.string(let text)) = content { text } else { nil }
  }

  /// The text of a string, a number or a truth value, or nil for any other value.
  var text: String? {
    switch content {
    case .scalar(.string(let text)), .scalar(.number(let text)): text
    case .scalar(.bool(let value)): value ? "true" : "false"
    case .scalar, .array, .object: nil
    }
  }

  /// The truth value, or nil for any other value.
  var bool: Bool? {
    if case .scalar(.bool(let value)) = content { value } else { nil }
  }
}

/// Reads a JSON text and counts its lines.
private struct PlacedJSONReader {
  private let bytes: [UInt8]
  private var parser: JSONParser
  private var counted = 0
  private var line = 1
  private var depth = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    parser = JSONParser(bytes[...])
  }

  mutating func read() throws(JSONError) -> PlacedJSON {
    let value = try value()
    parser.skipBlanks()
    if parser.next != nil { throw parser.error(.trailing) }
    return value
  }

  private mutating func value() throws(JSONError) -> PlacedJSON {
    parser.skipBlanks()
    line += bytes[counted..<parser.position].count { $0 == 0x0A }
    counted = parser.position
    let start = line
    guard depth < JSONParser.depthLimit else {
      throw parser.error(.depth(JSONParser.depthLimit))
    }
    depth += 1
    defer { depth -= 1 }
    if parser.take("{") { return PlacedJSON(line: start, content: .object(try members())) }
    if parser.take("[") { return PlacedJSON(line: start, content: .array(try elements())) }
    return PlacedJSON(line: start, content: .scalar(try parser.value()))
  }

  private mutating func elements() throws(JSONError) -> [PlacedJSON] {
    parser.skipBlanks()
    if parser.take("]") { return [] }
    var elements: [PlacedJSON] = []
    repeat { elements.append(try value()) } while try parser.separator(orEnd: "]")
    return elements
  }

  private mutating func members() throws(JSONError) -> [PlacedJSON.Member] {
    parser.skipBlanks()
    if parser.take("}") { return [] }
    var members: [PlacedJSON.Member] = []
    repeat {
      parser.skipBlanks()
      let name = try parser.name()
      try parser.colon()
      members.append(PlacedJSON.Member(name: name, value: try value()))
    } while try parser.separator(orEnd: "}")
    return members
  }
}
