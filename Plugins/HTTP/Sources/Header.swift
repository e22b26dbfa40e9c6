internal import FlowCore

/// The fields of heads (RFC 9110, section 5).
enum Header {
  /// Whether a text can be a name: a token.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
  }

  /// Whether two names are one: their letters, which are ASCII, have no case.
  static func isSame(_ first: String, _ second: String) -> Bool {
    first.utf8.count == second.utf8.count
      && zip(first.utf8, second.utf8).allSatisfy { $0 == $1 || lower($0) == lower($1) }
  }

  /// Whether a text can be a value: a line break in it would begin another header.
  static func isValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }

  /// The line of a header as libcurl takes it, which has a form of its own for an empty value.
  static func line(_ name: String, _ value: String) -> String {
    value.isEmpty ? "\(name);" : "\(name): \(value)"
  }

  /// A letter without its case.
  fileprivate static func lower(_ byte: UInt8) -> UInt8 {
    0x41...0x5A ~= byte ? byte | 0x20 : byte
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}

extension UInt8 {
  /// Whether it is a letter or a digit of ASCII.
  var isLetterOrDigit: Bool { 0x61...0x7A ~= self | 0x20 || 0x30...0x39 ~= self }
}

/// Headers by their names, in the order in which they came.
struct HeaderFields: FieldValue {
  static let valueType = ValueType.map(.string)

  /// No two of one name.
  private(set) var fields: [(name: String, value: String)] = []

  init() {}

  init(decoding value: Value) throws(DecodeError) {
    guard case .map(let map) = value else { throw DecodeError(expected: Self.valueType, value) }
    for entry in map.entries {
      fields.append((try String(decoding: entry.key), try String(decoding: entry.value)))
    }
  }

  var encoded: Value { .map(ValueMap(fields.map { ($0.name, .string($0.value)) })) }

  /// Reads the last head in some lines; its names become lower case.
  ///
  /// Several of one name are joined by `, `, and cookies, which may contain that, by line breaks.
  init(head: [UInt8]) {
    // Line by line: 'split' costs as much as all of the rest, and every answer passes here.
    var rest = head[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      add(line: rest[..<end])
      rest = rest[(end + 1)...]
    }
    add(line: rest)
  }

  private mutating func add(line: ArraySlice<UInt8>) {
    if line.first == UInt8(ascii: "H"), line.starts(with: "HTTP/".utf8) { return fields = [] }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    add(
      String(decoding: line[..<colon].map(Header.lower), as: UTF8.self),
      String(decoding: Self.trimmed(line[(colon + 1)...]), as: UTF8.self))
  }

  /// Takes a header out.
  mutating func remove(_ name: String) -> String? {
    fields.firstIndex { $0.name == name }.map { fields.remove(at: $0).value }
  }

  private mutating func add(_ name: String, _ value: String) {
    guard let index = fields.firstIndex(where: { $0.name == name }) else {
      return fields.append((name, value))
    }
    fields[index].value += (name == "set-cookie" ? "\n" : ", ") + value
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
    guard let begin = bytes.firstIndex(where: { !isBlank($0) }),
      let end = bytes.lastIndex(where: { !isBlank($0) })
    else { return [] }
    return bytes[begin...end]
  }
}
