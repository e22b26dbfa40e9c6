/// The rules for the name of a plugin in Swift, which is an identifier and the base of its type's
/// name.
enum PluginName {
  /// Returns the reason why a name is not allowed, or nil.
  static func problem(of name: String) -> String? {
    guard let first = name.unicodeScalars.first, "a"..."z" ~= first,
      name.unicodeScalars.allSatisfy({ isLetterOrDigit($0) || $0 == "_" })
    else { return "it must start with a lower-case letter and have only letters, digits and '_'" }
    if keywords.contains(name) { return "it is a keyword of Swift" }
    if values.contains(name) { return "YAML may read it as a value, not as a name" }
    if locals.contains(name) { return "the generated code uses this name" }
    let type = StarterPlugin.type(of: name)
    if types.contains(type) { return "its type would be '\(type)', which already exists" }
    return nil
  }

  private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    "a"..."z" ~= scalar || "A"..."Z" ~= scalar || "0"..."9" ~= scalar
  }

  /// The reserved words in all positions: https://docs.swift.org/swift-book, Lexical Structure.
  private static let keywords: Set<String> = [
    "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default",
    "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
    "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "open", "operator", "package", "precedencegroup", "private", "protocol", "public", "repeat",
    "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw",
    "throws", "true", "try", "typealias", "var", "where", "while",
  ]

  /// `null` of YAML 1.2, and the words that tools for YAML 1.1 read as true or false:
  /// https://yaml.org/type/bool.html.
  private static let values: Set<String> = ["n", "no", "null", "off", "on", "y", "yes"]

  /// The other names in the template's scope of the component, which has the plugin's name.
  private static let locals: Set<String> = ["amount", "context"]

  /// Types and modules used by the template, and the ones visible in every file.
  private static let types: Set<String> = [
    "Any", "Array", "Bool", "Coded", "CodedError", "Component", "ComponentContract", "Context",
    "ContractCheck", "CustomStringConvertible", "Error", "ErrorCode", "EventKind", "FlowCommand",
    "FlowCore", "FlowTesting", "Int", "OpenComponent", "Operation", "Parameter", "Plugin",
    "Protocol", "Record", "ScenarioFile", "Self", "String", "Suite", "Swift", "Test", "Testing",
    "Type",
  ]
}
