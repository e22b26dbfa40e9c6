/// The prefixes of names in a path of XPath 1.0, to name the one that a document does not declare.
struct PathPrefixes {
  /// The prefixes in their order, possibly repeated.
  private(set) var all: [String] = []

  init(_ path: String) {
    var rest = path.unicodeScalars[...]
    while let first = rest.first {
      if first == "'" || first == "\"" {
        rest = rest.dropFirst().drop { $0 != first }.dropFirst()
        continue
      }
      let name = rest.prefix(while: Self.isOfName)
      rest = rest.dropFirst(max(1, name.count))
      guard !name.isEmpty, rest.first == ":" else { continue }
      rest = rest.dropFirst()
      // Two colons follow the name of an axis.
      if rest.first == ":" { rest = rest.dropFirst() } else { all.append(String(name)) }
    }
  }

  /// True for a character of a name, those outside of ASCII without distinction.
  private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isASCII || scalar.properties.isAlphabetic
      || "0123456789_-.".unicodeScalars.contains(scalar)
  }
}
