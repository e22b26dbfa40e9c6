/// A path into JSON as an expression: names, indices, slices, and all elements.
struct JSONPath {
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

  /// The conditions that together hold exactly if the path finds something.
  var exists: [String] { isMany ? exact + ["size(\(code)) > 0"] : exact }

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
    else { throw .gap("'[\(text)]' in a JSONPath") }
    let size = "size(\(code))"
    func limited(_ bound: String) -> String { "math.least(\(bound), \(size))" }
    let start = bounds[0].isEmpty || bounds[0] == "0" ? "0" : limited(bounds[0])
    let list = code
    many()
    code = "\(list).slice(\(start), \(bounds[1].isEmpty ? size : limited(bounds[1])))"
    requirement = nil
  }

  /// Goes on with all elements of a list.
  private mutating func many() {
    if isMany {
      code += ".filter(x, type(x) == list).flatten()"
    } else {
      exact.append("type(\(code)) == list")
      // In a map the next steps would find nothing. Without any steps it would be the keys of the
      // map.
      requirement = "type(\(code)) == list"
    }
    isMany = true
  }

  private mutating func field(_ name: String) {
    let access = name.isFieldName ? ".\(name)" : "[\(name.celLiteral)]"
    guard isMany else {
      exact += ["type(\(code)) == map", "\(name.celLiteral) in \(code)"]
      code += access
      found += name.isFieldName ? ".?\(name)" : "[?\(name.celLiteral)]"
      return
    }
    select("type(x) == map && \(name.celLiteral) in x", "x\(access)")
  }

  private mutating func index(_ number: String) {
    guard isMany else {
      exact += ["type(\(code)) == list", "size(\(code)) > \(number)"]
      code += "[\(number)]"
      found += "[?\(number)]"
      return
    }
    select("type(x) == list && size(x) > \(number)", "x[\(number)]")
  }

  /// Takes the element at a distance from the end.
  private mutating func fromEnd(_ count: UInt) {
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

  /// Selects a part of every element with it.
  private mutating func select(_ condition: String, _ part: String) {
    code += ".map(x, \(condition), \(part))"
    requirement = nil
  }
}
