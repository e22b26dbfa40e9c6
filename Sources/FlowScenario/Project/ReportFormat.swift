/// For whom it is told how scenarios went.
public enum ReportFormat: String, CaseIterable, Sendable {
  /// For people.
  case text
  /// One JSON object, to standard output.
  case json
}
