package import FlowCore
package import FlowEngine
package import FlowPlan
internal import FlowSystem

/// The differences between two runs.
///
/// Calls are found by their addresses, so their order is free.
package struct TranscriptDifference: Sendable {
  /// A call made by only one of the runs, or made differently.
  package struct Call: Sendable {
    /// The kind of difference.
    package enum Kind: String, Sendable {
      /// The call was not recorded.
      case added
      /// The call was recorded and is no longer made.
      case removed
      /// The call has another input or another answer.
      case changed
    }

    /// The address in the run.
    package let address: Address
    /// The attempt of a repeated call, from 1, or nil for other calls.
    package let attempt: Int?
    /// The called operation, `component.operation`, or the opened component.
    package let name: String
    /// The kind of difference.
    package let kind: Kind
    /// The changes by the members of its lines.
    ///
    /// Empty for an added or removed call.
    package let fields: [FieldChange]
  }

  /// Changes of `digest`, `plugins` and `seed`, with or without an effect on the run.
  package private(set) var header: [FieldChange]
  /// Changes of the inputs.
  package private(set) var inputs: [FieldChange]
  /// The different calls: recorded ones in their order, then added ones in theirs.
  package private(set) var calls: [Call]
  /// Changes of the scenario's outputs.
  package let outputs: [FieldChange]
  /// The change of the result, `passed` or `failed`, or nil.
  package private(set) var end: FieldChange?

  /// The differences from a recorded run to another.
  ///
  /// With the plan of the scenario, values are compared by their types, as a replay compares them.
  ///
  /// `isExpected` says of a recorded call, by its address, whether it is to be made.
  package init(
    from recorded: Transcript, to now: Transcript, plan: Plan? = nil,
    isExpected: (Address) -> Bool = { _ in true }
  ) {
    header = FieldChange.between(recorded.header.comparable, now.header.comparable)
    inputs = Self.inputs(recorded.header.inputs, now.header.inputs, plan)
    var comparison = CallComparison(plan)
    calls = comparison.differences(recorded.calls, now.calls)
      .filter { $0.kind != .removed || isExpected($0.address) }
    outputs = comparison.changes(
      recorded.outputs.matched(by: now.outputs, as: .dynamic).json, now.outputs.json, at: ""
    ).filter { !comparison.varied.explains($0, isGiven: true) }
    end = Self.end(recorded, now)
  }

  private static func end(_ recorded: Transcript, _ now: Transcript) -> FieldChange? {
    let ends = [recorded, now].map { JSON.string($0.passed ? "passed" : "failed") }
    return FieldChange.between(ends[0], ends[1], at: "end").first
  }

  /// The differences between the answers in a recorded run and in a live run of the same scenario.
  ///
  /// A run is a function of its inputs and of the answers. So if the scenario, replayed, does what was recorded, the calls of a
  /// live run differ only where its inputs or earlier answers do, and only the answers are compared. A step with several
  /// attempts is compared by its last one. The calls that components make are no function of the scenario, and
  /// are compared with their inputs.
  ///
  /// `isExpected` says of a recorded call, by its address, whether it is to be made. The answers of
  /// components other than the `live` ones were served. Nil if all are live.
  package init(
    ofAnswersIn now: Transcript, from recorded: Transcript, plan: Plan, live: Set<String>? = nil,
    isExpected: (Address) -> Bool = { _ in true }
  ) {
    header = FieldChange.between(recorded.header.comparable, now.header.comparable)
    (inputs, outputs) = ([], [])
    end = Self.end(recorded, now)
    // As nearly always.
    if recorded.hasSameCalls(as: now) {
      calls = []
      return
    }
    var comparison = AnswerComparison(recorded.calls, now.calls, plan, live: live)
    comparison.calls.varied.give(.object(recorded.header.inputs), .object(now.header.inputs))
    comparison.files = (recorded.files, now.files)
    calls = comparison.differences().filter { $0.kind != .removed || isExpected($0.address) }
  }

  /// Splits the difference into the part that is not allowed and the allowed calls.
  package func separating(
    _ allowed: Set<ToleratedDeparture>
  ) -> (difference: TranscriptDifference, allowed: [Call]) {
    var rest = self
    rest.calls.removeAll { allowed.contains($0.kind.departure) }
    return (rest, calls.filter { allowed.contains($0.kind.departure) })
  }

  /// The difference of two runs of which one was given the inputs of the other, as far as the scenario has them.
  var withoutInputs: TranscriptDifference {
    var copy = self
    copy.inputs = []
    return copy
  }

  /// Returns true if one of its calls was made before all of the failed ones in the live run.
  package func precedes(_ failed: [Address], in run: Transcript) -> Bool {
    let first = failed.compactMap { run.calls.latest(at: $0) }.min() ?? .max
    return calls.contains { call in
      run.calls.latest(at: call.address).map { $0 < first } ?? false
    }
  }

  /// Returns the difference without the failures of the run, which are reported with their answers.
  package func explained(by report: RunReport) -> TranscriptDifference {
    if report.passed { return self }
    let addresses = Set(report.failures.map { "\($0.address)" })
    var copy = self
    copy.calls.removeAll { addresses.contains("\($0.address)") }
    copy.end = nil
    return copy
  }

  /// The difference without the digests of the scenario, which are no news to its author.
  package var withoutDigest: TranscriptDifference {
    var copy = self
    copy.header.removeAll { $0.path == "digest" }
    return copy
  }

  /// The difference without added calls.
  var withoutAdded: TranscriptDifference {
    var copy = self
    copy.calls.removeAll { $0.kind == .added }
    return copy
  }

  /// The differences that do not follow from other requests from outside during some steps: other
  /// answers of the steps before them in a run.
  func before(_ steps: Set<Address>, in run: Transcript) -> TranscriptDifference {
    let calls = run.calls
    let first =
      calls.indices.first { number in
        let step = calls.address(of: number)
        return step.calls.isEmpty && steps.contains { step.recorded == $0 || $0.isAround(step) }
      } ?? .max
    var copy = self
    copy.calls.removeAll {
      $0.kind != .changed || !$0.address.calls.isEmpty
        || calls.latest(at: $0.address).map { $0 >= first } ?? true
    }
    return copy
  }

  /// True if nothing differs.
  package var isEmpty: Bool { header.isEmpty && isSameRun }

  /// True if both runs did the same, whatever their scenarios are.
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
  /// The option for tolerating it.
  fileprivate var departure: ToleratedDeparture {
    switch self {
    case .added: .unexpected
    case .removed: .unused
    case .changed: .changed
    }
  }
}

extension TranscriptHeader {
  /// The compared members, without the path of the scenario's file.
  fileprivate var comparable: JSON {
    .object([
      .init("digest", .string(digest)),
      .init("plugins", .object(plugins.map { .init($0.name, .string($0.version)) })),
      .init("seed", .string(String(seed))),
    ])
  }
}

// Every message about the differences of two runs.
extension TranscriptDifference {
  /// A line for each difference, indented below its owner.
  ///
  /// Empty without differences.
  package var lines: [String] { lines(perCall: .max) }

  /// Returns at most about this many lines, in which every call has a part.
  package func lines(limit: Int) -> [String] {
    let all = lines
    if all.count <= limit || calls.count < 2 { return all }
    return lines(perCall: max(3, limit / calls.count))
  }

  private func lines(perCall limit: Int) -> [String] {
    section("header", header.flatMap(\.noteLines)) + section("inputs", inputs.flatMap(\.noteLines))
      + section("calls", calls.flatMap { $0.lines(limit: limit) })
      + section("outputs", outputs.flatMap(\.noteLines))
      + (end.map { [$0.text] } ?? [])
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : [title] + lines.map { "  " + $0 }
  }
}

extension TranscriptDifference.Call {
  /// `added refund#1, balance.add`.
  package var title: String {
    "\(kind.rawValue) \(address.words(ofAttempt: attempt)), \(name.escaped)"
  }

  fileprivate func lines(limit: Int) -> [String] {
    let details = fields.flatMap(\.noteLines)
    let shown = details.count < limit ? details : Array(details.prefix(limit - 2))
    let rest = details.count - shown.count
    let more = rest > 0 ? ["and \(rest) more \(rest == 1 ? "line" : "lines")"] : []
    return [title] + (shown + more).map { "  " + $0 }
  }
}

extension FieldChange {
  /// `input.amount: recorded 12.50, now 30.00`.
  package var text: String {
    let (old, now) = (text(recorded), text(now))
    let isChange = recorded != nil && self.now != nil
    let shown = isChange ? TextDifference(old, now).plain(limit: 80) : [old, now]
    return "\(title): recorded \(shown[0]), now \(shown[1])"
  }

  private func text(_ json: JSON?) -> String {
    json.map { $0.summary(as: type) } ?? "nothing"
  }

  /// The change as data, in the same words.
  package var difference: DiagnosticFacts.Difference {
    DiagnosticFacts.Difference(path: path, expected: text(recorded), got: text(now))
  }
}

extension JSON {
  /// A value on one line, by its type if it fits, or the description of a pattern.
  func summary(as type: ValueType = .dynamic) -> String {
    var reader = RecordedValue.Reader()
    let recorded = (try? reader.value(self)) ?? .plain(self)
    if case .pattern(let pattern) = recorded { return "\(pattern)" }
    let shown = recorded.replacing(
      patterns: { $0.example?.served ?? .string("\($0)") }, bodies: { $1 })
    let value = (try? Value(shown, as: type)) ?? (try? Value(dynamic: shown))
    return value?.summary() ?? "an unreadable value"
  }
}
