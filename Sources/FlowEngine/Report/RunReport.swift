public import FlowCore
public import FlowPlan
package import FlowRedaction

/// The result of a run, read by the console, suites, tests and reports.
public struct RunReport: Sendable {
  /// A failed step or component.
  public struct Failure: Sendable {
    /// The address in the run.
    public let address: Address
    /// The place in the file.
    public let place: Place?
    /// The failure.
    public internal(set) var failure: StepFailure
    /// The included file of the place, or nil for the main scenario.
    public let inclusion: Inclusion?
    /// The step's name if it contains values, which the place does not show, or nil.
    public internal(set) var name: String?
    /// The name of the case around it, or nil.
    public internal(set) var caseName: String?
    /// The number of the failed attempt and their limit if another attempt followed, or nil.
    package internal(set) var attempt: (number: Int, limit: Int)?
    /// The path of the step after which an invariant failed, or nil for other failures.
    public internal(set) var follows: String?
    /// The input of the failed call, or nil.
    public internal(set) var input: Value?
    /// The origins of the values in the computed fields of the input, by the names of the fields.
    package internal(set) var inputOrigins: [(field: String, origins: [ValueOrigin])] = []
    /// The steps around it that have a name, an iteration or a variable, from the outside in.
    public internal(set) var surroundings: [Surrounding] = []

    init(
      address: Address, place: Place?, failure: StepFailure, inclusion: Inclusion? = nil,
      name: String? = nil
    ) {
      self.address = address
      self.place = place
      self.failure = failure
      self.inclusion = inclusion
      self.name = name
    }
  }

  /// A step around a failed one.
  public struct Surrounding: Sendable {
    /// The step's path.
    public let path: String
    /// The `name:` as written, or nil.
    public let name: String?
    /// The iteration of a loop, from 1, or nil for other steps.
    public internal(set) var iteration: Int?
    /// The variable of a `for` with its value, or nil for other steps.
    public internal(set) var variable: (name: String, value: Value)?
  }

  /// An included file.
  public struct Inclusion: Sendable, Hashable {
    /// The file.
    public let file: String
    /// The place of its inclusion, then that of the including file, up to the main one.
    ///
    /// Never empty.
    public let places: [SourceSpan]
  }

  /// The numbers of passed, failed and skipped steps.
  ///
  /// Each iteration of a loop counts.
  public struct Counts: Sendable, Hashable {
    /// Steps that succeeded.
    public var passed = 0
    /// Steps that failed, without the steps around them.
    public var failed = 0
    /// Steps left out.
    public var notRun = 0

    /// Counts to compare with.
    public init(passed: Int = 0, failed: Int = 0, notRun: Int = 0) {
      self.passed = passed
      self.failed = failed
      self.notRun = notRun
    }

    static func += (left: inout Counts, right: Counts) {
      left.passed += right.passed
      left.failed += right.failed
      left.notRun += right.notRun
    }
  }

  /// The failures in order: first the one that stopped the run, then those of `finally`.
  public internal(set) var failures: [Failure] = []
  /// Failed attempts that were repeated, in order, only the first ones of very many.
  package internal(set) var retried: [Failure] = []
  /// The iterations of loops with `cases`, in the order of the scenario.
  public internal(set) var cases: [Case] = []
  /// The number of further cases left out.
  package internal(set) var omittedCases = 0
  /// The numbers of steps by their end.
  public internal(set) var counts = Counts()
  /// The scenario's outputs, in file order.
  ///
  /// Empty after a failure.
  public internal(set) var outputs: [(name: String, value: Value)] = []
  /// The start of the run, or nil if no component asked for the date.
  package internal(set) var date: Timestamp?
  /// The project files that it depends on.
  ///
  /// Empty unless they are noted.
  package internal(set) var files: [ReadFile] = []
  /// The duration of the run.
  public internal(set) var elapsed = Duration.zero
  /// The failures in words, in order, each with its place.
  ///
  /// Empty until the run has ended.
  public internal(set) var diagnostics: [Diagnostic] = []
  /// The repeated attempts in words, one for each.
  ///
  /// Empty until the run has ended.
  package internal(set) var retriedDiagnostics: [Diagnostic] = []

  /// True if the run did not start, for the reasons in `diagnostics`.
  private var isRefused = false

  /// Creates the report of a run that has not started.
  package init() {}

  /// Creates the report of a run that was not started.
  package init(refusedBy diagnostics: [Diagnostic]) {
    self.diagnostics = diagnostics
    isRefused = true
  }

  /// True if nothing failed.
  public var passed: Bool { failures.isEmpty && !isRefused }

  /// Returns the report with its failures in words.
  func explained(by plan: Plan) -> RunReport {
    var copy = self
    // Steps at the same time may fail for one reason.
    copy.diagnostics = failures.flatMap { $0.diagnostics(of: plan) }.unique
    copy.retriedDiagnostics = retried.flatMap { $0.diagnostics(of: plan) }
    for index in cases.indices {
      copy.cases[index].diagnostics = cases[index].failures.flatMap { $0.diagnostics(of: plan) }
    }
    return copy
  }
}

/// An iteration of a loop with `cases`.
public struct LoopCase: Sendable, Hashable {
  /// The loop's path and iterations with the number of this one at the end.
  public let address: Address
  /// The name, different from that of every other iteration of the loop, with placeholders for
  /// secrets.
  ///
  /// Behind the name of the case around it, if there is one.
  public internal(set) var name: String
}

extension RunReport {
  /// The end of an iteration of a loop with `cases`.
  public struct Case: Sendable {
    /// The end of a case.
    public enum State: Sendable, Hashable {
      /// All of its steps passed, or may fail.
      case passed
      /// A step failed.
      case failed
      /// It did not start, or was stopped after the failure of another one.
      case notRun
    }

    /// The name.
    public internal(set) var name: String
    /// The end.
    public let state: State
    /// The duration.
    public let elapsed: Duration
    /// The failures in words, each with its place.
    ///
    /// Empty until the run has ended.
    public internal(set) var diagnostics: [Diagnostic] = []
    /// The failures.
    var failures: [Failure]
  }

  /// The most kept cases.
  ///
  /// Failed ones are kept beyond it, up to the same number.
  private static let mostCases = 10_000

  /// Adds cases as far as they are kept.
  mutating func add(_ cases: [Case]) {
    for ended in cases {
      let limit = (ended.state == .failed ? 2 : 1) * Self.mostCases
      if self.cases.count < limit { self.cases.append(ended) } else { omittedCases += 1 }
    }
  }
}

extension LoopCase {
  func redacted(by redactor: Redactor) -> LoopCase {
    var copy = self
    copy.name = redactor.redacted(name)
    return copy
  }
}

extension RunReport.Case {
  /// Returns the case with placeholders for hidden text.
  package func redacted(by redactor: Redactor) -> RunReport.Case {
    var copy = self
    copy.name = redactor.redacted(name)
    copy.failures = failures.map { $0.redacted(by: redactor) }
    copy.diagnostics = diagnostics.map { $0.redacted(by: redactor) }
    return copy
  }
}
