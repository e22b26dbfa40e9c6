internal import FlowSystem

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
    if value.kind == .bytes, !value.isDigest {
      return value.result(value.bytes?.text?.size ?? "size(\(value.code))", .int)
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
    result.place = nil
    return result
  }

  private func converted(
    _ value: HurlValue, _ tokens: inout ArraySlice<HurlToken>
  ) throws(HurlProblem) -> HurlValue {
    if value.kind == .bytes { return try convertedBytes(value) }
    let code = value.code
    guard value.kind == .any || value.kind == .text || name == "toString" else {
      throw .gap("the filter '\(name)'")
    }
    switch name {
    case "toInt": return value.result("int(\(code))", .int)
    case "toFloat": return value.result("double(\(code))", .double)
    case "toString":
      guard value.kind != .list else { throw .gap("the filter '\(name)'") }
      return value.result("string(\(code))", .text)
    case "split": return value.result("\(code).split(\(try HurlQuery.text(&tokens).code))", .list)
    case "replace":
      guard case .text? = tokens.first else { throw .gap("the filter 'replace' of a pattern") }
      let (old, new) = (try HurlQuery.text(&tokens).code, try HurlQuery.text(&tokens).code)
      return value.result("\(code).replace(\(old), \(new))", .text)
    case "regex":
      let pattern = try HurlPredicate.pattern(tokens.popFirst())
      return value.result("regex.extract(\(code), \(pattern)).value()", .text)
    case "toDate", "dateFormat", "format": return try date(value, &tokens)
    case "urlQueryParam": return try parameter(of: value, &tokens)
    default: return try encoded(value)
    }
  }

  /// Texts as other texts or as bytes.
  private func encoded(_ value: HurlValue) throws(HurlProblem) -> HurlValue {
    let code = value.code
    switch name {
    case "base64Encode": return value.result("base64.encode(bytes(\(code)))", .text)
    case "base64UrlSafeEncode": return value.result("base64url.encode(bytes(\(code)))", .text)
    case "base64Decode": return value.result(bytes: "base64.decode(\(code))")
    case "base64UrlSafeDecode": return value.result(bytes: "base64url.decode(\(code))")
    case "utf8Encode": return value.result(bytes: "bytes(\(code))")
    // Hurl keeps the `/` of a path.
    case "urlEncode": return value.result("url.encodeQuery(\(code)).replace('%2F', '/')", .text)
    case "urlDecode": return value.result("url.decode(\(code))", .text)
    case "htmlEscape":
      let marks = [("&", "amp"), ("<", "lt"), (">", "gt"), ("\"", "quot"), ("'", "#x27")]
      let escaped = marks.reduce(code) { text, mark in
        "\(text).replace(\(mark.0.celLiteral), '&\(mark.1);')"
      }
      return value.result(escaped, .text)
    default: throw .gap("the filter '\(name)'")
    }
  }

  private func convertedBytes(_ value: HurlValue) throws(HurlProblem) -> HurlValue {
    let code = value.code
    if value.isDigest {
      guard name == "toHex" else { throw .gap("the filter '\(name)' of a digest") }
      return value.result(code, .text)
    }
    switch name {
    case "base64Encode": return value.result("base64.encode(\(code))", .text)
    case "base64UrlSafeEncode": return value.result("base64url.encode(\(code))", .text)
    case "toHex": return value.result("'%x'.format([\(code)])", .text)
    case "utf8Decode", "toString": return value.result("string(\(code))", .text)
    default: throw .gap("the filter '\(name)' of bytes")
    }
  }

  /// A date of RFC 3339 as a point in time, or a point in time in a format for a comparison.
  private func date(
    _ value: HurlValue, _ tokens: inout ArraySlice<HurlToken>
  ) throws(HurlProblem) -> HurlValue {
    guard case .text(let text)? = tokens.popFirst(), let format = text.literal else {
      throw .malformed("expected a format of dates after '\(name)'")
    }
    if name == "toDate" {
      guard format == "%+", value.kind == .any || value.kind == .text else {
        throw .gap("this format of dates")
      }
      return value.result("timestamp(\(value.code))", .any)
    }
    var result = value.result(value.code, .any)
    result.dateFormat = format
    return result
  }

  private func parameter(
    of value: HurlValue, _ tokens: inout ArraySlice<HurlToken>
  ) throws(HurlProblem) -> HurlValue {
    guard let name = try HurlQuery.text(&tokens).literal,
      name.utf8.allSatisfy({ $0.isWordCharacter || $0 == UInt8(ascii: "-") })
    else { throw .gap("the name of this parameter") }
    let pattern = "[?&]\(name)=([^&#]*)".celLiteral
    let written = "regex.extract(\(value.code), \(pattern)).value().replace('+', ' ')"
    return value.result("url.decode(\(written))", .text)
  }
}

extension HurlValue {
  /// Returns bytes made of this existing value.
  fileprivate func result(bytes code: String) -> HurlValue {
    var result = result(code, .bytes)
    result.bytes = .init(code: code)
    return result
  }
}
