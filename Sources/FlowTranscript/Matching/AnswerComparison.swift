internal import FlowCore
internal import FlowPlan
internal import FlowSystem

/// Compares the answers of a recorded run with those of a live run of the same scenario.
///
/// Of a step with several attempts the last ones are compared. The calls that components make are compared
/// with their inputs, by the order of the live run, except for those that mean nothing outside of them.
struct AnswerComparison {
  /// The start of a live call, or its answer.
  private struct Moment {
    let line: Int
    let call: Int
    let isAnswer: Bool
  }

  /// Compares single calls.
  var calls: CallComparison
  /// The project files that the runs read.
  var files: (recorded: [ReadFile], now: [ReadFile]) = ([], [])
  private let recorded: CallList
  private let now: CallList
  /// The components that were not served recorded answers, or nil for all.
  private let live: Set<String>?
  private var incidental: IncidentalParts
  private let internalCalls: InternalCalls
  /// Finds the recorded calls that are still to be made.
  private var finder: CallFinder
  /// The recorded call of each live one.
  private(set) var counterparts: [Int: Int] = [:]
  /// True if the questions of steps are compared, too, and all changes are noted by their parts.
  var notesParts = false
  /// The changes of the live calls' questions, by what was known when they were asked.
  private(set) var questions: [Int: [FieldChange]] = [:]
  /// The changes of their answers.
  private(set) var answers: [Int: [FieldChange]] = [:]
  /// The changes of each live call.
  private var changes: [Int: [FieldChange]] = [:]
  private lazy var attempts = (recorded: recorded.attempts, now: now.attempts)

  init(_ recorded: CallList, _ now: CallList, _ plan: Plan, live: Set<String>? = nil) {
    (self.recorded, self.now, self.live) = (recorded, now, live)
    calls = CallComparison(plan)
    incidental = IncidentalParts(plan)
    internalCalls = InternalCalls(plan)
    finder = CallFinder(recorded)
  }

  /// Compares all calls.
  mutating func run() {
    for moment in moments {
      // What a call was asked explains the calls inside of it, and its answer.
      if moment.isAnswer { compareAnswer(moment.call) } else { compareQuestion(moment.call) }
    }
  }

  /// Returns the different calls, recorded ones in their order and then added ones.
  mutating func differences() -> [TranscriptDifference.Call] {
    run()
    return found
  }

  private var moments: [Moment] {
    let compared = now.indices.filter { !internalCalls.contains(at: now.address(of: $0), in: now) }
    let begins = compared.map { Moment(line: now.line(of: $0), call: $0, isAnswer: false) }
    let ends = compared.compactMap { call in
      now.answerLine(of: call).map { Moment(line: $0, call: call, isAnswer: true) }
    }
    return (begins + ends).sorted { $0.line < $1.line }
  }

  private mutating func compareQuestion(_ number: Int) {
    let other = now[number]
    let type = calls.types[other.name]?.input
    guard let counterpart = counterpart(of: number, other, type) else { return }
    counterparts[number] = counterpart
    let given = recorded[counterpart].matchedInput(by: other, as: type)
    if !other.address.calls.isEmpty {
      let type = type.map(ValueType.record) ?? .dynamic
      let lists = calls.types[other.name]?.lists ?? []
      changes[number] = calls.changes(
        given, other.input.served, as: type, at: "input", naming: lists
      ).filter { !calls.varied.explains($0, isGiven: true) }
      changes[number]? += calls.requestFields(recorded[counterpart], other)
      if notesParts { questions[number] = changes[number] }
    } else if notesParts {
      questions[number] = calls.questionFields(recorded[counterpart], other)
    }
    calls.varied.ask(given, other.input.served)
  }

  private mutating func compareAnswer(_ number: Int) {
    guard let counterpart = counterparts[number] else { return }
    let other = now[number]
    let type = calls.types[other.name]
    let call = recorded[counterpart].takingPatterns(of: other, as: type?.output)
    let given = call.matchedInput(by: other, as: type?.input)
    calls.varied.ask(given, other.input.served)
    calls.varied.learn(from: call, other)
    let fields =
      calls.answerFields(call, other).filter { !incidental.contains($0, of: call) }
      + incidental.computedChanges(call, other)
    let unexplained = fields.filter { !calls.varied.explains($0, isGiven: false) }
    if notesParts { answers[number] = unexplained }
    changes[number, default: []] += unexplained
    // A served answer is the recorded one.
    if live?.contains(other.component) == false { return }
    changes[number, default: []] += fileChanges(of: call)
    changes[number, default: []] += calls.dueFields(call, other).filter {
      !incidental.contains($0, of: call)
    }
  }

  /// The changed files of a step whose component's calls are not compared: only those have the content.
  private func fileChanges(of call: Transcript.Call) -> [FieldChange] {
    guard internalCalls.areMade(by: call.component), call.address.calls.isEmpty else { return [] }
    let step = call.address.place
    return files.recorded.filter { $0.step == step }.flatMap { file in
      files.now.filter { $0.step == step && $0.path == file.path }.flatMap { now in
        FieldChange.between(
          .string(file.digest), .string(now.digest), at: "files.\(FieldPath([.field(file.path)]))")
      }
    }
  }

  /// Finds the recorded call: the last attempt of a step for its last one, or an equal call of a component.
  private mutating func counterpart(
    of number: Int, _ call: Transcript.Call, _ type: RecordType?
  ) -> Int? {
    guard !call.address.calls.isEmpty else {
      return now.latest(at: call.address) == number ? recorded.latest(at: call.address) : nil
    }
    return finder.take(
      at: call.address, call.input.served, as: type.map(ValueType.record), &calls.varied)
  }

  private var found: [TranscriptDifference.Call] {
    mutating get {
      var differences = CallDifferences(recorded, now)
      var others: [Int: Int] = [:]
      for (number, other) in counterparts { others[other] = number }
      let turns = ComparedTurns(recorded, now, recorded.indices.map { others[$0] })
      for number in recorded.indices {
        if let other = others[number] {
          let fields = (changes[other] ?? []) + (turns.change(of: number).map { [$0] } ?? [])
          if !fields.isEmpty { differences.add(now[other], other, .changed, fields) }
        } else if isComparable(recorded.address(of: number), in: recorded) {
          differences.add(recorded[number], number, .removed)
        }
      }
      for number in now.indices
      where counterparts[number] == nil && isComparable(now.address(of: number), in: now) {
        differences.add(now[number], number, .added)
      }
      return differences.calls
    }
  }

  /// Returns true if a call without a counterpart is a difference.
  ///
  /// This is a call of a component, during the call of a step that both runs made equally often.
  private mutating func isComparable(_ address: Address, in list: CallList) -> Bool {
    guard !address.calls.isEmpty, !calls.optional.contains(at: address, in: list),
      !internalCalls.contains(at: address, in: list), !recorded.repeats(scopeOf: address),
      let call = recorded.latest(at: address.step), let other = now.latest(at: address.step)
    else { return false }
    return attempts.recorded[call] == attempts.now[other]
  }
}

extension Transcript {
  /// Returns true if another run of the scenario was given, asked and answered the same, besides the
  /// parts of answers and events that have any value in both.
  ///
  /// Where every input is the recorded one, no value that varies was passed on. False is no proof of
  /// a difference.
  package func hasSameCalls(as now: Transcript) -> Bool {
    header.hasSameInputs(as: now.header) && files == now.files
      && calls.hasLines(of: now.calls, besidesVarying: true)
  }
}
