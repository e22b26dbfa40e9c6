internal import FlowRedaction
package import FlowTranscript

extension ReportFormat<TranscriptDifference> {
  /// The differences for people, a line each.
  package static var text: ReportFormat<TranscriptDifference> {
    ReportFormat("text") { difference, _ in
      .text(difference.isEmpty ? "no differences\n" : difference.lines.map { $0 + "\n" }.joined())
    }
  }

  /// The differences for machines.
  package static var json: ReportFormat<TranscriptDifference> {
    ReportFormat("json") { .json($0.json($1)) }
  }
}
