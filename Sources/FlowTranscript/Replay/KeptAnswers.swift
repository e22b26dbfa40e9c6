internal import FlowCore
package import FlowPlan
package import FlowRedaction
internal import FlowSystem

extension Transcript {
  /// Returns a new recording of the same scenario without changes that mean nothing.
  ///
  /// If all answers of this recording hold, its lines remain. Otherwise an old line remains if only
  /// volatile parts that no expression reads, or incidental ones, have changed in its answer: a
  /// server's date changes no line. An answer with a part that is repeated elsewhere, such as an id,
  /// is today's. Each answer is one that the server gave, as a whole.
  ///
  /// - Parameters:
  ///   - now: The new recording.
  ///   - plan: The scenario.
  ///   - redactor: Hides the secrets of the new recording and the patterns of the project.
  /// - Returns: The recording with the old lines, or the same one for a run with other inputs.
  package func keepingAnswers(
    in now: Transcript, of plan: Plan, _ redactor: Redactor
  ) async -> Transcript {
    guard !now.isSame(as: self), now.passed, isWhole, header.hasSameRun(as: now.header)
    else { return now }
    if await holds(in: now, of: plan, redactor) {
      var copy = self
      (copy.header, copy.isSealed) = (now.header, now.isSealed)
      return copy
    }
    var kept = KeptAnswers(of: calls, in: now.calls, plan, redactor)
    let lines = kept.lines()
    if lines.isEmpty { return now }
    return now.with(now.lines.indices.flatMap { lines[$0] ?? [now.lines[$0]] })
  }

  /// Returns true if a new run differs from this one only in what means nothing, and this one is
  /// still a run of the scenario.
  private func holds(in now: Transcript, of plan: Plan, _ redactor: Redactor) async -> Bool {
    let difference = TranscriptDifference(ofAnswersIn: now, from: self, plan: plan)
    guard difference.isSameRun, files == now.files,
      !redactor.hides(String(decoding: bytes, as: UTF8.self)),
      !showsMoreCredentials(than: now, in: plan),
      let inputs = try? header.inputValues(for: plan, file: plan.file)
    else { return false }
    return await Replay(self, of: plan).run(inputs: inputs, redactor: redactor).passed
  }
}

/// The old answers that hold, by the lines of a new recording.
private struct KeptAnswers {
  /// The attempts of a step that are kept.
  private struct Group {
    let old: [Int]
    let new: [Int]
    /// The values of today in the places of other ones, whose repetition would not fit.
    let values: [String]
  }

  private let old: CallList
  private let new: CallList
  private let redactor: Redactor
  private var incidental: IncidentalParts
  private var comparison: CallComparison

  init(of old: CallList, in new: CallList, _ plan: Plan, _ redactor: Redactor) {
    (self.old, self.new, self.redactor) = (old, new, redactor)
    incidental = IncidentalParts(plan)
    comparison = CallComparison(plan)
  }

  /// Returns the lines to put in place of some lines of the new recording, by the indices of these.
  mutating func lines() -> [Int: [TranscriptLine]] {
    var groups = self.groups()
    // What a line that stays repeats, and with it what those lines repeat that stay for that.
    while true {
      let today = rest(besides: groups)
      let fitting = groups.filter { group in !group.values.contains(where: today.contains) }
      if fitting.count == groups.count { break }
      groups = fitting
    }
    return groups.reduce(into: [:]) { replace($1, &$0) }
  }

  /// The attempts of each step by their addresses, without calls of components.
  private static func attempts(of calls: CallList) -> [(address: Address, calls: [Int])] {
    var (order, groups) = ([Address](), [Address: [Int]]())
    for number in calls.indices where !calls.isOfComponent(number) {
      let address = calls.address(of: number)
      if groups[address] == nil { order.append(address) }
      groups[address, default: []].append(number)
    }
    return order.map { ($0, groups[$0] ?? []) }
  }

  private mutating func groups() -> [Group] {
    let known = Dictionary(
      Self.attempts(of: old).map { ($0.address, $0.calls) }, uniquingKeysWith: { $1 })
    return Self.attempts(of: new).compactMap { address, calls in
      known[address].flatMap { group($0, calls) }
    }
  }

  /// Returns the group of some attempts if the old ones hold: the last one, and for each other one
  /// there is a new one like it.
  private mutating func group(_ before: [Int], _ after: [Int]) -> Group? {
    guard let last = before.last, let newLast = after.last,
      var values = changedValues(last, newLast),
      before.count == after.count || old[last].input.served == new[newLast].input.served
    else { return nil }
    for attempt in before.dropLast() {
      var found: [String]?
      for other in after.dropLast() where found == nil { found = changedValues(attempt, other) }
      guard let found else { return nil }
      values += found
    }
    return Group(old: before, new: after, values: values)
  }

  /// Returns the values of the new answer that differ from the old ones and mean nothing, or nil if
  /// others differ.
  private mutating func changedValues(_ before: Int, _ after: Int) -> [String]? {
    let (other, isPlain) = (new[after], !old.hasEvents(before) && !new.hasEvents(after))
    guard isPlain, old[before].name == other.name, canReplace(after, by: before) else { return nil }
    let type = comparison.types[other.name]?.output
    let call = old[before].takingPatterns(of: other, as: type)
    guard case (.output(let then)?, .output(let now)?) = (call.answer, other.answer) else {
      return answerLine(before, of: old) == answerLine(after, of: new) ? [] : nil
    }
    let differing = comparison.answerFields(call, other)
      .filter { !incidental.contains($0, of: call) }
    guard differing.isEmpty else { return nil }
    var values: [String] = []
    for change in FieldChange.between(then.served, now.served, at: "ok")
    where !incidental.contains(change, of: call) {
      if incidental.isRead(change, of: call) { return nil }
      values += change.now?.leaves ?? []
    }
    return values
  }

  /// Returns true if the old line of an answer can be in the new recording: it hides nothing, and
  /// names no other body in a file.
  private func canReplace(_ after: Int, by before: Int) -> Bool {
    guard let line = answerLine(before, of: old), let other = answerLine(after, of: new) else {
      return false
    }
    if line == other { return true }
    let text = line.text
    return PlaceholderNumbers.places(in: Array((text + other.text).utf8)).isEmpty
      && !redactor.hides(text) && line.bodies.isSubset(of: other.bodies)
  }

  private func answerLine(_ call: Int, of calls: CallList) -> TranscriptLine? {
    calls.answer(of: call).map { calls.lines.all[$0] }
  }

  /// The values in the inputs of all new calls, and in the compared parts of answers that stay.
  private mutating func rest(besides groups: [Group]) -> Set<String> {
    let kept = Set(groups.flatMap(\.new))
    var values: Set<String> = []
    for number in new.indices {
      let call = new[number]
      values.formUnion(call.input.served.leaves)
      guard !kept.contains(number), case .output(let output)? = call.answer else { continue }
      for (name, value) in output.members {
        let field = FieldChange(path: "ok.\(name)", recorded: nil, now: nil, type: .dynamic)
        if !incidental.contains(field, of: call) { values.formUnion(value.comparedLeaves) }
      }
    }
    return values
  }

  private func replace(_ group: Group, _ lines: inout [Int: [TranscriptLine]]) {
    if group.old.count == group.new.count {
      for (before, after) in zip(group.old, group.new) {
        guard let index = new.answer(of: after), let line = answerLine(before, of: old)
        else { continue }
        lines[index] = [line]
      }
      return
    }
    for call in group.new {
      lines[new.beginning(of: call)] = []
      if let index = new.answer(of: call) { lines[index] = [] }
    }
    guard let first = group.new.first else { return }
    lines[new.beginning(of: first)] = group.old.flatMap { call in
      [old.lines.all[old.beginning(of: call)]] + [answerLine(call, of: old)].compactMap(\.self)
    }
  }
}

extension TranscriptLine {
  /// The bodies that it names.
  fileprivate var bodies: Set<Blob> {
    var bodies: Set<Blob> = []
    value?.visitBodies { blob, _ in bodies.insert(blob) }
    return bodies
  }
}

extension RecordedValue {
  /// The members of an answer, none if it is a pattern.
  fileprivate var members: [(name: String, value: RecordedValue)] {
    guard case .object(let members, _) = opened else { return [] }
    return members.map { ($0.name, $0.value) }
  }

  /// The strings and numbers outside of patterns.
  fileprivate var comparedLeaves: [String] {
    switch self {
    case .plain(let value), .body(_, let value): value.leaves
    case .pattern: []
    case .array(let elements): elements.flatMap(\.comparedLeaves)
    case .object(let members, _): members.flatMap(\.value.comparedLeaves)
    }
  }
}

extension JSON {
  /// The strings and numbers in the value, and the words of each string.
  fileprivate var leaves: [String] {
    switch self {
    case .string(let text): [text] + EchoedText.words(of: text)
    case .number(let text): [text]
    case .array(let elements): elements.flatMap(\.leaves)
    case .object(let members): members.flatMap(\.value.leaves)
    case .null, .bool: []
    }
  }
}

extension TranscriptHeader {
  /// Returns true if the seed and all inputs are the same.
  fileprivate func hasSameRun(as other: TranscriptHeader) -> Bool {
    seed == other.seed
      && JSON.object(inputs.sorted { $0.name < $1.name })
        == JSON.object(other.inputs.sorted { $0.name < $1.name })
  }
}
