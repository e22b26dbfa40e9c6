internal import FlowCore
internal import FlowExpression
internal import FlowYAML

extension StepKind {
  /// Every kind, in the order in which messages list them.
  ///
  /// A new kind has its line here, its case in `PlannedAction` and its file in this folder and in the engine's.
  static let all = [
    WrittenCall.kind, WrittenLoop.eachKind, WrittenLoop.repeatedKind, WrittenBlock.kind,
    WrittenParallel.kind, WrittenSet.kind, WrittenAssert.kind, WrittenWait.kind, WrittenAwait.kind,
    WrittenSubscenario.kind,
  ]

  /// The ids that steps cannot have: they begin the paths of other steps, and two steps of one path would look
  /// the same in a transcript.
  static let reservedIDs = Set(all.map(\.key)).subtracting([WrittenCall.kind.key])
    .union(["components", "else", "finally", "invariants"])
}

/// `set`: gives variables their values.
private struct WrittenSet: WrittenAction {
  static let kind = StepKind(key: "set", isInTranscripts: false) { reader in
    reader.demandContent("set")
    return WrittenSet(entries: reader.entries("set"))
  }

  let entries: [Node.Entry]

  func plan(_ context: StepContext, by planner: inout Planner) -> PlannedResult? {
    let assignments = entries.compactMap { Self.assignment($0, &planner) }
    return (.set(PlannedSet(assignments: assignments)), .record(.empty))
  }

  private static func assignment(
    _ entry: Node.Entry, _ planner: inout Planner
  ) -> PlannedAssignment? {
    let name = entry.key.text
    guard
      Name.check(
        entry.key, owner: "a variable", reserved: Name.reservedForVariables, planner.diagnostics)
    else { return nil }
    guard let known = planner.scope.variable(name) else {
      let value = planner.templates.value(entry.value, as: .dynamic, owner: "'\(name)'")
      let slot = planner.scope.declareVariable(name, value?.type ?? .dynamic)
      return value.map { PlannedAssignment(name: name, slot: slot, value: $0.template) }
    }
    if planner.scope.isShared(known.slot) {
      planner.diagnostics.add(.setInParallel(name), at: entry.key.span)
    }
    let value = planner.templates.value(entry.value, as: known.type, owner: "'\(name)'")
    planner.use.assign(known.slot)
    return value.map { PlannedAssignment(name: name, slot: known.slot, value: $0.template) }
  }
}

extension PlannedSet: PlannedContent {
  package var templates: [Template] { assignments.map(\.value) }
  package var lines: [String] {
    Self.section("set", assignments.map { "\($0.name): \($0.value.text())" })
  }
  package var summary: String { "set \(assignments.map(\.name).joined(separator: ", "))" }
}

/// `assert`: demands that expressions are true.
private struct WrittenAssert: WrittenAction {
  static let kind = StepKind(key: "assert", isInTranscripts: false) { reader in
    reader.demandContent("assert")
    // One alone needs no list.
    if let node = reader["assert"], node.kind == .scalar {
      return WrittenAssert(assertions: [node])
    }
    return WrittenAssert(assertions: reader.items("assert"))
  }

  let assertions: [Node]

  func plan(_ context: StepContext, by planner: inout Planner) -> PlannedResult? {
    let compiler = planner.expressions
    let planned = assertions.compactMap {
      compiler.expression($0, .bool, owner: "an assertion", planner.scope.environment)
    }
    return (.assert(PlannedAssert(assertions: planned)), .record(.empty))
  }
}

extension PlannedAssert: PlannedContent {
  package var expressions: [PlannedExpression] { assertions }
  package var lines: [String] { Self.section("assert", assertions.map(\.text)) }
  package var summary: String {
    "assert \(assertions.map(\.expression.text).joined(separator: ", "))"
  }
}

/// `wait`: lets time pass.
private struct WrittenWait: WrittenAction {
  static let kind = StepKind(key: "wait", isInTranscripts: false) { reader in
    reader["wait"].map(WrittenWait.init)
  }

  let duration: Node

  func plan(_ context: StepContext, by planner: inout Planner) -> PlannedResult? {
    if case .duration(let time)? = Value(duration, as: .duration), time < .zero {
      planner.diagnostics.add(.negative(duration.text, owner: "'wait'"), at: duration.span)
    }
    return planner.templates.value(duration, as: .duration, owner: "'wait'").map {
      (.wait(PlannedWait(duration: $0.template)), .record(.empty))
    }
  }
}

extension PlannedWait: PlannedContent {
  package var templates: [Template] { [duration] }
  package var lines: [String] { ["wait: \(duration.text())"] }
  package var summary: String { "wait \(duration.text())" }
}

/// `await`: waits until a component reports something.
private struct WrittenAwait: WrittenAction {
  static let kind = StepKind(key: "await", companions: ["where"]) { reader in
    guard let event = reader.textNode("await") else { return nil }
    guard reader["timeout"] != nil || reader.mistyped.contains("timeout") else {
      return reader.diagnostics.reject(.awaitWithoutTimeout, at: event.span)
    }
    return WrittenAwait(event: event, condition: reader["where"])
  }

  let event: Node
  let condition: Node?

  func plan(_ context: StepContext, by planner: inout Planner) -> PlannedResult? {
    guard let event = planner.components.event(event) else { return nil }
    planner.openBlock()
    planner.scope.declare("event", .record(event.description.payload))
    let condition = condition.map {
      planner.expressions.expression($0, .bool, owner: "'where'", planner.scope.environment)
    }
    _ = planner.closeBlock([])
    if case .some(nil) = condition { return nil }
    let planned = PlannedAwait(event: event, condition: condition.flatMap { $0 })
    return (.await(planned), .record(event.description.payload))
  }
}

extension PlannedAwait: PlannedContent {
  package var expressions: [PlannedExpression] { condition.map { [$0] } ?? [] }
  package var lines: [String] {
    ["await: \(event.name)"] + (condition.map { ["where: \($0.text)"] } ?? [])
  }
  package var summary: String { "await \(event.name)" }
}
