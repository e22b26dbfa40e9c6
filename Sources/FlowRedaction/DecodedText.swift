internal import FlowSystem

/// A text without one layer of escapes, each byte with its place in the original.
struct DecodedText {
  let bytes: [UInt8]
  /// Where each byte begins in the original, and at last where the original ends; nil for the original.
  private let offsets: [Int]?

  /// The original.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    offsets = nil
  }

  private init(bytes: [UInt8], offsets: [Int]) {
    self.bytes = bytes
    self.offsets = offsets
  }

  /// A stretch as it stands in the original.
  func original(_ range: Range<Int>) -> Range<Int> {
    guard let offsets else { return range }
    return offsets[range.lowerBound]..<offsets[range.upperBound]
  }

  /// Layers of escapes that a text can have.
  enum Layer: CaseIterable {
    /// `%2F`: RFC 3986, section 2.1.
    case percent
    /// `\"`, `\n`, `\u0041`, `\u{41}`: strings of JSON and of Swift.
    case backslash
    /// `&lt;`, `&#39;`, `&#x27;`: character references of HTML and XML, those that writers of text use.
    case reference

    fileprivate var mark: UInt8 {
      switch self {
      case .percent: UInt8(ascii: "%")
      case .backslash: UInt8(ascii: "\\")
      case .reference: UInt8(ascii: "&")
      }
    }
  }

  /// The text without a layer; nil when it has none.
  func removing(_ layer: Layer) -> DecodedText? {
    guard bytes.contains(layer.mark) else { return nil }
    var (result, places): ([UInt8], [Int]) = ([], [])
    var (position, hasLayer) = (0, false)
    while position < bytes.count {
      var (decoded, length) = ([bytes[position]], 1)
      if bytes[position] == layer.mark,
        let escape = escape(layer, at: position) ?? cutEscape(layer, at: position)
      {
        (decoded, length) = escape
        hasLayer = true
      }
      result += decoded
      for _ in decoded { places.append(offsets?[position] ?? position) }
      position += length
    }
    places.append(offsets?[position] ?? position)
    return hasLayer ? DecodedText(bytes: result, offsets: places) : nil
  }

  /// What an escape stands for, and its length; nil when it is none.
  private func escape(_ layer: Layer, at start: Int) -> (bytes: [UInt8], length: Int)? {
    switch layer {
    case .percent: number(start + 1, digits: 2).map { ([UInt8(truncatingIfNeeded: $0)], 3) }
    case .backslash: backslashEscape(at: start)
    case .reference: reference(at: start)
    }
  }

  private static let references: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
  ]

  private func reference(at start: Int) -> (bytes: [UInt8], length: Int)? {
    let rest = bytes[(start + 1)...].prefix(9)
    guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = String(decoding: rest[..<end], as: UTF8.self)
    let scalar =
      Self.references[name] ?? Self.code(of: name).flatMap { Unicode.Scalar($0) }
    return scalar.map { (Array(String($0).utf8), end + 1 - start) }
  }

  /// The number in `#39` and `#x27`.
  private static func code(of name: String) -> UInt32? {
    if name.hasPrefix("#x") || name.hasPrefix("#X") { return UInt32(name.dropFirst(2), radix: 16) }
    return name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
  }

  private func backslashEscape(at start: Int) -> (bytes: [UInt8], length: Int)? {
    guard start + 1 < bytes.count else { return nil }
    switch bytes[start + 1] {
    case UInt8(ascii: "n"): return ([0x0A], 2)
    case UInt8(ascii: "r"): return ([0x0D], 2)
    case UInt8(ascii: "t"): return ([0x09], 2)
    case UInt8(ascii: "b"): return ([0x08], 2)
    case UInt8(ascii: "f"): return ([0x0C], 2)
    case UInt8(ascii: "u"): return unicodeEscape(at: start)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "'"):
      return ([bytes[start + 1]], 2)
    default: return nil
    }
  }

  /// The beginning of an escape before an ellipsis, which stands for nothing: what was cut off ends before it.
  private func cutEscape(_ layer: Layer, at start: Int) -> (bytes: [UInt8], length: Int)? {
    if layer == .reference { return nil }
    let rest = bytes[(start + 1)...]
    guard let end = rest.prefix(9).firstIndex(of: NeedleTable.ellipsis[0]),
      bytes[end...].starts(with: NeedleTable.ellipsis)
    else { return nil }
    var digits = rest[..<end]
    if layer == .backslash, digits.popFirst() ?? UInt8(ascii: "u") != UInt8(ascii: "u") {
      return nil
    }
    if layer == .backslash, digits.first == UInt8(ascii: "{") { digits.removeFirst() }
    guard digits.allSatisfy({ $0.hexadecimalValue != nil }) else { return nil }
    return ([], end - start)
  }

  private func unicodeEscape(at start: Int) -> (bytes: [UInt8], length: Int)? {
    if start + 2 < bytes.count, bytes[start + 2] == UInt8(ascii: "{") {
      let digits = bytes[(start + 3)...].prefix(7).prefix { $0 != UInt8(ascii: "}") }
      // The text may end before the brace.
      guard digits.count <= 6, digits.endIndex < bytes.count,
        let code = number(start + 3, digits: digits.count),
        let scalar = Unicode.Scalar(code)
      else { return nil }
      return (Array(String(scalar).utf8), digits.count + 4)
    }
    guard let first = number(start + 2, digits: 4) else { return nil }
    if let scalar = Unicode.Scalar(first) { return (Array(String(scalar).utf8), 6) }
    guard 0xD800..<0xDC00 ~= first, bytes[(start + 6)...].starts(with: Array(#"\u"#.utf8)),
      let second = number(start + 8, digits: 4), 0xDC00..<0xE000 ~= second,
      let scalar = Unicode.Scalar((first - 0xD800) << 10 + (second - 0xDC00) + 0x10000)
    else { return nil }
    return (Array(String(scalar).utf8), 12)
  }

  /// The number of some hexadecimal digits, one or more.
  private func number(_ start: Int, digits count: Int) -> UInt32? {
    guard count > 0, start + count <= bytes.count else { return nil }
    var number: UInt32 = 0
    for byte in bytes[start..<start + count] {
      guard let digit = byte.hexadecimalValue else { return nil }
      number = number << 4 | UInt32(digit)
    }
    return number
  }
}
