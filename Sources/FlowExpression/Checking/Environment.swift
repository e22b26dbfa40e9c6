public import FlowCore

/// The names that an expression may use: the declared variables and the functions of the language.
///
/// Cheap to copy, so a scenario extends one step by step.
public struct Environment: Sendable {
  /// The meaning of a name.
  public struct Binding: Sendable {
    /// The name as it was declared.
    public let name: String
    /// The type of the variable's values.
    public let type: ExpressionType
    /// The place of the value at run time.
    public let slot: Slot
  }

  /// The name in whose scope names are resolved (CEL's "Name Resolution"), or an empty string for
  /// the root.
  public let container: String
  /// A binding in 16 bytes: a long scenario declares a variable for every step.
  private struct Declaration: Sendable {
    let type: ExpressionType
    let slot: Slot
  }

  /// True if problems with a name offer others, which means to look at all of them.
  package var offersNames = true

  /// The schemas that the calls of `matches_schema` may name, by their literal names.
  package var schemas: [String: NamedSchema] = [:]

  private var declarations: [String: Declaration] = [:]
  private var functions: [Function.Key: Function] = [:]

  /// An environment with the standard functions and no variable.
  public init(container: String = "") { self.container = container }

  /// Declares a variable with values as components know them, in place of an earlier one with the
  /// name.
  public mutating func declare(_ name: String, type: ValueType, slot: Slot) {
    declare(name, expressionType: ExpressionType(type), slot: slot)
  }

  /// Declares a variable of any type of the language.
  public mutating func declare(_ name: String, expressionType: ExpressionType, slot: Slot) {
    declarations[name] = Declaration(type: expressionType, slot: slot)
  }

  /// True if names have these meanings, and the absent ones none.
  ///
  /// Always false in a container, where a name has several meanings.
  func hasMeanings(_ present: [Binding], absent: [String]) -> Bool {
    guard container.isEmpty else { return false }
    return present.allSatisfy { binding in
      declarations[binding.name].map { $0.slot == binding.slot && $0.type == binding.type } ?? false
    } && absent.allSatisfy { declarations[$0] == nil }
  }

  /// The meaning of a name.
  ///
  /// Setting its former meaning ends a block that declared it.
  public subscript(name: String) -> Binding? {
    get {
      declarations[name].map { Binding(name: name, type: $0.type, slot: $0.slot) }
    }
    set {
      guard let binding = newValue else { return declarations[name] = nil }
      declare(name, expressionType: binding.type, slot: binding.slot)
    }
  }

  var names: some Sequence<String> { declarations.keys }

  /// The declared variables in no order.
  package var bindings: some Sequence<Binding> {
    declarations.lazy.map { Binding(name: $0.key, type: $0.value.type, slot: $0.value.slot) }
  }

  /// True if a variable has this name, or this name and a point as its prefix.
  package func hasName(beginningWith name: String) -> Bool {
    declarations[name] != nil || declarations.keys.contains { $0.hasPrefix(name + ".") }
  }

  /// Makes room for this many variables.
  package mutating func reserveCapacity(_ count: Int) { declarations.reserveCapacity(count) }

  /// Declares a function that can be checked but not called, as the official checker cases need it.
  package mutating func declare(function name: String, isMember: Bool, overloads: [Signature]) {
    for (count, signatures) in Dictionary(grouping: overloads, by: \.parameters.count) {
      let function = Function(name, isMember: isMember, signatures, .unbound(count))
      functions[function.key] = function
    }
  }

  func function(_ key: Function.Key) -> Function? { functions[key] ?? Library.functions[key] }

  /// A name as it may be declared, from the innermost scope outwards.
  func candidates(_ name: String, isRooted: Bool) -> [String] {
    guard !container.isEmpty, !isRooted else { return [name] }
    var scope = Substring(container)
    var names = ["\(scope).\(name)"]
    while let dot = scope.lastIndex(of: ".") {
      scope = scope[..<dot]
      names.append("\(scope).\(name)")
    }
    return names + [name]
  }

  func variable(_ name: String, isRooted: Bool) -> Binding? {
    if container.isEmpty || isRooted { return self[name] }
    for candidate in candidates(name, isRooted: false) {
      if let variable = self[candidate] { return variable }
    }
    return nil
  }
}

/// All functions of the language, by name.
enum Library {
  static let functions: [Function.Key: Function] = {
    let all = [
      SizeFunctions.all, Conversions.all, StringFunctions.all, TextSearch.all, TimeFunctions.all,
      MathFunctions.all, Encoders.all, DigestFunctions.all, JSONFunctions.all,
      ListExtension.all, OptionalFunctions.all, PatternFunctions.all, SchemaFunction.all,
      MarkupFunctions.all, TokenFunction.all, MergeFunction.all,
    ]
    return Dictionary(
      all.joined().map { ($0.key, $0) },
      uniquingKeysWith: { first, _ in preconditionFailure("two functions '\(first.name)'") })
  }()

  /// The names of all functions and macros, for suggestions.
  static let names: [String] = Set(functions.keys.map(\.name) + Macro.names).sorted()

  /// The numbers of arguments of the functions with a name, empty for an unknown function.
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
