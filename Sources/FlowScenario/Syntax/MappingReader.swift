internal import FlowCore
internal import FlowSystem
internal import FlowYAML

/// Reads a mapping by a closed set of keys; whatever else stands in it is a problem.
struct MappingReader {
  let node: Node
  let owner: String
  let diagnostics: DiagnosticCollector
  /// The known keys, whose texts are asked for often, by their positions among all known ones, and what stands at each.
  private var values: [(key: String, position: Int, entry: Node.Entry)] = []
  /// What the unknown keys were probably meant to be; those are not reported as missing.
  private(set) var mistyped: Set<String> = []
  private(set) var unknown: [Node.Entry] = []

  /// For how many unknown keys the near ones are looked for.
  private static let mostHinted = 100

  /// How many keys are listed where none is near; a step has more, most of them not beside each other.
  private static let mostListed = 16

  /// What other tools call the keys that are called otherwise here.
  private static let synonyms = [
    "args": "with", "arguments": "with", "delay": "wait", "foreach": "for", "params": "with",
    "sleep": "wait", "steps": "do", "then": "do", "timeout-minutes": "timeout", "when": "if",
  ]

  /// Checks kind and keys; nil when the node is not a mapping.
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
        // What stands beside `with` mostly belongs under it, which is noted where that is known.
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

  /// What is written here instead of a key that other tools have.
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
  /// The positions of the keys that are there among all known ones.
  var positions: some Sequence<Int> { values.lazy.map { $0.position } }
  func place(of key: String) -> Span? { values.first { $0.key == key }?.entry.key.span }

  func required(_ key: String) -> Node? {
    if let node = self[key] { return node }
    if mistyped.contains(key) { return nil }
    return diagnostics.reject(.missingKey(key, owner: owner), at: node.span.firstCharacter)
  }

  /// A scalar with a text that must be there.
  func requiredText(_ key: String) -> Node? { required(key) == nil ? nil : textNode(key) }
  /// The text of a scalar; a problem when the value is a collection or null.
  func text(_ key: String) -> String? { textNode(key)?.text }

  /// A scalar with a text; a problem when the value is a collection or null.
  func textNode(_ key: String) -> Node? {
    guard let node = self[key], node.isText(owner: "'\(key)' of \(owner)", diagnostics) else {
      return nil
    }
    return node
  }

  /// Notes a problem when the value of a key is there and is empty.
  func demandContent(_ key: String) {
    guard let node = self[key], node.kind != .scalar, node.items.isEmpty, node.entries.isEmpty
    else { return }
    diagnostics.add(.empty("'\(key)' of \(owner)"), at: node.span)
  }

  /// The items of a sequence; a problem when the value is something else.
  func items(_ key: String) -> [Node] {
    guard let node = self[key] else { return [] }
    if node.kind != .sequence { diagnostics.add(node, is: "'\(key)' of \(owner)", not: "a list") }
    return Array(node.items)
  }

  /// The entries of a mapping; a problem when the value is something else.
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
  /// Adds the problem that a node is not what its owner must be.
  func add(_ node: Node, is owner: String, not expected: String) {
    add(.wrongKind(owner: owner, expected: expected, actual: node.kindPhrase), at: node.span)
  }
}

extension Node {
  /// Whether a text stands here; a problem when it is a collection or nothing.
  func isText(owner: String, _ diagnostics: DiagnosticCollector) -> Bool {
    if kind == .scalar, scalar != .null { return true }
    diagnostics.add(self, is: owner, not: "text")
    return false
  }

  /// The truth value that stands here; nil after a problem.
  func flag(owner: String, _ diagnostics: DiagnosticCollector) -> Bool? {
    if case .bool(let value)? = scalar { return value }
    diagnostics.add(self, is: owner, not: "true or false")
    return nil
  }

  /// What stands here, in the words of messages.
  var kindPhrase: String {
    switch kind {
    case .mapping: "a mapping"
    case .sequence: "a list"
    case .scalar:
      switch scalar {
      case .null?: "nothing"
      case .bool?: "the truth value \(text)"
      case .int?, .bigInt?, .float?: "the number \(text)"
      default: "the text \(Value.string(text).summary(limit: 40))"
      }
    }
  }
}

extension Span {
  var firstCharacter: Span {
    Span(start: start, end: Position(line: start.line, column: start.column + 1))
  }
}

/// The names that ids, inputs, variables and components may have, so that expressions can say them.
enum Name {
  /// Names to which expressions give a meaning.
  static let reservedForVariables: Set<String> = ["inputs", "steps", "loop", "it"]
  /// What stands beside the branches of a step in the paths of other steps.
  static let reservedForBranches: Set<String> = ["finally"]

  /// Whether a node is a name; a problem when it is not.
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
