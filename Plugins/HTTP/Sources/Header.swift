public import FlowCore

/// The fields of heads (RFC 9110, section 5).
enum Header {
  /// Returns true if a string can be a header's name: a token.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
  }

  /// Returns true if two names are equal, ignoring the case of their ASCII letters.
  static func isSame(_ first: String, _ second: String) -> Bool {
    first.utf8.count == second.utf8.count
      && zip(first.utf8, second.utf8).allSatisfy { $0 == $1 || lower($0) == lower($1) }
  }

  /// Returns true if a string can be a header's value.
  ///
  /// A line break would start another header.
  static func isValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }

  /// Returns the line of a header in libcurl's form, which differs for an empty value.
  static func line(_ name: String, _ value: String) -> String {
    value.isEmpty ? "\(name);" : "\(name): \(value)"
  }

  /// Returns an ASCII letter in lower case, other bytes unchanged.
  fileprivate static func lower(_ byte: UInt8) -> UInt8 {
    0x41...0x5A ~= byte ? byte | 0x20 : byte
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}

extension UInt8 {
  /// True for an ASCII letter or digit.
  var isLetterOrDigit: Bool { 0x61...0x7A ~= self | 0x20 || 0x30...0x39 ~= self }
}

/// Headers of a response by name, in the order of arrival.
public struct HeaderFields: FieldValue {
  /// A map of strings.
  public static let valueType = ValueType.map(.string)

  /// The fields, with unique names.
  public private(set) var fields: [(name: String, value: String)] = []
  /// The version of HTTP in the last status line, `1.1` or `2`, or nil without one.
  private(set) var version: String?

  /// Creates no headers.
  public init() {}

  /// Reads a map.
  public init(decoding value: Value) throws(DecodeError) {
    guard case .map(let map) = value else { throw DecodeError(expected: Self.valueType, value) }
    for entry in map.entries {
      fields.append((try String(decoding: entry.key), try String(decoding: entry.value)))
    }
  }

  /// The map.
  public var encoded: Value { .map(ValueMap(fields.map { ($0.name, .string($0.value)) })) }

  /// Reads the last head in some lines and turns its names into lower case.
  ///
  /// Several fields of one name are joined by `, `, except cookies, which may contain that and are
  /// joined by line breaks.
  init(head: [UInt8]) {
    // Line by line: 'split' costs as much as all of the rest, for every response.
    var rest = head[...]
    var latest: Int?
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      latest = add(line: rest[..<end], behind: latest)
      rest = rest[(end + 1)...]
    }
    _ = add(line: rest, behind: latest)
  }

  /// Adds a line after the field at an index and returns the index of the line's own field.
  private mutating func add(line: ArraySlice<UInt8>, behind latest: Int?) -> Int? {
    if line.first == UInt8(ascii: "H"), line.starts(with: "HTTP/".utf8) {
      fields = []
      version = Self.text(line.dropFirst(5).prefix { $0 != 0x20 && $0 != 0x0D })
      return nil
    }
    // A line starting with a blank continues the value before, joined by one blank (RFC 9112,
    // section 5.2).
    if line.first == 0x20 || line.first == 0x09 {
      let rest = Self.text(Self.trimmed(line))
      if let latest, !rest.isEmpty {
        fields[latest].value += (fields[latest].value.isEmpty ? "" : " ") + rest
      }
      return latest
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    return join(
      Self.text(Self.trimmed(line[..<colon].map(Header.lower)[...])),
      Self.text(Self.trimmed(line[(colon + 1)...])))
  }

  /// Decodes a value as UTF-8, or as Latin 1 (RFC 9110, section 5.5), so that no byte is lost.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// Returns the value of a header by its lower-case name.
  public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  /// Removes a header and returns its value.
  public mutating func remove(_ name: String) -> String? {
    fields.firstIndex { $0.name == name }.map { fields.remove(at: $0).value }
  }

  /// Adds a field, or its value to a field of the same name, and returns the index.
  private mutating func join(_ name: String, _ value: String) -> Int {
    guard let index = fields.firstIndex(where: { $0.name == name }) else {
      fields.append((name, value))
      return fields.count - 1
    }
    fields[index].value += (name == "set-cookie" ? "\n" : ", ") + value
    return index
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
    guard let begin = bytes.firstIndex(where: { !isBlank($0) }),
      let end = bytes.lastIndex(where: { !isBlank($0) })
    else { return [] }
    return bytes[begin...end]
  }
}
