internal import FlowCore

extension ValueType {
  /// The type names that a mistyped one may have meant.
  static func names(near text: String) -> [String] {
    // A list or a map without its elements' type is the commonest mistake.
    let names = [
      "any", "bool", "bytes", "decimal", "double", "duration", "int", "list", "map", "string",
      "timestamp",
    ]
    return Suggestion.nearest(to: text, among: names)
      .map { ["list", "map"].contains($0) ? "\($0)(any)" : $0 }
  }

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
