internal import FlowCore

/// `replace`, `split` and `join` of the strings extension.
enum StringParts {
  static func replace(
    _ values: [Value], _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    let text = try StringExtension.scalars(values[0], &frame)
    let part = try StringExtension.scalars(values[1], &frame)
    let replacement = try StringExtension.scalars(values[2], &frame)
    let limit = values.count > 3 ? try StringExtension.int(values[3]) : -1
    var result: [Unicode.Scalar] = []
    var rest = 0
    for range in try ranges(of: part, in: text, limit: limit, &frame) {
      try frame.charge(1 + replacement.count / 16)
      result += text[rest..<range.lowerBound]
      result += replacement
      rest = range.upperBound
    }
    return .string(StringExtension.string(result + text[rest...]))
  }

  static func split(
    _ values: [Value], _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    let text = try StringExtension.scalars(values[0], &frame)
    let separator = try StringExtension.scalars(values[1], &frame)
    let limit = values.count > 2 ? try StringExtension.int(values[2]) : -1
    if limit == 0 { return .list([]) }
    if separator.isEmpty { return .list(characters(text, limit)) }
    var parts: [Value] = []
    var rest = 0
    for range in try ranges(of: separator, in: text, limit: max(limit, 0) - 1, &frame) {
      try frame.charge(1)
      parts.append(.string(StringExtension.string(text[rest..<range.lowerBound])))
      rest = range.upperBound
    }
    return .list(parts + [.string(StringExtension.string(text[rest...]))])
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
    return head + [.string(StringExtension.string(text.dropFirst(limit - 1)))]
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
