package import FlowCore
internal import FlowRedaction
internal import FlowSystem
package import FlowTranscript

/// The judgement of scenarios, as they are now, on the journals of their runs.
package struct JournalReport: Sendable {
  /// A journal, and what becomes of its run.
  package struct Entry: Sendable {
    /// The verdict on a run.
    package enum State: String, Sendable {
      /// The scenario goes on with it.
      case compatible
      /// The scenario does not make again what was done.
      case incompatible
      /// The run has passed.
      case passed
      /// The run has failed.
      case failed
      /// The journal, or its scenario, cannot be read.
      case unreadable
    }

    /// The path or the address of the journal.
    package let journal: String
    /// The path of its scenario, or nil if it cannot be read.
    package let scenario: String?
    /// The number of its calls.
    package let callCount: Int
    /// The verdict.
    package let state: State
    /// True if the scenario or a plugin is not that of the journal.
    package let isChanged: Bool
    /// The judgement of an open run, or of a failed one for `--retry-failed`.
    ///
    /// It is nil for a failed run that would fail again in the same way.
    package let judgement: JournalJudgement?
    /// The calls with an unknown outcome, at which a resumed run stops.
    package let unknown: [String]
    /// The problems that make it unreadable.
    package let problems: [Diagnostic]

    /// Creates the entry of a journal whose scenario was found.
    package init(
      _ journal: String, of scenario: String, callCount: Int, isChanged: Bool, state: State,
      _ judgement: JournalJudgement?, unknown: [String]
    ) {
      (self.journal, self.scenario) = (journal, scenario)
      (self.callCount, self.isChanged, self.state) = (callCount, isChanged, state)
      (self.judgement, self.unknown, problems) = (judgement, unknown, [])
    }

    /// Creates the entry of a journal that cannot be judged.
    package init(_ journal: String, unreadable problems: [Diagnostic]) {
      (self.journal, scenario, callCount, isChanged) = (journal, nil, 0, false)
      (state, judgement, unknown, self.problems) = (.unreadable, nil, [], problems)
    }

    /// The problems of the journal.
    package var diagnostics: [Diagnostic] {
      // Nobody has to go on with a failed run, so its difference is told in its line alone.
      problems + (state == .failed ? [] : judgement?.difference.map { [$0.diagnostic] } ?? [])
    }
  }

  /// The journals in the order of their paths.
  package let entries: [Entry]

  /// Creates a report.
  package init(_ entries: [Entry]) { self.entries = entries }

  /// The number of journals in a state.
  package func count(_ state: Entry.State) -> Int { entries.count { $0.state == state } }

  /// A line for each journal, and their numbers.
  package var text: String {
    entries.map { "\($0.journal.onOneLine): \($0.words.onOneLine)\n" }.joined() + summary
  }

  private var summary: String {
    let states: [Entry.State] = [.compatible, .incompatible, .passed, .failed, .unreadable]
    let counts = states.map { ($0, count($0)) }.filter { $0.1 > 0 }
    let noun = entries.count == 1 ? "journal" : "journals"
    return "\(entries.count) \(noun): "
      + counts.map { "\($0.1) \($0.0.rawValue)" }.joined(separator: ", ") + "\n"
  }
}

extension JournalReport.Entry {
  fileprivate var words: String {
    switch state {
    case .compatible: "compatible" + (isChanged ? "" : ", unchanged") + end
    case .incompatible:
      judgement?.difference.map { "incompatible (\($0.kind.rawValue)): \($0.diagnostic.message)" }
        ?? state.rawValue
    case .failed: "failed; --retry-failed " + retry
    case .passed, .unreadable: state.rawValue
    }
  }

  /// The end of the sentence that says how `--retry-failed` goes on.
  private var retry: String {
    guard let judgement else { return "fails again, because of recorded answers" }
    if let difference = judgement.difference {
      return "does not fit (\(difference.kind.rawValue)): \(difference.diagnostic.message)"
    }
    return "fits" + end
  }

  /// The first call that is left, and the calls that may have been done.
  private var end: String {
    let next = judgement?.next.map { ", goes on at '\($0)'" } ?? ", no calls left"
    if unknown.isEmpty { return next }
    let named = unknown.prefix(9).map { "'\($0)'" }.joined(separator: ", ")
    return next + "; not known if done: \(named)"
  }
}

extension ReportFormat<JournalReport> {
  /// One JSON object.
  ///
  ///     {"journals":[{"journal":"order.journal","scenario":"order.yaml","state":"incompatible",
  ///     "calls":3,"changed":true,"unknown":[],"difference":{"kind":"renamed","at":"pay#1","line":6,
  ///     "now":"charge"}}],"diagnostics":[…]}
  package static var json: ReportFormat {
    ReportFormat("json") { report, redactor in
      .json(
        .object([
          .init("journals", .array(report.entries.map { $0.json(redactor) })),
          .init(
            "diagnostics", .diagnostics(report.entries.flatMap(\.diagnostics), redactor)),
        ]))
    }
  }
}

extension JournalReport.Entry {
  fileprivate func json(_ redactor: Redactor) -> JSON {
    var members: [JSON.Member] = [
      .init("journal", .string(journal)),
      .init("scenario", scenario.map(JSON.string) ?? .null),
      .init("state", .string(state.rawValue)),
      .init("calls", .number(callCount)), .init("changed", .bool(isChanged)),
      .init("unknown", .list(unknown)),
    ]
    if state == .failed { members.append(.init("retry", .string(retryState))) }
    if let next = judgement?.next { members.append(.init("next", .string(next))) }
    if let difference = judgement?.difference {
      members.append(.init("difference", difference.json))
    }
    return .object(members)
  }
}

extension JournalReport.Entry {
  /// The verdict on a failed run that is continued: `compatible`, `incompatible`, or `failed` if it
  /// would fail again.
  private var retryState: String {
    let state: State = judgement.map { $0.isCompatible ? .compatible : .incompatible } ?? .failed
    return state.rawValue
  }
}

extension JournalJudgement.Difference {
  fileprivate var json: JSON {
    .object([
      .init("kind", .string(kind.rawValue)), .init("at", address.map(JSON.string) ?? .null),
      .init("line", line.map(JSON.number) ?? .null), .init("now", now.map(JSON.string) ?? .null),
    ])
  }
}
