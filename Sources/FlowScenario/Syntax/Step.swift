internal import FlowYAML

/// One step as written.
struct Step {
  /// What a step does; each kind has keys of its own.
  enum Action {
    case call(Call)
    case loop(Loop)
    case block(Block)
    case parallel([Branch])
    case set([Node.Entry])
    case assert([Node])
    case wait(Node)
    case await(Await)
    case scenario(Inclusion)
  }

  struct Call {
    let uses: Node
    let input: Node?
    let expectation: Node?
  }

  struct Loop {
    enum Kind {
      case each(variable: Node, list: Node, parallel: Node?)
      case repeated(Condition, limit: Node?)
    }

    enum Condition {
      case until(Node)
      case `while`(Node)
    }

    let kind: Kind
    let steps: [Node]
    let outputs: [Scenario.Output]
  }

  struct Block {
    let steps: [Node]
    /// The steps of `else`; nil without it.
    let alternative: [Node]?
  }

  struct Branch {
    let name: Node
    let needs: [Node]
    let steps: [Node]
  }

  struct Await {
    let event: Node
    let condition: Node?
  }

  struct Inclusion {
    let file: Node
    let input: Node?
  }

  /// How many branches a step has at most.
  private static let mostBranches = 1_000

  let node: Node
  let id: Node?
  let name: String?
  let condition: Node?
  let timeout: Node?
  let retry: Node?
  let continuesOnError: Node?
  let failsFast: Node?
  let comparison: Node?
  /// The steps of `finally`; nil without it.
  let finally: [Node]?
  let action: Action
  /// What stands beside the step's keys and has no meaning there.
  let unknown: [Node.Entry]

  /// Reads a step; nil when it cannot be planned, with the reason among the problems.
  init?(reading node: Node, _ problems: DiagnosticCollector) {
    guard let reader = MappingReader(node, owner: "a step", keys: StepKey.all, problems),
      let key = StepKey.action(of: reader, problems),
      let action = Self.action(key, reader, problems)
    else { return nil }
    self.node = node
    self.action = action
    unknown = reader.unknown
    name = reader.text("name")
    condition = reader["if"]
    timeout = reader["timeout"]
    retry = reader["retry"]
    continuesOnError = reader["continue-on-error"]
    failsFast = reader["fail-fast"]
    comparison = reader["compare"]
    reader.demandContent("finally")
    finally = reader["finally"].map { _ in reader.items("finally") }
    id = reader.textNode("id")
    if let id { _ = Name.check(id, owner: "a step", reserved: Name.reservedForIDs, problems) }
  }

  private static func action(
    _ key: String, _ reader: MappingReader, _ problems: DiagnosticCollector
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
    case "await": return awaiting(reader, problems)
    case "do": return block(reader, problems)
    case "parallel":
      reader.demandContent("parallel")
      return parallel(reader, problems)
    case "scenario":
      return reader.textNode("scenario").map {
        .scenario(Inclusion(file: $0, input: reader["with"]))
      }
    case "for": return each(reader, problems).map(Action.loop)
    default: return repeated(reader, problems).map(Action.loop)
    }
  }

  private static func each(_ reader: MappingReader, _ problems: DiagnosticCollector) -> Loop? {
    guard let steps = body(reader), let variable = reader.textNode("for"),
      let list = reader.required("in")
    else { return nil }
    return Loop(
      kind: .each(variable: variable, list: list, parallel: reader["parallel"]), steps: steps,
      outputs: Scenario.outputs(reader.entries("outputs"), problems))
  }

  private static func repeated(_ reader: MappingReader, _ problems: DiagnosticCollector) -> Loop? {
    guard let steps = body(reader), let head = reader["repeat"],
      let inner = MappingReader(
        head, owner: "'repeat'", keys: ["until", "while", "limit"], problems),
      let condition = condition(inner, problems)
    else { return nil }
    return Loop(
      kind: .repeated(condition, limit: inner.required("limit")), steps: steps,
      outputs: Scenario.outputs(reader.entries("outputs"), problems))
  }

  private static func condition(
    _ reader: MappingReader, _ problems: DiagnosticCollector
  ) -> Loop.Condition? {
    switch (reader["until"], reader["while"]) {
    case (let until?, nil): return .until(until)
    case (nil, let condition?): return .while(condition)
    case (nil, nil):
      if reader.mistyped.isDisjoint(with: ["until", "while"]) {
        problems.add(.noCondition, at: reader.node.span.firstCharacter)
      }
      return nil
    case (_?, _?):
      problems.add(.notAllowed("while", with: "until"), at: reader.place(of: "while"))
      return nil
    }
  }

  /// The steps of `do`; nil when there is none.
  private static func body(_ reader: MappingReader) -> [Node]? {
    guard reader.required("do") != nil else { return nil }
    reader.demandContent("do")
    return reader.items("do")
  }

  private static func block(_ reader: MappingReader, _ problems: DiagnosticCollector) -> Action? {
    guard let steps = body(reader) else { return nil }
    reader.demandContent("else")
    if reader["else"] != nil, reader["if"] == nil, !reader.mistyped.contains("if") {
      problems.add(.needsCondition, at: reader.place(of: "else"))
    }
    let alternative = reader["else"].map { _ in reader.items("else") }
    return .block(Block(steps: steps, alternative: alternative))
  }

  private static func awaiting(
    _ reader: MappingReader, _ problems: DiagnosticCollector
  ) -> Action? {
    guard let event = reader.textNode("await") else { return nil }
    guard reader["timeout"] != nil || reader.mistyped.contains("timeout") else {
      problems.add(.awaitWithoutTimeout, at: event.span)
      return nil
    }
    return .await(Await(event: event, condition: reader["where"]))
  }

  private static func parallel(_ reader: MappingReader, _ problems: DiagnosticCollector) -> Action?
  {
    let entries = reader.entries("parallel")
    // Which branches a branch waits for, through others, is looked up for each of them.
    guard entries.count <= mostBranches else {
      problems.add(.manyBranches(limit: mostBranches), at: entries[mostBranches].key.span)
      return nil
    }
    return .parallel(entries.map { branch($0, problems) })
  }

  /// A branch: a list of steps, or a mapping with `needs` and `do`.
  ///
  /// A broken one is still a branch, so that those that need it are not called wrong as well.
  private static func branch(_ entry: Node.Entry, _ problems: DiagnosticCollector) -> Branch {
    let name = entry.key
    _ = Name.check(name, owner: "a branch", reserved: Name.reservedForBranches, problems)
    let owner = "the branch '\(name.text)'"
    let value = entry.value
    switch value.kind {
    case .sequence:
      if value.items.isEmpty { problems.add(.empty(owner), at: value.span) }
      return Branch(name: name, needs: [], steps: Array(value.items))
    case .mapping where !StepKey.isStep(value):
      let reader = MappingReader(value, owner: owner, keys: ["needs", "do"], problems)
      let needs = reader?.items("needs").filter { $0.isText(owner: "a name in 'needs'", problems) }
      return Branch(name: name, needs: needs ?? [], steps: reader.flatMap(body) ?? [])
    case .mapping, .scalar:
      let actual = value.kind == .mapping ? "a single step" : value.kindPhrase
      problems.add(.noSteps(owner, actual: actual), at: value.span)
      return Branch(name: name, needs: [], steps: [])
    }
  }
}

/// The keys of steps, and which go together.
private enum StepKey {
  static let all =
    ["id", "name", "if", "timeout", "continue-on-error"] + actions + blocks + companions

  /// What says alone what a step does.
  private static let actions = [
    "uses", "for", "repeat", "set", "assert", "wait", "await", "scenario",
  ]
  /// What says it when nothing else does.
  private static let blocks = ["parallel", "do"]
  private static let companions = [
    "with", "expect", "retry", "in", "outputs", "where", "else", "fail-fast", "finally",
    "compare",
  ]

  private static let allowed = [
    "uses": ["with", "expect", "retry", "compare"],
    "for": ["in", "do", "outputs", "parallel", "fail-fast", "finally", "compare"],
    "repeat": ["do", "outputs", "finally", "compare"], "await": ["where"],
    "scenario": ["with", "compare"],
    "parallel": ["fail-fast", "finally", "compare"], "do": ["else", "finally", "compare"],
  ]

  /// Whether a mapping says, otherwise than by `do`, what a step does.
  static func isStep(_ node: Node) -> Bool {
    node["do"] == nil && (actions + ["parallel"]).contains { node[$0] != nil }
  }

  /// The key that says what the step does; nil after a problem.
  static func action(of reader: MappingReader, _ problems: DiagnosticCollector) -> String? {
    let keys = reader.keys
    let present = keys.filter(actions.contains)
    guard present.count < 2 else {
      let inOrder = actions.filter(present.contains)
      problems.add(.manyActions(inOrder), at: reader.node.span.firstCharacter)
      return nil
    }
    guard let key = present.first ?? blocks.first(where: keys.contains) else {
      if !reader.mistyped.isDisjoint(with: actions + blocks) { return nil }
      problems.add(.noAction, at: reader.node.span.firstCharacter)
      return nil
    }
    let allowed = allowed[key] ?? []
    for other in keys where other != key && !allowed.contains(other) {
      guard blocks.contains(other) || companions.contains(other) else { continue }
      // At the key: the value may begin lines below it.
      problems.add(.notAllowed(other, with: key), at: reader.place(of: other))
    }
    return key
  }
}
