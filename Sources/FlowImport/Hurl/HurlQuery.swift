internal import FlowCore

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
    "regex", "sha256", "md5",
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
    case "xpath", "ip", "version", "certificate", "redirects", "rawbytes":
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
