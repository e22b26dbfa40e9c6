public import FlowCore
package import FlowRedaction

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
