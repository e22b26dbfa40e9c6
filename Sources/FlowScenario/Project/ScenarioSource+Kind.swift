internal import FlowYAML

extension ScenarioSource {
  /// What a file is by its look, whether or not it can be planned.
  package enum Kind: Sendable {
    /// Its root is a mapping with the keys `flow` and `steps`.
    case scenario
    /// It has the key `flow` alone, or it is no YAML and has a line that begins with it.
    case damaged
    /// It is no YAML.
    case unreadable
    /// It is YAML, and something else.
    case other
  }

  /// What the file is.
  package var kind: Kind {
    guard let root = try? Node(parsing: bytes) else { return hasVersion ? .damaged : .unreadable }
    guard root["flow"] != nil else { return .other }
    return root["steps"] != nil ? .scenario : .damaged
  }

  /// Whether a text that is no YAML has the key `flow` at the beginning of a line, or anywhere in JSON.
  ///
  /// An editor may have saved it as UTF-16 or with the line ends of another system, and written a mark before
  /// everything else.
  private var hasVersion: Bool {
    let marks: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF]
    let text = bytes.drop(while: marks.contains).filter { $0 != 0 }
    let isJSON = text.first { !Self.blanks.contains($0) } == UInt8(ascii: "{")
    return text.ranges(of: "flow".utf8).contains { name in
      Self.endsKey(text[name.upperBound...]) && Self.beginsKey(text[..<name.lowerBound], isJSON)
    }
  }

  private static let blanks = Set(" \t\r\n".utf8)
  private static let quotes = Set("\"'".utf8)

  private static func endsKey(_ rest: ArraySlice<UInt8>) -> Bool {
    let rest = rest.first.map(quotes.contains) == true ? rest.dropFirst() : rest
    return rest.first { !blanks.contains($0) } == UInt8(ascii: ":")
  }

  private static func beginsKey(_ text: ArraySlice<UInt8>, _ isJSON: Bool) -> Bool {
    let isQuoted = text.last.map(quotes.contains) == true
    guard let last = (isQuoted ? text.dropLast() : text).last else { return true }
    return (isJSON ? Set("{, \t\r\n".utf8) : Set("\r\n".utf8)).contains(last)
  }
}
