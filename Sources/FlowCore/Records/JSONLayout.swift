internal import FlowSystem

/// The form of a JSON text beside its value: the blanks, the order of members, and the escapes.
///
/// A program that checks the digest or the signature of a body needs the bytes that were sent, and a
/// recording shows the value. Both together are the bytes. A layout has no values of the text, so it
/// holds for another one of the same shape, such as an answer with another id.
public struct JSONLayout: Sendable, Hashable {
  /// The layout as a text.
  ///
  /// This is the JSON text with `#` in place of each value that is no list or object, and `…` for more
  /// elements like the one before. Letters before it name escapes: `u` and `U` for
  /// everything but ASCII in small and in large digits, `s` for slashes, `h` for `<`, `>` and `&`.
  ///
  ///     {"id": #, "items": [{"sku": #, "cents": #}, …]}
  public let text: String

  /// The longest layout, in bytes.
  ///
  /// It is a note beside the value.
  private static let longest = 64 << 10
  /// The escapes of well-known writers, the most usual ones first.
  private static let escapes = ["", "u", "s", "us", "h", "uh", "U", "Us", "Uh"]

  /// A layout as it was recorded.
  public init(text: String) { self.text = text }

  /// Finds the layout of a text with a value.
  ///
  /// Nil for the text that flow writes itself, and for one that no layout describes.
  public init?(of json: [UInt8], _ value: Value) {
    if json == Self.plain(value) { return nil }
    var outline = LayoutOutline(json)
    guard let shape = outline.shape(), shape.utf8.count <= Self.longest,
      let escapes = Self.escapes.first(where: { Self.write(value, shape, $0) == json })
    else { return nil }
    text = escapes + shape
  }

  /// The text that flow writes itself: without blanks, and with sorted members.
  public static func plain(_ value: Value) -> [UInt8] { value.canonicalText }

  /// Returns the text of a value, or nil for a value of another shape.
  public func json(of value: Value) -> [UInt8]? {
    let escapes = text.prefix { $0.isLetter }
    return Self.write(value, String(text.dropFirst(escapes.count)), String(escapes))
  }

  private static func write(_ value: Value, _ shape: String, _ escapes: String) -> [UInt8]? {
    var writer = LayoutWriter(shape, escapes)
    return writer.write(value)
  }
}

/// The shape of a JSON text.
private struct LayoutOutline {
  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The whole shape, or nil for a text that is no JSON.
  mutating func shape() -> String? {
    guard let start = blanks(), let value = value(), let end = blanks(), position == bytes.count
    else { return nil }
    return String(decoding: start + value + end, as: UTF8.self)
  }

  private mutating func blanks() -> [UInt8]? {
    let start = position
    while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
      position += 1
    }
    return Array(bytes[start..<position])
  }

  private mutating func value() -> [UInt8]? {
    guard position < bytes.count else { return nil }
    switch bytes[position] {
    case UInt8(ascii: "{"): return nested { $0.object() }
    case UInt8(ascii: "["): return nested { $0.list() }
    default: return token() == nil ? nil : [UInt8(ascii: "#")]
    }
  }

  private mutating func nested(_ body: (inout Self) -> [UInt8]?) -> [UInt8]? {
    guard depth < JSONParser.depthLimit else { return nil }
    depth += 1
    defer { depth -= 1 }
    return body(&self)
  }

  /// A value that is no list or object, as it is written.
  private mutating func token() -> [UInt8]? {
    var parser = JSONParser(bytes[position...])
    guard (try? parser.value()) != nil else { return nil }
    defer { position = parser.position }
    return Array(bytes[position..<parser.position])
  }

  private mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  private mutating func object() -> [UInt8]? {
    guard take("{"), var shape = blanks() else { return nil }
    shape.insert(UInt8(ascii: "{"), at: 0)
    if take("}") { return shape + [UInt8(ascii: "}")] }
    while true {
      guard let name = token(), let before = blanks(), take(":"), let after = blanks(),
        let value = value(), let end = blanks()
      else { return nil }
      shape += name + before + [UInt8(ascii: ":")] + after + value + end
      if take("}") { return shape + [UInt8(ascii: "}")] }
      guard take(","), let next = blanks() else { return nil }
      shape += [UInt8(ascii: ",")] + next
    }
  }

  private mutating func list() -> [UInt8]? {
    guard take("["), let start = blanks() else { return nil }
    var shape = [UInt8(ascii: "[")] + start
    if take("]") { return shape + [UInt8(ascii: "]")] }
    var (elements, separators) = ([[UInt8]](), [[UInt8]]())
    while true {
      guard let value = value(), let end = blanks() else { return nil }
      elements.append(value)
      if take("]") {
        shape += Self.joined(elements, separators) + end
        return shape + [UInt8(ascii: "]")]
      }
      guard take(","), let next = blanks() else { return nil }
      separators.append(end + [UInt8(ascii: ",")] + next)
    }
  }

  /// The elements, and one with a sign of more for several that are alike.
  private static func joined(_ elements: [[UInt8]], _ separators: [[UInt8]]) -> [UInt8] {
    let areAlike =
      elements.count > 2 && elements.allSatisfy { $0 == elements[0] }
      && separators.allSatisfy { $0 == separators[0] }
    if areAlike { return elements[0] + separators[0] + Array("…".utf8) }
    return zip(elements, separators + [[]]).flatMap { $0 + $1 }
  }
}

/// A writer of values in a shape.
private struct LayoutWriter {
  /// The most bytes of a text.
  ///
  /// A layout in a transcript may have blanks for each of many elements.
  private static let longest = 64 << 20

  private let shape: [UInt8]
  private let escapes: Escapes
  private var place = 0
  private var output: [UInt8] = []
  private var depth = 0

  /// The escapes beyond those that JSON demands.
  private struct Escapes {
    let isASCII: Bool
    let isUpper: Bool
    let hasSlash: Bool
    let isHTML: Bool

    init(_ letters: String) {
      isUpper = letters.contains("U")
      isASCII = isUpper || letters.contains("u")
      hasSlash = letters.contains("s")
      isHTML = letters.contains("h")
    }
  }

  init(_ shape: String, _ escapes: String) {
    self.shape = Array(shape.utf8)
    self.escapes = Escapes(escapes)
  }

  /// The text of a value, or nil for one that does not fit.
  mutating func write(_ value: Value) -> [UInt8]? {
    blanks()
    guard element(value) else { return nil }
    blanks()
    return place == shape.count ? output : nil
  }

  private var next: UInt8? { place < shape.count ? shape[place] : nil }

  private mutating func blanks() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
      output.append(byte)
      place += 1
    }
  }

  private mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: byte) else { return false }
    output.append(UInt8(ascii: byte))
    place += 1
    return true
  }

  private mutating func element(_ value: Value) -> Bool {
    guard depth < JSONParser.depthLimit, output.count <= Self.longest else { return false }
    depth += 1
    defer { depth -= 1 }
    switch (next, value) {
    case (UInt8(ascii: "{")?, .map(let map)): return object(map)
    case (UInt8(ascii: "[")?, .list(let values)): return list(values)
    case (UInt8(ascii: "#")?, _): return scalar(value)
    default: return false
    }
  }

  private mutating func scalar(_ value: Value) -> Bool {
    place += 1
    switch value {
    case .map, .list, .record: return false
    case .string(let text): string(text)
    default: output += Array(value.json.utf8)
    }
    return true
  }

  private mutating func object(_ map: ValueMap) -> Bool {
    guard take("{") else { return false }
    blanks()
    var count = 0
    if take("}") { return map.entries.isEmpty }
    while true {
      guard let name = name(), let value = map[name] else { return false }
      blanks()
      guard take(":") else { return false }
      blanks()
      guard element(value) else { return false }
      count += 1
      blanks()
      if take("}") { return count == map.entries.count }
      guard take(",") else { return false }
      blanks()
    }
  }

  /// Copies the name of a member as it is written.
  private mutating func name() -> String? {
    var parser = JSONParser(shape[place...])
    guard next == UInt8(ascii: "\""), case .string(let name)? = try? parser.value() else {
      return nil
    }
    output += shape[place..<parser.position]
    place = parser.position
    return name
  }

  private mutating func list(_ values: [Value]) -> Bool {
    guard take("[") else { return false }
    blanks()
    if take("]") { return values.isEmpty }
    for (index, value) in values.enumerated() {
      let start = place
      guard element(value) else { return false }
      let end = place
      let mark = output.count
      blanks()
      guard next == UInt8(ascii: ",") else {
        return index == values.count - 1 && take("]")
      }
      _ = take(",")
      blanks()
      guard isMore else { continue }
      return more(values[(index + 1)...], element: start..<end, separatorFrom: mark)
    }
    return false
  }

  private static let more = Array("…".utf8)
  private var isMore: Bool { shape[place...].starts(with: Self.more) }

  /// Writes further elements like the one before, of which the separator is written already.
  private mutating func more(
    _ values: ArraySlice<Value>, element shape: Range<Int>, separatorFrom mark: Int
  ) -> Bool {
    let separator = Array(output[mark...])
    output.removeSubrange(mark...)
    let end = place + Self.more.count
    for value in values {
      output += separator
      place = shape.lowerBound
      guard element(value), place == shape.upperBound else { return false }
    }
    place = end
    blanks()
    return take("]")
  }

  private mutating func string(_ text: String) {
    output.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars { character(scalar) }
    output.append(UInt8(ascii: "\""))
  }

  private mutating func character(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": output += Array("\\\"".utf8)
    case "\\": output += Array("\\\\".utf8)
    case "\n": output += Array("\\n".utf8)
    case "\r": output += Array("\\r".utf8)
    case "\t": output += Array("\\t".utf8)
    case "\u{8}": output += Array("\\b".utf8)
    case "\u{C}": output += Array("\\f".utf8)
    case "/" where escapes.hasSlash: output += Array("\\/".utf8)
    case _ where scalar.value < 0x20 || isEscaped(scalar):
      for unit in String(scalar).utf16 { hexadecimal(unit) }
    default: output += Array(String(scalar).utf8)
    }
  }

  private func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
    if escapes.isASCII, scalar.value > 0x7F { return true }
    // What breaks a line in old scripts belongs to the escapes for pages.
    return escapes.isHTML && ["<", ">", "&", "\u{2028}", "\u{2029}"].contains(scalar)
  }

  private mutating func hexadecimal(_ unit: UInt16) {
    let digits = String(unit, radix: 16, uppercase: escapes.isUpper)
    output += Array("\\u".utf8) + Array(repeating: UInt8(ascii: "0"), count: 4 - digits.count)
    output += Array(digits.utf8)
  }
}
