package import FlowCore
internal import FlowPlan
package import FlowRedaction
internal import FlowSystem
package import FlowTranscript

/// A collector of problems with the files to quote, read once.
package struct VerdictProblems {
  private let redactor: Redactor
  private let quotes: DiagnosticText.Quotes
  /// The collected problems, in their order.
  package private(set) var all: [VerdictProblem] = []

  /// Creates an empty collection.
  package init(quoting quotes: DiagnosticText.Quotes = .files, _ redactor: Redactor) {
    self.quotes = quotes
    self.redactor = redactor
  }

  /// Adds problems, each with the departure it is about.
  ///
  /// `next` returns the command to run after a problem is mended.
  package mutating func add(
    _ diagnostics: [Diagnostic], _ mismatches: [ReplayMismatch] = [],
    next: (Diagnostic) -> String
  ) {
    let bytes = quotes.sources(of: diagnostics).mapValues(SourceText.utf8)
    let sources = QuotedSources(bytes.mapValues(redactor.masked))
    all += diagnostics.map { diagnostic in
      let mismatch = mismatches.first {
        $0.diagnostic.code == diagnostic.code && $0.diagnostic.message == diagnostic.message
      }
      let known =
        mismatch.map { diagnostic.stating($0.facts(beside: diagnostic.facts)) } ?? diagnostic
      return VerdictProblem(
        known.redacted(by: redactor), next: next(diagnostic), quoting: sources)
    }
  }

  /// Adds the differences of two runs, one problem for each call.
  package mutating func add(_ difference: TranscriptDifference, next: String) {
    add(difference.problems, next: { _ in next })
  }
}

extension TranscriptDifference {
  /// The differences as problems: first those around the calls, then each call.
  fileprivate var problems: [Diagnostic] {
    let parts = [
      ("the scenarios differ", header), ("the inputs differ", inputs),
      ("the outputs differ", outputs), ("the results differ", end.map { [$0] } ?? []),
    ]
    let around = parts.filter { !$0.1.isEmpty }.map { message, fields in
      Diagnostic.difference(message, at: nil, fields)
    }
    return around + calls.map { .difference($0.title, at: "\($0.address)", $0.fields) }
  }
}

extension Diagnostic {
  fileprivate static func difference(
    _ message: String, at address: String?, _ fields: [FieldChange]
  ) -> Diagnostic {
    var facts = DiagnosticFacts()
    facts.address = address
    facts.differences = fields.map(\.difference)
    return Diagnostic(.otherLiveRun, message, at: nil).stating(facts)
  }
}

extension ReplayMismatch {
  /// Returns the departure as data, in addition to that of the failed step.
  fileprivate func facts(beside known: DiagnosticFacts) -> DiagnosticFacts {
    var facts = known
    facts.address = address
    if facts.differences.isEmpty { facts.differences = fields.map(\.difference) }
    return facts
  }
}
