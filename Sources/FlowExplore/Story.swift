internal import FlowRedaction

/// What happened in a run, in its order.
package struct Story: Sendable {
  /// One thing that happened.
  package struct Line: Sendable, Hashable {
    /// What kind of thing.
    package enum Kind: Sendable, Hashable {
      /// A component is called, by the scenario or by the component `from`.
      case call(from: String)
      /// It answers.
      case answer(to: String)
      /// It reports something by itself.
      case report
      /// Something waits, and others go first.
      case delay
    }

    /// What kind of thing it is.
    package let kind: Kind
    /// The component; empty for a delay of something that has called nothing.
    package let component: String
    /// The whole line for people.
    package let text: String
    /// The same without the names that a drawing shows otherwise.
    package let label: String
  }

  private static let mostLines = 200

  /// The last lines, 200 at most.
  package let lines: [Line]
  /// How many lines there were before them.
  package let omitted: Int

  init(_ lines: [Line] = []) {
    self.init(lines: lines.suffix(Self.mostLines), omitted: max(0, lines.count - Self.mostLines))
  }

  private init(lines: [Line], omitted: Int) {
    self.lines = lines
    self.omitted = omitted
  }

  /// The same without secrets that were learnt later than a line was written.
  func redacted(by redactor: Redactor) -> Story {
    let lines = lines.map { line in
      Line(
        kind: line.kind, component: line.component, text: redactor.redacted(line.text),
        label: redactor.redacted(line.label))
    }
    return Story(lines: lines, omitted: omitted)
  }

  /// The name of what is no component: the steps.
  package static let scenario = "scenario"

  /// The lines for people.
  package var texts: [String] {
    (omitted > 0 ? ["\(omitted) lines before that"] : []) + lines.map(\.text)
  }
}
