internal import FlowCore
internal import FlowPlan
internal import FlowRedaction
internal import FlowScenario
internal import FlowSystem
internal import FlowYAML

/// Everything that is known about an open text.
///
/// It follows from the texts of the editor and the files on the disk alone, whatever was edited.
struct FileAnalysis: Sendable {
  let uri: String
  let version: Int
  let kind: DocumentKind
  /// The analysed text.
  let lines: LineTable
  /// The tree of the text, of a repaired one if it is no YAML, or nil if no repair helps.
  let tree: Node?
  /// The lines that the repair left out, from 0.
  let unread: [Int]
  /// The problems, as `flow check` lists them, and those before a broken line.
  let problems: [PlacedDiagnostic]
  /// The scenario, of a repaired text if the text is no YAML, or nil for other files.
  let scenario: ScenarioAnalysis?
  /// The values of the transcript beside the scenario, or nil without one.
  let recording: RecordedRun?
  /// The full paths of the other files that were read.
  let reads: Set<String>
}

/// A problem with its place as the protocol counts.
struct PlacedDiagnostic: Sendable, Hashable {
  /// The codes of names that nothing uses, which editors show in grey.
  static let unused: Set<DiagnosticCode> = [.unusedInput, .unusedComponent, .unusedID]

  let diagnostic: Diagnostic
  /// The full path of its file.
  let path: String
  let range: EditorRange
}

/// The work to find out everything about an open text.
struct AnalysisJob: Sendable {
  let document: TextDocument
  let files: EditorFiles
  let settings: EditorSettings
  let encoding: PositionEncoding
  /// The values of the transcript as they were read before.
  let recording: RecordedRun?

  func run() -> FileAnalysis {
    let kind = DocumentKind(document)
    switch kind {
    case .scenario: return scenario()
    case .project: return analysis(kind, project(), nil, reads: [])
    case .other: return analysis(kind, [], nil, reads: [])
    }
  }

  private func analysis(
    _ kind: DocumentKind, _ problems: [Diagnostic], _ scenario: ScenarioAnalysis?,
    _ repaired: RepairedText? = nil, reads: Set<String>
  ) -> FileAnalysis {
    FileAnalysis(
      uri: document.uri, version: document.version, kind: kind, lines: document.lines,
      tree: scenario?.root ?? (kind == .project ? projectTree : nil),
      unread: repaired?.unread ?? [], problems: placed(problems), scenario: scenario,
      recording: scenario.flatMap { _ in
        RecordedRun.present(of: document.path, after: recording)
      }, reads: reads)
  }

  private func scenario() -> FileAnalysis {
    let reads = FilesRead()
    let loader = ScenarioLoader(
      registry: settings.registry,
      files: files.files(around: Path.folder(of: document.path), noting: reads))
    let redactor = Redactor()
    redactor.use(patterns)
    let source = ScenarioSource(file: document.path, bytes: document.bytes)
    let found = loader.analyze(source, hidingSecretsBy: redactor)
    var (scenario, problems, repaired) = (found, found.diagnostics, RepairedText?.none)
    if found.root == nil, let text = RepairedText(document.bytes) {
      let source = ScenarioSource(file: document.path, bytes: text.bytes)
      scenario = loader.analyze(source, hidingSecretsBy: redactor)
      problems = scenario.diagnostics.filter { isCertain($0, in: text) } + problems
      repaired = text
    }
    return analysis(
      .scenario, problems.map { $0.redacted(by: redactor) }, scenario, repaired, reads: reads.all)
  }

  /// Returns true for a problem of a repaired text that the text itself has, too.
  private func isCertain(_ problem: Diagnostic, in text: RepairedText) -> Bool {
    guard let span = problem.span, !PlacedDiagnostic.unused.contains(problem.code) else {
      return false
    }
    if span.file != document.path { return true }
    return text.isCertain(document.lines.range(of: span, .utf8).start.line)
  }

  /// The tree of a `flow.yaml`, which its readers do not keep.
  private var projectTree: Node? {
    (try? Node(parsing: document.bytes, as: Format(ofFile: document.path)))
      ?? RepairedText(document.bytes).flatMap { try? Node(parsing: $0.bytes) }
  }

  /// The patterns of secrets of the project around the text.
  var patterns: [RedactionPattern] {
    // A project file with mistakes is reported where it is open.
    guard let path = try? ProjectFile.path(around: Path.folder(of: document.path)),
      let bytes = files.bytes(of: path),
      let project = try? ProjectFile(file: path, bytes: bytes)
    else { return [] }
    return project.patterns
  }

  /// Returns the problems of a `flow.yaml`, as every command in its folder has them.
  private func project() -> [Diagnostic] {
    do throws(ScenarioError) {
      let project = try ProjectFile(
        file: document.path, bytes: document.bytes, formats: settings.formats,
        registry: settings.registry)
      let folder = Path.folder(of: document.path)
      let paths = (project.scenarios ?? []) + project.live.compactMap(\.scenario)
      return paths.filter { !FileSystem.exists(Path.joined(folder, $0.value)) }.prefix(1)
        .flatMap { ProjectFile.missing($0).diagnostics }
    } catch {
      return error.diagnostics
    }
  }

  private func placed(_ problems: [Diagnostic]) -> [PlacedDiagnostic] {
    var tables = [document.path: document.lines]
    return problems.map { problem in
      let start = EditorPosition(line: 0, character: 0)
      guard let span = problem.span else {
        return PlacedDiagnostic(
          diagnostic: problem, path: EditorFiles.fullPath(of: document.path),
          range: EditorRange(start, start))
      }
      let table = tables[span.file] ?? LineTable(files.bytes(of: span.file) ?? [])
      tables[span.file] = table
      return PlacedDiagnostic(
        diagnostic: problem, path: EditorFiles.fullPath(of: span.file),
        range: table.range(of: span, encoding))
    }
  }
}

extension LineTable {
  /// Returns the range of a stretch of the text.
  func range(of span: SourceSpan, _ encoding: PositionEncoding) -> EditorRange {
    EditorRange(
      place(of: offset(of: span.start), encoding), place(of: offset(of: span.end), encoding))
  }
}
