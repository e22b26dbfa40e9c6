internal import FlowCore
internal import FlowPlan
internal import FlowReport
internal import FlowScenario
internal import FlowSystem

/// The files of two versions of a suite, to find the change behind a lost check.
struct ComparedSources: Sendable {
  private static let largest = 4 << 20

  private let version: EarlierVersion
  private let registry: Registry
  /// The project's folder, as messages show it.
  private let folder: String
  /// The folder of the earlier version, as the system resolves it.
  private let earlierRoot: String
  /// The path of the project file, relative to the folder, or nil.
  private let projectFile: String?

  /// Creates the files of a project, whose earlier folder is `earlier`.
  init(_ version: EarlierVersion, _ project: Project, earlier: String, _ registry: Registry) {
    (self.version, self.registry) = (version, registry)
    folder = project.folder
    earlierRoot = FileSystem.realPath(earlier) ?? earlier
    projectFile = project.file.map { $0.file.split(separator: "/").last.map(String.init) ?? "" }
  }

  // MARK: - Lines

  /// The line of a place in the earlier version.
  func earlierLine(_ span: SourceSpan) -> SuiteLosses.SourceLine {
    let lines = LineDifference.lines(of: text(of: span.file) ?? "")
    let text = lines.indices ~= span.start.line - 1 ? lines[span.start.line - 1] : ""
    // As seen from here, like the places in the present version.
    return SuiteLosses.SourceLine(
      file: presentPath(earlierName(span.file)), line: span.start.line,
      text: String(text.drop { $0 == " " }))
  }

  /// The line of a place in the present version.
  func presentLine(_ span: SourceSpan) -> SuiteLosses.SourceLine {
    SuiteLosses.SourceLine(file: span.file, line: span.start.line, text: "")
  }

  private func earlierName(_ file: String) -> String {
    FileSystem.realPath(file).flatMap { Path.inside($0, of: earlierRoot) } ?? version.shown(file)
  }

  private func presentPath(_ name: String) -> String { Path.shown(Path.joined(folder, name)) }

  private func text(of file: String) -> String? {
    (try? FileSystem.contents(of: file, limit: Self.largest))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  // MARK: - Changes

  /// A step in one version.
  struct Step {
    let plan: Plan
    let address: Address

    /// The lines of the step, or nil if it cannot be found.
    fileprivate var lines: (file: String, lines: ClosedRange<Int>)? {
      guard let step = plan.steps(to: address.path).last else { return nil }
      let span = step.place.span(in: plan.file)
      return (plan.file, span.start.line...max(span.start.line, span.end.line))
    }
  }

  /// Returns the change that lost a check of a step.
  ///
  /// It is the one of the line that noticed it, or else the first one in the step, or else the
  /// nearest one in the file, or else the first one in another file of the scenario.
  ///
  /// - Parameters:
  ///   - step: The step in the earlier version.
  ///   - place: The place that noticed it, or nil.
  ///   - now: The step in the present version, or nil if it is gone.
  /// - Returns: Nil if no file of the scenario has changed.
  func change(of step: Step, noticedAt place: SourceSpan?, now: Step?) -> SuiteLosses.Change? {
    let first = place?.file ?? step.plan.file
    let line = place?.start.line ?? step.lines?.lines.lowerBound ?? 1
    if let change = change(in: first, line, step, now) { return change }
    let others = files(of: step.plan).filter { $0 != first }
    return others.lazy.compactMap { change(in: $0, 1, step, now) }.first
  }

  /// The files of a scenario with its parts and schemas, and the project file.
  private func files(of plan: Plan) -> [String] {
    var files = [plan.file]
    if let source = try? ScenarioSource(reading: plan.file) {
      files += ScenarioLoader(registry: registry).files(of: source)
    }
    return files + (projectFile.map { [Path.joined(earlierRoot, $0)] } ?? [])
  }

  private func change(
    in earlier: String, _ line: Int, _ step: Step, _ now: Step?
  ) -> SuiteLosses.Change? {
    guard let old = text(of: earlier) else { return nil }
    let name = earlierName(earlier)
    var present = presentPath(name)
    if !FileSystem.exists(present), earlier == step.plan.file, let now { present = now.plan.file }
    guard let new = text(of: present) else {
      let lines = LineDifference.lines(of: old)
      let removed = lines.indices ~= line - 1 ? [lines[line - 1]] : []
      return SuiteLosses.Change(
        place: SuiteLosses.SourceLine(file: present, line: line, text: ""), removed: removed,
        added: [])
    }
    let changes = SourceChanges(from: old, to: new)
    let newLines = now?.lines.flatMap { $0.file == present ? $0.lines : nil }
    let oldLines = step.lines.flatMap { $0.file == earlier ? $0.lines : nil }
    let own = changes.change(ofOld: line)
    let inStep = newLines.flatMap { changes.change(in: nil, $0) }
    let isInStep = newLines == nil || inStep == nil || own == inStep
    guard
      let found = (isInStep ? own : nil) ?? inStep ?? own ?? changes.change(in: oldLines, nil)
        ?? changes.nearest(toOld: line)
    else { return nil }
    let place = SuiteLosses.SourceLine(
      file: present, line: changes.line(of: line, in: found), text: "")
    return SuiteLosses.Change(
      place: place, removed: changes.removed(by: found), added: changes.added(by: found))
  }
}
