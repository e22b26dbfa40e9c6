internal import FlowCore
internal import FlowSystem

/// The strings extension: positions count unicode scalars, from 0.
enum StringFunctions {
  static let all: [Function] = [
    Function.typed("charAt", charAt), Function.typed("indexOf", indexOf),
    Function.typed("lastIndexOf", lastIndexOf), Function.typed("substring", substring),
    Function.typed("replace", replace), Function.typed("split", split),
    Function.typed("join", join), Function.typed("lowerAscii", lowerAscii),
    Function.typed("upperAscii", upperAscii), Function.typed("trim", trim),
    Function.typed("format", Format.format),
    Function.typed("strings.quote", isMember: false, quote),
  ].flatMap { $0 }

  // MARK: - Positions

  private static func charAt(
    _ frame: inout Frame, _ text: String, _ index: Int
  ) throws(EvaluationError) -> String {
    let text = try scalars(text, &frame)
    try check(index, in: text)
    return index == text.count ? "" : String(text[index])
  }

  private static func indexOf(
    _ frame: inout Frame, in text: String, of part: String, from start: Int?
  ) throws(EvaluationError) -> Int {
    let (text, part) = (try scalars(text, &frame), try scalars(part, &frame))
    let start = start ?? 0
    try check(start, in: text)
    return try ByteSearch.first(part, in: text, from: start, &frame) ?? -1
  }

  private static func lastIndexOf(
    _ frame: inout Frame, in text: String, of part: String, from start: Int?
  ) throws(EvaluationError) -> Int {
    let (text, part) = (try scalars(text, &frame), try scalars(part, &frame))
    let start = start ?? text.count
    try check(start, in: text)
    return try ByteSearch.last(part, in: text, from: start, &frame) ?? -1
  }

  private static func substring(
    _ frame: inout Frame, of text: String, from start: Int, to end: Int?
  ) throws(EvaluationError) -> String {
    let text = try scalars(text, &frame)
    let end = end ?? text.count
    try check(start, in: text)
    try check(end, in: text)
    guard start <= end else { throw .reversedRange(start, end) }
    return string(text[start..<end])
  }

  private static func check(_ position: Int, in text: [Unicode.Scalar]) throws(EvaluationError) {
    guard 0...text.count ~= position else { throw .position(position, count: text.count) }
  }

  // MARK: - Parts

  private static func replace(
    _ frame: inout Frame, in text: String, _ part: String, with replacement: String, limit: Int?
  ) throws(EvaluationError) -> String {
    let (text, part) = (try scalars(text, &frame), try scalars(part, &frame))
    let replacement = try scalars(replacement, &frame)
    var result: [Unicode.Scalar] = []
    var rest = 0
    for range in try ranges(of: part, in: text, limit: limit ?? -1, &frame) {
      try frame.charge(1 + replacement.count / 16)
      result += text[rest..<range.lowerBound]
      result += replacement
      rest = range.upperBound
    }
    return string(result + text[rest...])
  }

  private static func split(
    _ frame: inout Frame, _ text: String, at separator: String, limit: Int?
  ) throws(EvaluationError) -> [String] {
    let (text, separator) = (try scalars(text, &frame), try scalars(separator, &frame))
    let limit = limit ?? -1
    if limit == 0 { return [] }
    if separator.isEmpty { return characters(text, limit) }
    var parts: [String] = []
    var rest = 0
    for range in try ranges(of: separator, in: text, limit: max(limit, 0) - 1, &frame) {
      try frame.charge(1)
      parts.append(string(text[rest..<range.lowerBound]))
      rest = range.upperBound
    }
    return parts + [string(text[rest...])]
  }

  private static func join(
    _ frame: inout Frame, _ parts: [String], _ separator: String?
  ) throws(EvaluationError) -> String {
    let separator = separator ?? ""
    var result = ""
    for (index, part) in parts.enumerated() {
      try frame.charge(1 + (part.utf8.count + separator.utf8.count) / 32)
      if index > 0 { result += separator }
      result += part
    }
    return result
  }

  /// An empty separator separates all characters.
  private static func characters(_ text: [Unicode.Scalar], _ limit: Int) -> [String] {
    guard limit > 0, limit < text.count else { return text.map { String($0) } }
    return text.prefix(limit - 1).map { String($0) } + [string(text.dropFirst(limit - 1))]
  }

  /// The places of a part without overlaps, at most `limit` of them.
  ///
  /// A negative limit means all.
  private static func ranges(
    of part: [Unicode.Scalar], in text: [Unicode.Scalar], limit: Int, _ frame: inout Frame
  ) throws(EvaluationError) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    while ranges.count != max(limit, -1), start <= text.count,
      let found = try ByteSearch.first(part, in: text, from: start, &frame)
    {
      ranges.append(found..<found + part.count)
      // An empty part is found before, between and after all characters.
      start = found + max(part.count, 1)
    }
    return ranges
  }

  // MARK: - Characters

  private static func lowerAscii(
    _ frame: inout Frame, _ text: String
  ) throws(EvaluationError) -> String {
    try mapped(text, &frame) { 65...90 ~= $0 ? $0 + 32 : $0 }
  }

  private static func upperAscii(
    _ frame: inout Frame, _ text: String
  ) throws(EvaluationError) -> String {
    try mapped(text, &frame) { 97...122 ~= $0 ? $0 - 32 : $0 }
  }

  private static func mapped(
    _ text: String, _ frame: inout Frame, _ transform: (UInt8) -> UInt8
  ) throws(EvaluationError) -> String {
    try frame.charge(text.utf8.count / 32)
    return String(decoding: text.utf8.map(transform), as: UTF8.self)
  }

  private static func trim(_ frame: inout Frame, _ text: String) throws(EvaluationError) -> String {
    try frame.charge(text.utf8.count / 16)
    return text.withoutBlanksAround
  }

  private static let escapes: [Unicode.Scalar: String] = [
    "\u{07}": "\\a", "\u{08}": "\\b", "\u{0C}": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t",
    "\u{0B}": "\\v", "\\": "\\\\", "\"": "\\\"",
  ]

  private static func quote(
    _ frame: inout Frame, _ text: String
  ) throws(EvaluationError) -> String {
    let quoted = try scalars(text, &frame).map { escapes[$0] ?? String($0) }
    return "\"" + quoted.joined() + "\""
  }

  // MARK: - Scalars

  private static func scalars(
    _ text: String, _ frame: inout Frame
  ) throws(EvaluationError) -> [Unicode.Scalar] {
    try frame.charge(text.utf8.count / 16)
    return Array(text.unicodeScalars)
  }

  private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }
}

/// `contains`, `startsWith` and `endsWith` of texts and of bytes, byte by byte: the definition does not
/// normalise text.
enum TextSearch {
  static let all = [
    test("contains", .anywhere), test("startsWith", .start), test("endsWith", .end),
  ]

  private enum Place {
    case anywhere, start, end
  }

  private static func test(_ name: String, _ place: Place) -> Function {
    Function(
      name, isMember: true,
      [Signature([.string, .string], .bool), Signature([.bytes, .bytes], .bool)],
      .binary { (text, part, frame) throws(EvaluationError) in
        switch (text, part) {
        case (.string(let text), .string(let part)):
          return .bool(try has(part.utf8, in: text.utf8, place, &frame))
        case (.bytes(let text), .bytes(let part)):
          return .bool(try has(part.content, in: text.content, place, &frame))
        default: throw .noOverload
        }
      })
  }

  private static func has<Content: BidirectionalCollection<UInt8>>(
    _ part: Content, in text: Content, _ place: Place, _ frame: inout Frame
  ) throws(EvaluationError) -> Bool {
    switch place {
    case .anywhere:
      try frame.charge(text.count / 32)
      return try ByteSearch.first(Array(part), in: Array(text), &frame) != nil
    case .start:
      try frame.charge(part.count / 32)
      return text.starts(with: part)
    case .end:
      try frame.charge(part.count / 32)
      return text.count >= part.count && text.suffix(part.count).elementsEqual(part)
    }
  }
}

private enum ByteSearch {
  /// The first position, from `start` on, or nil.
  static func first<Element: Equatable>(
    _ part: [Element], in whole: [Element], from start: Int = 0, _ frame: inout Frame
  ) throws(EvaluationError) -> Int? {
    guard let head = part.first else { return start }
    guard part.count <= whole.count else { return nil }
    for position in stride(from: start, through: whole.count - part.count, by: 1)
    where whole[position] == head {
      if try matches(part, whole, at: position, &frame) { return position }
    }
    return nil
  }

  /// The last position, from `start` downwards, or nil.
  static func last<Element: Equatable>(
    _ part: [Element], in whole: [Element], from start: Int, _ frame: inout Frame
  ) throws(EvaluationError) -> Int? {
    guard let head = part.first else { return start }
    let highest = min(start, whole.count - part.count)
    for position in stride(from: highest, through: 0, by: -1) where whole[position] == head {
      if try matches(part, whole, at: position, &frame) { return position }
    }
    return nil
  }

  private static func matches<Element: Equatable>(
    _ part: [Element], _ whole: [Element], at position: Int, _ frame: inout Frame
  ) throws(EvaluationError) -> Bool {
    var length = 1
    while length < part.count, whole[position + length] == part[length] { length += 1 }
    // Long partial matches at every position make the search quadratic.
    try frame.charge(length / 32)
    return length == part.count
  }
}
