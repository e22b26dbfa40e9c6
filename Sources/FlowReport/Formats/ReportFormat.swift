package import FlowRedaction
package import FlowSystem

/// The form of a report's entries in the results of a part of a suite.
struct StoredForm: Sendable {
  /// Returns the stored entry of a scenario and its number, from 1.
  let entry: @Sendable (ScenarioReport, _ number: Int, Redactor) -> ReportEntry
  /// Returns the report's entry for a stored one, or nil for text that `entry` would not write.
  let restored: @Sendable (_ text: String, ScenarioReport, _ number: Int) -> ReportEntry?
}

/// A form of a report, chosen by its name: with `--format` for standard output, with `--report` for
/// a file.
///
/// A new form is a file with one value of this type, and an entry in the list of each command that
/// offers it.
package struct ReportFormat<Subject: Sendable>: Sendable {
  /// A report after the work.
  package enum Document: Sendable {
    /// Whole lines, of which the second ones come after the entries.
    ///
    /// Their secrets are not hidden yet.
    case text(String, foot: String = "")
    /// One object, written in a line, with matches of patterns hidden in the recorded data.
    case json(JSON)
  }

  /// The needs and the size limits of the entries.
  struct Traits: Sendable {
    /// True if they show the events of the runs, which are then traced.
    var showsRuns = true
    /// True if they show the start of each value, as a page does.
    var showsExcerpts = false
    /// True if they show the values as JSON Lines do.
    var showsLines = false
    /// True if they show what the calls cover of services' descriptions, or what they take.
    var showsMeasures = false
    /// The most bytes of entries, and the text about the number of those left out.
    ///
    /// Nil for no limit.
    var limit: (bytes: Int, omitted: @Sendable (Int) -> String)?
    /// The bytes above which a warning is printed, or nil.
    var worrying: (bytes: Int, warning: String)?
  }

  /// The name in `--format` or `--report`, such as `json`.
  package let name: String
  /// The default path of the report.
  package let file: String
  /// Returns the report after the work, or nil if the command prints text during it.
  package let document: (@Sendable (Subject, Redactor) -> Document)?
  var traits: Traits
  /// Returns the entry of a scenario and its number, from 1.
  let entry: @Sendable (ScenarioReport, _ number: Int, Redactor) -> ReportEntry
  /// The entries in the results of a part, or nil for a form that is rendered from the facts.
  var stored: StoredForm?
  /// The text after every few entries, or nil.
  var separator: (text: String, every: Int)?

  /// Creates a form without entries.
  ///
  /// The redactor passed to `document` hides secrets in recorded data.
  package init(
    _ name: String, file: String? = nil,
    document: (@Sendable (Subject, Redactor) -> Document)? = nil
  ) {
    (self.name, self.document) = (name, document)
    self.file = file ?? "flow-report.\(name)"
    (traits, entry) = (Traits(showsRuns: false), { _, _, _ in ReportEntry("") })
  }

  /// Creates a form with an entry for each tested scenario.
  ///
  /// - Parameters:
  ///   - name: The name in `--report`.
  ///   - file: The default path of the report.
  ///   - traits: The needs and the limits.
  ///   - entry: Returns the entry of a scenario and its number, from 1. Called by the task that tested the scenario. The
  ///     scenario's texts hold no secrets, and the redactor hides those of quoted files.
  ///   - frame: Returns the text before and after the entries, after the last one has ended.
  init(
    _ name: String, file: String, _ traits: Traits = Traits(),
    entry: @escaping @Sendable (ScenarioReport, Int, Redactor) -> ReportEntry,
    frame: @escaping @Sendable (Subject) -> (head: String, foot: String)
  ) {
    (self.name, self.file, self.traits, self.entry) = (name, file, traits, entry)
    document = { subject, _ in
      let (head, foot) = frame(subject)
      return .text(head, foot: foot)
    }
  }

  /// Text for people, printed by the command during its work.
  package static var progress: ReportFormat { ReportFormat("text") }
}

extension JSON {
  /// The document in its printed form, with secrets hidden in all of its strings.
  ///
  /// Matches of the project's patterns are hidden earlier, in the data of the document, since the
  /// patterns would match codes and digests, too.
  package func documentText(_ redactor: Redactor) -> String {
    redacted(by: redactor.withoutPatterns, names: false).text.shownJSON + "\n"
  }
}
