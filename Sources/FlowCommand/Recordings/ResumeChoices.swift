internal import FlowReport
internal import FlowSystem
internal import FlowTranscript

/// The ways to go on with the journal of a run that its scenario does not repeat.
///
/// `flow resume` and `flow check --journals` name them in the same words.
struct ResumeChoices: Sendable {
  /// A sentence with a command for each way.
  let lines: [String]

  /// Finds the ways, for a run that has failed or that is open.
  init(
    _ difference: JournalJudgement.Difference, _ place: JournalPlace, retriesFailed: Bool
  ) {
    let retry = retriesFailed ? " --retry-failed" : ""
    let resume = "flow resume \(place.text.shellPath)\(retry)"
    var lines = [
      "finish it with the old version in Git, or with the path of a copy: "
        + "\(resume) --scenario REV:"
    ]
    if let old = difference.path, let new = difference.newPath {
      lines.append(
        "say that the done step is the new one: \(resume) --as \("\(old)=\(new)".shellWord)")
    }
    if difference.kind.isForced {
      lines.append("do what is new first, and then repeat what was done: \(resume) --force")
    }
    self.lines = lines.map(\.onOneLine)
  }
}

extension JournalJudgement.Difference {
  /// The path of the recorded step, or nil.
  fileprivate var path: String? { address.map { String($0.prefix { $0 != "#" }) } }

  /// The path of the step that the recorded one seems to be now, or nil.
  fileprivate var newPath: String? {
    guard kind == .renamed || kind == .moved, now != path else { return nil }
    return now
  }
}

extension JournalJudgement.Difference.Kind {
  /// True if `--force` goes on in spite of it.
  fileprivate var isForced: Bool {
    switch self {
    case .inserted, .order, .failing: true
    case .inputs, .renamed, .moved, .removed, .operation, .input, .skipped, .answer: false
    }
  }
}
