internal import FlowCore
internal import FlowPlan
internal import FlowSystem

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
        at: address, now[number].input.served,
        as: types[now[number].name].map { .record($0.input) }, &varied)
      if let other {
        counterparts[other] = number
      } else if !optional.contains(at: address, in: now), !recorded.repeats(scopeOf: address) {
        added.append(number)
      }
    }
    let turns = ComparedTurns(recorded, now, counterparts)
    var differences = CallDifferences(recorded, now)
    for (number, call) in recorded.enumerated() {
      guard let index = counterparts[number] else {
        if !optional.contains(at: call.address, in: recorded) {
          differences.add(call, number, .removed)
        }
        continue
      }
      let other = now[index]
      let call = call.takingPatterns(of: other, as: types[other.name]?.output)
      varied.learn(from: call, other)
      let fields = fields(call, other) + (turns.change(of: number).map { [$0] } ?? [])
      if !fields.isEmpty { differences.add(other, index, .changed, fields) }
    }
    for number in added { differences.add(now[number], number, .added) }
    return differences.calls
  }

  /// The changes that no varied value explains.
  private mutating func fields(
    _ recorded: Transcript.Call, _ now: Transcript.Call
  ) -> [FieldChange] {
    let question = questionFields(recorded, now)
    // An answer may repeat what it was asked.
    if question.isEmpty { varied.ask(recorded.input.served, now.input.served) }
    return question + answerFields(recorded, now).filter { !varied.explains($0, isGiven: false) }
  }

  /// The changes of the name, of the input and of the moment that no varied value explains.
  mutating func questionFields(
    _ recorded: Transcript.Call, _ now: Transcript.Call
  ) -> [FieldChange] {
    let type = recorded.name == now.name ? types[now.name]?.input : nil
    let given = recorded.matchedInput(by: now, as: type)
    let isComputed = now.address.calls.isEmpty
    let input = changes(
      given, now.input.served, as: type.map(ValueType.record) ?? .dynamic, at: "input",
      naming: types[now.name]?.lists ?? [])
    let fields =
      FieldChange.between(.string(recorded.name), .string(now.name), at: "invoke") + input
      + requestFields(recorded, now)
    return fields.filter {
      !varied.explains($0, isGiven: $0.path.hasPrefix("input"))
        && !(isComputed && varied.isComputed($0))
    }
  }

  /// The values that are the same in one run only, and the other step of a request from outside.
  mutating func requestFields(
    _ recorded: Transcript.Call, _ now: Transcript.Call
  ) -> [FieldChange] {
    varied.same.pair(recorded.input, now.input.served).map {
      FieldChange(path: "input.\($0.path)", recorded: $0.expected, now: $0.now, type: .dynamic)
    }
      + stepFields(recorded.marks.arrival, now.marks.arrival)
  }

  private func stepFields(_ recorded: Arrival?, _ now: Arrival?) -> [FieldChange] {
    if let recorded, let now, recorded.fits(now.step) || !now.isOfStep { return [] }
    return FieldChange.between(recorded?.during, now?.during, at: "during")
  }

  /// The changes of the answer and of the events before it.
  mutating func answerFields(
    _ recorded: Transcript.Call, _ now: Transcript.Call
  ) -> [FieldChange] {
    let types = recorded.name == now.name ? types[now.name] : nil
    let recorded = recorded.takingPatterns(of: now, as: types?.output)
      .matchedAnswer(by: now, as: types?.output)
    let output = types.map { ValueType.record($0.output) } ?? .dynamic
    let (before, after) = (recorded.answerMembers, now.answerMembers)
    return changes(recorded.events, now.events, at: "events")
      + changes(before["ok"], after["ok"], as: output, at: "ok", naming: types?.lists ?? [])
      + ["error", "message", "cancelled"].flatMap { name in
        FieldChange.between(before[name], after[name], at: name)
      }
  }

  /// Returns the parts of the answer with a recorded value in place of the one passed on today.
  func dueFields(_ recorded: Transcript.Call, _ now: Transcript.Call) -> [FieldChange] {
    guard case (.output(let before)?, .output(let after)?) = (recorded.answer, now.answer) else {
      return []
    }
    let type = types[now.name].map { ValueType.record($0.output) } ?? .dynamic
    return varied.due(before, after.served, as: type, at: "ok")
  }

  /// The changes of a value, except different numbers of hidden texts.
  mutating func changes(
    _ recorded: JSON?, _ now: JSON?, as type: ValueType = .dynamic, at path: String,
    naming lists: [NamedList] = []
  ) -> [FieldChange] {
    if varied.isSame(recorded, now) { return [] }
    return FieldChange.between(
      recorded, now, as: type, at: path, naming: lists.map { $0.inside(path) })
      + varied.otherNumbers(recorded, now, at: path)
  }
}

extension Arrival {
  /// The step, as its line names it.
  fileprivate var during: JSON { .string("\(step)") }
}

extension VariedValues {
  /// Notes the varying parts of a call's input, of its answer, and of the events before it.
  mutating func learn(from recorded: Transcript.Call, _ now: Transcript.Call) {
    learn(from: recorded.input, now.input.served)
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
    let given = now.input.served
    return input.matched(by: .plain(given), as: type.map(ValueType.record)).json
      .fillingDefaults(of: type, besides: given)
  }

  /// The call, with the parts of its answer as volatile that are so in the present one.
  func takingPatterns(of now: Transcript.Call, as output: RecordType?) -> Transcript.Call {
    guard name == now.name, case .output(let mine)? = answer, case .output(let other)? = now.answer,
      other.hasPatterns
    else { return self }
    var copy = self
    copy.answer = .output(mine.takingPatterns(of: other, as: output.map(ValueType.record)))
    return copy
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
