/// A path into JSON as an expression: names, indices, slices, and all elements.
struct JSONPath {
  /// The value at the path.
  private(set) var code: String
  /// Whether there is one; nil where that is a question of size.
  private(set) var exists: String?
  /// Whether it is always a list.
  private(set) var isMany = false
  private var rest: ImportedText
  /// What has to be true before `exists` can be asked.
  private var condition = ""

  /// - Throws: `HurlProblem.gap` for a part that an expression cannot say.
  init(_ path: ImportedText, in root: String) throws(HurlProblem) {
    (code, exists, rest) = (root, root, path)
    guard take("$") else { throw .gap("a JSONPath that does not begin with '$'") }
    while !rest.isEmpty { try step() }
    if exists == root {
      exists = "\(root) != null"
    } else {
      exists = exists.map { condition + $0 + ".hasValue()" }
    }
    if isMany { exists = nil }
  }

  private mutating func take(_ text: String) -> Bool {
    guard rest.beginning.hasPrefix(text) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  private mutating func step() throws(HurlProblem) {
    if take("..") { throw .gap("'..' in a JSONPath") }
    if take("[") { return try bracket() }
    guard take(".") else { throw .gap("this JSONPath") }
    if rest.beginning.hasPrefix("[") { return }
    let name = rest.beginning.prefix { !".[ ()".contains($0) }
    guard !name.isEmpty, name != "*" else {
      throw .gap(name == "*" ? "'.*' in a JSONPath" : "this JSONPath")
    }
    rest = rest.dropFirst(name.utf8.count)
    field(String(name))
  }

  private mutating func bracket() throws(HurlProblem) {
    if rest.beginning.hasPrefix("?") { throw .gap("a filter in a JSONPath") }
    if let mark = rest.beginning.first, mark == "'" || mark == "\"" {
      rest = rest.dropFirst(1)
      guard let (name, after) = rest.split(at: [mark]), let literal = name.literal,
        after.beginning.hasPrefix("]"), !literal.contains("\\")
      else { throw .gap("this JSONPath") }
      rest = after.dropFirst(1)
      return field(literal)
    }
    guard let (inside, after) = rest.split(at: ["]"]) else { throw .gap("this JSONPath") }
    rest = after
    guard let text = inside.literal?.trimmed else {
      guard inside.beginning.isEmpty, inside.pieces.count == 1 else { throw .gap("this JSONPath") }
      return index("int(\(inside.code))")
    }
    if text == "*" {
      many()
    } else if let number = Int(text) {
      if number < 0 { fromEnd(number.magnitude) } else { index("\(number)") }
    } else {
      try slice(text)
    }
  }

  private mutating func slice(_ text: String) throws(HurlProblem) {
    let bounds = text.split(separator: ":", omittingEmptySubsequences: false)
      .map { String($0).trimmed }
    guard !isMany, bounds.count == 2, bounds.allSatisfy({ $0.isEmpty || (Int($0) ?? -1) >= 0 })
    else {
      throw .gap("'[\(text)]' in a JSONPath")
    }
    let (start, end) = (bounds[0].isEmpty ? "0" : bounds[0], bounds[1])
    let size = "size(\(code))"
    code += ".slice(\(start), \(end.isEmpty ? size : "math.least(\(end), \(size))"))"
    many()
  }

  /// Goes on with all elements of a list.
  private mutating func many() {
    if isMany { code += ".flatten()" }
    isMany = true
    exists = nil
  }

  private mutating func field(_ name: String) {
    let access = name.isFieldName ? ".\(name)" : "[\(name.celLiteral)]"
    guard isMany else {
      code += access
      exists = exists.map { $0 + (name.isFieldName ? ".?\(name)" : "[?\(name.celLiteral)]") }
      return
    }
    code += ".map(x, x\(access))"
  }

  private mutating func index(_ number: String) {
    guard isMany else {
      code += "[\(number)]"
      exists = exists.map { $0 + "[?\(number)]" }
      return
    }
    code += ".map(x, x[\(number)])"
  }

  /// Takes the element that is so many from the end.
  private mutating func fromEnd(_ count: UInt) {
    guard isMany else {
      if let list = exists {
        // Its size can only be asked where it is there.
        if list.contains("?") { condition += "\(list).hasValue() && " }
        exists = list + "[?size(\(code)) - \(count)]"
      }
      code += "[size(\(code)) - \(count)]"
      return
    }
    code += ".map(x, x[size(x) - \(count)])"
  }
}
