internal import FlowMarkup
internal import FlowSystem

/// A path of XPath 1.0, which Hurl reads in XML, and in the tree of a page of HTML.
struct HurlXPath {
  private let path: String

  /// - Throws: `HurlProblem.gap` for a path with a template, or one that is not of XPath 1.0.
  init(_ path: ImportedText) throws(HurlProblem) {
    guard let path = path.literal?.trimmed else { throw .gap("an XPath with a template") }
    self.path = path
    do throws(MarkupSearch.Problem) {
      _ = try MarkupSearch(xpath: path)
    } catch {
      // Without the library nothing is known of the path.
      if case .path = error { throw .gap("this XPath") }
    }
  }

  /// The value of the path in the body of an answer.
  ///
  /// In a page it is found by a selector, as far as one says the same.
  func value(in subject: String) -> HurlValue {
    let body = "\(subject).text"
    let page = "\(subject).headers[?'content-type'].orValue('').startsWith('text/html')"
    let read = read(inXML: "xml(\(body), \(path.celLiteral))")
    let code = html(in: body).map { "(\(page) ? \($0) : \(read))" } ?? read
    var value: HurlValue
    switch kind {
    case .text: value = HurlValue(code, .text)
    case .number: value = HurlValue(code, .double)
    case .bool: value = HurlValue(code, .any)
    case .nodes: value = HurlValue(code, .list, found: "size(\(code)) > 0")
    }
    value.guards = [HurlQuery.hasText(subject)]
    return value
  }

  private func read(inXML texts: String) -> String {
    switch kind {
    case .nodes: texts
    case .text: "\(texts)[0]"
    case .number: "double(\(texts)[0])"
    case .bool: "(\(texts)[0] == 'true')"
    }
  }

  private enum Kind { case nodes, text, number, bool }

  private static let functions: [String: Kind] = [
    "string": .text, "normalize-space": .text, "concat": .text, "substring": .text,
    "substring-before": .text, "substring-after": .text, "translate": .text, "name": .text,
    "local-name": .text, "namespace-uri": .text, "count": .number, "sum": .number,
    "number": .number, "string-length": .number, "floor": .number, "ceiling": .number,
    "round": .number, "boolean": .bool, "not": .bool, "contains": .bool, "starts-with": .bool,
  ]

  /// The kind of the value, which is that of a function around the whole path.
  private var kind: Kind { wholeCall.flatMap { Self.functions[$0.name] } ?? .nodes }

  /// The function around the whole path with its arguments, or nil.
  private var wholeCall: (name: String, arguments: Substring)? {
    guard let open = path.firstIndex(of: "("), path.hasSuffix(")") else { return nil }
    let inside = path[path.index(after: open)...].dropLast()
    var depth = 0
    for character in inside {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if depth < 0 { return nil }
    }
    let name = String(path[..<open])
    return Self.functions[name] == nil ? nil : (name, inside)
  }

  /// The expression for the value in a page, or nil if no selector says the same.
  private func html(in body: String) -> String? {
    guard let selector = Self.selector(of: wholeCall?.arguments ?? path[...]),
      (try? MarkupSearch(selector: selector)) != nil
    else { return nil }
    let nodes = "html(\(body), \(selector.celLiteral))"
    switch wholeCall?.name {
    case nil: return nodes
    case "string": return "\(nodes).first().orValue('')"
    case "normalize-space":
      let words = "regex.extractAll(\(nodes).first().orValue(''), '[^ \\t\\r\\n]+')"
      return "\(words).join(' ')"
    case "count": return "double(size(\(nodes)))"
    case "boolean": return "(size(\(nodes)) > 0)"
    default: return nil
    }
  }

  /// The selector of CSS that chooses the same elements or attributes, or nil.
  ///
  /// It is known for `//a/b`, attributes that are there or have a value, and `@name` or `text()` at
  /// the end.
  static func selector(of path: Substring) -> String? {
    var (rest, selector) = (path, "")
    while !rest.isEmpty {
      let isDeep = rest.hasPrefix("//")
      guard isDeep || rest.hasPrefix("/") else { return nil }
      rest = rest.dropFirst(isDeep ? 2 : 1)
      let step = rest.prefix { $0 != "/" && $0 != "[" }
      rest = rest[step.endIndex...]
      if rest.isEmpty, !selector.isEmpty, !isDeep {
        if step == "text()" { return selector + "::text" }
        if step.hasPrefix("@"), isName(step.dropFirst()) {
          return selector + "::attr(\(step.dropFirst()))"
        }
      }
      guard step == "*" || isName(step) else { return nil }
      if selector.isEmpty {
        guard isDeep || step == "html" else { return nil }
        selector = String(step)
      } else {
        selector += (isDeep ? " " : " > ") + step
      }
      while rest.hasPrefix("[") {
        guard let (test, after) = predicate(rest) else { return nil }
        selector += test
        rest = after
      }
    }
    return selector.isEmpty ? nil : selector
  }

  private static func isName(_ text: Substring) -> Bool {
    text.utf8.first?.isLetter == true
      && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
  }

  /// Takes `[@name]`, `[@name='value']` or `[contains(@name, 'value')]`.
  private static func predicate(_ text: Substring) -> (selector: String, rest: Substring)? {
    guard let end = text.firstIndex(of: "]") else { return nil }
    var inside = String(text[text.index(after: text.startIndex)..<end]).trimmed
    let rest = text[text.index(after: end)...]
    var sign = "="
    if inside.hasPrefix("contains("), inside.hasSuffix(")") {
      inside = String(inside.dropFirst(9).dropLast()).replacing(",", with: "=", maxReplacements: 1)
      sign = "*="
    }
    guard inside.hasPrefix("@") else { return nil }
    let parts = inside.dropFirst().split(separator: "=", maxSplits: 1)
    let name = String(parts.first ?? "").trimmed
    guard isName(name[...]) else { return nil }
    if parts.count == 1 { return sign == "=" ? ("[\(name)]", rest) : nil }
    let value = String(parts[1]).trimmed
    guard value.count > 1, let quote = value.first, quote == "'" || quote == "\"",
      value.last == quote, !value.contains("\\"), !value.dropFirst().dropLast().contains("\"")
    else { return nil }
    return ("[\(name)\(sign)\"\(value.dropFirst().dropLast())\"]", rest)
  }
}
