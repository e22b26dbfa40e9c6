internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowReport

/// The trials of a scenario, one after the other, until their verdict is certain.
struct TrialSeries: Sendable {
  /// Receives what the trials use.
  let used: UsedQuantities
  /// The result, or nil while a further trial may run.
  private(set) var result: TrialResult?

  private let trials: PlannedTrials
  private let plan: Plan
  private let inputs: [Value]
  private var tried = 0
  private var failures: [TrialResult.Failure] = []

  /// Creates the series of a scenario that has trials.
  ///
  /// Nil for another scenario. The components of these names are live, or all of them for nil.
  init?(of plan: Plan, inputs: [Value], live: Set<String>?) {
    guard let trials = plan.trials, live.map({ !$0.isEmpty }) ?? !plan.componentNames.isEmpty
    else { return nil }
    (self.plan, self.trials, self.inputs) = (plan, trials, inputs)
    used = UsedQuantities(of: live)
  }

  /// The number of the next trial, from 1.
  var number: Int { tried + 1 }

  /// The most trials.
  var most: Int { trials.runs }

  /// Returns the seed of the next trial, so that each one draws other values.
  func seed(from first: UInt64) -> UInt64 { first &+ UInt64(tried) }

  /// Notes the end of a trial that failed by these problems, or passed for nil.
  mutating func end(by problems: [Diagnostic]?) {
    tried += 1
    if let problems { failures.append(TrialResult.Failure(number: tried, problems)) }
    if tried - failures.count >= trials.pass { return finish(.passed) }
    if failures.count > trials.runs - trials.pass { return finish(.failed) }
    if let notes = brokenLimit { finish(.limit, notes) }
  }

  /// The problem of trials that did not pass, or nil.
  var problem: Diagnostic? {
    guard let result, !result.hasPassed else { return nil }
    return result.problem(at: trials.place.span(in: plan.file))
  }

  /// A note for each quantity of the limit that no answer had, or not every one that should have.
  var notes: [String] {
    let (amounts, unknown) = (used.amounts, used.unknown)
    return (trials.limit?.names ?? []).compactMap { name in
      if let reason = unknown[name] {
        return "the limit has not seen every amount of '\(name)': \(reason)"
      }
      if amounts[name] != nil { return nil }
      return "no answer had the quantity '\(name)', so the limit has not seen any"
    }
  }

  private mutating func finish(_ end: TrialResult.End, _ limitNotes: [String] = []) {
    result = TrialResult(
      failures, of: tried, atLeast: trials.pass, atMost: trials.runs, end,
      limitNotes: limitNotes)
  }

  /// The sentences about a limit that does not hold, or nil while it holds.
  private var brokenLimit: [String]? {
    guard let limit = trials.limit else { return nil }
    let all = used.amounts
    do throws(EvaluationFailure) {
      if try limit.holds(all, inputs: inputs) { return nil }
      let operands = limit.operands(all, inputs: inputs).notes(in: plan.file)
      return ["the limit is \(limit.condition.text)"] + operands
    } catch {
      return ["the limit has no value: \(error.message)"]
    }
  }
}
