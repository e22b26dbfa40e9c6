/// The rules for the name of a new plugin.
enum PluginName {
  /// Returns the reason why a name is not allowed in Swift, where it is an identifier and the base
  /// of a type's name, or nil.
  static func problem(of name: String) -> String? {
    if isMalformed(name) { return malformed }
    if keywords.contains(name) { return "it is a keyword of Swift" }
    if values.contains(name) { return yamlValue }
    if locals.contains(name) { return "the generated code uses this name" }
    let type = StarterPlugin.type(of: name)
    if types.contains(type) { return "its type would be '\(type)', which already exists" }
    return nil
  }

  /// Returns the reason why a name is not allowed in other languages, beside the plugins of this
  /// flow, or nil.
  static func problem(of name: String, beside plugins: [String]) -> String? {
    if isMalformed(name) { return malformed }
    if values.contains(name) || ["true", "false"].contains(name) { return yamlValue }
    return plugins.contains(name) ? "it is the name of a plugin of this flow" : nil
  }

  private static let malformed =
    "it must start with a lower-case letter and have only letters, digits and '_'"
  private static let yamlValue = "YAML may read it as a value, not as a name"

  private static func isMalformed(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, "a"..."z" ~= first else { return true }
    return !name.unicodeScalars.allSatisfy { isLetterOrDigit($0) || $0 == "_" }
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
    "Any", "Array", "Bool", "Coded", "CodedError", "Component", "ComponentChecks", "Context",
    "ComponentCheck", "CustomStringConvertible", "Error", "ErrorCode", "EventKind", "FlowCommand",
    "FlowCore", "FlowTesting", "Int", "OpenComponent", "Operation", "Parameter", "Plugin",
    "Protocol", "Record", "ScenarioFile", "Self", "String", "Suite", "Swift", "Test", "Testing",
    "Type",
  ]
}
