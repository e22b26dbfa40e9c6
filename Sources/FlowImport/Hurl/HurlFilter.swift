/// A filter of Hurl, with its result for a value.
struct HurlFilter {
  let name: String
  /// The expression for the answer: `steps.get_items` or `it`.
  let subject: String

  static let names: Set<String> = [
    "base64Decode", "base64Encode", "base64UrlSafeDecode", "base64UrlSafeEncode", "charsetDecode",
    "count", "dateFormat", "daysAfterNow", "daysBeforeNow", "decode", "first", "format",
    "htmlEscape", "htmlUnescape", "jsonpath", "last", "location", "nth", "regex", "replace",
    "replaceRegex", "split", "toDate", "toFloat", "toHex", "toInt", "toString", "urlDecode",
    "urlEncode", "urlQueryParam", "utf8Decode", "utf8Encode", "xpath",
  ]

  /// Returns the value after the filter and takes the filter's own words.
  func result(
    of value: HurlValue, _ tokens: inout ArraySlice<HurlToken>
  ) throws(HurlProblem) -> HurlValue {
    switch name {
    case "count": return try count(value)
    case "first", "last", "nth": return try element(of: value, &tokens)
    case "jsonpath": return try path(in: value, &tokens)
    default: return try converted(value, &tokens)
    }
  }

  private func count(_ value: HurlValue) throws(HurlProblem) -> HurlValue {
    if value.kind == .bytes {
      guard let size = value.bytes?.text?.size else {
        throw .gap("the filter 'count' of this value")
      }
      return value.result(size, .int)
    }
    let list = try value.list(for: name)
    return value.result("size(\(list))", .int, requiring: Self.isList(value))
  }

  /// Returns the requirement that a value is a list.
  ///
  /// A text and a map have a size as well, and a single header is a text.
  private static func isList(_ value: HurlValue) -> String? {
    if let separator = value.separator { return "size(\(value.code).split(\(separator))) > 1" }
    return value.kind == .any ? "type(\(value.code)) == list" : nil
  }

  private func element(
    of value: HurlValue, _ tokens: inout ArraySlice<HurlToken>
  ) throws(HurlProblem) -> HurlValue {
    let list = try value.list(for: name)
    var (code, least) = ("\(list)[0]", UInt(1))
    if name == "last" { code = "\(list).last().value()" }
    if name == "nth" {
      guard case .number(let text)? = tokens.popFirst(), let number = Int(text) else {
        throw .malformed("expected a whole number after 'nth'")
      }
      code = "\(list)[\(number < 0 ? "size(\(list)) - \(number.magnitude)" : "\(number)")]"
      least = number < 0 ? number.magnitude : number.magnitude + 1
    }
    let kind: HurlValue.Kind = value.separator == nil ? .any : .text
    var result = value.result(code, kind, requiring: Self.isList(value))
    result.found = least == 1 ? "size(\(list)) > 0" : "size(\(list)) >= \(least)"
    result.exact = result.found.map { [$0] } ?? []
    return result
  }

  private func path(
    in value: HurlValue, _ tokens: inout ArraySlice<HurlToken>
  ) throws(HurlProblem) -> HurlValue {
    guard value.kind == .any || value.kind == .text else {
      throw .gap("the filter 'jsonpath' of this value")
    }
    var result = try HurlQuery.path(HurlQuery.text(&tokens), in: "json(\(value.code))")
    result.requirements = value.requirements + result.requirements
    result.guards = value.guards
    return result
  }

  private func converted(
    _ value: HurlValue, _ tokens: inout ArraySlice<HurlToken>
  ) throws(HurlProblem) -> HurlValue {
    let code = value.code
    guard value.kind == .any || value.kind == .text || name == "toString" else {
      throw .gap("the filter '\(name)'")
    }
    switch name {
    case "toInt": return value.result("int(\(code))", .int)
    case "toFloat": return value.result("double(\(code))", .double)
    case "toString":
      guard value.kind != .list, value.kind != .bytes else { throw .gap("the filter '\(name)'") }
      return value.result("string(\(code))", .text)
    case "split": return value.result("\(code).split(\(try HurlQuery.text(&tokens).code))", .list)
    case "replace":
      guard case .text? = tokens.first else { throw .gap("the filter 'replace' of a pattern") }
      let (old, new) = (try HurlQuery.text(&tokens).code, try HurlQuery.text(&tokens).code)
      return value.result("\(code).replace(\(old), \(new))", .text)
    case "base64Encode": return value.result("base64.encode(bytes(\(code)))", .text)
    case "base64Decode": return try decoded(value, &tokens)
    default: throw .gap("the filter '\(name)'")
    }
  }

  private func decoded(
    _ value: HurlValue, _ tokens: inout ArraySlice<HurlToken>
  ) throws(HurlProblem) -> HurlValue {
    let bytes = "base64.decode(\(value.code))"
    if case .word("utf8Decode")? = tokens.first {
      tokens.removeFirst()
      return value.result("string(\(bytes))", .text)
    }
    if case .word(let next)? = tokens.first, Self.names.contains(next) {
      throw .gap("the filter '\(next)' of bytes")
    }
    guard tokens.first != nil else { throw .gap("the filter 'base64Decode'") }
    var result = value.result(bytes, .bytes)
    result.bytes = .init(code: bytes)
    return result
  }
}
