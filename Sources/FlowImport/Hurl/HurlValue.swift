internal import FlowCore

/// What a query of Hurl reads from an answer, as an expression.
struct HurlValue {
  enum Kind { case any, text, int, list, bytes, duration }

  var code: String
  var kind: Kind
  /// Whether there is such a value; nil where it always is there.
  var exists: String?
  /// The name of what it is, for values that are secrets.
  var name = ""
  /// What is between the values of a header.
  var separator: String?

  init(_ code: String, _ kind: Kind, exists: String? = nil, name: String = "") {
    self.code = code
    self.kind = kind
    self.exists = exists
    self.name = name
  }

  /// The value as a list, for a filter of lists.
  func list(for filter: String) throws(HurlProblem) -> String {
    if let separator { return "\(code).split(\(separator))" }
    guard kind == .any || kind == .list else { throw .gap("the filter '\(filter)' of this value") }
    return code
  }
}

/// Reads queries and filters.
struct HurlQuery {
  /// How the answer is called: `steps.get_items` or `it`.
  let subject: String

  /// The value of the query that tokens begin with, after all of its filters; what follows stays.
  func value(_ tokens: inout ArraySlice<HurlToken>) throws(HurlProblem) -> HurlValue {
    guard case .word(let name)? = tokens.popFirst() else { throw .malformed("expected a query") }
    var value = try query(name, &tokens)
    while case .word(let filter)? = tokens.first, Self.filters.contains(filter) {
      tokens.removeFirst()
      if filter == "regex", try isExistence(&tokens, of: &value) { continue }
      let name = value.name
      value = try filtered(value, filter, &tokens)
      // A part of a secret is one, too; how many there are is not.
      if value.name.isEmpty, filter != "count" { value.name = name }
    }
    return value
  }

  static let filters: Set<String> = [
    "base64Decode", "base64Encode", "base64UrlSafeDecode", "base64UrlSafeEncode", "charsetDecode",
    "count", "dateFormat", "daysAfterNow", "daysBeforeNow", "decode", "first", "format",
    "htmlEscape", "htmlUnescape", "jsonpath", "last", "location", "nth", "regex", "replace",
    "replaceRegex", "split", "toDate", "toFloat", "toHex", "toInt", "toString", "urlDecode",
    "urlEncode", "urlQueryParam", "utf8Decode", "utf8Encode", "xpath",
  ]

  private func text(_ tokens: inout ArraySlice<HurlToken>) throws(HurlProblem) -> ImportedText {
    guard case .text(let text)? = tokens.popFirst() else {
      throw .malformed("expected a text in double quotes")
    }
    return text
  }

  // MARK: - Queries

  /// Those that can be imported.
  private static let queries = [
    "status", "url", "body", "bytes", "duration", "header", "cookie", "jsonpath", "variable",
  ]

  private func query(
    _ name: String, _ tokens: inout ArraySlice<HurlToken>
  ) throws(HurlProblem) -> HurlValue {
    switch name {
    case "status": return HurlValue("\(subject).status", .int)
    case "url": return HurlValue("\(subject).url", .text)
    case "body": return HurlValue("\(subject).text", .text)
    case "bytes": return HurlValue("\(subject).bytes", .bytes)
    case "duration": return HurlValue("\(subject).elapsed", .duration)
    case "header": return try header(text(&tokens))
    case "cookie": return try cookie(text(&tokens))
    case "jsonpath": return try Self.path(text(&tokens), in: "\(subject).json")
    case "variable":
      let code = try text(&tokens).code
      // Its type may be known, and another one than is asked for.
      return HurlValue(code.hasPrefix("inputs.") ? code : "dyn(\(code))", .any, exists: "true")
    case "regex":
      var value = HurlValue("\(subject).text", .text)
      guard try isExistence(&tokens, of: &value) else { throw .gap("the query 'regex'") }
      return value
    case "xpath", "ip", "version", "certificate", "sha256", "md5", "redirects", "rawbytes":
      throw .gap("the query '\(name)'")
    default:
      throw .malformed(
        "unknown query '\(name.prefix(40))'" + Suggestion.ending(for: name, among: Self.queries))
    }
  }

  /// A pattern whose group is not read is only asked whether it matches.
  private func isExistence(
    _ tokens: inout ArraySlice<HurlToken>, of value: inout HurlValue
  ) throws(HurlProblem) -> Bool {
    let after = tokens.dropFirst()
    guard after == [.word("exists")] || after == [.word("not"), .word("exists")] else {
      return false
    }
    let pattern = try HurlPredicate.pattern(tokens.popFirst())
    value.exists = "\(value.code).matches(\(pattern))"
    return true
  }

  private func header(_ name: ImportedText) throws(HurlProblem) -> HurlValue {
    guard let name = name.literal?.lowercased() else { throw .gap("a header named by a template") }
    if name == "date" {
      return HurlValue("\(subject).date", .text, exists: "\(subject).date != ''")
    }
    let key = name.celLiteral
    var value = HurlValue(
      "\(subject).headers[\(key)]", .text, exists: "\(key) in \(subject).headers", name: name)
    value.separator = name == "set-cookie" ? "'\\n'" : "', '"
    return value
  }

  private func cookie(_ text: ImportedText) throws(HurlProblem) -> HurlValue {
    guard let written = text.literal else { throw .gap("a cookie named by a template") }
    let name = String(written.prefix { $0 != "[" }).trimmed
    let start = (name + "=").celLiteral
    let all = "\(subject).headers['set-cookie'].split('\\n')"
    let there = "\(all).exists(c, c.startsWith(\(start))"
    let line = "\(all).filter(c, c.startsWith(\(start)))[0]"
    let attribute = written.dropFirst(name.count).filter { !"[] ".contains($0) }.lowercased()
    guard !attribute.isEmpty, attribute != "value" else {
      let size = name.unicodeScalars.count + 1
      return HurlValue(
        "\(line).split(';')[0].substring(\(size))", .text,
        exists: "'set-cookie' in \(subject).headers && \(there))", name: "cookie \(name)")
    }
    let mark = "\(attribute)=".celLiteral
    let part = "\(line).split('; ').filter(a, a.lowerAscii().startsWith(\(mark)))[0]"
    let text = "\(part).substring(\(attribute.unicodeScalars.count + 1))"
    let isNumber = attribute == "max-age"
    return HurlValue(
      isNumber ? "int(\(text))" : text, isNumber ? .int : .text,
      exists: "\(there) && c.lowerAscii().contains(\("; \(attribute)".celLiteral)))")
  }

  private static func path(
    _ path: ImportedText, in root: String
  ) throws(HurlProblem) -> HurlValue {
    let result = try JSONPath(path, in: root)
    let size = "size(\(result.code)) > 0"
    let name = path.literal?.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "-" }.last
    return HurlValue(
      result.code, result.isMany ? .list : .any, exists: result.exists ?? size,
      name: name.map(String.init) ?? "")
  }

  // MARK: - Filters

  private func filtered(
    _ value: HurlValue, _ filter: String, _ tokens: inout ArraySlice<HurlToken>
  ) throws(HurlProblem) -> HurlValue {
    let code = value.code
    switch filter {
    case "count":
      if value.kind == .bytes { return HurlValue("\(subject).size", .int) }
      return HurlValue("size(\(try value.list(for: filter)))", .int)
    case "first":
      let list = try value.list(for: filter)
      return HurlValue("\(list)[0]", .any, exists: "size(\(list)) > 0")
    case "last":
      let list = try value.list(for: filter)
      return HurlValue("\(list).last().value()", .any, exists: "size(\(list)) > 0")
    case "nth":
      let code = try value.list(for: filter)
      guard case .number(let text)? = tokens.popFirst(), let number = Int(text) else {
        throw .malformed("expected a whole number after 'nth'")
      }
      let index = number < 0 ? "size(\(code)) - \(number.magnitude)" : "\(number)"
      let least = number < 0 ? number.magnitude : number.magnitude + 1
      return HurlValue("\(code)[\(index)]", .any, exists: "size(\(code)) >= \(least)")
    case "jsonpath":
      guard ![.int, .bytes, .duration].contains(value.kind) else {
        throw .gap("the filter 'jsonpath' of this value")
      }
      let root =
        switch value.kind {
        case .text: "json(\(code))"
        // A text with JSON in it, or JSON itself.
        case .any: "cel.bind(v, \(code), type(v) == string ? json(v) : v)"
        default: code
        }
      return try Self.path(text(&tokens), in: root)
    default: return try converted(value, filter, &tokens)
    }
  }

  private func converted(
    _ value: HurlValue, _ filter: String, _ tokens: inout ArraySlice<HurlToken>
  ) throws(HurlProblem) -> HurlValue {
    let code = value.code
    guard value.kind == .any || value.kind == .text || filter == "toString" else {
      throw .gap("the filter '\(filter)'")
    }
    switch filter {
    case "toInt": return HurlValue("int(\(code))", .int)
    case "toFloat": return HurlValue("double(\(code))", .any)
    case "toString":
      guard value.kind != .list, value.kind != .bytes else { throw .gap("the filter '\(filter)'") }
      return HurlValue("string(\(code))", .text)
    case "split": return HurlValue("\(code).split(\(try text(&tokens).code))", .list)
    case "replace":
      guard case .text? = tokens.first else { throw .gap("the filter 'replace' of a pattern") }
      let (old, new) = (try text(&tokens).code, try text(&tokens).code)
      return HurlValue("\(code).replace(\(old), \(new))", .text)
    case "base64Encode": return HurlValue("base64.encode(bytes(\(code)))", .text)
    case "base64Decode":
      // Its bytes can only be read as text here.
      if case .word("utf8Decode")? = tokens.first { tokens.removeFirst() }
      guard tokens.first != nil else { throw .gap("the filter 'base64Decode'") }
      if case .word(let next)? = tokens.first, Self.filters.contains(next) {
        throw .gap("the filter '\(next)' of bytes")
      }
      return HurlValue("string(base64.decode(\(code)))", .text)
    default: throw .gap("the filter '\(filter)'")
    }
  }
}
