internal import FlowRedaction

/// The events of a run, in order.
package struct Story: Sendable {
  /// One event.
  package struct Line: Sendable, Hashable {
    /// The kind of an event.
    package enum Kind: Sendable, Hashable {
      /// A component is called, by the scenario or by the component `from`.
      case call(from: String)
      /// A component answers.
      case answer(to: String)
      /// A component reports an event.
      case report
      /// Something waits, and others go first.
      case delay
    }

    /// The kind.
    package let kind: Kind
    /// The component, or an empty string for the delay of a task without a call.
    package let component: String
    /// The whole line for people.
    package let text: String
    /// The line without the names that a drawing shows in another way.
    package let label: String
  }

  private static let mostLines = 200

  /// The last lines, 200 at most.
  package let lines: [Line]
  /// The number of omitted lines before these.
  package let omitted: Int

  init(_ lines: [Line] = []) {
    self.init(lines: lines.suffix(Self.mostLines), omitted: max(0, lines.count - Self.mostLines))
  }

  private init(lines: [Line], omitted: Int) {
    self.lines = lines
    self.omitted = omitted
  }

  /// The story without secrets that became known after a line was written.
  func redacted(by redactor: Redactor) -> Story {
    let lines = lines.map { line in
      Line(
        kind: line.kind, component: line.component, text: redactor.redacted(line.text),
        label: redactor.redacted(line.label))
    }
    return Story(lines: lines, omitted: omitted)
  }

  /// The name for the steps, which belong to no component.
  package static let scenario = "scenario"

  /// The lines for people.
  package var texts: [String] {
    (omitted > 0 ? ["\(omitted) lines before that"] : []) + lines.map(\.text)
  }
}
