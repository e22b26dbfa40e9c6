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

  /// Reads a step; nil when it cannot be planned, with the reason among the problems.
  init?(reading node: Node, _ problems: Problems) {
    guard let reader = MappingReader(node, owner: "a step", keys: StepKey.all, problems),
      let key = StepKey.action(of: reader, problems),
      let action = Self.action(key, reader, problems)
    else { return nil }
    self.node = node
    self.action = action
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
    case "await": return awaiting(reader, problems)
    case "do": return block(reader, problems)
    case "parallel":
      reader.demandContent("parallel")
      return .parallel(reader.entries("parallel").compactMap { branch($0, problems) })
    case "scenario":
      return reader.textNode("scenario").map {
        .scenario(Inclusion(file: $0, input: reader["with"]))
      }
    case "for": return each(reader, problems).map(Action.loop)
    default: return repeated(reader, problems).map(Action.loop)
    }
  }

  private static func each(_ reader: MappingReader, _ problems: Problems) -> Loop? {
    guard let steps = body(reader), let variable = reader.textNode("for"),
      let list = reader.required("in")
    else { return nil }
    return Loop(
      kind: .each(variable: variable, list: list, parallel: reader["parallel"]), steps: steps,
      outputs: Scenario.outputs(reader.entries("outputs"), problems))
  }

  private static func repeated(_ reader: MappingReader, _ problems: Problems) -> Loop? {
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
    _ reader: MappingReader, _ problems: Problems
  ) -> Loop.Condition? {
    switch (reader["until"], reader["while"]) {
    case (let until?, nil): return .until(until)
    case (nil, let condition?): return .while(condition)
    case (nil, nil): return reader.required("until").map(Loop.Condition.until)
    case (_?, let condition?):
      problems.add(.notAllowed("while", with: "until"), at: condition.span)
      return nil
    }
  }

  /// The steps of `do`; nil when there is none.
  private static func body(_ reader: MappingReader) -> [Node]? {
    guard reader.required("do") != nil else { return nil }
    reader.demandContent("do")
    return reader.items("do")
  }

  private static func block(_ reader: MappingReader, _ problems: Problems) -> Action? {
    guard let steps = body(reader) else { return nil }
    reader.demandContent("else")
    if let alternative = reader["else"], reader["if"] == nil {
      problems.add(.needsCondition, at: alternative.span)
    }
    let alternative = reader["else"].map { _ in reader.items("else") }
    return .block(Block(steps: steps, alternative: alternative))
  }

  private static func awaiting(
    _ reader: MappingReader, _ problems: Problems
  ) -> Action? {
    guard let event = reader.textNode("await") else { return nil }
    // Nobody may ever report it, so there must be an end to the waiting.
    guard reader["timeout"] != nil || reader.mistyped.contains("timeout") else {
      problems.add(.missingKey("timeout", owner: "'await'"), at: event.span)
      return nil
    }
    return .await(Await(event: event, condition: reader["where"]))
  }

  /// A branch: a list of steps, or a mapping with `needs` and `do`.
  private static func branch(_ entry: Node.Entry, _ problems: Problems) -> Branch? {
    let name = entry.key
    let isNamed = Name.check(
      name, owner: "a branch", reserved: Name.reservedForBranches, problems)
    let owner = "the branch '\(name.text)'"
    guard entry.value.kind == .mapping else {
      guard entry.value.kind == .sequence else {
        problems.add(.noSteps(owner, actual: entry.value.kindPhrase), at: entry.value.span)
        return nil
      }
      if entry.value.items.isEmpty { problems.add(.empty(owner), at: entry.value.span) }
      return isNamed ? Branch(name: name, needs: [], steps: Array(entry.value.items)) : nil
    }
    guard let reader = MappingReader(entry.value, owner: owner, keys: ["needs", "do"], problems),
      let steps = body(reader), isNamed
    else { return nil }
    let needs = reader.items("needs").filter { $0.isText(owner: "a name in 'needs'", problems) }
    return Branch(name: name, needs: needs, steps: steps)
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

  /// The key that says what the step does; nil after a problem.
  static func action(of reader: MappingReader, _ problems: Problems) -> String? {
    let present = actions.filter { reader[$0] != nil }
    guard present.count < 2 else {
      problems.add(.manyActions(present), at: reader.node.span.firstCharacter)
      return nil
    }
    guard let key = present.first ?? blocks.first(where: { reader[$0] != nil }) else {
      if !reader.mistyped.isDisjoint(with: actions + blocks) { return nil }
      problems.add(.noAction, at: reader.node.span.firstCharacter)
      return nil
    }
    let allowed = allowed[key] ?? []
    for other in blocks + companions where other != key && !allowed.contains(other) {
      if let node = reader[other] { problems.add(.notAllowed(other, with: key), at: node.span) }
    }
    return key
  }
}
