internal import FlowYAML

/// One step as written.
struct Step {
  /// What a step does; each kind has keys of its own.
  enum Action {
    case call(Call)
    case loop(Loop)
    case set([Node.Entry])
    case assert([Node])
    case wait(Node)
    case scenario(Inclusion)
  }

  struct Call {
    let uses: Node
    let input: Node?
    let expectation: Node?
  }

  struct Loop {
    enum Kind {
      case each(variable: Node, list: Node)
      case repeated(until: Node, limit: Node?)
    }

    let kind: Kind
    let steps: [Node]
    let outputs: [Scenario.Output]
  }

  struct Inclusion {
    let file: Node
    let input: Node?
  }

  let node: Node
  let id: Node?
  let name: String?
  let condition: Node?
  let timeout: Node?
  let retry: Node?
  let continuesOnError: Node?
  let action: Action

  private static let keys = [
    "id", "name", "if", "uses", "with", "expect", "for", "in", "repeat", "do", "outputs", "set",
    "assert", "wait", "scenario", "timeout", "retry", "continue-on-error",
  ]
  private static let actions = ["uses", "for", "repeat", "set", "assert", "wait", "scenario"]
  private static let companions = [
    "uses": ["with", "expect", "retry"], "for": ["in", "do", "outputs"],
    "repeat": ["do", "outputs"], "scenario": ["with"],
  ]

  /// Reads a step; nil when it cannot be planned, with the reason among the problems.
  init?(reading node: Node, _ problems: Problems) {
    guard let reader = MappingReader(node, owner: "a step", keys: Self.keys, problems) else {
      return nil
    }
    guard let key = Self.actionKey(reader, problems),
      let action = Self.action(key, reader, problems)
    else { return nil }
    self.node = node
    self.action = action
    name = reader.text("name")
    condition = reader["if"]
    timeout = reader["timeout"]
    retry = reader["retry"]
    continuesOnError = reader["continue-on-error"]
    id = reader.textNode("id")
    if let id { _ = Name.check(id, owner: "a step", reserved: Name.reservedForIDs, problems) }
  }

  private static func actionKey(_ reader: MappingReader, _ problems: Problems) -> String? {
    let present = actions.filter { reader[$0] != nil }
    guard let key = present.first else {
      if !reader.mistyped.isDisjoint(with: actions) { return nil }
      problems.add(.noAction, at: reader.node.span.firstCharacter)
      return nil
    }
    guard present.count == 1 else {
      problems.add(.manyActions(present), at: reader.node.span.firstCharacter)
      return nil
    }
    let allowed = companions[key] ?? []
    for other in ["with", "expect", "retry", "in", "do", "outputs"] where !allowed.contains(other) {
      if let node = reader[other] { problems.add(.notAllowed(other, with: key), at: node.span) }
    }
    return key
  }

  private static func action(
    _ key: String, _ reader: MappingReader, _ problems: Problems
  ) -> Action? {
    switch key {
    case "uses":
      return reader.textNode("uses").map {
        .call(Call(uses: $0, input: reader["with"], expectation: reader["expect"]))
      }
    case "set":
      reader.demandContent("set")
      return .set(reader.entries("set"))
    case "assert":
      reader.demandContent("assert")
      return .assert(reader.items("assert"))
    case "wait": return reader["wait"].map(Action.wait)
    case "scenario":
      return reader.textNode("scenario").map {
        .scenario(Inclusion(file: $0, input: reader["with"]))
      }
    default: return loop(key, reader, problems).map(Action.loop)
    }
  }

  private static func loop(
    _ key: String, _ reader: MappingReader, _ problems: Problems
  ) -> Loop? {
    guard let head = reader[key], reader.required("do") != nil else { return nil }
    let outputs = Scenario.outputs(reader.entries("outputs"), problems)
    reader.demandContent("do")
    let steps = reader.items("do")
    if key == "for" {
      guard let variable = reader.textNode("for"), let list = reader.required("in") else {
        return nil
      }
      return Loop(kind: .each(variable: variable, list: list), steps: steps, outputs: outputs)
    }
    guard
      let inner = MappingReader(head, owner: "'repeat'", keys: ["until", "limit"], problems),
      let until = inner.required("until")
    else { return nil }
    return Loop(
      kind: .repeated(until: until, limit: inner.required("limit")), steps: steps,
      outputs: outputs)
  }
}
