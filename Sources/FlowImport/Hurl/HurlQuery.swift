internal import FlowCore
internal import FlowSystem

/// Reads queries and filters.
struct HurlQuery {
  /// The expression for the answer: `steps.get_items` or `it`.
  let subject: String

  /// Takes a query with all of its filters and returns its value.
  ///
  /// The following tokens stay.
  func value(_ tokens: inout ArraySlice<HurlToken>) throws(HurlProblem) -> HurlValue {
    guard case .word(let name)? = tokens.popFirst() else { throw .malformed("expected a query") }
    var value = try query(name, &tokens)
    while case .word(let filter)? = tokens.first, HurlFilter.names.contains(filter) {
      tokens.removeFirst()
      if filter == "regex", try isExistence(&tokens, of: &value) { continue }
      let name = value.name
      value = try HurlFilter(name: filter, subject: subject).result(of: value, &tokens)
      // A part of a secret is a secret, too, but the number of its parts is not.
      if value.name.isEmpty, filter != "count" { value.name = name }
    }
    return value
  }

  static func text(_ tokens: inout ArraySlice<HurlToken>) throws(HurlProblem) -> ImportedText {
    guard case .text(let text)? = tokens.popFirst() else {
      throw .malformed("expected a string in double quotes")
    }
    return text
  }

  // MARK: - Queries

  /// The importable queries.
  private static let queries = [
    "status", "url", "body", "bytes", "duration", "header", "cookie", "jsonpath", "variable",
    "redirects", "regex", "sha256", "md5", "version", "xpath",
  ]

  private func query(
    _ name: String, _ tokens: inout ArraySlice<HurlToken>
  ) throws(HurlProblem) -> HurlValue {
    switch name {
    case "status": return HurlValue("\(subject).status", .int)
    case "url":
      var value = HurlValue("\(subject).url", .text)
      value.place = ["url"]
      return value
    case "body": return body
    case "bytes": return bytes
    case "duration": return HurlValue("\(subject).elapsed", .duration)
    case "header": return try header(Self.text(&tokens))
    case "cookie": return try cookie(Self.text(&tokens))
    case "jsonpath":
      var value = try Self.path(Self.text(&tokens), in: "\(subject).json")
      value.guards = [Self.isJSON(subject)]
      value.place = value.place.map { ["json"] + $0 }
      return value
    case "variable":
      guard case .variable(let value)? = tokens.popFirst() else {
        throw .malformed("expected a string in double quotes")
      }
      return value
    case "regex":
      var value = body
      if try isExistence(&tokens, of: &value) { return value }
      return try HurlFilter(name: name, subject: subject).result(of: value, &tokens)
    case "sha256", "md5": return digest(name)
    case "xpath": return try HurlXPath(Self.text(&tokens)).value(in: subject)
    case "version":
      var value = HurlValue("\(subject).http_version", .text)
      value.place = ["http_version"]
      return value
    case "redirects":
      return redirects(&tokens)
    case "ip", "certificate", "rawbytes":
      throw .gap("the query '\(name)'")
    default:
      throw .malformed(
        "unknown query '\(name.prefix(40))'" + Suggestion.ending(for: name, among: Self.queries))
    }
  }

  /// Returns the condition that an answer is JSON.
  ///
  /// Its failure shows the reason.
  static func isJSON(_ subject: String) -> String {
    "\(subject).json != null || json(\(subject).text) == null"
  }

  /// Returns the condition that an answer is text or empty.
  static func hasText(_ subject: String) -> String {
    "\(subject).text != '' || \(subject).size == 0"
  }

  /// Takes the target of one redirect, or returns the list of all.
  private func redirects(_ tokens: inout ArraySlice<HurlToken>) -> HurlValue {
    let hops = "(\(subject).hops == null ? [] : \(subject).hops)"
    var (rest, index) = (tokens, Int?.none)
    switch rest.popFirst() {
    case .word("first")?: index = 0
    case .word("nth")?:
      if case .number(let text)? = rest.popFirst() { index = Int(text) }
    default: break
    }
    guard let index, index >= 0, rest.popFirst() == .word("location") else {
      return HurlValue(hops, .list)
    }
    tokens = rest
    // A redirect leads to the next one, and the last to the response.
    let last = "\(hops)[\(index)].url != '' ? \(subject).url : ''"
    let next = "size(\(hops)) > \(index + 1) ? \(hops)[\(index + 1)].url : \(last)"
    return HurlValue("(\(next))", .text, found: "size(\(hops)) > \(index)")
  }

  private var body: HurlValue {
    var value = HurlValue("\(subject).text", .text)
    value.guards = [Self.hasText(subject)]
    value.place = ["text"]
    return value
  }

  private var bytes: HurlValue {
    var value = HurlValue(content, .bytes)
    value.bytes = .init(
      code: "\(subject).bytes", text: (code: "\(subject).text", size: "\(subject).size"))
    return value
  }

  /// The bytes of the body, which is in one of two fields.
  var content: String {
    "(\(subject).bytes != null ? \(subject).bytes : bytes(\(subject).text))"
  }

  private func digest(_ name: String) -> HurlValue {
    var value = HurlValue("\(name)(\(content.dropFirst().dropLast()))", .bytes)
    value.isDigest = true
    return value
  }

  /// Takes a pattern tested only for a match, since its group is not read.
  ///
  /// Returns false for any other use.
  private func isExistence(
    _ tokens: inout ArraySlice<HurlToken>, of value: inout HurlValue
  ) throws(HurlProblem) -> Bool {
    let after = tokens.dropFirst()
    guard after == [.word("exists")] || after == [.word("not"), .word("exists")] else {
      return false
    }
    let pattern = try HurlPredicate.pattern(tokens.popFirst())
    let match = "\(value.code).matches(\(pattern))"
    // A missing value fails the filter.
    value.found = match
    (value.exact, value.exists) = ([match], nil)
    return true
  }

  private func header(_ name: ImportedText) throws(HurlProblem) -> HurlValue {
    guard let name = name.literal?.lowercased() else { throw .gap("a header named by a template") }
    if name == "date" {
      return HurlValue("\(subject).date", .text, found: "\(subject).date != ''")
    }
    let key = name.celLiteral
    var value = HurlValue(
      "\(subject).headers[\(key)]", .text, found: "\(key) in \(subject).headers", name: name)
    value.separator = name == "set-cookie" ? "'\\n'" : HurlValue.comma
    if name != "set-cookie" { value.place = ["headers", name] }
    return value
  }

  private func cookie(_ text: ImportedText) throws(HurlProblem) -> HurlValue {
    guard let written = text.literal else { throw .gap("a cookie named by a template") }
    let name = String(written.prefix { $0 != "[" }).trimmed
    let cookie = "\(subject).cookies" + (name.isFieldName ? ".\(name)" : "[\(name.celLiteral)]")
    let isSet = "\(name.celLiteral) in \(subject).cookies"
    let attribute = written.dropFirst(name.count).filter { !"[] ".contains($0) }.lowercased()
    switch attribute {
    case "", "value":
      return HurlValue("\(cookie).value", .text, found: isSet, name: "cookie \(name)")
    case "secure", "httponly":
      let field = "\(cookie).\(attribute == "secure" ? attribute : "httpOnly")"
      // Hurl has the attribute or has it not.
      return HurlValue(field, .any, found: "\(isSet) && \(field)")
    case "path", "domain", "expires", "max-age", "samesite":
      let fields = ["max-age": "maxAge", "samesite": "sameSite"]
      let field = "\(cookie).\(fields[attribute] ?? attribute)"
      let kinds: [String: HurlValue.Kind] = ["expires": .any, "max-age": .int]
      return HurlValue(field, kinds[attribute] ?? .text, found: "\(isSet) && \(field) != null")
    default: throw .gap("the attribute '\(attribute)' of a cookie")
    }
  }

  static func path(_ path: ImportedText, in root: String) throws(HurlProblem) -> HurlValue {
    let result = try JSONPath(path, in: root)
    let name = path.literal?.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "-" }.last
    var value = HurlValue(
      result.code, result.isMany ? .list : .any, found: result.found,
      name: name.map(String.init) ?? "")
    value.exact = result.exact
    value.exists = result.exists
    value.requirements = result.requirement.map { [$0] } ?? []
    value.place = result.isMany || result.fields?.isEmpty ?? true ? nil : result.fields
    return value
  }
}

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
    // The parser of pages knows all of the names.
    case "htmlUnescape":
      return value.result("html('<b>' + \(code).replace('<', '&lt;') + '</b>', 'b')[0]", .text)
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
      guard value.kind == .any || value.kind == .text else { throw .gap("this format of dates") }
      let code =
        format == "%+"
        ? "timestamp(\(value.code))" : HurlDate.expression(value.code, format: format)
      guard let code else { throw .gap("this format of dates") }
      return value.result(code, .any)
    }
    guard HurlDate.supports(format) else {
      guard let text = HurlDate.text(of: value.code, format: format) else {
        throw .gap("this format of dates")
      }
      return value.result(text, .text)
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

/// The value of a Hurl query on an answer, as an expression.
struct HurlValue: Equatable {
  enum Kind { case any, text, int, double, list, bytes, duration }

  /// The operands of a comparison of bytes.
  struct Bytes: Equatable {
    /// The bytes themselves.
    let code: String
    /// The bytes as a text, and their size, or nil for anything other than a body.
    var text: (code: String, size: String)?

    static func == (left: Bytes, right: Bytes) -> Bool { left.code == right.code }
  }

  /// The code of the value.
  ///
  /// It fails without a value.
  var code: String
  var kind: Kind
  /// A short condition for the value's existence, or nil if it always exists.
  var found: String?
  /// The conditions that together hold exactly if it exists.
  ///
  /// Never an error, and empty for always.
  var exact: [String] = []
  /// The conditions for the predicate `exists`, if it tests for more.
  var exists: [String]?
  /// The requirements of a filter or a predicate for the value, also of a negated one.
  var requirements: [String] = []
  /// The conditions that distinguish an unreadable answer from an answer without such a value.
  var guards: [String] = []
  /// The name of its meaning, for secret values.
  var name = ""
  /// The separator of the values of a header.
  var separator: String?
  var bytes: Bytes?
  /// The hexadecimal digits of bytes that are a digest, which the code has in their place.
  var isDigest = false
  /// The format of a date written as a text.
  var dateFormat: String?
  /// The field of the answer, if the value is one, with the names on the way.
  var place: [String]?
  /// True for the result of a filter.
  var isFiltered = false
  /// True for a value read from a header that is treated as several headers.
  var isSplit = false

  /// The separator of the values of headers with one name.
  static let comma = "', '"

  init(_ code: String, _ kind: Kind, found: String? = nil, name: String = "") {
    self.code = code
    self.kind = kind
    self.found = found
    exact = found.map { [$0] } ?? []
    self.name = name
  }

  /// Returns the value as a list, for a filter of lists.
  func list(for filter: String) throws(HurlProblem) -> String {
    if let separator { return "\(code).split(\(separator))" }
    guard kind == .any || kind == .list else { throw .gap("the filter '\(filter)' of this value") }
    return code
  }

  /// Returns the result of a filter of this existing value.
  func result(_ code: String, _ kind: Kind, requiring requirement: String? = nil) -> HurlValue {
    var result = HurlValue(code, kind)
    result.requirements = requirements + (requirement.map { [$0] } ?? [])
    result.guards = guards
    result.isFiltered = true
    result.isSplit = isSplit || separator == Self.comma
    return result
  }

  /// The condition for the value's existence, by which a capture is judged, or nil if it always
  /// exists.
  var captured: String? {
    let there = found ?? (isFiltered ? "size([\(code)]) == 1" : nil)
    let all = requirements + (there.map { [$0] } ?? [])
    return all.isEmpty ? nil : all.joined(separator: " && ")
  }
}
