package import FlowTranscript

extension ReportFormat<TranscriptDifference> {
  /// The differences for people, a line each.
  ///
  ///     calls
  ///       changed held#1, balance.load
  ///         ok.balance: recorded "10.00", now "12.00"
  package static var text: ReportFormat<TranscriptDifference> {
    ReportFormat("text") { difference, _ in
      .text(difference.isEmpty ? "no differences\n" : difference.lines.map { $0 + "\n" }.joined())
    }
  }

  /// The differences for machines.
  ///
  ///     {"same":false,"header":[],"inputs":[],"calls":[{"at":"held#1","call":"balance.load",
  ///     "change":"changed","fields":[{"path":"ok.balance","recorded":"10.00","now":"12.00"}]}],
  ///     "outputs":[],"end":null}
  package static var json: ReportFormat<TranscriptDifference> {
    ReportFormat("json") { .json($0.json($1)) }
  }
}
