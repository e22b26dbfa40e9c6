package import FlowCore
package import FlowEngine
internal import FlowRedaction
package import FlowTranscript

/// A run under one schedule.
struct Attempt: Sendable {
  let steering: Steering
  let faults: [Schedule.Fault]
  /// Whether there was everything that the faults are about.
  let haveFaultsCome: Bool
  let report: RunReport
  /// Hides the secrets of the run.
  let redactor: Redactor
  let watch: RunWatch?
  /// The components that it opened and that keep their state outside of the process.
  let outside: Set<String>
  /// Why the run was cancelled, if it was.
  let standstill: Standstill?
  /// What left the thread of the run, by name.
  let strays: [String]
  /// After how many lines of its journal it was resumed; nil where it went in one go.
  let crash: Int?

  /// Whether nothing went on any more, so that the run was cancelled.
  var isStuck: Bool { standstill == .stuck }
  /// Whether it slept again and again, so that it was cancelled.
  var isEndless: Bool { standstill == .endless }

  /// What fails, and where; nil when nothing does.
  var failure: String? {
    if let standstill { return "\(standstill)" }
    guard let failure = report.failures.first, !isInconclusive else { return nil }
    let code = report.diagnostics.first.map { "\($0.code)" } ?? ""
    return "\(failure.address.path) \(code)"
  }

  /// Whether a call had no recorded answer, as in an order in which other things are asked: the run says nothing then.
  var isInconclusive: Bool {
    // After a crash it says that the run cannot go on.
    crash == nil
      && report.failures.contains {
        guard case .boundary(let failure) = $0.failure else { return false }
        // A call that comes too late is a fault of the component, in whichever order.
        return failure.code != .unexpectedError
      }
  }

  /// The end in a text, to compare with others.
  var outcome: String {
    if isInconclusive { return "" }
    return failure ?? report.outputs.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
  }
}

/// What an exploration has found.
package struct Exploration: Sendable {
  /// How many schedules were tried.
  package private(set) var tried = 0
  /// How many of them could not be judged, since they make calls that are not recorded.
  package private(set) var inconclusive = 0
  /// How many runs shrinking took besides.
  package internal(set) var shrinkingTries = 0
  /// How many ends there were, by what failed or by the outputs.
  package var outcomeCount: Int { outcomes.count }
  /// Why the plain order could not be judged; nothing else was tried then.
  package internal(set) var problems: [Diagnostic] = []
  /// How many lines the journal has after which a crash could be tried; nil where none was to be.
  package internal(set) var crashes: Int?
  /// How many crashes were tried.
  package private(set) var crashesTried = 0
  /// Whether it was interrupted.
  package internal(set) var isStopped = false
  /// Up to how many moments were delayed in every choice of them; nil for none.
  package internal(set) var completedDelays: Int?
  /// The greatest number of moments at which something else could have gone on.
  package private(set) var moments = 0
  /// The run that fails; nil when none did.
  package internal(set) var found: ScheduledRun?
  /// The components that keep their state outside of the process, so that each run finds what the last one left.
  package internal(set) var outside: [String] = []
  /// Whether every schedule that was tried twice had the same end.
  package internal(set) var isDeterministic = true
  /// The calls whose work left the thread of the run, so that their order is not controlled.
  package private(set) var strays: Set<String> = []
  /// How long it took, in real time.
  package internal(set) var elapsed = Duration.zero
  private var outcomes: Set<String> = []

  mutating func note(_ attempt: Attempt) {
    tried += 1
    if attempt.crash != nil { crashesTried += 1 }
    if attempt.isInconclusive { inconclusive += 1 } else { outcomes.insert(attempt.outcome) }
    moments = max(moments, attempt.steering.moments)
    strays.formUnion(attempt.strays)
  }
}

/// One run under a schedule, with everything that can be said of it.
package struct ScheduledRun: Sendable {
  /// The schedule.
  package let schedule: Schedule
  /// How it ended.
  package let report: RunReport
  /// What crossed the boundary.
  package let transcript: InMemoryTranscript
  /// What happened, with the delays where they had an effect.
  package let story: Story
  /// Why it was cancelled, if it was.
  package let standstill: Standstill?
  /// What fails, and where; nil when nothing does.
  package let failure: String?
  /// What left the thread of the run, by name.
  package let strays: [String]
  /// Whether there was everything that the schedule delays, and that its faults are about.
  package let fits: Bool
}
