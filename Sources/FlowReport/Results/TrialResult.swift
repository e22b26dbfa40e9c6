package import FlowCore
internal import FlowRedaction
internal import FlowSystem

/// The result of the trials of a scenario.
///
///     8 of 9 passed (89%, 95% interval 57% to 98%)
package struct TrialResult: Sendable {
  /// The reason for which no further trial ran.
  package enum End: String, Sendable {
    /// Enough trials passed.
    case passed
    /// So many failed that not enough of the rest could pass.
    case failed
    /// The limit did not hold.
    case limit
  }

  /// A trial that failed.
  package struct Failure: Sendable {
    /// The number of the trial, from 1.
    package let number: Int
    /// Its first problem, or nil if it has none.
    fileprivate var problem: Diagnostic?

    /// Creates the failure of a trial with problems in the order of the run.
    package init(number: Int, _ problems: [Diagnostic]) {
      (self.number, problem) = (number, problems.first)
    }
  }

  private static let mostFailures = 20

  /// The most trials.
  private let runs: Int
  /// The number of trials that had to pass.
  private let pass: Int
  /// The number of ended trials, 1 or more.
  package let tried: Int
  /// The failed trials in their order.
  private var failures: [Failure]
  private let end: End
  /// The parts of a limit that did not hold, a sentence each.
  private let limitNotes: [String]

  /// Creates the result of trials that have ended.
  package init(
    _ failures: [Failure], of tried: Int, atLeast pass: Int, atMost runs: Int, _ end: End,
    limitNotes: [String]
  ) {
    (self.failures, self.tried, self.pass, self.runs) = (failures, tried, pass, runs)
    (self.end, self.limitNotes) = (end, limitNotes)
  }

  /// True if enough trials passed.
  package var hasPassed: Bool { end == .passed }

  /// The number of trials that passed.
  package var passed: Int { tried - failures.count }

  /// The share of passed trials with its interval.
  package var text: String {
    let interval = ScoreInterval(passed, of: tried)
    return "\(passed) of \(tried) passed (\(interval.share.percent), "
      + "95% interval \(interval.low.percent) to \(interval.high.percent))"
  }

  /// The first problem of each failed trial, a sentence each, of many only the first ones.
  package var notes: [String] {
    let rest = failures.count - Self.mostFailures
    return failures.prefix(Self.mostFailures).map(\.text)
      + (rest > 0 ? ["and \(counted(rest, "further trial")) failed"] : [])
  }

  /// Returns the problem of trials that did not pass, at the place of their declaration.
  package func problem(at place: SourceSpan) -> Diagnostic {
    let message =
      end == .limit
      ? "the limit ended the trials: \(text), and \(pass) of \(runs) must pass"
      : "too many trials failed: \(text), and \(pass) of \(runs) must pass"
    return Diagnostic(.failedTrials, message, at: place, notes: limitNotes + notes)
  }

  func redacted(by redactor: Redactor) -> TrialResult {
    var copy = self
    for index in failures.indices {
      copy.failures[index].problem = failures[index].problem?.redacted(by: redactor)
    }
    return copy
  }

  func json(_ redactor: Redactor) -> JSON {
    let interval = ScoreInterval(passed, of: tried)
    let ends: [JSON.Member] = [
      .init("end", .string(end.rawValue)), .init("passed", .number(passed)),
      .init("tried", .number(tried)), .init("pass", .number(pass)), .init("runs", .number(runs)),
    ]
    let shares: [JSON.Member] = [
      .init("share", interval.share.json), .init("low", interval.low.json),
      .init("high", interval.high.json),
    ]
    let failed = failures.prefix(Self.mostFailures).map { $0.json(redactor) }
    return .object(ends + shares + [.init("failures", .array(failed))])
  }
}

extension TrialResult.Failure {
  fileprivate var text: String {
    let place = problem?.span.map { " (\($0.file):\($0.start.line):\($0.start.column))" } ?? ""
    return "trial \(number) failed" + (problem.map { ": \($0.headline)\(place)" } ?? "")
  }

  fileprivate func json(_ redactor: Redactor) -> JSON {
    .object([
      .init("trial", .number(number)), .init("code", .string(problem?.code.name ?? "failed")),
      .init("message", .string(redactor.redacted(problem?.headline ?? "failed"))),
    ])
  }
}

/// The share of passed trials, and the 95% interval in which the chance to pass lies.
///
/// The interval is Wilson's score interval (E. B. Wilson, "Probable inference, the law of succession,
/// and statistical inference", 1927), which stays between 0 and 1 and is of use for few trials.
struct ScoreInterval {
  /// The two-sided quantile of the normal distribution for 95%.
  private static let quantile = 1.959_963_984_540_054

  let share: Double
  let low: Double
  let high: Double

  /// Creates the interval for `passed` of at least one trial.
  init(_ passed: Int, of tried: Int) {
    let (count, square) = (Double(tried), Self.quantile * Self.quantile)
    share = Double(passed) / count
    let scale = 1 + square / count
    let center = (share + square / (2 * count)) / scale
    let spread = share * (1 - share) / count + square / (4 * count * count)
    let half = Self.quantile * spread.squareRoot() / scale
    // Rounding must not lead outside.
    (low, high) = (max(0, center - half), min(1, center + half))
  }
}

extension Double {
  /// The nearest whole percentage.
  fileprivate var percent: String { "\(Int((self * 100).rounded()))%" }

  /// The number with three digits.
  fileprivate var json: JSON {
    let thousandths = Int((self * 1_000).rounded())
    let digits = String(thousandths % 1_000)
    let padding = String(repeating: "0", count: 3 - digits.utf8.count)
    return .number("\(thousandths / 1_000).\(padding)\(digits)")
  }
}
