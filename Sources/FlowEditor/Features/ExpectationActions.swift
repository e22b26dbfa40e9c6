internal import FlowCore
internal import FlowPlan
internal import FlowRedaction
internal import FlowReport
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

/// The changes that let a step expect the recorded values of which nothing notices a change.
///
/// To find them, the values of the step's answers are altered and the recording is replayed, without
/// components.
struct ExpectationActions: Sendable {
  static let kind = "refactor.rewrite"

  /// The most values that are offered, besides all of them together.
  private static let mostActions = 10
  /// The most alterations that are tried.
  private static let mostTrials = 100
  /// The most calls in all trials together: about half a second.
  private static let mostCalls = 50_000
  /// The most alterations of one value that are tried.
  private static let mostOfValue = 2
  /// The most alterations of the step that are considered.
  private static let mostAlterations = 10_000
  private static let longestTitle = 80

  private let document: TextDocument
  private let workspace: Workspace
  private let plan: Plan
  private let path: String

  /// Finds the innermost step at a place of a text.
  ///
  /// Nil without such a step, for a text with mistakes, and without a readable transcript.
  init?(
    _ document: TextDocument, _ analysis: FileAnalysis, _ workspace: Workspace,
    at place: EditorPosition
  ) {
    guard case .scenario = analysis.kind, analysis.unread.isEmpty,
      analysis.recording?.isReadable == true, let scenario = analysis.scenario,
      let plan = scenario.plan, let index = scenario.index
    else { return nil }
    let steps = index.steps.filter { step in
      let range = document.lines.range(of: step.span, workspace.encoding)
      return range.start <= place && place <= range.end
    }
    guard let step = steps.max(by: { $0.span.start < $1.span.start }),
      analysis.recording?.answer(of: step.path) != nil
    else { return nil }
    (self.document, self.workspace, self.plan, path) = (document, workspace, plan, step.path)
  }

  /// Returns the changes, those of the outermost values first and that of all values last.
  ///
  /// Empty if the recording does not replay, and once it is stopped.
  func actions(until stop: AnswerStop) async -> [JSON] {
    let file = Path.transcript(of: document.path)
    guard let transcript = try? TranscriptReader.read(file, allowsPipe: false),
      let inputs = try? transcript.header.inputValues(for: plan, file: file)
    else { return [] }
    let trials = Trials(
      plan: plan, transcript: transcript, inputs: inputs, patterns: workspace.job(document).patterns
    )
    guard !stop.isStopped, await trials.notice(of: nil) == .unnoticed else { return [] }
    var unnoticed: [Alteration] = []
    for alteration in alterations(of: transcript) {
      if stop.isStopped { return [] }
      if unnoticed.contains(where: { $0.partOfAnswer == alteration.partOfAnswer }) { continue }
      if await trials.notice(of: alteration) != .noticed { unnoticed.append(alteration) }
    }
    return actions(for: unnoticed, in: transcript)
  }

  /// Returns the alterations to try, at most some of each value, those of outer values first, and
  /// last those of values that are absent or that a live run does not compare.
  private func alterations(of transcript: Transcript) -> [Alteration] {
    var options = Alterations.Options(limit: Self.mostAlterations)
    options.steps = [path]
    var counts: [[FieldPath.Step]: Int] = [:]
    let chosen = Alterations(of: transcript, plan, options).first.filter { alteration in
      counts[alteration.partOfAnswer, default: 0] += 1
      return counts[alteration.partOfAnswer] ?? 0 <= Self.mostOfValue
    }
    let most = min(Self.mostTrials, max(1, Self.mostCalls / max(1, transcript.callCount)))
    let ordered = chosen.enumerated().sorted { left, right in
      let ranks = [left, right].map { ($0.element.rank, $0.element.path.steps.count, $0.offset) }
      return ranks[0] < ranks[1]
    }
    return ordered.prefix(most).map(\.element)
  }

  // MARK: - The changes

  private func actions(for unnoticed: [Alteration], in transcript: Transcript) -> [JSON] {
    let files = workspace.files
    let proposals = StepProposals(for: plan, transcript) { [document] file in
      if file == document.path { return ScenarioSource(file: file, bytes: document.bytes) }
      return files.bytes(of: file).map { ScenarioSource(file: file, bytes: $0) }
    }
    var lines: [(line: ProposedLine, alteration: Alteration)] = []
    for alteration in unnoticed {
      guard let line = try? proposals.line(for: [alteration]), line.step.file == document.path,
        !lines.contains(where: { $0.line == line })
      else { continue }
      lines.append((line, alteration))
    }
    let single = lines.prefix(Self.mostActions).compactMap { line, _ -> JSON? in
      let summary =
        line.summary.count <= Self.longestTitle
        ? line.summary : line.summary.prefix(Self.longestTitle - 1) + "…"
      return action("Expect \(summary) (\(Self.reason))", line, proposals)
    }
    guard let whole = proposals.wholeLine(for: lines.map(\.alteration)) else { return single }
    let title = "Expect all \(lines.count) values of which nothing notices a change"
    return single + (action(title, whole, proposals).map { [$0] } ?? [])
  }

  private static let reason = "nothing notices a change"

  private func action(
    _ title: String, _ line: ProposedLine, _ proposals: StepProposals
  ) -> JSON? {
    guard let edit = proposals.edit(for: line) else { return nil }
    let start = document.lines.offset(of: edit.span.start)
    let end = document.lines.offset(of: edit.span.end)
    let change = WorkspaceEdit(
      documents: [(document, [TextEdit(range: start..<max(start, end), text: edit.text)])],
      workspace: workspace)
    return .fields([
      "title": .string(title.onOneLine), "kind": .string(Self.kind), "edit": change.json(),
    ])
  }
}

extension Alteration {
  /// A number that is higher for a value of which a change matters less.
  fileprivate var rank: Int {
    isIncidental ? 2 : recorded == nil || recorded == .null ? 1 : 0
  }
}

/// Replays of a recording with altered answers.
private struct Trials: Sendable {
  let plan: Plan
  let transcript: Transcript
  let inputs: [Value]
  let patterns: [RedactionPattern]

  /// Returns the notice of an alteration, or with nil of the recording as it is.
  func notice(of alteration: Alteration?) async -> MutationReport.Notice {
    let redactor = Redactor()
    redactor.use(patterns)
    let served = alteration.map(transcript.applying) ?? transcript
    return MutationReport.Notice(
      await Replay(served, of: plan).run(inputs: inputs, redactor: redactor))
  }
}
