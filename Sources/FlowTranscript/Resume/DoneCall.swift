package import FlowCore
package import FlowPlan
package import FlowRedaction
internal import FlowSystem

/// A call that a person found to be done, and its answer.
package struct DoneCall: Sendable {
  /// The address as it is printed.
  package let address: String
  /// The answer, an object in JSON.
  package let answer: JSON

  /// Creates a call.
  package init(_ address: String, answer: JSON) {
    (self.address, self.answer) = (address, answer)
  }
}

/// A reason that a call of a journal cannot be recorded as done.
package enum DoneCallError: Error, Sendable {
  /// No call at the address waits for its answer.
  case unknown(waiting: [String])
  /// The call has its answer.
  case answered
  /// Several calls of components have this address.
  case ambiguous
  /// The type of the answer is not known.
  case untyped
  /// The component keeps its state in memory, so its calls are made again.
  case inMemory(component: String)
  /// A component makes the call again with the step around it.
  case inside(step: String)
  /// The call did not fail and is made again, as in a `finally`.
  case madeAgain
  /// The answer lacks these fields, which an answer of this form has.
  case lacking([RecordType.Field], form: JSON)
  /// The answer does not fit its type.
  case misfit(DecodeError, form: JSON)
}

/// Writes the lines of calls that a person found to be done.
///
/// Such a call has no answer yet, or its step failed and would run again when a failed run goes on.
/// The latter is written again before its answer.
package struct DoneCallLines {
  private let calls: CallList
  /// The calls with those of the failed steps.
  private let all: CallList
  private let failures: FailedSteps
  private let plan: Plan
  private let redactor: Redactor

  /// Creates the writer for a journal.
  ///
  /// - Parameters:
  ///   - journal: The journal, without the failed steps of a run that goes on.
  ///   - failed: The journal with them, and the failures.
  ///   - plan: The scenario.
  ///   - redactor: Hides the secrets of an answer.
  package init(
    _ journal: Journal, continuing failed: (journal: Journal, failures: FailedSteps)?,
    of plan: Plan, hidingSecretsBy redactor: Redactor
  ) {
    (calls, all) = (journal.calls, failed?.journal.calls ?? journal.calls)
    failures = failed?.failures ?? FailedSteps()
    (self.plan, self.redactor) = (plan, redactor)
  }

  /// Returns the lines of a call.
  ///
  /// - Throws: `DoneCallError`.
  package func lines(for done: DoneCall) throws(DoneCallError) -> [[UInt8]] {
    let numbers = calls.numbers(at: done.address)
    guard numbers.isEmpty else {
      let open = numbers.filter { !calls.isAnswered($0) }
      guard let number = open.first else { throw .answered }
      if open.count > 1 { throw .ambiguous }
      return [try answer(to: calls[number], as: done)]
    }
    // The last attempt.
    guard let number = all.numbers(at: done.address).last else { throw .unknown(waiting: waiting) }
    let call = all[number]
    try check(call)
    return [all.invocation(number), try answer(to: call, as: done)]
  }

  /// Refuses a call that is made again in any case.
  private func check(_ call: Transcript.Call) throws(DoneCallError) {
    let step = call.address.step
    if !call.address.calls.isEmpty { throw .inside(step: "\(step)") }
    // Its answer would come before those of the steps before it.
    guard failures.entries.contains(where: { $0.isOwn && $0.address.step == step }),
      !failures.finallyBlocks.contains(where: step.belongs(to:))
    else { throw .madeAgain }
    if UnknownCalls.state(of: call, in: all, plan) == .memory {
      throw .inMemory(component: call.component)
    }
  }

  /// The addresses of the calls that may be done.
  private var waiting: [String] {
    let open = calls.indices.filter { !calls.isAnswered($0) }.map { calls[$0] }
    let kept = Set(calls.indices.map { calls.lines.text(of: $0) })
    let failed = all.indices.map { all[$0] }.filter { call in
      guard !kept.contains("\(call.address)") else { return false }
      do throws(DoneCallError) { try check(call) } catch { return false }
      return true
    }
    return (open + failed).filter { $0.name.contains(".") }.map { "\($0.address)" }
  }

  /// Returns the line of an answer from a person.
  private func answer(
    to call: Transcript.Call, as done: DoneCall
  ) throws(DoneCallError) -> [UInt8] {
    guard let type = AnswerTypes(all, plan).type(of: call) else { throw .untyped }
    let value = try GivenAnswer(to: call.address, type, in: plan).value(done.answer)
    // A secret that is too short is hidden in its field only.
    try? redactor.hideSecrets(in: value, of: call.component)
    let written = JSON(redactor.redacted(value), as: .record(type))
    let tags = call.address.tags.map { [JSON.Member("call", .string($0))] } ?? []
    return JSON.object(
      [
        .init("at", .string(done.address)), .init("ok", written), .init("by", .string("person")),
      ] + tags
    ).asLine
  }
}

extension CallList {
  /// The numbers of the calls at the string of an address.
  fileprivate func numbers(at address: String) -> [Int] {
    indices.filter { lines.text(of: $0) == address }
  }

  /// The line of a call, without its checksum.
  fileprivate func invocation(_ call: Int) -> [UInt8] {
    let line = lines.all[beginning(of: call)]
    guard case .object(let members) = line.json, let tags = address(of: call).tags else {
      return line.json.asLine
    }
    return JSON.object(members + [.init("call", .string(tags))]).asLine
  }
}

extension JSON {
  /// The bytes of the value as a line.
  fileprivate var asLine: [UInt8] {
    var writer = JSONWriter(longestLine: LineCursor.longest)
    writer.value(self)
    writer.endLine()
    return writer.bytes
  }
}

/// The declared types of the answers to a journal's calls.
struct AnswerTypes {
  private let calls: CallList
  private let plan: Plan

  init(_ calls: CallList, _ plan: Plan) { (self.calls, self.plan) = (calls, plan) }

  /// The type of a call's answer, or nil if it is no call of an operation in the scenario.
  func type(of call: Transcript.Call) -> RecordType? {
    let place = call.address
    guard let inner = place.calls.last else {
      var finder = StepFinder(plan)
      return finder.place(at: place.path)?.output
    }
    guard let caller = caller(of: place) else { return nil }
    for component in plan.allComponents where component.name == caller {
      for role in component.roles {
        let operation = inner.name.dropFirst(role.name.count + 1)
        if inner.name.hasPrefix(role.name + "."), let call = role.calls[String(operation)] {
          return call.outputType
        }
      }
    }
    return nil
  }

  /// The name of the component that made a call, outside of its tasks.
  private func caller(of place: Address) -> String? {
    place.caller.flatMap { calls.latest(at: $0.outsideLane) }.map { calls[$0].component }
  }
}
