public import FlowCore

/// What an expression may refer to: the declared variables and the functions of the language.
///
/// Cheap to copy, so that a scenario extends one step by step.
public struct Environment: Sendable {
  /// What a name stands for.
  public struct Binding: Sendable {
    /// The name as it was declared.
    public let name: String
    /// What the variable holds.
    public let type: ExpressionType
    /// Where the value is found at run time.
    public let slot: Slot
  }

  /// The name in whose scope names are resolved (CEL's "Name Resolution"); empty for the root.
  public let container: String
  private(set) var variables: [String: Binding] = [:]
  private var functions: [Function.Key: Function] = [:]

  /// An environment with the standard functions and no variable.
  public init(container: String = "") {
    self.container = container
  }

  /// Declares a variable that holds values as components know them.
  ///
  /// - Parameters:
  ///   - name: A simple or qualified name, as in `item` or `steps.page`; replaces an earlier one.
  ///   - type: What the variable holds.
  ///   - slot: Where the value is found at run time.
  public mutating func declare(_ name: String, type: ValueType, slot: Slot) {
    declare(name, expressionType: ExpressionType(type), slot: slot)
  }

  /// Declares a variable of any type of the language.
  public mutating func declare(_ name: String, expressionType: ExpressionType, slot: Slot) {
    variables[name] = Binding(name: name, type: expressionType, slot: slot)
  }

  /// Whether expressions can refer to a variable of this name: identifiers joined by points, none of
  /// them a reserved word.
  public static func isValid(name: String) -> Bool {
    name.split(separator: ".", omittingEmptySubsequences: false)
      .allSatisfy { Lexer.isIdentifier(String($0)) }
  }

  /// What a name stands for; setting what it stood for before ends a block in which it was declared.
  public subscript(name: String) -> Binding? {
    get { variables[name] }
    set { variables[name] = newValue }
  }

  /// Declares a function that can be checked but not called, as the official checker cases need it.
  package mutating func declare(function name: String, isMember: Bool, overloads: [Signature]) {
    for (count, signatures) in Dictionary(grouping: overloads, by: \.parameters.count) {
      let function = Function(name, isMember: isMember, signatures, .unbound(count))
      functions[function.key] = function
    }
  }

  func function(_ key: Function.Key) -> Function? {
    functions[key] ?? Library.functions[key]
  }

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
    if container.isEmpty || isRooted { return variables[name] }
    for candidate in candidates(name, isRooted: false) {
      if let variable = variables[candidate] { return variable }
    }
    return nil
  }
}
