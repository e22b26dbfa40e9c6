public import FlowCore
public import FlowScenario

/// How a run ended: what the console, suites, tests and reports read.
public struct RunReport: Sendable {
  /// A step or a component that failed.
  public struct Failure: Sendable {
    /// Where in the run.
    public let address: Address
    /// Where in the file.
    public let place: Place?
    /// What went wrong.
    public internal(set) var failure: StepFailure
    /// The included file that the place belongs to; nil for the main scenario.
    public let inclusion: Inclusion?
    /// The step's name, if it has values in it, which the place does not show; nil otherwise.
    public internal(set) var name: String?
    /// Which attempt of how many failed, where another one was made; nil otherwise.
    package internal(set) var attempt: (number: Int, limit: Int)?
    /// The path of the step after which an invariant failed; nil for all else.
    public internal(set) var follows: String?
    /// What the failed call was given; nil for what is no call.
    public internal(set) var input: Value?
    /// The steps around it that have something to say, from the outside in.
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
    /// Its `name:` as it is written; nil without one.
    public let name: String?
    /// The iteration of a loop, from 1; nil for other steps.
    public internal(set) var iteration: Int?
    /// The variable of a `for` with its value; nil for others.
    public internal(set) var variable: (name: String, value: Value)?
  }

  /// A file that is included by another.
  public struct Inclusion: Sendable, Hashable {
    /// The file.
    public let file: String
    /// Where it is included, then where the including file is, up to the main one; never empty.
    public let places: [SourceSpan]
  }

  /// How many steps ended in which way, each iteration of a loop counted.
  public struct Counts: Sendable, Hashable {
    /// Steps that did what they should.
    public var passed = 0
    /// Steps that failed; those around a failed step are counted nowhere.
    public var failed = 0
    /// Steps that were left out.
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

  /// What failed, in order: first what stopped the run, then what failed in `finally`.
  public internal(set) var failures: [Failure] = []
  /// Attempts that failed and were made again, in the order in which they failed; of very many the first ones.
  package internal(set) var retried: [Failure] = []
  /// How the steps ended.
  public internal(set) var counts = Counts()
  /// The scenario's outputs, in file order; empty when it failed.
  public internal(set) var outputs: [(name: String, value: Value)] = []
  /// When the run began; nil unless a component asked for the date.
  package internal(set) var date: Timestamp?
  /// How long the run took.
  public internal(set) var elapsed = Duration.zero
  /// The failures in words, in their order, each with its place; empty until the run has ended.
  public internal(set) var diagnostics: [Diagnostic] = []
  /// The attempts that were made again in words, one for each; empty until the run has ended.
  package internal(set) var retriedDiagnostics: [Diagnostic] = []

  /// A run that has not begun.
  package init() {}

  /// Whether nothing failed.
  public var passed: Bool { failures.isEmpty }

  /// The same with its failures in words.
  func explained(by plan: Plan) -> RunReport {
    var copy = self
    copy.diagnostics = failures.flatMap { $0.diagnostics(of: plan) }
    copy.retriedDiagnostics = retried.flatMap { $0.diagnostics(of: plan) }
    return copy
  }
}

/// Why a step failed, as data; `StepFailure+Message` words it.
public enum StepFailure: Error, Sendable {
  /// The answer is not what `expect` says; never without mismatches.
  case unexpectedAnswer([Mismatch], answer: Value, at: Place)
  /// The component answered with an error that nobody expected.
  case componentError(ComponentError, at: Place)
  /// Another error than the expected one.
  case otherError(expected: String, ComponentError, at: Place)
  /// An answer where an error was expected.
  case noError(expected: String, answer: Value, at: Place)
  /// Assertions that are false, in file order; never none.
  case assertions([FailedAssertion])
  /// An expression without a value.
  case evaluation(EvaluationFailure)
  /// A `repeat` that came to its limit, with `until` still false or `while` still true, and what that was computed from
  /// in the end.
  case limit(Int, isUntil: Bool, operands: [OperandText], at: Place)
  /// A component that could not be opened.
  case notOpened(ComponentError, at: Place)
  /// A call without an answer.
  case boundary(BoundaryFailure)
  /// The step did not end within its time.
  case timeout(Duration)
  /// The run was cancelled.
  case cancelled
  /// A step inside of this one failed; that step's failure is reported.
  case inner
}

/// An assertion that is false.
public struct FailedAssertion: Sendable {
  /// The expression's text.
  public internal(set) var text: String
  /// Its place.
  public let place: Place
  /// The values of its parts, each with its text.
  public internal(set) var operands: [OperandText]
  /// Why it has no value; nil when it is false.
  public internal(set) var problem: String?
}
