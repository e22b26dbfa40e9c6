internal import FlowCore
package import FlowRedaction
package import FlowSystem
private import Synchronization

/// A kind of report that is written to a file while scenarios are tested; `--report` chooses among them.
///
/// A new kind is a file with one of these, and its place in `ReportFormat.all`.
package struct ReportFormat: Sendable {
  /// What a report has of one scenario.
  package struct Entry: Sendable {
    let text: String
    /// Whether it stands before those of which this is not so.
    let isFirst: Bool

    init(_ text: String, isFirst: Bool = false) {
      self.text = text
      self.isFirst = isFirst
    }
  }

  /// What `--report` calls it: `junit`.
  package let name: String
  /// The file that is written unless another one is named.
  package let file: String
  /// Whether text for people may be mixed with it, so that it cannot go to standard output with other text.
  let entry: @Sendable (ScenarioReport, _ number: Int, Redactor) -> Entry
  /// What stands before and after the entries, made when all have ended.
  let frame: @Sendable (SuiteReport) -> (head: String, foot: String)

  /// A kind of report.
  ///
  /// - Parameters:
  ///   - entry: What it has of a scenario, which has its number, from 1. Made by the task that tested the scenario; the
  ///     scenario's texts hold no secrets, those of files that are quoted are hidden by the redactor.
  ///   - frame: What stands before and after the entries.
  init(
    _ name: String, file: String,
    entry: @escaping @Sendable (ScenarioReport, Int, Redactor) -> Entry,
    frame: @escaping @Sendable (SuiteReport) -> (head: String, foot: String)
  ) {
    self.name = name
    self.file = file
    self.entry = entry
    self.frame = frame
  }

  /// All kinds, in the order in which help lists them.
  package static let all: [ReportFormat] = [.junit]
}

/// A report that is being written; the file takes its place when it is complete.
///
/// What has been written of scenarios is kept in files without names, not in memory.
package final class ReportFile: Sendable {
  /// Where it is written.
  package let path: String
  private let format: ReportFormat
  private let redactor: Redactor
  private let file: OutputFile
  private let first: ScratchFile
  private let rest: ScratchFile
  /// Why what was added is lost.
  private let failure = Mutex<FileError?>(nil)

  /// A report without entries.
  ///
  /// - Throws: `FileError` when the file could not be written.
  package init(_ format: ReportFormat, at path: String, _ redactor: Redactor) throws(FileError) {
    self.path = path
    self.format = format
    self.redactor = redactor
    file = try OutputFile(replacing: path)
    first = try ScratchFile(in: Path.folder(of: path))
    rest = try ScratchFile(in: Path.folder(of: path))
  }

  /// What the report has of a scenario; may be called on several tasks at once.
  package func entry(for scenario: ScenarioReport, number: Int) -> ReportFormat.Entry {
    format.entry(scenario.redacted(by: redactor), number, redactor)
  }

  /// Adds what a scenario has become; one task at a time. What goes wrong is thrown in the end.
  package func add(_ entry: ReportFormat.Entry) {
    do throws(FileError) {
      try (entry.isFirst ? first : rest).append(Array(entry.text.utf8))
    } catch {
      failure.withLock { $0 = $0 ?? error }
    }
  }

  /// Puts the complete report in its place.
  ///
  /// - Throws: `FileError` when the system refuses, or refused what was added.
  package func finish(_ suite: SuiteReport) throws(FileError) {
    if let failure = failure.withLock({ $0 }) { throw failure }
    let (head, foot) = format.frame(suite)
    try file.append(Array(head.utf8))
    try first.copy(to: file)
    try rest.copy(to: file)
    try file.append(Array(foot.utf8))
    try file.commit(isPrivate: redactor.hasSecrets, isDurable: true)
  }
}

extension ScenarioReport {
  /// The same without secrets in what was not made of a run's events.
  fileprivate func redacted(by redactor: Redactor) -> ScenarioReport {
    var copy = self
    copy.findings.diagnostics = findings.diagnostics.map { $0.redacted(by: redactor) }
    copy.findings.notes = findings.notes.map(redactor.redacted)
    copy.details = details.map(redactor.redacted)
    copy.changes = changes.map(redactor.redacted)
    copy.attempts = attempts.map { attempt in
      Attempt(
        passed: attempt.passed, diagnostics: attempt.diagnostics.map { $0.redacted(by: redactor) },
        log: attempt.log.map(redactor.redacted), trace: attempt.trace)
    }
    return copy
  }
}
