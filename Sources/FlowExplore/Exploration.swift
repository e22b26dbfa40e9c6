package import FlowCore
package import FlowEngine
internal import FlowRedaction
package import FlowTranscript

/// A run under one schedule.
struct Attempt: Sendable {
  let steering: Steering
  let faults: [Schedule.Fault]
  /// True if every call and report with a fault came.
  let haveFaultsCome: Bool
  let report: RunReport
  /// Hides the secrets of the run.
  let redactor: Redactor
  let watch: RunWatch?
  /// The events after its only fault, or nil.
  let effects: FaultEffects?
  /// The outcomes of steps' calls in the plain order without faults, or nil.
  let outcomes: StepOutcomes?
  /// The opened components that keep their state outside the process.
  let outside: Set<String>
  /// The reason for cancelling the run, or nil.
  let standstill: Standstill?
  /// The names of calls whose work left the thread of the run.
  let strays: [String]
  /// The number of journal lines after which it was resumed, or nil for an uninterrupted run.
  let crash: Int?

  /// True if nothing happened any more, so the run was cancelled.
  var isStuck: Bool { standstill == .stuck }
  /// True if it slept again and again, so it was cancelled.
  var isEndless: Bool { standstill == .endless }

  /// The failure and its place, or nil.
  var failure: String? {
    if let standstill { return "\(standstill)" }
    guard let failure = report.failures.first, !isInconclusive else { return nil }
    let code = report.diagnostics.first.map { "\($0.code)" } ?? ""
    return "\(failure.address.path) \(code)"
  }

  /// The result of its only fault in the plain order, or nil.
  ///
  /// `plain` are the outcomes of steps' calls without it.
  func triedFault(beside plain: StepOutcomes?) -> TriedFault? {
    guard faults.count == 1 else { return nil }
    return effects?.result(
      of: faults[0], passed: isInconclusive ? nil : failure == nil, beside: plain,
      hiding: redactor)
  }

  /// True if the run was not started, since the state that it starts from could not be restored.
  var isRefused: Bool { report.failures.isEmpty && !report.passed }

  /// True if a call had no recorded answer, as happens in an order with other calls.
  ///
  /// Such a run proves nothing.
  var isInconclusive: Bool {
    // After a crash it means that the run cannot be resumed.
    crash == nil
      && report.failures.contains {
        guard case .boundary(let failure) = $0.failure else { return false }
        // A late call is a fault of the component, in whichever order. A noted failure is one, too.
        return failure.code != .unexpectedError && failure.code != .notedFailure
      }
  }

  /// The end in a text, to compare with others.
  var outcome: String {
    if isInconclusive { return "" }
    return failure ?? report.outputs.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
  }
}

/// The scope of a search that has tried everything.
package struct SearchScope: Sendable, Hashable {
  /// The number of orders without a fault, which are all of them, or nil for the plain order alone.
  package let orders: Int?
  /// The number of faults that were possible in the plain order, each tried alone.
  package let faults: Int
  /// The most delays tried together with a fault, in every combination.
  package let delays: Int
}

/// The findings of an exploration.
package struct Exploration: Sendable {
  /// The number of schedules tried.
  package private(set) var tried = 0
  /// The number of schedules without a verdict, because they make calls that are not recorded.
  package private(set) var inconclusive = 0
  /// The number of additional runs for shrinking.
  package internal(set) var shrinkingTries = 0
  /// The number of different results, by failure or by outputs.
  package var outcomeCount: Int { outcomes.count }
  /// The problems that prevent a verdict on the plain order.
  ///
  /// Nothing else was tried then.
  package internal(set) var problems: [Diagnostic] = []
  /// The number of journal lines after which a crash is possible, or nil if no crash was wanted.
  package internal(set) var crashes: Int?
  /// The number of crashes tried.
  package private(set) var crashesTried = 0
  /// True if it was interrupted.
  package internal(set) var isStopped = false
  /// The number of delays of which every combination was tried, or nil.
  package internal(set) var completedDelays: Int?
  /// The scope of the search if nothing was left to vary, or nil.
  package internal(set) var scope: SearchScope?
  /// The greatest number of moments with a choice of tasks.
  package private(set) var moments = 0
  /// The failing run, or nil.
  package internal(set) var found: ScheduledRun?
  /// The components that keep their state outside the process, so each run finds what the last one
  /// left.
  package internal(set) var outside: [String] = []
  /// True if every schedule that was tried twice had the same result.
  package internal(set) var isDeterministic = true
  /// The calls whose work left the thread of the run, so their order is not controlled.
  package private(set) var strays: Set<String> = []
  /// The duration, in real time.
  package internal(set) var elapsed = Duration.zero
  /// The faults of calls tried in the plain order, the first 200.
  package private(set) var triedFaults: [TriedFault] = []
  private var outcomes: Set<String> = []
  /// The outcomes of steps' calls in the plain order, or nil before it.
  private var plain: StepOutcomes?

  mutating func note(_ attempt: Attempt) {
    tried += 1
    if attempt.crash != nil { crashesTried += 1 }
    if attempt.isInconclusive { inconclusive += 1 } else { outcomes.insert(attempt.outcome) }
    moments = max(moments, attempt.steering.moments)
    strays.formUnion(attempt.strays)
    plain = plain ?? attempt.outcomes
    if triedFaults.count < 200, let fault = attempt.triedFault(beside: plain) {
      triedFaults.append(fault)
    }
  }
}

/// One run under a schedule, with its report, transcript and story.
package struct ScheduledRun: Sendable {
  /// The schedule.
  package let schedule: Schedule
  /// The result.
  package let report: RunReport
  /// The transcript of the run.
  package let transcript: Recording
  /// The events of the run, with the delays that had an effect.
  package let story: Story
  /// The reason for cancelling it, or nil.
  package let standstill: Standstill?
  /// The failure and its place, or nil.
  package let failure: String?
  /// The names of calls whose work left the thread of the run.
  package let strays: [String]
  /// True if every delay and every fault of the schedule found its moment.
  package let fits: Bool
}
