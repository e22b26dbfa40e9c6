internal import FlowCore
package import FlowScenario

/// What two runs do not have in common; calls are found by their addresses, so their order is free.
package struct TranscriptDifference: Sendable {
  /// A call that only one of the runs made, or that went otherwise.
  package struct Call: Sendable {
    /// What became of a call.
    package enum Kind: String, Sendable {
      /// It was not recorded.
      case added
      /// It was recorded and is not made any more.
      case removed
      /// It is made with another input, or answered otherwise.
      case changed
    }

    /// Where in the run.
    package let address: String
    /// What is called, `component.operation`, or a component that is opened.
    package let name: String
    /// What became of it.
    package let kind: Kind
    /// What has changed in it, by the members of its lines; empty unless it is changed.
    package let fields: [FieldChange]
  }

  /// Changes of `digest`, `plugins` and `seed`, which need not change what the run does.
  package let header: [FieldChange]
  /// Changes of the inputs.
  package let inputs: [FieldChange]
  /// Calls that are not the same: those recorded in their order, then those added in theirs.
  package private(set) var calls: [Call]
  /// Changes of the scenario's outputs.
  package let outputs: [FieldChange]
  /// How the run ended, `passed` or `failed`; nil when it ended the same way.
  package let end: FieldChange?

  /// The differences from a recorded run to another.
  ///
  /// With the plan of the scenario, values are compared by their types, as a replay compares them.
  package init(from recorded: Transcript, to now: Transcript, plan: Plan? = nil) {
    header = FieldChange.between(recorded.header.comparable, now.header.comparable)
    inputs = Self.inputs(recorded.header.inputs, now.header.inputs, plan)
    calls = CallComparison(plan).differences(recorded.calls, now.calls)
    outputs = FieldChange.between(
      recorded.outputs.matched(by: now.outputs, as: .dynamic), now.outputs)
    let ends = [recorded, now].map { JSON.string($0.passed ? "passed" : "failed") }
    end = FieldChange.between(ends[0], ends[1], at: "end").first
  }

  /// What of it is not allowed, and the calls that are.
  package func separating(
    _ allowed: Set<Allowance>
  ) -> (difference: TranscriptDifference, allowed: [Call]) {
    var rest = self
    rest.calls.removeAll { allowed.contains($0.kind.allowance) }
    return (rest, calls.filter { allowed.contains($0.kind.allowance) })
  }

  /// Whether there is none.
  package var isEmpty: Bool { header.isEmpty && isSameRun }

  /// Whether both runs did the same, whatever they were runs of.
  package var isSameRun: Bool {
    inputs.isEmpty && calls.isEmpty && outputs.isEmpty && end == nil
  }

  private static func inputs(
    _ recorded: [JSON.Member], _ now: [JSON.Member], _ plan: Plan?
  ) -> [FieldChange] {
    let (before, after) = (MemberIndex(.object(recorded)), MemberIndex(.object(now)))
    let names = recorded.map(\.name) + now.map(\.name).filter { before[$0] == nil }
    return names.flatMap { name in
      let type = plan?.inputs.first { $0.name == name }?.type
      return FieldChange.between(before[name], after[name], as: type ?? .dynamic, at: name)
    }
  }
}

extension TranscriptDifference.Call.Kind {
  /// What lets it pass.
  fileprivate var allowance: Allowance {
    switch self {
    case .added: .unexpected
    case .removed: .unused
    case .changed: .changed
    }
  }
}

extension TranscriptHeader {
  /// What is compared: where the scenario's file lies says nothing about a run.
  fileprivate var comparable: JSON {
    .object([
      .init("digest", .string(digest)),
      .init("plugins", .object(plugins.map { .init($0.name, .string($0.version)) })),
      .init("seed", .string(String(seed))),
    ])
  }
}
