internal import FlowCore

/// The strings extension: positions count unicode scalars, from 0.
enum StringFunctions {
  static let all = [
    method("charAt", [.string, .int], .string, 2, charAt),
    method("indexOf", [.string, .string], .int, 2, indexOf),
    method("indexOf", [.string, .string, .int], .int, 3, indexOf),
    method("lastIndexOf", [.string, .string], .int, 2, lastIndexOf),
    method("lastIndexOf", [.string, .string, .int], .int, 3, lastIndexOf),
    method("substring", [.string, .int], .string, 2, substring),
    method("substring", [.string, .int, .int], .string, 3, substring),
    method("replace", [.string, .string, .string], .string, 3, StringParts.replace),
    method("replace", [.string, .string, .string, .int], .string, 4, StringParts.replace),
    method("split", [.string, .string], .list(.string), 2, StringParts.split),
    method("split", [.string, .string, .int], .list(.string), 3, StringParts.split),
    method("join", [.list(.string)], .string, 1, StringParts.join),
    method("join", [.list(.string), .string], .string, 2, StringParts.join),
    method("lowerAscii", [.string], .string, 1) { (values, frame) throws(EvaluationError) in
      try mapped(values[0], &frame) { 65...90 ~= $0 ? $0 + 32 : $0 }
    },
    method("upperAscii", [.string], .string, 1) { (values, frame) throws(EvaluationError) in
      try mapped(values[0], &frame) { 97...122 ~= $0 ? $0 - 32 : $0 }
    },
    method("trim", [.string], .string, 1, trim),
    method("format", [.string, .list(.dyn)], .string, 2, Format.format),
    Function("strings.quote", [Signature([.string], .string)], .unary(quote)),
  ]

  private static func method(
    _ name: String, _ parameters: [ExpressionType], _ result: ExpressionType, _ count: Int,
    _ body: @escaping Code.Several
  ) -> Function {
    Function(name, isMember: true, [Signature(parameters, result)], .several(count, body))
  }

  // MARK: - Positions

  private static func charAt(
    _ values: [Value], _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    guard case .int(let index) = values[1] else { throw .noOverload }
    let text = try scalars(values[0], &frame)
    guard 0...text.count ~= index else { throw .position(index, count: text.count) }
    return .string(index == text.count ? "" : String(text[index]))
  }

  private static func indexOf(
    _ values: [Value], _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    let (text, part) = (try scalars(values[0], &frame), try scalars(values[1], &frame))
    let start = values.count > 2 ? try int(values[2]) : 0
    guard 0...text.count ~= start else { throw .position(start, count: text.count) }
    return .int(try ByteSearch.first(part, in: text, from: start, &frame) ?? -1)
  }

  private static func lastIndexOf(
    _ values: [Value], _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    let (text, part) = (try scalars(values[0], &frame), try scalars(values[1], &frame))
    let start = values.count > 2 ? try int(values[2]) : text.count
    guard 0...text.count ~= start else { throw .position(start, count: text.count) }
    return .int(try ByteSearch.last(part, in: text, from: start, &frame) ?? -1)
  }

  private static func substring(
    _ values: [Value], _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    let text = try scalars(values[0], &frame)
    let start = try int(values[1])
    let end = values.count > 2 ? try int(values[2]) : text.count
    guard 0...text.count ~= start else { throw .position(start, count: text.count) }
    guard 0...text.count ~= end else { throw .position(end, count: text.count) }
    guard start <= end else { throw .reversedRange(start, end) }
    return .string(string(text[start..<end]))
  }

  // MARK: - Characters

  private static func mapped(
    _ value: Value, _ frame: inout Frame, _ transform: (UInt8) -> UInt8
  ) throws(EvaluationError) -> Value {
    guard case .string(let text) = value else { throw .noOverload }
    try frame.charge(text.utf8.count / 32)
    return .string(String(decoding: text.utf8.map(transform), as: UTF8.self))
  }

  private static func trim(
    _ values: [Value], _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    let text = try scalars(values[0], &frame)
    let isBlank = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
    guard let first = text.firstIndex(where: { !isBlank($0) }),
      let last = text.lastIndex(where: { !isBlank($0) })
    else { return .string("") }
    return .string(string(text[first...last]))
  }

  private static func quote(_ value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value {
    let escapes: [Unicode.Scalar: String] = [
      "\u{07}": "\\a", "\u{08}": "\\b", "\u{0C}": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t",
      "\u{0B}": "\\v", "\\": "\\\\", "\"": "\\\"",
    ]
    var result = "\""
    for scalar in try scalars(value, &frame) {
      if let escape = escapes[scalar] {
        result += escape
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return .string(result + "\"")
  }

  // MARK: - Arguments

  static func scalars(
    _ value: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> [Unicode.Scalar] {
    guard case .string(let text) = value else { throw .noOverload }
    try frame.charge(text.utf8.count / 16)
    return Array(text.unicodeScalars)
  }

  static func int(_ value: Value) throws(EvaluationError) -> Int {
    guard case .int(let number) = value else { throw .noOverload }
    return number
  }

  static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}

/// `replace`, `split` and `join` of the strings extension.
enum StringParts {
  static func replace(
    _ values: [Value], _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    let text = try StringFunctions.scalars(values[0], &frame)
    let part = try StringFunctions.scalars(values[1], &frame)
    let replacement = try StringFunctions.scalars(values[2], &frame)
    let limit = values.count > 3 ? try StringFunctions.int(values[3]) : -1
    var result: [Unicode.Scalar] = []
    var rest = 0
    for range in try ranges(of: part, in: text, limit: limit, &frame) {
      try frame.charge(1 + replacement.count / 16)
      result += text[rest..<range.lowerBound]
      result += replacement
      rest = range.upperBound
    }
    return .string(StringFunctions.string(result + text[rest...]))
  }

  static func split(
    _ values: [Value], _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    let text = try StringFunctions.scalars(values[0], &frame)
    let separator = try StringFunctions.scalars(values[1], &frame)
    let limit = values.count > 2 ? try StringFunctions.int(values[2]) : -1
    if limit == 0 { return .list([]) }
    if separator.isEmpty { return .list(characters(text, limit)) }
    var parts: [Value] = []
    var rest = 0
    for range in try ranges(of: separator, in: text, limit: max(limit, 0) - 1, &frame) {
      try frame.charge(1)
      parts.append(.string(StringFunctions.string(text[rest..<range.lowerBound])))
      rest = range.upperBound
    }
    return .list(parts + [.string(StringFunctions.string(text[rest...]))])
  }

  static func join(
    _ values: [Value], _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    guard case .list(let elements) = values[0] else { throw .noOverload }
    guard case .string(let separator) = values.count > 1 ? values[1] : .string("") else {
      throw .noOverload
    }
    var result = ""
    for (index, element) in elements.enumerated() {
      guard case .string(let text) = element else { throw .noOverload }
      try frame.charge(1 + (text.utf8.count + separator.utf8.count) / 32)
      if index > 0 { result += separator }
      result += text
    }
    return .string(result)
  }

  /// An empty separator stands between all characters.
  private static func characters(_ text: [Unicode.Scalar], _ limit: Int) -> [Value] {
    guard limit > 0, limit < text.count else { return text.map { .string(String($0)) } }
    let head = text.prefix(limit - 1).map { Value.string(String($0)) }
    return head + [.string(StringFunctions.string(text.dropFirst(limit - 1)))]
  }

  /// The places of a part that do not overlap, at most `limit` of them unless that is negative.
  private static func ranges(
    of part: [Unicode.Scalar], in text: [Unicode.Scalar], limit: Int, _ frame: inout Frame
  ) throws(EvaluationError) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    while ranges.count != max(limit, -1), start <= text.count,
      let found = try ByteSearch.first(part, in: text, from: start, &frame)
    {
      ranges.append(found..<found + part.count)
      // An empty part stands before, between and behind all characters.
      start = found + max(part.count, 1)
    }
    return ranges
  }
}
