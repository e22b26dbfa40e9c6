internal import FlowCore
package import FlowPlan
package import FlowRedaction
internal import FlowSystem

extension Transcript {
  /// Returns a new recording of the same scenario with what still holds of this one: its lines, and
  /// the patterns that were written into it.
  ///
  /// - Parameters:
  ///   - now: The new recording.
  ///   - plan: The scenario.
  ///   - redactor: Hides the secrets of the new recording and the patterns of the project.
  /// - Returns: The new recording, or this one if it is as good.
  package func keeping(
    in now: Transcript, of plan: Plan, _ redactor: Redactor = Redactor()
  ) -> Transcript {
    if canGoOn(in: now, of: plan), holds(in: now, of: plan, redactor) {
      var copy = self
      (copy.header, copy.isSealed) = (now.header, now.isSealed)
      return copy
    }
    return keepingMatchers(in: keepingLines(in: now, of: plan, redactor), of: plan)
  }

  /// Returns true if its lines could be in a new recording.
  private func canGoOn(in now: Transcript, of plan: Plan) -> Bool {
    now.passed && isWhole && header.hasSameRun(as: now.header)
      && !showsMoreCredentials(than: now, in: plan)
  }

  /// Returns a new recording without changes that mean nothing.
  ///
  /// A line of this recording remains if the new one differs from it only in parts that vary, or that
  /// no expression reads: a server's date changes no line. What follows from such a part, as the
  /// address that a program is given, remains with it, or neither does. Each answer is one that was
  /// given, as a whole. Nothing is run again.
  private func keepingLines(
    in now: Transcript, of plan: Plan, _ redactor: Redactor
  ) -> Transcript {
    guard !now.isSame(as: self), canGoOn(in: now, of: plan) else { return now }
    var kept = KeptLines(of: self, in: now, plan, redactor)
    return now.with(kept.lines())
  }

  /// Returns true if it is a run of the same scenario, with other answers only where they mean
  /// nothing.
  ///
  /// A run is a function of the answers, so this one is as good, whatever the steps ask.
  private func holds(in now: Transcript, of plan: Plan, _ redactor: Redactor) -> Bool {
    header.digest == now.header.digest && header.plugins == now.header.plugins
      && files == now.files
      && TranscriptDifference(ofAnswersIn: now, from: self, plan: plan).isSameRun
      && lines.allSatisfy { $0.isRedacted(by: redactor) }
  }
}

/// The lines of a new recording.
///
/// An old line takes the place of a new one that differs in nothing that matters.
private struct KeptLines {
  private let old: Transcript
  private let new: Transcript
  private let redactor: Redactor
  private let readings: Readings?
  private var incidental: IncidentalParts
  private var comparison: AnswerComparison
  /// The calls that both runs made.
  private var pairs: [KeptCall] = []
  /// The pairs of each step's calls, by its path.
  private var byPath: [String: [Int]] = [:]
  /// True if the old outputs remain.
  private var keepsOutputs = false
  /// The paths of steps that made another number of calls.
  private var others: Set<String> = []

  init(of old: Transcript, in new: Transcript, _ plan: Plan, _ redactor: Redactor) {
    (self.old, self.new, self.redactor) = (old, new, redactor)
    readings = Readings(plan)
    incidental = IncidentalParts(plan)
    comparison = AnswerComparison(old.calls, new.calls, plan)
    comparison.calls.varied.give(.object(old.header.inputs), .object(new.header.inputs))
    comparison.notesParts = true
    comparison.run()
  }

  /// Returns the lines of the new recording with the kept ones.
  mutating func lines() -> [TranscriptLine] {
    pairSteps()
    pairCallsOfComponents()
    keepsOutputs = comparison.calls.explains(from: old.outputs, to: new.outputs)
    for (number, pair) in pairs.enumerated() {
      if let path = pair.path { byPath[path, default: []].append(number) }
    }
    while dropInconsistent() {}
    return replaced()
  }

  // MARK: - Pairs

  /// Pairs the calls of steps: attempts of the same number, or the last ones and those before as far
  /// as there is one like them.
  private mutating func pairSteps() {
    let (before, after) = (attempts(of: old.calls), attempts(of: new.calls))
    let known = Dictionary(before.map { ($0.address, $0.calls) }, uniquingKeysWith: { $1 })
    let unpaired = Set(before.map(\.address)).symmetricDifference(after.map(\.address))
    others = Set(unpaired.map(\.path))
    for (address, calls) in after {
      guard let before = known[address] else { continue }
      if before.count == calls.count {
        for (other, call) in zip(before, calls) { pairs.append(pair(other, call)) }
      } else if let group = group(before, calls) {
        pairs.append(group)
      } else {
        others.insert(address.path)
      }
    }
  }

  /// The attempts of each step by their addresses, without calls of components.
  private func attempts(of calls: CallList) -> [(address: Address, calls: [Int])] {
    var (order, groups) = ([Address](), [Address: [Int]]())
    for number in calls.indices where !calls.isOfComponent(number) {
      let address = calls.address(of: number)
      if groups[address] == nil { order.append(address) }
      groups[address, default: []].append(number)
    }
    return order.map { ($0, groups[$0] ?? []) }
  }

  /// Returns more or fewer attempts as one if the old ones hold.
  private mutating func group(_ before: [Int], _ after: [Int]) -> KeptCall? {
    guard let last = before.last, let newLast = after.last,
      old.calls[last].input.served == new.calls[newLast].input.served
    else { return nil }
    var group = pair(last, newLast)
    guard group.question != nil, group.answer != nil else { return nil }
    for attempt in before.dropLast() {
      let found = after.dropLast().lazy.map { [self] other in
        var copy = self
        return copy.pair(attempt, other)
      }.first { $0.question != nil && $0.answer != nil }
      guard let found, let answer = found.answer else { return nil }
      group.answer?.formUnion(answer)
      group.isRead = group.isRead || found.isRead
    }
    (group.old, group.new) = (before, after)
    return group
  }

  private mutating func pairCallsOfComponents() {
    let found = comparison.counterparts.filter { new.calls.isOfComponent($0.key) }
    for (number, other) in found.sorted(by: { $0.key < $1.key }) {
      pairs.append(pair(other, number))
    }
  }

  private mutating func pair(_ before: Int, _ after: Int) -> KeptCall {
    let address = new.calls.address(of: after)
    var pair = KeptCall(
      old: [before], new: [after], path: address.calls.isEmpty ? address.path : nil,
      question: question(before, after), answer: answer(before, after),
      isRead: isChangeRead(before, after))
    if pair.question == nil { pair.dropQuestion() }
    return pair
  }

  /// Returns true if an expression reads a part of an answer that is another one today.
  ///
  /// None reads the calls of components.
  private mutating func isChangeRead(_ before: Int, _ after: Int) -> Bool {
    let (recorded, now) = (old.calls[before], new.calls[after])
    guard now.address.calls.isEmpty else { return false }
    guard case .output(let before)? = recorded.answer, case .output(let after)? = now.answer else {
      return old.answerLine(of: before) != new.answerLine(of: after)
    }
    return FieldChange.between(before.served, after.served, at: "ok")
      .contains { incidental.isRead($0, of: recorded) }
  }

  /// Returns the difference of two questions, or nil if the old one cannot stand for the new one.
  private mutating func question(_ before: Int, _ after: Int) -> Set<String>? {
    let (recorded, now) = (old.calls[before], new.calls[after])
    guard recorded.name == now.name, canReplace(new.line(of: after), by: old.line(of: before))
    else { return nil }
    // Attempts before the last one have no moment of their own in the comparison.
    let fields =
      comparison.questions[after] ?? comparison.calls.questionFields(recorded, now)
    guard fields.isEmpty else { return nil }
    let changes = FieldChange.between(recorded.input.served, now.input.served)
    return changes.newLeaves
  }

  /// Returns the difference of two answers, or nil if the old one cannot stand for the new one.
  private mutating func answer(_ before: Int, _ after: Int) -> Set<String>? {
    let (recorded, now) = (old.calls[before], new.calls[after])
    guard recorded.name == now.name, recorded.emitted.isEmpty, now.emitted.isEmpty,
      let line = old.answerLine(of: before), let other = new.answerLine(of: after)
    else { return nil }
    if line == other { return [] }
    guard canReplace(other, by: line), case .output(let output)? = recorded.answer,
      case .output(let newOutput)? = now.answer
    else { return nil }
    let call = recorded.takingPatterns(of: now, as: comparison.calls.types[now.name]?.output)
    let fields =
      comparison.answers[after]
      ?? comparison.calls.answerFields(call, now).filter { !incidental.contains($0, of: call) }
    guard fields.isEmpty else { return nil }
    return FieldChange.between(output.served, newOutput.served, at: "ok")
      .filter { !incidental.contains($0, of: call) }.newLeaves
  }

  /// Returns true if an old line can be in the new recording: it has the same address and the same
  /// placeholders, nothing in it has to be hidden, and it names no other body in a file.
  private func canReplace(_ line: TranscriptLine, by old: TranscriptLine) -> Bool {
    guard line.at == old.at else { return false }
    return line == old
      || line.placeholders == old.placeholders && old.isRedacted(by: redactor)
        && old.bodies.isSubset(of: line.bodies)
  }

  // MARK: - What belongs together

  /// Drops what would not fit the lines of today.
  ///
  /// Returns true if something was dropped, and with it more may be.
  private mutating func dropInconsistent() -> Bool {
    let before = pairs.map { ($0.question == nil, $0.answer == nil) }
    let outputs = keepsOutputs
    dropRepeated()
    dropReadTogether()
    return keepsOutputs != outputs
      || !zip(before, pairs).allSatisfy { $0 == ($1.question == nil, $1.answer == nil) }
  }

  /// Drops what other lines repeat, or what repeats other lines.
  private mutating func dropRepeated() {
    guard pairs.contains(where: \.hasChange) else { return }
    let today = valuesOfToday()
    let known = pairs.reduce(into: Set<String>()) { $0.formUnion($1.answer ?? []) }
    for index in pairs.indices {
      if let answer = pairs[index].answer, !answer.isDisjoint(with: today.compared) {
        pairs[index].dropAnswer()
      }
      guard let question = pairs[index].question, !question.isEmpty else { continue }
      let isComputed = pairs[index].path != nil && question.isDisjoint(with: known)
      if isComputed || !question.isDisjoint(with: today.all) {
        pairs[index].dropQuestion()
      }
    }
  }

  /// The values in the lines that do not remain: those that are compared, and all of them.
  private mutating func valuesOfToday() -> (compared: Set<String>, all: Set<String>) {
    let asked = Set(pairs.filter { $0.question != nil }.flatMap(\.new))
    let answered = Set(pairs.filter { $0.answer != nil }.flatMap(\.new))
    var (compared, all) = (Set<String>(), Set<String>())
    for number in new.calls.indices {
      let call = new.calls[number]
      if !asked.contains(number) { compared.formUnion(call.input.served.leaves) }
      guard !answered.contains(number), case .output(let output)? = call.answer else { continue }
      all.formUnion(output.served.leaves)
      for (name, value) in output.members {
        let field = FieldChange(path: "ok.\(name)", recorded: nil, now: nil, type: .dynamic)
        if !incidental.contains(field, of: call) { compared.formUnion(value.comparedLeaves) }
      }
    }
    if !keepsOutputs { compared.formUnion(new.outputs.served.leaves) }
    return (compared, all.union(compared))
  }

  /// Drops answers that an expression reads together with one of today.
  private mutating func dropReadTogether() {
    guard let readings else { return dropAllRead() }
    var today = others.union(byPath.keys.filter(isOfToday))
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for reading in readings.all where isOfToday(reading, today) {
        // Variables are of today once one of them is.
        for path in reading.steps where today.insert(path).inserted { hasChanged = true }
        if reading.reader == .outputs { keepsOutputs = false }
        guard case .input(let path) = reading.reader else { continue }
        for index in byPath[path] ?? [] where pairs[index].question?.isEmpty == false {
          pairs[index].dropQuestion()
        }
      }
    }
    for path in today {
      for index in byPath[path] ?? [] where pairs[index].isRead {
        pairs[index].dropAnswer()
      }
    }
  }

  /// Returns true if an expression has a value of today.
  private func isOfToday(_ reading: Readings.Reading, _ today: Set<String>) -> Bool {
    if !reading.steps.isDisjoint(with: today) { return true }
    switch reading.reader {
    // Another condition may not hold for an old answer.
    case .unseen:
      return !others.isEmpty || old.header.digest != new.header.digest
    case .outputs: return !keepsOutputs
    case .variable: return false
    case .input(let path):
      return byPath[path]?.contains { pairs[$0].question == nil } ?? true
    }
  }

  /// Returns true if an answer of a step at a path has a read part of today.
  private func isOfToday(_ path: String) -> Bool {
    byPath[path]?.contains { pairs[$0].answer == nil && pairs[$0].isRead } ?? false
  }

  /// Drops all read answers if one of them is of today: any expression may read several of them.
  private mutating func dropAllRead() {
    let isOfToday =
      !others.isEmpty || !keepsOutputs || old.header.digest != new.header.digest
      || pairs.contains { $0.answer == nil && $0.isRead }
    guard isOfToday else { return }
    for index in pairs.indices where pairs[index].isRead { pairs[index].dropAnswer() }
  }

  // MARK: - Lines

  private func replaced() -> [TranscriptLine] {
    var lines = new.lines.map { [$0] }
    let today = stepsOfToday
    for pair in pairs { replace(pair, today, &lines) }
    if keepsOutputs, let last = lines.indices.last { lines[last][0].value = old.lines.last?.value }
    return lines.flatMap(\.self)
  }

  /// The steps with a request from outside of today, or without one of the old ones.
  ///
  /// Their requests have the groups of today, which are numbered by all of them.
  private var stepsOfToday: Set<Address> {
    let kept = pairs.filter { $0.question != nil }
    let sides = [(new.calls, Set(kept.flatMap(\.new))), (old.calls, Set(kept.flatMap(\.old)))]
    return sides.reduce(into: []) { steps, side in
      for number in side.0.indices where side.0.isOfComponent(number) && !side.1.contains(number) {
        if let arrival = side.0[number].marks.arrival { steps.insert(arrival.step) }
      }
    }
  }

  private func replace(
    _ pair: KeptCall, _ today: Set<Address>, _ lines: inout [[TranscriptLine]]
  ) {
    guard pair.old.count == pair.new.count else { return replaceGroup(pair, &lines) }
    for (before, after) in zip(pair.old, pair.new) {
      if pair.question != nil {
        var line = old.lines[old.calls.beginning(of: before)]
        let steps = [old.calls[before], new.calls[after]].compactMap(\.marks.arrival?.step)
        if steps.contains(where: today.contains) {
          line.kind = new.lines[new.calls.beginning(of: after)].kind
        }
        lines[new.calls.beginning(of: after)] = [line]
      }
      if pair.answer != nil, let index = new.calls.answer(of: after),
        let other = old.calls.answer(of: before)
      {
        lines[index] = [old.lines[other]]
      }
    }
  }

  private func replaceGroup(_ pair: KeptCall, _ lines: inout [[TranscriptLine]]) {
    guard pair.question != nil, pair.answer != nil, let first = pair.new.first else { return }
    for call in pair.new {
      lines[new.calls.beginning(of: call)] = []
      if let index = new.calls.answer(of: call) { lines[index] = [] }
    }
    lines[new.calls.beginning(of: first)] = pair.old.flatMap { call in
      [old.lines[old.calls.beginning(of: call)]]
        + [old.calls.answer(of: call).map { old.lines[$0] }].compactMap(\.self)
    }
  }
}

/// A call that both runs made, or several attempts of it.
private struct KeptCall {
  var old: [Int]
  var new: [Int]
  /// The path of the step, or nil for a call of a component.
  let path: String?
  /// The values of today in the places of those in the old question, or nil if it cannot remain.
  var question: Set<String>?
  /// The same of the answer.
  var answer: Set<String>?
  /// True if an expression reads a part of the answer that is another one today.
  var isRead: Bool

  var hasChange: Bool {
    question?.isEmpty == false || answer?.isEmpty == false
  }

  /// Takes the question of today, and with it the answer to this question.
  mutating func dropQuestion() { (question, answer) = (nil, nil) }

  /// Takes the answer of today.
  mutating func dropAnswer() {
    answer = nil
    if old.count != new.count { question = nil }
  }
}

extension Transcript {
  /// The line in which a call begins.
  fileprivate func line(of call: Int) -> TranscriptLine { lines[calls.beginning(of: call)] }

  /// The line of its answer.
  fileprivate func answerLine(of call: Int) -> TranscriptLine? {
    calls.answer(of: call).map { lines[$0] }
  }
}

extension CallComparison {
  /// Returns true if varied values explain all differences of the outputs.
  fileprivate mutating func explains(from old: RecordedValue, to new: RecordedValue) -> Bool {
    changes(old.matched(by: new, as: .dynamic).served, new.served, at: "").allSatisfy {
      varied.explains($0, isGiven: true) || varied.isComputed($0)
    }
  }
}

extension [FieldChange] {
  /// The values of today that the recorded ones do not have.
  fileprivate var newLeaves: Set<String> {
    reduce(into: []) { leaves, change in
      leaves.formUnion(Set(change.now?.leaves ?? []).subtracting(change.recorded?.leaves ?? []))
    }
  }
}

extension TranscriptLine {
  /// The names of the placeholders in it with their numbers, in order.
  fileprivate var placeholders: [String] {
    PlaceholderNumbers.places(in: Array(text.utf8)).map(\.name)
  }

  /// Returns true if the redactor has nothing to hide in its value.
  fileprivate func isRedacted(by redactor: Redactor) -> Bool {
    guard redactor.isActive, let served = value?.served else { return true }
    return served.redacted(by: redactor, names: true) == served
  }

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
  /// The shortest word of a string that tells of another one with it, in bytes: the digits of a time
  /// are everywhere.
  private static let shortestWord = 4

  /// The strings and numbers in the value, and the longer words of each string.
  fileprivate var leaves: [String] {
    switch self {
    case .string(let text):
      [text] + EchoedText.words(of: text).filter { $0.utf8.count >= Self.shortestWord }
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
    seed == other.seed && hasSameInputs(as: other)
  }

  /// Returns true if all inputs are the same.
  func hasSameInputs(as other: TranscriptHeader) -> Bool {
    inputs == other.inputs
      || JSON.object(inputs.sorted { $0.name < $1.name })
        == JSON.object(other.inputs.sorted { $0.name < $1.name })
  }
}
