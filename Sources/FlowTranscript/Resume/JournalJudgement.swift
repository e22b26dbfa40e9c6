package import FlowCore
internal import FlowEngine
package import FlowPlan
package import FlowRedaction
internal import FlowSystem

/// The answer to the question if a scenario, as it is now, goes on with a journal.
///
/// It goes on if a resumed run makes all recorded calls again, in their order, before it does
/// anything new. The finished journal then replays.
package struct JournalJudgement: Sendable {
  /// The first recorded call that the scenario does not make again.
  package struct Difference: Sendable {
    /// The reason.
    package enum Kind: String, Sendable {
      /// The recorded inputs do not fit the scenario's.
      case inputs
      /// The step seems to have another id.
      case renamed
      /// The step is in another block, or in other loops.
      case moved
      /// The scenario has no such step.
      case removed
      /// Something new comes before it.
      case inserted
      /// The step calls another operation.
      case operation
      /// The step has another input.
      case input
      /// The step comes before one that was done before it.
      case order
      /// A condition or a list is another one, so the step is passed without the call.
      case skipped
      /// The recorded answer does not fit.
      case answer
      /// The run fails now on recorded answers.
      case failing
    }

    /// The reason.
    package let kind: Kind
    /// The address of the recorded call, or nil for the inputs.
    package let address: String?
    /// The line of the recorded call in the journal, from 1.
    package let line: Int?
    /// The path of the step that seems to be the same one now, or the address of the new call.
    package let now: String?
    /// The difference in words, at its place in the scenario.
    package let diagnostic: Diagnostic
  }

  /// The first difference, or nil if the scenario goes on.
  package let difference: Difference?
  /// The address of the first call that is not in the journal, or nil if the run only ends.
  package let next: String?

  /// True if the scenario goes on.
  package var isCompatible: Bool { difference == nil }
}

extension Journal {
  /// The number of calls of steps, and of openings.
  package var callCount: Int { calls.count }

  /// Judges a scenario by a resumed run without components.
  ///
  /// Nothing is done outside, and nothing is written.
  package func judged(
    by plan: Plan, file: String, hidingSecretsBy redactor: Redactor
  ) async -> JournalJudgement {
    let inputs: [Value]
    do throws(TranscriptError) {
      inputs = try header.inputValues(for: plan, file: file)
    } catch {
      return JournalJudgement(difference: .ofInputs(error.diagnostic), next: nil)
    }
    plan.hideSecrets(inputs: inputs, by: redactor)
    let finder = DifferenceFinder(calls, in: plan, file: file)
    let departed = DepartedCalls(of: calls, in: plan, redactor)
    if let difference = finder.first(of: departed) {
      return JournalJudgement(difference: difference, next: nil)
    }
    redactor.reserve(recording.placeholderNumbers)
    let trial = await JournalTrial(of: self, in: plan, inputs: inputs, redactor)
    let isChanged = !header.changes(in: plan).isEmpty
    return JournalJudgement(
      difference: finder.first(of: trial, isChanged: isChanged),
      next: trial.next.map { "\($0.address)" })
  }
}

extension JournalJudgement.Difference {
  fileprivate static func ofInputs(_ diagnostic: Diagnostic) -> Self {
    Self(kind: .inputs, address: nil, line: 1, now: nil, diagnostic: diagnostic)
  }
}

/// Finds the first difference of a scenario from a journal, and its place in both.
private struct DifferenceFinder {
  typealias Difference = JournalJudgement.Difference

  private let calls: CallList
  private let plan: Plan
  /// The journal's path for messages.
  private let file: String

  init(_ calls: CallList, in plan: Plan, file: String) {
    (self.calls, self.plan, self.file) = (calls, plan, file)
  }

  // MARK: - By the text of the scenario

  /// Returns the first of the differences that the text of the scenario shows, or nil.
  func first(of departed: DepartedCalls) -> Difference? {
    let changed = departed.changed.first
    let gone = departed.lost.first
    if let changed, changed.call.line < gone?.line ?? .max {
      let kind: Difference.Kind =
        changed.difference.code == .changedInput ? .input : .operation
      return difference(kind, changed.call, changed.difference)
    }
    return gone.map(lost)
  }

  /// Returns the difference of a call that no step makes.
  private func lost(_ call: Transcript.Call) -> Difference {
    let path = call.address.path
    var finder = StepFinder(plan)
    if finder.place(at: path)?.name != nil {
      return moved(call, .moved, to: path, "is in other loops now")
    }
    let candidates = stepsAmongDoneOnes(besides: call).filter { step in
      step.name == call.name && step.mayHaveInput(call.input.json)
    }
    if let same = candidates.first(where: { $0.path.lastStep == path.lastStep }) {
      return moved(call, .moved, to: same.path, "seems to be '\(same.path)' now")
    }
    let near = candidates.first { $0.path.outerSteps == path.outerSteps } ?? candidates.first
    if let near { return moved(call, .renamed, to: near.path, "seems to be '\(near.path)' now") }
    return difference(
      .removed, call,
      Diagnostic(.unusedCalls, "'\(call.address)' is no longer in the scenario", at: nil))
  }

  /// Returns the steps without recorded calls before the last done one, or just after it if the last
  /// call is the one looked for.
  private func stepsAmongDoneOnes(besides call: Transcript.Call) -> [CallingSteps.Step] {
    let steps = CallingSteps(plan).all
    let done = Set(calls.indices.map { calls.address(of: $0).path })
    let last = steps.lastIndex { done.contains($0.path) } ?? -1
    let isLast = !calls.contains {
      $0.line > call.line && $0.address.path != call.address.path && $0.address.calls.isEmpty
    }
    return steps.prefix(isLast ? last + 2 : last + 1).filter { !done.contains($0.path) }
  }

  private func moved(
    _ call: Transcript.Call, _ kind: Difference.Kind, to path: String, _ words: String
  ) -> Difference {
    difference(
      kind, call, Diagnostic(.unusedCalls, "'\(call.address)' \(words)", at: span(path)),
      now: path)
  }

  // MARK: - By the run

  /// Returns the first difference that a run on recorded answers shows, or nil.
  func first(of trial: JournalTrial, isChanged: Bool) -> Difference? {
    if let mismatch = trial.mismatches.first { return difference(mismatch) }
    for case .boundary(let failure) in trial.report.failures.map(\.failure) {
      return difference(
        .answer, trial.left.first,
        Diagnostic(failure.code, failure.message, at: nil, notes: failure.notes))
    }
    let left = trial.left.first
    if let failed = trial.failed, left != nil || isChanged && failsAnew(trial) {
      return failing(at: failed, trial.report, before: left)
    }
    guard let left else { return nil }
    guard let next = trial.next else {
      return difference(
        .skipped, left,
        Diagnostic(.unusedCalls, "'\(left.address)' is not reached any more", at: nil))
    }
    return difference(
      .inserted, left,
      Diagnostic(
        .unrecordedCall, "'\(next.address)' is new and comes before '\(left.address)'",
        at: span(next.address.path)),
      now: "\(next.address)")
  }

  /// Returns true if the recorded run had not failed.
  private func failsAnew(_ trial: JournalTrial) -> Bool {
    trial.isDecided && !calls.indices.contains { calls.address(of: $0).isInFinally() }
  }

  private func difference(_ mismatch: ReplayMismatch) -> Difference {
    let call = mismatch.line.flatMap { line in calls.first { $0.line == line } }
    let kind: Difference.Kind =
      switch mismatch.subject {
      case .operation: .operation
      case .input: .input
      case .order: .order
      case .call: .skipped
      case .answer, .end, .source: .answer
      }
    return difference(kind, call, mismatch.diagnostic.at(span(of: mismatch.address)))
  }

  private func failing(
    at address: Address, _ report: RunReport, before left: Transcript.Call?
  ) -> Difference {
    let cause = report.diagnostics.first { $0.code != .cancelled }
    let end = left.map { ", before '\($0.address)'" } ?? ""
    return difference(
      .failing, left,
      Diagnostic(
        cause?.code ?? .unusedCalls, "'\(address)' fails on recorded answers\(end)",
        at: cause?.span ?? span(address.path),
        notes: cause.map { [$0.message] + $0.notes } ?? []),
      now: "\(address)")
  }

  // MARK: - Places

  private func difference(
    _ kind: Difference.Kind, _ call: Transcript.Call?, _ diagnostic: Diagnostic,
    now: String? = nil
  ) -> Difference {
    let own = span(call?.address.path ?? "")
    let place = call.map { call in
      ["recorded in '\(file)', line \(call.line): '\(call.address)' called '\(call.name)'"]
    }
    return Difference(
      kind: kind, address: call.map { "\($0.address)" }, line: call?.line, now: now,
      diagnostic: diagnostic.at(diagnostic.span ?? own).noting(place ?? []))
  }

  private func span(of address: String) -> SourceSpan? {
    Address(address).flatMap { span($0.path) }
  }

  private func span(_ path: String) -> SourceSpan? {
    var finder = StepFinder(plan)
    return finder.place(at: path)?.span
  }
}

extension Diagnostic {
  /// Returns the problem at a place, without advice about recordings.
  fileprivate func at(_ span: SourceSpan?) -> Diagnostic {
    Diagnostic(code, message, at: span, severity: severity, notes: notes, fixes: fixes)
  }
}

extension String {
  /// The id of the innermost step of a path.
  fileprivate var lastStep: Substring { self[...].split(separator: "/").last ?? "" }

  /// The path of the steps around the innermost one.
  fileprivate var outerSteps: Substring { dropLast(lastStep.count) }
}

/// The steps of a scenario that call something, with those of included scenarios.
private struct CallingSteps {
  struct Step {
    let path: String
    /// The called operation, such as `balance.subtract`.
    let name: String
    /// The input without expressions, or nil.
    let input: Value?

    /// Returns true if the step may have a recorded input.
    func mayHaveInput(_ recorded: JSON) -> Bool {
      guard case .record(let input)? = input,
        let value = try? Value(recorded, as: .record(input.type))
      else { return true }
      return value.isSame(as: .record(input))
    }
  }

  private(set) var all: [Step] = []

  init(_ plan: Plan) { add(plan, prefix: "") }

  private mutating func add(_ plan: Plan, prefix: String) {
    for step in plan.allSteps {
      step.visit { step in
        if case .call(let call) = step.action {
          var input: Value?
          if case .constant(let value) = call.input { input = value }
          all.append(
            Step(path: prefix + step.path, name: call.operation.name, input: input))
        }
        if let inner = step.action.scenario { add(inner.plan, prefix: prefix + step.path + "/") }
      }
    }
  }
}
