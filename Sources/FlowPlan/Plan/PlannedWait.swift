/// A pause.
public struct PlannedWait: Sendable {
  /// Its length.
  public let duration: Template

  package init(duration: Template) {
    self.duration = duration
  }
}

extension PlannedWait: PlannedContent {
  package var templates: [Template] { [duration] }
  package var waiting: Waiting { .time(duration) }
  package var lines: [String] { ["wait: \(duration.text())"] }
  package var summary: String { "wait \(duration.text())" }
}
