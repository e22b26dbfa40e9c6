public import FlowCore

/// What a run of a scenario on components did.
public struct ScenarioRun: Sendable {
  /// What is wrong, in the order of the run; empty when it passed.
  public let problems: [ScenarioProblem]
  /// The scenario's outputs by name; empty when it failed.
  public let outputs: [String: Value]
  /// The calls of operations in the order of their beginnings.
  public let calls: [ComponentCall]
  /// What the components reported by themselves, in order.
  public let reports: [ComponentReport]
  /// The transcript that recording the run gives; empty when the scenario did not load.
  ///
  /// It is for comparing: bodies of more than 4 KiB are named in it, and not contained.
  public let transcript: [UInt8]

  /// Whether nothing is wrong.
  public var passed: Bool { problems.isEmpty }

  /// The problems' texts, one below the other; empty when the run passed.
  public var failures: String { problems.map(\.text).joined(separator: "\n") }

  /// An output as a Swift value.
  ///
  ///     let remaining = try run.output("remaining", as: Decimal.self)
  ///
  /// - Throws: `MissingOutput` when the run has none of this name; `DecodeError` when it is of another
  ///   type.
  public func output<Content: FieldValue>(_ name: String, as type: Content.Type) throws -> Content {
    guard let value = outputs[name] else {
      throw MissingOutput(name: name, known: outputs.keys.sorted(), hasFailed: !passed)
    }
    return try Content(decoding: try value.converted(to: Content.valueType))
  }
}

/// An output that a test asks for and that a run does not have.
public struct MissingOutput: Error, Sendable, Hashable, CustomStringConvertible {
  /// The output's name.
  public let name: String
  /// The outputs that there are, sorted.
  public let known: [String]
  /// Whether the run failed, and so has none.
  public let hasFailed: Bool

  /// `the run has no output 'remaning'; did you mean 'remaining'?`.
  public var description: String {
    let offer = Suggestion.phrase(Suggestion.nearest(to: name, among: known))
    return "the run has no output '\(name)'" + (hasFailed ? ", because it failed" : "")
      + (offer.map { "; \($0)" } ?? "")
  }
}
