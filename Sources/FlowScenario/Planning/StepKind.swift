internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowYAML

/// The syntax of a step kind.
///
/// Each file of `Steps/` has that of its kind.
final class StepKind: Sendable {
  /// The key that makes a step one of this kind.
  let head: Key
  /// The keys for steps of this kind only.
  let own: [Key]
  /// The names of these keys.
  let companions: [String]
  /// True if another kind's key takes precedence: `do` and `parallel` belong to a loop.
  let yields: Bool
  /// True if transcripts have lines about such steps.
  ///
  /// Without lines, no id is needed for a stable address.
  let isInTranscripts: Bool
  /// The written steps inside of one without `finally`, even if it has mistakes.
  let nested: @Sendable (_ step: Node) -> [NestedSteps]
  let read: @Sendable (MappingReader) -> (any WrittenAction)?

  init(
    _ head: Key, companions: [Key] = [], yields: Bool = false, isInTranscripts: Bool = true,
    nested: @escaping @Sendable (_ step: Node) -> [NestedSteps] = { _ in [] },
    read: @escaping @Sendable (MappingReader) -> (any WrittenAction)?
  ) {
    self.head = head
    own = companions
    self.companions = companions.map(\.name)
    self.yields = yields
    self.isInTranscripts = isInTranscripts
    self.nested = nested
    self.read = read
  }

  var key: String { head.name }

  private static let common = Key.ofEveryStep.map(\.name)
  private static let byKey = Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) })
  static let keys: [String] = {
    let kinds = all.map(\.key)
    let others = Set(all.flatMap(\.companions)).subtracting(kinds).subtracting(common)
    return common + kinds + others.sorted()
  }()
  /// The kind of each action key, with the positions of the keys that such a step may have.
  private static let kinds = keys.map { key in
    byKey[key].map { kind in
      let allowed = Set([key] + kind.companions + common)
      return (kind: kind, allowed: KeyPositions(keys.indices.filter { allowed.contains(keys[$0]) }))
    }
  }

  /// True for a mapping with the key of an action other than `do`.
  static func isStep(_ node: Node) -> Bool {
    node["do"] == nil && all.contains { node[$0.key] != nil }
  }

  /// The kind of a step, as far as it can be known whatever is wrong with it.
  static func kind(of node: Node) -> StepKind? {
    var yielding: StepKind?
    for entry in node.entries {
      guard let kind = byKey[entry.key.text] else { continue }
      if !kind.yields { return kind }
      yielding = yielding ?? kind
    }
    return yielding
  }

  static func kind(of reader: MappingReader) -> StepKind? {
    obviousKind(of: reader) ?? examinedKind(of: reader)
  }

  /// The only kind with its key present, if all other keys may accompany it, as in nearly all
  /// steps.
  private static func obviousKind(of reader: MappingReader) -> StepKind? {
    var found: (kind: StepKind, allowed: KeyPositions)?
    for position in reader.positions {
      guard let kind = kinds[position], !kind.kind.yields else { continue }
      if found != nil { return nil }
      found = kind
    }
    guard let found, reader.positions.allSatisfy(found.allowed.contains) else { return nil }
    return found.kind
  }

  private static func examinedKind(of reader: MappingReader) -> StepKind? {
    let keys = reader.keys
    let present = all.filter { keys.contains($0.key) }
    let certain = present.filter { !$0.yields }
    guard certain.count < 2 else {
      return reader.diagnostics.reject(
        .manyActions(certain.map(\.key)), at: reader.node.span.firstCharacter)
    }
    // Of `do` and `parallel` alone the second one says it.
    guard let kind = certain.first ?? present.last else {
      if !reader.mistyped.isDisjoint(with: all.map(\.key)) { return nil }
      return reader.diagnostics.reject(
        .noAction(all.map(\.key), hasExpectation: keys.contains("expect")),
        at: reader.node.span.firstCharacter)
    }
    for other in keys where other != kind.key && !(common + kind.companions).contains(other) {
      // At the key, because the value may start lines below it.
      reader.diagnostics.add(.notAllowed(other, with: kind.key), at: reader.place(of: other))
    }
    return kind
  }
}

/// Positions among the keys of steps, of which there are fewer than 64.
private struct KeyPositions: Sendable {
  private var bits: UInt64 = 0

  init(_ positions: [Int]) { for position in positions { bits |= 1 << UInt64(position) } }

  func contains(_ position: Int) -> Bool { bits >> UInt64(position) & 1 == 1 }
}

typealias PlannedResult = (action: PlannedAction, answer: ExpressionType)

/// The step being planned.
struct StepContext {
  let step: Step
  let path: String
  /// Its `if`, or nil without one or for a wrong one.
  let condition: PlannedExpression?
}

/// The action of a step as written.
///
/// Each file of `Steps/` has the type of its kind.
protocol WrittenAction {
  /// The step's part of a path without an id.
  ///
  /// By default nil, for the kind's key.
  var word: String? { get }
  /// True if the step's condition chooses between inner steps, so the step itself always runs.
  ///
  /// False by default.
  var choosesByCondition: Bool { get }
  /// True if none of the inner steps may run.
  ///
  /// False by default.
  var mayRunNothing: Bool { get }
  /// Plans it.
  ///
  /// Called once, after everything before it is planned. Nil after a problem.
  func plan(_ context: StepContext, by planner: inout Planner) -> PlannedResult?
}

extension WrittenAction {
  var word: String? { nil }
  var choosesByCondition: Bool { false }
  var mayRunNothing: Bool { false }
}
