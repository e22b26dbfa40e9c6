public import FlowCore
public import FlowPlan

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

  /// Creates the report of a run that has not started.
  package init() {}

  /// True if nothing failed.
  public var passed: Bool { failures.isEmpty }

  /// Returns the report with its failures in words.
  func explained(by plan: Plan) -> RunReport {
    var copy = self
    copy.diagnostics = failures.flatMap { $0.diagnostics(of: plan) }
    copy.retriedDiagnostics = retried.flatMap { $0.diagnostics(of: plan) }
    for index in cases.indices {
      copy.cases[index].diagnostics = cases[index].failures.flatMap { $0.diagnostics(of: plan) }
    }
    return copy
  }
}

/// The failure of a step, as data.
///
/// `Messages.swift` words it.
public enum StepFailure: Error, Sendable {
  /// The answer does not match `expect`.
  ///
  /// There is at least one mismatch.
  case unexpectedAnswer([Mismatch], answer: Value, at: Place)
  /// The request, or the answer unless it is nil, is not what the service's description in a file
  /// allows.
  ///
  /// There is at least one mismatch.
  case brokenContract([Mismatch], file: String, answer: Value?, at: Place)
  /// The component answered with an unexpected error.
  case componentError(ComponentError, at: Place)
  /// Another error than the expected one.
  case otherError(expected: String, ComponentError, at: Place)
  /// The expected error with another message.
  ///
  /// There is at least one mismatch.
  case otherMessage([Mismatch], ComponentError, at: Place)
  /// An answer instead of the expected error.
  case noError(expected: String, answer: Value, at: Place)
  /// False assertions, in file order.
  ///
  /// Never empty.
  case assertions([FailedAssertion])
  /// An expression without a value.
  case evaluation(EvaluationFailure)
  /// A `repeat` that reached its limit with `until` still false or `while` still true.
  ///
  /// The operands are those of the last condition.
  case limit(Int, isUntil: Bool, operands: [OperandText], at: Place)
  /// A component that could not be opened.
  case notOpened(ComponentError, at: Place)
  /// A call without an answer.
  case boundary(BoundaryFailure)
  /// The step did not end within its time.
  case timeout(Duration)
  /// The run was cancelled.
  case cancelled
  /// An inner step failed, and its failure is reported.
  case inner
}

/// A false assertion.
public struct FailedAssertion: Sendable {
  /// The expression's text.
  public internal(set) var text: String
  /// Its place.
  public let place: Place
  /// The values of its parts, each with its text.
  public internal(set) var operands: [OperandText]
  /// The reason why it has no value, or nil if it is false.
  public internal(set) var problem: String?
}
