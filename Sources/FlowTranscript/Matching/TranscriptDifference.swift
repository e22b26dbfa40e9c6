package import FlowCore
package import FlowScenario
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
  package let header: [FieldChange]
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
  /// `isExpected` says of a recorded call, by its address, whether it is to be made.
  package init(
    ofAnswersIn now: Transcript, from recorded: Transcript, plan: Plan,
    isExpected: (Address) -> Bool = { _ in true }
  ) {
    header = FieldChange.between(recorded.header.comparable, now.header.comparable)
    (inputs, outputs) = ([], [])
    var comparison = AnswerComparison(recorded.calls, now.calls, plan)
    comparison.calls.varied.ask(.object(recorded.header.inputs), .object(now.header.inputs))
    calls = comparison.differences().filter { $0.kind != .removed || isExpected($0.address) }
    end = Self.end(recorded, now)
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

  /// Returns the difference without the calls at some addresses, and without the result that follows from them.
  package func withoutFailure(at addresses: Set<String>) -> TranscriptDifference {
    var copy = self
    copy.calls.removeAll { addresses.contains("\($0.address)") }
    copy.end = nil
    return copy
  }

  /// The difference without added calls.
  var withoutAdded: TranscriptDifference {
    var copy = self
    copy.calls.removeAll { $0.kind == .added }
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

/// Compares the calls of two runs, address by address.
struct CallComparison {
  let types: CallTypes
  let optional: OptionalCalls
  /// The values that may vary, and did.
  var varied = VariedValues()

  init(_ plan: Plan?) {
    types = CallTypes(plan)
    optional = OptionalCalls(plan)
  }

  /// Repeated calls at one address are compared one by one.
  mutating func differences(
    _ recorded: CallList, _ now: CallList
  ) -> [TranscriptDifference.Call] {
    // As nearly always.
    if recorded.hasLines(of: now) { return [] }
    // The recorded ones are looked for, since they may have matchers.
    var finder = CallFinder(recorded)
    var added: [Int] = []
    var counterparts = [Int?](repeating: nil, count: recorded.count)
    for number in now.indices {
      let address = now.address(of: number)
      let other = finder.take(
        at: address, now[number].input.json,
        as: types[now[number].name].map { .record($0.input) }, &varied)
      if let other {
        counterparts[other] = number
      } else if !optional.contains(at: address, in: now) {
        added.append(number)
      }
    }
    var differences = CallDifferences(recorded, now)
    for (number, call) in recorded.enumerated() {
      guard let index = counterparts[number] else {
        if !optional.contains(at: call.address, in: recorded) {
          differences.add(call, number, .removed)
        }
        continue
      }
      let other = now[index]
      varied.learn(from: call, other)
      let fields = fields(call, other).filter {
        !varied.explains($0, isGiven: $0.path.hasPrefix("input"))
      }
      if !fields.isEmpty { differences.add(other, index, .changed, fields) }
    }
    for number in added { differences.add(now[number], number, .added) }
    return differences.calls
  }

  private mutating func fields(
    _ recorded: Transcript.Call, _ now: Transcript.Call
  ) -> [FieldChange] {
    let types = recorded.name == now.name ? types[now.name] : nil
    let input = types.map { ValueType.record($0.input) } ?? .dynamic
    let given = recorded.matchedInput(by: now, as: types?.input)
    return FieldChange.between(.string(recorded.name), .string(now.name), at: "invoke")
      + changes(given, now.input.json, as: input, at: "input")
      + answerFields(recorded, now)
  }

  /// The changes of the answer and of the events before it.
  mutating func answerFields(
    _ recorded: Transcript.Call, _ now: Transcript.Call
  ) -> [FieldChange] {
    let types = recorded.name == now.name ? types[now.name] : nil
    let recorded = recorded.matchedAnswer(by: now, as: types?.output)
    let output = types.map { ValueType.record($0.output) } ?? .dynamic
    let (before, after) = (recorded.answerMembers, now.answerMembers)
    return changes(recorded.events, now.events, at: "events")
      + changes(before["ok"], after["ok"], as: output, at: "ok")
      + ["error", "message", "cancelled"].flatMap { name in
        FieldChange.between(before[name], after[name], at: name)
      }
  }

  /// The changes of a value, except different numbers of hidden texts.
  mutating func changes(
    _ recorded: JSON?, _ now: JSON?, as type: ValueType = .dynamic, at path: String
  ) -> [FieldChange] {
    varied.isSame(recorded, now) ? [] : FieldChange.between(recorded, now, as: type, at: path)
  }
}

extension VariedValues {
  /// Notes the varying parts of an answer, and of the events before it.
  mutating func learn(from recorded: Transcript.Call, _ now: Transcript.Call) {
    if case (.output(let pattern)?, .output(let answer)?) = (recorded.answer, now.answer) {
      learn(from: pattern, answer.served)
    }
    for (recorded, now) in zip(recorded.emitted, now.emitted) {
      learn(from: recorded.payload, now.payload.served)
    }
  }
}

/// A collection of different calls, which determines their attempts only if there is a difference.
struct CallDifferences {
  private(set) var calls: [TranscriptDifference.Call] = []
  private let recorded: CallList
  private let now: CallList
  private lazy var recordedAttempts = recorded.attempts
  private lazy var attempts = now.attempts

  init(_ recorded: CallList, _ now: CallList) {
    self.recorded = recorded
    self.now = now
  }

  /// Adds a call by its number in its run.
  mutating func add(
    _ call: Transcript.Call, _ number: Int, _ kind: TranscriptDifference.Call.Kind,
    _ fields: [FieldChange] = []
  ) {
    calls.append(
      TranscriptDifference.Call(
        address: call.address,
        attempt: kind == .removed ? recordedAttempts[number] : attempts[number],
        name: call.name, kind: kind, fields: fields))
  }
}

extension Transcript.Call {
  /// The input, with the present value in place of every pattern that accepts it, and of every new default.
  func matchedInput(by now: Transcript.Call, as type: RecordType?) -> JSON {
    input.matched(by: now.input, as: type.map(ValueType.record)).json
      .fillingDefaults(of: type, besides: now.input.json)
  }

  /// The call, with the present value in place of every pattern in its answer that accepts it.
  fileprivate func matchedAnswer(
    by now: Transcript.Call, as output: RecordType?
  ) -> Transcript.Call {
    var copy = self
    if case (.output(let pattern)?, .output(let answer)?) = (self.answer, now.answer) {
      let matched = pattern.matched(
        by: .plain(answer.served), as: output.map(ValueType.record))
      copy.answer = .output(.plain(matched.json))
    }
    for index in emitted.indices.prefix(now.emitted.count) {
      let payload = RecordedValue.plain(now.emitted[index].payload.served)
      copy.emitted[index].payload = .plain(
        emitted[index].payload.matched(by: payload, as: nil).json)
    }
    return copy
  }

  /// The reported events, as a list.
  fileprivate var events: JSON {
    .array(
      emitted.map { event, payload in
        .object([.init("emit", .string(event)), .init("payload", payload.served)])
      })
  }

  /// The members of its answer's line, without the address.
  fileprivate var answerMembers: JSON {
    switch answer {
    case .output(let output)?: .object([.init("ok", output.served)])
    case .error(let code, let message)?:
      .object([.init("error", .string(code)), .init("message", .string(message))])
    case .cancelled?: .object([.init("cancelled", .bool(true))])
    case nil: .object([])
    }
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
  var text: String { "\(path.escaped): recorded \(text(recorded)), now \(text(now))" }

  private func text(_ json: JSON?) -> String {
    json.map { $0.summary(as: type) } ?? "nothing"
  }
}

extension JSON {
  /// A value on one line, by its type if it fits, or the description of a pattern.
  func summary(as type: ValueType = .dynamic) -> String {
    var reader = RecordedValue.Reader()
    let recorded = (try? reader.value(self)) ?? .plain(self)
    if case .pattern(let pattern) = recorded { return "\(pattern)" }
    let shown = recorded.replacingPatterns { $0.example ?? .string("\($0)") }
    let value = (try? Value(shown, as: type)) ?? (try? Value(dynamic: shown))
    return value?.summary() ?? "an unreadable value"
  }
}
