internal import FlowCore
internal import FlowPlan
internal import FlowRedaction
internal import FlowReport
internal import FlowTranscript
private import Synchronization

/// The copies of the live programs of a scenario, one for each of the trials at the same time.
///
/// Their programs go on from one trial to the next if the scenario resets them (`restart: never`).
final class ProgramCopies: Sendable {
  /// The least limit of a trial, for a program that waits for a while and then goes on.
  private static let patience = Duration.seconds(5)

  /// The number of trials at once.
  let count: Int
  /// True if programs go on.
  let keepsPrograms: Bool
  /// The longest duration of a trial.
  ///
  /// A program that takes so much longer than with the recorded answers does something else.
  let limit: Duration
  private let state: Mutex<State>

  private struct State {
    var idle: [KeptParts]
    var restarts = 0
  }

  /// Creates copies whose programs start with the first trial.
  ///
  /// `elapsed` is the duration of the unaltered replay.
  init(_ count: Int, keepsPrograms: Bool, elapsed: Duration) {
    (self.count, self.keepsPrograms) = (count, keepsPrograms)
    limit = Self.patience + elapsed * 3
    state = Mutex(State(idle: keepsPrograms ? (0..<count).map { _ in KeptParts() } : []))
  }

  /// The number of alterations whose effects no step has reset.
  var restarts: Int { state.withLock(\.restarts) }

  /// Does work on a copy that no other work has, with nil if its programs start anew.
  ///
  /// - Precondition: Not more than `count` works go on.
  func use<Result>(_ work: (KeptParts?) async -> Result) async -> Result {
    guard keepsPrograms else { return await work(nil) }
    let kept = state.withLock { $0.idle.popLast() } ?? KeptParts()
    let result = await work(kept)
    state.withLock { $0.idle.append(kept) }
    return result
  }

  /// Returns the result of work, or nil if it did not end within the limit and was cancelled.
  func limited<Result: Sendable>(
    _ work: @escaping @Sendable () async -> Result
  ) async -> Result? {
    await withTaskGroup(of: Result?.self) { group in
      group.addTask { await work() }
      group.addTask { [limit] in
        try? await Task.sleep(for: limit)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }

  /// Ends the programs of a copy after a trial whose effects no step has reset.
  func restart(_ kept: KeptParts) async {
    state.withLock { $0.restarts += 1 }
    await kept.end()
  }

  /// Ends all programs.
  func end() async {
    for kept in state.withLock(\.idle) { await kept.end() }
  }

}

// MARK: - The proof

extension ProgramCopies {
  /// Finds out how many copies run at once without each other's ports, and which go on.
  ///
  /// The unaltered recording replays on all copies, and a second time on programs that go on. What
  /// does not pass is not done: then an alteration would look noticed whatever the program does.
  /// `isAsked` is true if the user asks for so many jobs.
  ///
  /// - Returns: The copies, and notes for the user. The copies are to be ended.
  static func proven(
    for trial: MutationTrial, _ jobs: Int, isAsked: Bool, elapsed: Duration
  ) async -> (copies: ProgramCopies, notes: [String]) {
    var notes: [String] = []
    var count = jobs
    if count > 1, trial.hasPrograms {
      switch await ProgramCopies(count, keepsPrograms: false, elapsed: elapsed).meeting(trial) {
      case .apart: break
      case .unknown: if !isAsked { count = 1 }
      case .meet(let reason):
        notes.append(oneByOne(count, reason))
        count = 1
      }
    }
    if trial.keepsPrograms, !Task.isCancelled {
      let copies = ProgramCopies(count, keepsPrograms: true, elapsed: elapsed)
      guard let reason = await copies.remainder(trial) else { return (copies, notes) }
      await copies.end()
      notes.append(anew(reason))
    }
    return (ProgramCopies(count, keepsPrograms: false, elapsed: elapsed), notes)
  }

  /// The relation of several copies.
  private enum Meeting {
    case apart
    /// No program runs at the end of the scenario, so copies may have missed each other by chance.
    case unknown
    case meet(reason: String)
  }

  /// Replays the unaltered answers on all copies, whose programs run until the last one is done.
  ///
  /// So a program that needs the port of another one fails, however fast each copy is.
  private func meeting(_ trial: MutationTrial) async -> Meeting {
    let kept = (0..<count).map { _ in KeptParts(includesAll: true) }
    let reason = await withTaskGroup(of: String?.self) { group in
      for kept in kept { group.addTask { await trial.departure(on: self, keeping: kept) } }
      return await group.reduce(nil) { $0 ?? $1 }
    }
    let haveRun = kept.allSatisfy { trial.leavesPrograms(in: $0, of: \.isProgram) }
    for kept in kept { await kept.end() }
    if let reason { return .meet(reason: reason) }
    return haveRun ? .apart : .unknown
  }

  private static func oneByOne(_ count: Int, _ reason: String) -> String {
    "the alterations are tried one after the other, because the unaltered transcript does not "
      + "replay \(count) times at once: \(reason)"
  }

  private static func anew(_ reason: String) -> String {
    "'restart: never' is left out, because the unaltered transcript does not replay a second time "
      + "on the same program: \(reason)"
  }

  /// Replays the unaltered answers twice on the programs of each copy, and returns the reason if
  /// something is left of the first time, or nil.
  private func remainder(_ trial: MutationTrial) async -> String? {
    for _ in 1...2 {
      if let reason = await departure(trial) { return reason }
      let haveRun = state.withLock(\.idle).allSatisfy {
        trial.leavesPrograms(in: $0, of: \.keepsPrograms)
      }
      if !haveRun { return "no program runs at the end of the scenario" }
    }
    return nil
  }

  /// Replays the unaltered answers on all copies at once, and returns the reason if one differs.
  private func departure(_ trial: MutationTrial) async -> String? {
    await withTaskGroup(of: String?.self) { group in
      for _ in 0..<count {
        group.addTask { await self.use { await trial.departure(on: self, keeping: $0) } }
      }
      return await group.reduce(nil) { $0 ?? $1 }
    }
  }
}

// MARK: - The trials

extension ScenarioMutation {
  /// The number of replays, at most as many as given, that do not get into each other's way.
  ///
  /// Live components with state outside of the process share a port or a file. Beside live programs,
  /// whose copies are tried first, only those with a file or a server of their own do.
  func jobCount(atMost limit: Int) -> Int {
    let live = plan.allComponents.filter { self.live.contains($0.name) }
    let hasPrograms = live.contains(where: \.isProgram)
    if flow.state?.isMeant(for: plan) ?? false { return 1 }
    let meet = live.contains { hasPrograms ? $0.meetsItself : $0.hasOutsideState }
    return meet ? 1 : limit
  }

  /// Returns the note that no program asks for altered answers, because what passes its requests on
  /// is not live, or nil.
  func unaskedNote(on alterations: Alterations) -> String? {
    let absent = plan.components.map(\.name).filter { name in
      !live.contains(name)
        && plan.components.contains {
          $0.name == name && $0.plugin.roles.contains(where: \.isFromOutside)
        }
        && alterations.first.contains {
          !$0.address.calls.isEmpty && "\($0.address)".hasPrefix("components/\(name)#")
        }
    }
    if absent.isEmpty { return nil }
    let names = absent.map { "'\($0)'" }.joined(separator: ", ")
    return "no program is served the answers to \(names), so nothing notices their alterations; "
      + "write 'live: true' there, and in the components of the program and its clients"
  }

  /// Tries alterations with components live, on as many copies as there are jobs if these can be.
  func trials(
    of alterations: Alterations, _ trial: MutationTrial, _ baseline: Baseline, _ jobs: Jobs
  ) async -> MutationReport {
    let start = ContinuousClock.now
    let (copies, notes) = await ProgramCopies.proven(
      for: trial, min(jobs.limit, max(alterations.first.count, 1)), isAsked: options.jobs != nil,
      elapsed: baseline.elapsed)
    // A stopped command proves nothing.
    if !Task.isCancelled { flow.note(notes.map { flow.redactor.redacted("\(plan.file): \($0)") }) }
    var notices: [MutationReport.Notice?] = []
    await Jobs(limit: copies.count).run(alterations.first) { _, alteration in
      await trial.notice(of: alteration, on: copies)
    } receive: {
      notices.append($0)
    }
    await copies.end()
    var report = report(
      on: alterations, notices.map { $0 ?? .noticed }, elapsed: start.duration(to: .now))
    for (index, notice) in notices.enumerated() where notice == nil {
      report.results[index].isEndless = true
    }
    (report.limit, report.restarts) = (copies.limit, copies.restarts)
    return report
  }
}

extension MutationTrial {
  /// True if a live component starts programs.
  var hasPrograms: Bool { plan.allComponents.contains { live.contains($0.name) && $0.isProgram } }

  /// True if programs of a live component go on.
  var keepsPrograms: Bool {
    plan.allComponents.contains { live.contains($0.name) && $0.keepsPrograms }
  }

  /// True if some components that start programs have left one.
  func leavesPrograms(in kept: KeptParts, of isMeant: (PlannedComponent) -> Bool) -> Bool {
    let programs = plan.allComponents.filter { $0.isProgram && isMeant($0) }
    return kept.owners.contains { owner in
      programs.contains { owner.contains("components/\($0.name)#") }
    }
  }

  /// Returns the reason why the unaltered answers do not replay, or nil if they do.
  func departure(on copies: ProgramCopies, keeping kept: KeptParts?) async -> String? {
    let report = await copies.limited { await replay(transcript, keeping: kept) } ?? nil
    guard let report else { return "it did not end within \(copies.limit.reportText)" }
    if report.passed { return nil }
    let difference = report.difference.map {
      Diagnostic.departure($0, acceptance: nil, consequence: nil)
    }
    return (difference ?? report.diagnostics.first)?.message ?? "it differs"
  }

  /// Tries an alteration on a copy of the live programs.
  ///
  /// - Returns: The notice, or nil for a trial that did not end within the limit.
  func notice(
    of alteration: Alteration, on copies: ProgramCopies
  ) async -> MutationReport.Notice? {
    await copies.use { kept in
      let report =
        await copies.limited {
          await replay(transcript.applying(alteration), keeping: kept)
        } ?? nil
      guard let report else {
        await kept?.end()
        return nil
      }
      let notice = MutationReport.Notice(report)
      // What the program made of the altered answer may be left in it.
      if let kept, notice == .noticed, await departure(on: copies, keeping: kept) != nil {
        await copies.restart(kept)
      }
      return notice
    }
  }
}

extension PlannedComponent {
  /// True if it starts programs, whatever its settings.
  var isProgram: Bool { plugin.plugin.reaches.contains(.process) }

  /// True if it keeps state outside of flow, or may.
  var hasOutsideState: Bool { [ComponentState.external, nil].contains(plugin.plugin.state) }

  /// True if two of it at the same time have the same file or server.
  ///
  /// Programs may have one, too, which a trial of copies shows.
  var meetsItself: Bool {
    if isProgram || !hasOutsideState { return false }
    // Bodies of requests may be files, and are read only.
    let reaches = plugin.plugin.reaches
    if reaches.contains(.files), !reaches.contains(.network) { return true }
    return settings.constant == nil
      || settings.knownFields.values.contains { if case .string = $0 { true } else { false } }
  }
}
