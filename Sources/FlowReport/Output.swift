internal import FlowCore
package import FlowRedaction
package import FlowSystem
internal import FlowTranscript

/// A form in which a command can report its subject; `--format` chooses among those that the command lists.
///
/// A new form is a file with one of these, and its place in the list of each command that offers it.
package struct Output<Subject: Sendable>: Sendable {
  /// What `--format` calls it: `json`.
  package let name: String
  /// The whole report, made when the work is done; nil where the command prints text while it works.
  package let document: (@Sendable (Subject, Redactor) -> Document)?

  /// A form; the redactor that its document is made with hides secrets in what was recorded.
  package init(
    _ name: String, document: (@Sendable (Subject, Redactor) -> Document)? = nil
  ) {
    self.name = name
    self.document = document
  }

  /// Text for people that the command prints while it works.
  package static var progress: Output { Output("text") }
}

/// A whole report.
package enum Document: Sendable {
  /// Whole lines, in which secrets have yet to be hidden.
  case text(String)
  /// One object, written in a line; what patterns match is hidden in the data that was recorded.
  case json(JSON)
}

extension JSON {
  static func number(_ value: Int) -> JSON { .number(String(value)) }

  static func list(_ texts: [String]) -> JSON { .array(texts.map(JSON.string)) }

  /// A recorded value without its secrets.
  static func recorded(_ value: JSON, _ redactor: Redactor) -> JSON {
    value.redacted(by: redactor, names: true)
  }
}
