/// The condition of a filter in a JSONPath, such as `(@.price < 10)]`.
struct JSONPathFilter {
  private(set) var rest: ImportedText
  /// The name of an element in the condition.
  let element: String
  private var text: Substring

  init(_ rest: ImportedText, element: String) {
    (self.rest, self.element) = (rest, element)
    text = rest.beginning[...]
  }

  /// Takes the condition and the bracket behind it.
  mutating func test() throws(HurlProblem) -> String {
    guard take("(") else { throw .gap("this filter in a JSONPath") }
    let condition = try choice()
    guard take(")"), take("]") else { throw .gap("this filter in a JSONPath") }
    rest = rest.dropFirst(rest.beginning.utf8.count - text.utf8.count)
    return condition
  }

  private mutating func choice() throws(HurlProblem) -> String {
    var all = [try conjunction()]
    while take("||") { all.append(try conjunction()) }
    return all.joined(separator: " || ")
  }

  private mutating func conjunction() throws(HurlProblem) -> String {
    var all = [try comparison()]
    while take("&&") { all.append(try comparison()) }
    return all.joined(separator: " && ")
  }

  /// Takes `@.name`, which has to exist, with an optional comparison.
  private mutating func comparison() throws(HurlProblem) -> String {
    guard take("@") else { throw .gap("this filter in a JSONPath") }
    var (code, conditions) = (element, [String]())
    while let name = try field() {
      conditions += ["type(\(code)) == map", "\(name.celLiteral) in \(code)"]
      code += name.isFieldName ? ".\(name)" : "[\(name.celLiteral)]"
    }
    for sign in ["==", "!=", "<=", ">=", "<", ">"] where take(sign) {
      let (literal, type) = try literal()
      // An order of different types is an error.
      if sign != "==", sign != "!=" { conditions.append("type(\(code)) \(type)") }
      conditions.append("\(code) \(sign) \(literal)")
      break
    }
    guard !conditions.isEmpty else { throw .gap("this filter in a JSONPath") }
    return conditions.joined(separator: " && ")
  }

  private mutating func field() throws(HurlProblem) -> String? {
    if text.hasPrefix("['") || text.hasPrefix("[\"") {
      let mark = text.dropFirst().prefix(1)
      text = text.dropFirst(2)
      guard let end = text.firstRange(of: mark + "]") else {
        throw .gap("this filter in a JSONPath")
      }
      let name = String(text[..<end.lowerBound])
      text = text[end.upperBound...]
      return name
    }
    guard text.hasPrefix(".") else { return nil }
    text = text.dropFirst()
    let name = text.prefix { !".[]()=!<>&| ".contains($0) }
    guard !name.isEmpty, name != "*" else { throw .gap("this filter in a JSONPath") }
    text = text[name.endIndex...]
    return String(name)
  }

  private mutating func literal() throws(HurlProblem) -> (code: String, type: String) {
    skipBlanks()
    if let mark = text.first, mark == "'" || mark == "\"" {
      text = text.dropFirst()
      guard let end = text.firstIndex(of: mark), !text[..<end].contains("\\") else {
        throw .gap("this filter in a JSONPath")
      }
      defer { text = text[end...].dropFirst() }
      return (String(text[..<end]).celLiteral, "== string")
    }
    let word = String(text.prefix { !")&| ".contains($0) })
    text = text.dropFirst(word.count)
    guard word.isJSONScalar else { throw .gap("this filter in a JSONPath") }
    return (word, word.isNumber ? "in [int, double, decimal]" : "== bool")
  }

  private mutating func skipBlanks() { text = text.drop { $0 == " " } }

  /// Takes a word with the blanks around it.
  private mutating func take(_ word: String) -> Bool {
    let before = text
    skipBlanks()
    guard text.hasPrefix(word) else {
      text = before
      return false
    }
    text = text.dropFirst(word.count)
    if word != "@" { skipBlanks() }
    return true
  }
}
