/// A path into JSON as an expression.
struct JSONPath {
  enum Key {
    case name(String)
    case index(Int)
  }

  /// The value at the path.
  private(set) var code: String
  /// A short condition for its existence.
  ///
  /// It fails if a value on the way has another type.
  private(set) var found: String
  /// The conditions that together hold exactly if it exists, with any values on the way.
  private(set) var exact: [String] = []
  /// The condition required for the path to have a meaning.
  private(set) var requirement: String?
  /// True if it is always a list.
  private(set) var isMany = false
  /// The names and indices from the root, or nil if other parts are among them.
  private(set) var keys: [Key]? = []
  private var rest: ImportedText

  /// - Throws: `HurlProblem.gap` for a part that no expression can express.
  init(_ path: ImportedText, in root: String) throws(HurlProblem) {
    (code, found, rest) = (root, root, path)
    guard take("$") else { throw .gap("a JSONPath that does not start with '$'") }
    while !rest.isEmpty { try step() }
    if isMany {
      found = "size(\(code)) > 0"
    } else if found == root {
      found = "\(root) != null"
    } else {
      found += ".hasValue()"
    }
  }

  /// The names of the fields from the root, or nil if other parts are among them.
  var fields: [String]? {
    let names = keys?.compactMap { if case .name(let name) = $0 { name } else { nil } }
    return names?.count == keys?.count ? names : nil
  }

  /// The conditions that together hold exactly if the path finds something.
  var exists: [String] { isMany ? exact + ["size(\(code)) > 0"] : exact }

  private mutating func take(_ text: String) -> Bool {
    guard rest.beginning.hasPrefix(text) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  private mutating func step() throws(HurlProblem) {
    if take("..") { return try descend() }
    if take("[") { return try bracket() }
    guard take(".") else { throw .gap("this JSONPath") }
    if rest.beginning.hasPrefix("[") { return }
    if take("*") { return children() }
    field(try name())
  }

  private mutating func name() throws(HurlProblem) -> String {
    let name = rest.beginning.prefix { !".[ ()*".contains($0) }
    guard !name.isEmpty else { throw .gap("this JSONPath") }
    rest = rest.dropFirst(name.utf8.count)
    return String(name)
  }

  private mutating func bracket() throws(HurlProblem) {
    if take("?") { return try filter() }
    if let mark = rest.beginning.first, mark == "'" || mark == "\"", let name = quotedName() {
      return field(name)
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
    } else if text.contains(",") {
      try union(text)
    } else {
      try slice(text)
    }
  }

  /// Takes a name in quotes with its closing bracket.
  private mutating func quotedName() -> String? {
    guard let mark = rest.beginning.first,
      let (name, after) = rest.dropFirst(1).split(at: [mark]), let literal = name.literal,
      after.beginning.hasPrefix("]"), !literal.contains("\\")
    else { return nil }
    rest = after.dropFirst(1)
    return literal
  }

  // MARK: - One value

  private mutating func field(_ name: String) {
    let access = name.isFieldName ? ".\(name)" : "[\(name.celLiteral)]"
    guard isMany else {
      keys?.append(.name(name))
      exact += ["type(\(code)) == map", "\(name.celLiteral) in \(code)"]
      code += access
      found += name.isFieldName ? ".?\(name)" : "[?\(name.celLiteral)]"
      return
    }
    select("type(x) == map && \(name.celLiteral) in x", "x\(access)")
  }

  private mutating func index(_ number: String) {
    guard isMany else {
      if let index = Int(number) { keys?.append(.index(index)) } else { keys = nil }
      exact += ["type(\(code)) == list", "size(\(code)) > \(number)"]
      code += "[\(number)]"
      found += "[?\(number)]"
      return
    }
    select("type(x) == list && size(x) > \(number)", "x[\(number)]")
  }

  /// Takes the element at a distance from the end.
  private mutating func fromEnd(_ count: UInt) {
    keys = nil
    guard isMany else {
      let list = found
      // The size of a missing list cannot be read.
      found = exact.isEmpty ? "" : "\(list).hasValue() && "
      found += "\(list)[?size(\(code)) - \(count)]"
      exact += ["type(\(code)) == list", "size(\(code)) >= \(count)"]
      code += "[size(\(code)) - \(count)]"
      return
    }
    select("type(x) == list && size(x) >= \(count)", "x[size(x) - \(count)]")
  }

  // MARK: - Several values

  /// Goes on with all elements of a list.
  private mutating func many() {
    if isMany {
      code += ".filter(x, type(x) == list).flatten()"
    } else {
      // In a map the next steps would find nothing. Without any steps it would be the keys of the
      // map.
      needList()
    }
    isMany = true
  }

  private mutating func needList() {
    exact.append("type(\(code)) == list")
    requirement = "type(\(code)) == list"
    keys = nil
  }

  /// Goes on with some elements of each list: `part` is a list, made of the list `x`.
  private mutating func elements(_ part: (String) -> String) {
    guard isMany else {
      let list = code
      needList()
      isMany = true
      code = part(list)
      return
    }
    code += ".map(x, type(x) == list, \(part("x"))).flatten()"
    requirement = nil
  }

  private mutating func slice(_ text: String) throws(HurlProblem) {
    let bounds = text.split(separator: ":", omittingEmptySubsequences: false)
      .map { String($0).trimmed }
    guard bounds.count == 2, bounds.allSatisfy({ $0.isEmpty || Int($0) != nil }) else {
      throw .gap("'[\(text)]' in a JSONPath")
    }
    let start = bounds[0].isEmpty ? "0" : bounds[0]
    elements { "\($0).part(\(start)\(bounds[1].isEmpty ? "" : ", " + bounds[1]))" }
  }

  private mutating func union(_ text: String) throws(HurlProblem) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { String($0).trimmed }
    guard parts.allSatisfy({ Int($0) != nil }) else { throw .gap("'[\(text)]' in a JSONPath") }
    elements { list in
      let chosen = parts.map { part in
        part.hasPrefix("-")
          ? "?\(list)[?size(\(list)) - \(part.dropFirst())]" : "?\(list)[?\(part)]"
      }
      return "[\(chosen.joined(separator: ", "))]"
    }
  }

  /// Goes on with the elements or the values of every list or map.
  private mutating func children() {
    func all(_ value: String) -> String {
      let values = "\(value).map(k, \(value)[k])"
      return "type(\(value)) == map ? \(values) : type(\(value)) == list ? \(value) : []"
    }
    code = isMany ? "\(code).map(x, \(all("x"))).flatten()" : "(\(all(code)))"
    (isMany, requirement, keys) = (true, nil, nil)
  }

  /// Goes on with the values at any depth.
  private mutating func descend() throws(HurlProblem) {
    let inner = isMany ? "\(code).map(x, descendants(x)).flatten()" : "descendants(\(code))"
    let below =
      isMany ? "\(code).map(x, descendants(x).part(1)).flatten()" : "descendants(\(code)).part(1)"
    (isMany, requirement, keys) = (true, nil, nil)
    if take("*") { return code = below }
    code = inner
    if !rest.beginning.hasPrefix("[") { field(try name()) }
  }

  private mutating func filter() throws(HurlProblem) {
    var condition = JSONPathFilter(rest, element: isMany ? "y" : "x")
    let test = try condition.test()
    rest = condition.rest
    elements { "\($0).filter(\(condition.element), \(test))" }
  }

  /// Selects a part of every element with it.
  private mutating func select(_ condition: String, _ part: String) {
    code += ".map(x, \(condition), \(part))"
    requirement = nil
  }
}
