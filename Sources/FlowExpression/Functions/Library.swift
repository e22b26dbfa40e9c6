/// All functions of the language, by name.
enum Library {
  static let functions: [Function.Key: Function] = {
    let all = [
      SizeFunctions.all, ConversionFunctions.all, StringFunctions.all,
      StringExtension.all, TimeFunctions.all, MathExtension.all, EncoderExtension.all,
      ListExtension.all, OptionalFunctions.all, PatternFunctions.all,
    ]
    return Dictionary(
      all.joined().map { ($0.key, $0) },
      uniquingKeysWith: { first, _ in preconditionFailure("two functions '\(first.name)'") })
  }()

  /// The names of all functions and macros, for suggestions.
  static let names: [String] = Set(functions.keys.map(\.name) + Macro.names).sorted()

  /// How many arguments a function of this name takes; empty when there is none.
  static func counts(of name: String, isMember: Bool) -> [Int] {
    functions.keys.filter { $0.name == name && $0.isMember == isMember }.map(\.count).sorted()
  }

  /// The names of types, which are values: `type(1) == int`.
  static let types: [String: String] = {
    let names = [
      "bool", "int", "uint", "double", "decimal", "string", "bytes", "list", "map", "null_type",
      "type", "optional_type", "google.protobuf.Timestamp", "google.protobuf.Duration",
    ]
    return Dictionary(uniqueKeysWithValues: names.map { ($0, $0) })
  }()
}
