internal import FlowCore
internal import FlowPlan
internal import FlowSystem
internal import FlowYAML

/// Reads a mapping with a closed set of keys, and reports all others.
struct MappingReader {
  let node: Node
  let owner: String
  let diagnostics: DiagnosticCollector
  /// The known keys, their positions among all known ones, and their entries.
  ///
  /// Cached, since their strings are needed often.
  private var values: [(key: String, position: Int, entry: Node.Entry)] = []
  /// The probable meanings of the unknown keys, which are not reported as missing.
  private(set) var mistyped: Set<String> = []
  private(set) var unknown: [Node.Entry] = []

  /// For how many unknown keys the near ones are looked for.
  private static let mostHinted = 100

  /// The number of keys to list if none is near.
  ///
  /// A step has more, most of which exclude each other.
  private static let mostListed = 16

  /// The keys of this language, by their names in other tools.
  private static let synonyms = [
    "args": "with", "arguments": "with", "delay": "wait", "foreach": "for", "params": "with",
    "sleep": "wait", "steps": "do", "then": "do", "timeout-minutes": "timeout", "when": "if",
  ]

  /// Checks the kind and the keys of a node.
  ///
  /// Returns nil if it is not a mapping.
  init?(_ node: Node, owner: String, keys: [String], _ diagnostics: DiagnosticCollector) {
    self.node = node
    self.owner = owner
    self.diagnostics = diagnostics
    guard node.kind == .mapping else {
      diagnostics.add(
        .wrongKind(
          owner: owner, expected: "a mapping", actual: node.kindPhrase,
          keyWithoutColon: keys.first { node.kind == .scalar && node.text.hasPrefix($0 + " ") }),
        at: node.span)
      return nil
    }
    for entry in node.entries {
      let key = entry.key.text
      if let tag = entry.key.tag ?? entry.value.tag {
        diagnostics.add(.tag(tag, on: entry.value), at: entry.key.span)
      }
      guard let position = keys.firstIndex(where: { $0.isSame(as: key) }) else {
        // A file of nothing but unknown keys is not of use as a scenario, whatever they were meant to be.
        let near = unknown.count < Self.mostHinted ? Self.near(key, among: keys) : []
        // A key beside `with` usually belongs under it, which is noted if known.
        let isListed =
          unknown.isEmpty && keys.count <= Self.mostListed && !keys.contains("with")
        let known = isListed ? keys : []
        var problem = Problem.unknownKey(key, owner: owner, near: near, among: known)
        if let note = Self.habit(key, of: owner), near.isEmpty { problem.notes = [note] }
        diagnostics.add(problem, at: entry.key.span)
        mistyped.formUnion(near)
        unknown.append(entry)
        continue
      }
      values.append((key, position, entry))
    }
  }

  /// Returns the equivalent of a key from other tools, or nil.
  private static func habit(_ key: String, of owner: String) -> String? {
    switch owner {
    case "a step": WorkflowHabits.note(onStepKey: key)
    case "a scenario": WorkflowHabits.note(onWorkflowKey: key)
    default: nil
    }
  }

  private static func near(_ key: String, among keys: [String]) -> [String] {
    if let synonym = synonyms[key], keys.contains(synonym) { return [synonym] }
    return Suggestion.nearest(to: key, among: keys)
  }

  subscript(key: String) -> Node? {
    for index in values.indices where values[index].key.isSame(as: key) {
      return values[index].entry.value
    }
    return nil
  }

  var keys: some Sequence<String> { values.lazy.map { $0.key } }
  /// The positions of the existing keys among all known ones.
  var positions: some Sequence<Int> { values.lazy.map { $0.position } }
  func place(of key: String) -> Span? { values.first { $0.key == key }?.entry.key.span }

  func required(_ key: String) -> Node? {
    if let node = self[key] { return node }
    if mistyped.contains(key) { return nil }
    return diagnostics.reject(.missingKey(key, owner: owner), at: node.span.firstCharacter)
  }

  /// Returns a required scalar with a string.
  func requiredText(_ key: String) -> Node? { required(key) == nil ? nil : textNode(key) }
  /// The string of a scalar.
  ///
  /// A collection or null is a problem.
  func text(_ key: String) -> String? { textNode(key)?.text }

  /// The node of a scalar with a string.
  ///
  /// A collection or null is a problem.
  func textNode(_ key: String) -> Node? {
    guard let node = self[key], node.isText(owner: "'\(key)' of \(owner)", diagnostics) else {
      return nil
    }
    return node
  }

  /// Notes a problem if a key has an empty value.
  func demandContent(_ key: String) {
    guard let node = self[key], node.kind != .scalar, node.items.isEmpty, node.entries.isEmpty
    else { return }
    diagnostics.add(.empty("'\(key)' of \(owner)"), at: node.span)
  }

  /// The items of a sequence.
  ///
  /// Any other value is a problem.
  func items(_ key: String) -> [Node] {
    guard let node = self[key] else { return [] }
    if node.kind != .sequence { diagnostics.add(node, is: "'\(key)' of \(owner)", not: "a list") }
    return Array(node.items)
  }

  /// The entries of a mapping.
  ///
  /// Any other value is a problem.
  func entries(_ key: String) -> [Node.Entry] {
    guard let node = self[key] else { return [] }
    if node.kind != .mapping { diagnostics.add(node, is: "'\(key)' of \(owner)", not: "a mapping") }
    return Array(node.entries)
  }
}

extension String {
  /// Equality for keys, most of which differ in length already.
  fileprivate func isSame(as key: String) -> Bool { utf8.count == key.utf8.count && self == key }
}

extension DiagnosticCollector {
  /// Adds the problem of a node of the wrong kind for its owner.
  func add(_ node: Node, is owner: String, not expected: String) {
    add(.wrongKind(owner: owner, expected: expected, actual: node.kindPhrase), at: node.span)
  }
}

extension Node {
  /// Returns true if the node is a string.
  ///
  /// A collection or null is a problem.
  func isText(owner: String, _ diagnostics: DiagnosticCollector) -> Bool {
    if kind == .scalar, scalar != .null { return true }
    diagnostics.add(self, is: owner, not: "text")
    return false
  }

  /// Returns the boolean of the node, or nil after a problem.
  func flag(owner: String, _ diagnostics: DiagnosticCollector) -> Bool? {
    if case .bool(let value)? = scalar { return value }
    diagnostics.add(self, is: owner, not: "true or false")
    return nil
  }

  /// The kind of the node, in the wording of messages.
  var kindPhrase: String {
    switch kind {
    case .mapping: "a mapping"
    case .sequence: "a list"
    case .scalar:
      switch scalar {
      case .null?: "nothing"
      case .bool?: "the bool \(text)"
      case .int?, .bigInt?, .float?: "the number \(text)"
      default: "the string \(Value.string(text).summary(limit: 40))"
      }
    }
  }
}

extension Span {
  var firstCharacter: Span {
    Span(start: start, end: Position(line: start.line, column: start.column + 1))
  }
}

/// The names allowed for ids, inputs, variables and components, so that expressions can use them.
enum Name {
  /// The names with a meaning in expressions.
  static let reservedForVariables: Set<String> = ["inputs", "steps", "loop", "it"]
  /// The names that follow a step's path like those of its branches, and are reserved.
  static let reservedForBranches: Set<String> = ["finally"]

  /// Returns true if a node is a name.
  ///
  /// Anything else is a problem.
  static func check(
    _ node: Node, owner: String, reserved: Set<String> = [], _ diagnostics: DiagnosticCollector
  ) -> Bool {
    let name = node.text
    if !isValid(name) {
      diagnostics.add(.invalidName(name, owner: owner), at: node.span)
    } else if reserved.contains(name) {
      diagnostics.add(.reservedName(name, owner: owner), at: node.span)
    } else {
      return true
    }
    return false
  }

  private static func isValid(_ name: String) -> Bool {
    guard let first = name.utf8.first, !first.isDigit else { return false }
    return name.utf8.allSatisfy(\.isWordCharacter)
  }
}
