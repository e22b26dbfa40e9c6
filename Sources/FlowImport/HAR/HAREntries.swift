internal import FlowCore
internal import FlowSystem

/// The entries of a HAR file with the lines of their starts.
struct HAREntries {
  struct Entry: Sendable {
    let line: Int
    let json: JSON
  }

  private let bytes: [UInt8]
  private var parser: JSONParser
  private var lines: (counted: Int, line: Int) = (0, 1)
  private var entries: [Entry]?

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    parser = JSONParser(bytes[...])
  }

  /// - Throws: `JSONError` for invalid JSON, and without a list `log.entries`.
  mutating func read() throws(JSONError) -> [Entry] {
    try object { name, reader throws(JSONError) in
      guard name == "log" else { return _ = try reader.parser.value() }
      try reader.object { name, reader throws(JSONError) in
        guard name == "entries" else { return _ = try reader.parser.value() }
        try reader.list()
      }
    }
    parser.skipBlanks()
    if parser.next != nil { throw parser.error(.trailing) }
    guard let entries else { throw JSONError(reason: .expected("'log' with 'entries'"), offset: 0) }
    return entries
  }

  private mutating func object(
    _ member: (String, inout HAREntries) throws(JSONError) -> Void
  ) throws(JSONError) {
    parser.skipBlanks()
    guard parser.take("{") else { throw unexpected("an object") }
    parser.skipBlanks()
    if parser.take("}") { return }
    repeat {
      parser.skipBlanks()
      let name = try parser.name()
      try parser.colon()
      try member(name, &self)
    } while try parser.separator(orEnd: "}")
  }

  private mutating func list() throws(JSONError) {
    parser.skipBlanks()
    guard parser.take("[") else { throw unexpected("a list of entries") }
    var found: [Entry] = []
    parser.skipBlanks()
    if !parser.take("]") {
      repeat {
        parser.skipBlanks()
        let line = presentLine()
        found.append(Entry(line: line, json: try parser.value()))
      } while try parser.separator(orEnd: "]")
    }
    entries = found
  }

  private func unexpected(_ what: String) -> JSONError {
    parser.error(parser.next == nil ? .unexpectedEnd : .expected(what))
  }

  private mutating func presentLine() -> Int {
    lines.line += bytes[lines.counted..<parser.position].count { $0 == 0x0A }
    lines.counted = parser.position
    return lines.line
  }
}

/// The parts of a form with files as it was sent (RFC 7578), in the shape that HAR has for them.
struct MultipartText {
  let parts: [JSON]

  /// No parts for a text of another form.
  init(_ text: String, type: String) {
    guard let range = type.firstRange(of: "boundary=") else {
      parts = []
      return
    }
    let boundary = type[range.upperBound...].prefix { $0 != ";" }.filter { $0 != "\"" }
    let plain = text.replacing("\r\n", with: "\n")
    parts = boundary.isEmpty ? [] : plain.split(separator: "--" + boundary).compactMap(Self.part)
  }

  private static func part(_ text: Substring) -> JSON? {
    guard let end = text.firstRange(of: "\n\n") else { return nil }
    var members: [JSON.Member] = []
    for line in text[..<end.lowerBound].split(separator: "\n") {
      let lower = line.lowercased()
      if lower.hasPrefix("content-type:") {
        members.append(.init("contentType", .string(String(line.dropFirst(13)).trimmed)))
      } else if lower.hasPrefix("content-disposition:") {
        for (key, member) in [(" name=\"", "name"), ("filename=\"", "fileName")] {
          guard let range = line.firstRange(of: key) else { continue }
          let value = line[range.upperBound...].prefix { $0 != "\"" }
          members.append(.init(member, .string(String(value))))
        }
      }
    }
    var value = text[end.upperBound...]
    if value.hasSuffix("\n") { value.removeLast() }
    return .object(members + [.init("value", .string(String(value)))])
  }
}
