import FlowCore

/// The arguments of a tool that HTTP requests have as headers, too (revision 2026-07-28,
/// `x-mcp-header`).
struct MirroredHeaders: Sendable {
  typealias Header = (name: String, value: String)

  private var fields: [(path: [String], name: String)] = []

  private static let key = "x-mcp-header"
  /// Keywords whose values are data and no schemas.
  private static let data: Set<String> = ["const", "enum", "default", "examples", key]

  /// Finds the headers of an input schema.
  ///
  /// - Throws: `MCPError.invalid` for a header that breaks the rules: the tool is then unusable.
  init(_ schema: Value) throws(MCPError) { try collect(schema, at: []) }

  // The path of properties is nil for a schema that is not reached by properties alone.
  private mutating func collect(_ schema: Value, at path: [String]?) throws(MCPError) {
    for part in schema.list ?? [] { try collect(part, at: nil) }
    guard let map = schema.map else { return }
    if let name = map[Self.key] { try add(name, of: schema, at: path) }
    for entry in map.entries {
      let keyword = entry.key.interpolated
      if Self.data.contains(keyword) { continue }
      guard keyword == "properties" else {
        try collect(entry.value, at: nil)
        continue
      }
      for property in entry.value.map?.entries ?? [] {
        try collect(property.value, at: path.map { $0 + [property.key.interpolated] })
      }
    }
  }

  private mutating func add(
    _ value: Value, of schema: Value, at path: [String]?
  ) throws(MCPError) {
    guard let name = value.string, Self.isToken(name) else {
      throw .invalid("'\(Self.key)' is no name of a header: \(ServerText.line(value.json))")
    }
    guard let path, !path.isEmpty else {
      throw .invalid("'\(Self.key): \(name)' is not at a property")
    }
    guard let type = schema["type"]?.string, ["string", "integer", "boolean"].contains(type) else {
      throw .invalid("'\(Self.key): \(name)' is at a type other than string, integer and boolean")
    }
    guard !fields.contains(where: { $0.name.lowercased() == name.lowercased() }) else {
      throw .invalid("'\(Self.key): \(name)' is there twice")
    }
    fields.append((path, name))
  }

  /// Returns true for a token (RFC 9110, section 5.6.2).
  private static func isToken(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        0x30...0x39 ~= byte || 0x61...0x7A ~= byte | 0x20 || "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
  }

  /// Returns the headers of a call with some arguments.
  func headers(of arguments: ValueMap) -> [Header] {
    fields.compactMap { path, name in
      var value = Value?.some(.map(arguments))
      for part in path { value = value?[part] }
      switch value {
      case nil, .null?, .map?, .list?: return nil
      case .string(let text)?: return ("Mcp-Param-\(name)", Self.encoded(text))
      case let value?: return ("Mcp-Param-\(name)", Self.encoded(value.json))
      }
    }
  }

  /// Returns the value of a header for a text, in Base64 unless it is plain ASCII.
  static func encoded(_ text: String) -> String {
    let bytes = Array(text.utf8)
    let isPlain = bytes.allSatisfy { 0x20...0x7E ~= $0 || $0 == 0x09 }
    let blanks: Set<UInt8> = [0x20, 0x09]
    let isTrimmed = blanks.isDisjoint(with: bytes.prefix(1) + bytes.suffix(1))
    let isMarked = text.hasPrefix("=?base64?") && text.hasSuffix("?=")
    if isPlain, isTrimmed, !isMarked { return text }
    return "=?base64?\(Bytes(bytes).base64)?="
  }
}
