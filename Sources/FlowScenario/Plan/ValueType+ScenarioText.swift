internal import FlowCore

extension ValueType {
  /// The names of all types, as messages list them.
  static let names = [
    "any", "bool", "bytes", "decimal", "double", "duration", "int", "list(TYPE)", "map(TYPE)",
    "string", "timestamp",
  ]

  /// What other languages call the types.
  private static let synonyms = [
    "array": "list(any)", "boolean": "bool", "date": "timestamp", "datetime": "timestamp",
    "dict": "map(any)", "float": "double", "integer": "int", "number": "decimal",
    "object": "map(any)", "str": "string", "text": "string", "time": "timestamp",
  ]

  /// The type names that a mistyped one may have meant.
  static func names(near text: String) -> [String] {
    if let synonym = synonyms[text.lowercased()] { return [synonym] }
    // A list or a map without its elements' type is the commonest mistake.
    return Suggestion.nearest(to: text, among: names.map { String($0.prefix { $0 != "(" }) })
      .map { ["list", "map"].contains($0) ? "\($0)(any)" : $0 }
  }

  /// The durations that a text without a unit, or with the name of one, may have meant.
  static func durations(near text: String) -> [String] {
    let number = text.prefix { "0"..."9" ~= $0 || $0 == "." }
    let unit = text.dropFirst(number.count).drop { $0 == " " }.lowercased()
    guard let short = units[unit], Duration(flowText: number + short) != nil else { return [] }
    return [number + short]
  }

  private static let units: [String: String] = {
    let names = [
      "ms": ["ms", "msec", "milliseconds", "millisecond"],
      "s": ["", "s", "sec", "secs", "second", "seconds"],
      "m": ["m", "min", "mins", "minute", "minutes"], "h": ["h", "hour", "hours"],
      "d": ["d", "day", "days"],
    ]
    return Dictionary(
      uniqueKeysWithValues: names.flatMap { short, long in
        long.map { ($0, short) }
      })
  }()

  /// Reads `decimal`, `list(string)`, `map(list(int))` or `any`; nil for another text.
  init?(scenarioText text: String) {
    switch text {
    case "any": self = .dynamic
    case "bool": self = .bool
    case "bytes": self = .bytes
    case "decimal": self = .decimal
    case "double": self = .double
    case "duration": self = .duration
    case "int": self = .int
    case "string": self = .string
    case "timestamp": self = .timestamp
    default:
      if let inner = Self.argument(of: "list", text) {
        self = .list(inner)
      } else if let inner = Self.argument(of: "map", text) {
        self = .map(inner)
      } else {
        return nil
      }
    }
  }

  private static func argument(of name: String, _ text: String) -> ValueType? {
    guard text.hasPrefix(name + "("), text.hasSuffix(")"), text.utf8.count < 256 else { return nil }
    return ValueType(scenarioText: String(text.dropFirst(name.count + 1).dropLast()))
  }
}
