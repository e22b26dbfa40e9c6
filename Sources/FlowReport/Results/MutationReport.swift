package import FlowCore
internal import FlowEngine
internal import FlowRedaction
package import FlowScenario
package import FlowTranscript

/// The result of `flow mutate`.
package struct MutationReport: Sendable {
  /// The check that noticed an alteration.
  package enum Notice: String, Sendable {
    /// A failed expectation, assertion or later call.
    case noticed
    /// Only the scenario's outputs, which changed.
    case outputs
    /// Nothing.
    case unnoticed

    /// Returns the notice of a replay of altered answers.
    ///
    /// A tolerated failure counts as noticed, whether or not the run took another path.
    package init(_ report: Replay.Report) {
      guard report.run.passed, report.difference == nil, report.problem == nil else {
        self = .noticed
        return
      }
      self = report.passed ? .unnoticed : .outputs
    }
  }

  /// The result of one alteration.
  package struct Result: Sendable {
    /// The alteration.
    package let alteration: Alteration
    /// The check that noticed it.
    package let notice: Notice
    /// The line of the step that would notice it, such as `expect: {value: 1}`, or nil.
    package var proposal: String?
    /// The reason why there is no such line, or nil.
    package var noProposal: NoProposal?
    /// The place of the step, or nil if it is not in the scenario or in one that it includes.
    package var step: SourceSpan?
    /// True for a trial with live components that did not end, which is noticed.
    package var isEndless = false

    /// Creates the result of one trial.
    package init(_ alteration: Alteration, _ notice: Notice) {
      self.alteration = alteration
      self.notice = notice
    }
  }

  /// The ends of the trials, in the order of the alterations.
  package var results: [Result]
  /// The number of alterations.
  let count: Int
  let elapsed: Duration
  /// The share in a report without results, or nil.
  private let keptScore: MutationScore?
  /// True if its text lists all unnoticed alterations.
  let listsAll: Bool
  /// The scenario's file, once there are lines for its steps.
  var file: String?
  /// A line for each step with several ones, which notices all that they do.
  var wholeSteps: [ProposedLine] = []
  /// The longest duration of a trial with live components.
  package var limit = Duration.zero
  /// The number of trials after which kept programs started anew.
  package var restarts = 0

  /// Creates a report of the results among `count` alterations.
  ///
  /// Unless it lists all, its text has the first of each kind.
  package init(results: [Result], count: Int, elapsed: Duration, listsAll: Bool) {
    self.listsAll = listsAll
    self.results = results
    self.count = count
    self.elapsed = elapsed
    keptScore = nil
  }

  /// Creates a report of the numbers alone, by the notices of an earlier command.
  package init(kept notices: [Notice]) {
    (results, count, elapsed, listsAll) = ([], notices.count, .zero, false)
    keptScore = MutationScore(
      noticed: notices.count { $0 == .noticed }, of: notices.count)
  }

  /// Returns the report with secrets hidden in the lines that would notice alterations.
  ///
  /// The recorded values are hidden where they are shown.
  func redacted(by redactor: Redactor) -> MutationReport {
    var copy = self
    for index in results.indices {
      copy.results[index].proposal = results[index].proposal.map(redactor.redacted)
    }
    for index in wholeSteps.indices {
      copy.wholeSteps[index].text = redactor.redacted(wholeSteps[index].text)
    }
    return copy
  }

  /// The share of the noticed alterations.
  package var score: MutationScore {
    keptScore
      ?? MutationScore(noticed: results.count { $0.notice == .noticed }, of: results.count)
  }
}

extension MutationReport {
  /// Unnoticed alterations of one value for which there is the same line, at least one.
  struct Entry {
    var results: [Result]

    init(_ result: Result) { results = [result] }

    var first: Result { results[0] }
  }

  /// The unnoticed alterations, those of one value together, in the order of the first ones.
  var entries: [Entry] {
    var entries: [Entry] = []
    var positions: [String: Int] = [:]
    for result in results where result.notice != .noticed {
      let key = "\(result.alteration.call) \(result.alteration.path) \(result.kindOfEntry)"
      if let position = positions[key] {
        entries[position].results.append(result)
      } else {
        positions[key] = entries.count
        entries.append(Entry(result))
      }
    }
    return entries
  }
}

extension MutationReport.Result {
  /// A text that is the same for alterations of one value that are one entry.
  var kindOfEntry: String { "\(notice) \(proposal ?? noProposal?.rawValue ?? "")" }
}

/// The share of the alterations that were noticed.
package struct MutationScore: Sendable {
  /// The number of noticed alterations.
  package private(set) var noticed = 0
  /// The number of alterations that were tried.
  package private(set) var tried = 0

  /// Creates the share of no alterations.
  init() {}

  /// Creates the share of `noticed` among `tried` alterations.
  init(noticed: Int, of tried: Int) { (self.noticed, self.tried) = (noticed, tried) }

  /// Adds the alterations of another scenario.
  mutating func add(_ other: MutationScore) {
    noticed += other.noticed
    tried += other.tried
  }

  /// Returns true if at least this percentage was noticed.
  ///
  /// Without alterations it is 100 %.
  package func isAtLeast(_ percent: Decimal) -> Bool {
    // Without a division, so that 2 of 3 is not 66.67 %.
    guard let share = try? percent * Decimal(tried) else { return false }
    return Decimal(100 * noticed) >= share
  }

  /// The percentage with one digit, rounded down.
  package var text: String {
    let tenths = tried == 0 ? 1_000 : noticed * 1_000 / tried
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// The whole percentage, rounded down.
  var percent: Int { tried == 0 ? 100 : noticed * 100 / tried }
}

/// The results of `flow mutate` for several scenarios.
package struct MutationSuite: Sendable {
  /// A scenario whose recorded answers were altered.
  package struct Scenario: Sendable {
    /// The path as it is shown.
    package let path: String
    /// The results.
    package let report: MutationReport
    /// True if nothing was replayed, because nothing has changed since an earlier command.
    let isKept: Bool

    /// Creates the result of a scenario.
    package init(path: String, _ report: MutationReport, isKept: Bool) {
      self.path = path
      self.report = report
      self.isKept = isKept
    }
  }

  /// The scenarios in the order of their paths.
  package private(set) var scenarios: [Scenario] = []
  /// The share of the noticed alterations of all scenarios.
  package private(set) var score = MutationScore()
  /// The paths of the scenarios without a transcript, which do not count.
  package var unrecorded: [String] = []
  /// The duration, including finding and loading.
  package var elapsed = Duration.zero

  /// Creates the results of no scenario.
  package init() {}

  /// Adds a scenario.
  package mutating func add(_ scenario: Scenario) {
    scenarios.append(scenario)
    score.add(scenario.report.score)
  }

  /// The number of alterations.
  var count: Int { scenarios.reduce(0) { $0 + $1.report.count } }
}
