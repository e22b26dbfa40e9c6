internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowTranscript
private import Synchronization

extension CheckRun {
  static let mostLines = 20

  func repetitionProblems() async -> [Diagnostic] {
    let first = await record()
    let second = await record()
    if isSame(first.transcript, second.transcript) { return [] }
    let lines = lines(first.transcript, second.transcript)
    return [CheckFault.otherTranscript(lines).diagnostic()]
  }

  /// Returns true if two recordings have the same bytes, except for declared differences.
  func isSame(_ first: Recording, _ second: Recording) -> Bool {
    if first.bytes == second.bytes { return true }
    guard let transcript = try? first.whole(plan.file), let other = second.transcript else {
      return false
    }
    return transcript.hasMatchers
      && transcript.keeping(in: other, of: plan).isSame(as: transcript)
  }

  /// The failures of a replay of the recorded sample, or the differences of its recording.
  func replayProblems() async -> [Diagnostic] {
    let recorded = await record().transcript
    let transcript: Transcript
    let inputs: [Value]
    do throws(TranscriptError) {
      transcript = try recorded.whole(plan.file)
      // Those of the recording: a replay has placeholders for secrets.
      inputs = try transcript.header.inputValues(for: plan, file: plan.file)
    } catch {
      return [CheckFault.brokenTranscript(error.diagnostic.message).diagnostic()]
    }
    let recorder = Recorder(of: plan)
    let failures = await Replay(transcript, of: plan)
      .run(inputs: inputs, sinks: [recorder]).diagnostics
    // A sample that fails when it is recorded fails in the same way when it is replayed.
    if !failures.isEmpty { return failures }
    // Not the bytes: an event that a component reports after its answer is replayed before it.
    do throws(TranscriptError) {
      let again = try recorder.recording.whole(plan.file)
      // No component is opened, so none asks others.
      let difference = TranscriptDifference(from: transcript, to: again, plan: plan) {
        $0.caller == nil
      }
      if difference.isEmpty { return [] }
      return [CheckFault.otherRecording(difference.lines).diagnostic()]
    } catch {
      return [CheckFault.brokenTranscript(error.diagnostic.message).diagnostic()]
    }
  }

  /// The different calls and answers of a component that is called again with the same answers in
  /// its roles.
  ///
  /// Checked at two dates, because a component may remember a first one and depend on it ever
  /// after.
  func roleProblems(_ plugin: String) async -> [Diagnostic] {
    if plan.allComponents.allSatisfy(\.roles.isEmpty) { return [] }
    for date in [Timestamp.epoch, Self.laterDate] {
      let problems = await roleProblems(plugin, at: date)
      if !problems.isEmpty { return problems }
    }
    return []
  }

  /// Another day, month and year than the epoch, at another time of day.
  private static let laterDate =
    Timestamp.epoch.advanced(by: .seconds(1_000_000_000)) ?? .epoch

  private func roleProblems(_ plugin: String, at date: Timestamp) async -> [Diagnostic] {
    let record = await record(in: live(at: date))
    // Why the sample fails is for another check to report.
    guard record.failures.isEmpty else { return [] }
    do throws(TranscriptError) {
      let transcript = try record.transcript.whole(plan.file)
      var live = Replay.Live()
      live.names = plan.names(ofComponents: plugin)
      live.secret = { [secret] in secret($0) }
      live.date = date
      let inputs = try transcript.header.inputValues(for: plan, file: plan.file)
      let places = PlaceLog()
      await prepare()
      return await Replay(transcript, of: plan, live: live).run(inputs: inputs, sinks: [places])
        .diagnostics(at: places, in: plan.file)
        .map { CheckFault.asksOtherwise($0.message, $0.notes).diagnostic(at: $0.span) }
    } catch {
      return [CheckFault.brokenTranscript(error.diagnostic.message).diagnostic()]
    }
  }

  /// The difference by calls and fields, or nil for an unreadable transcript.
  func difference(_ first: Recording, _ second: Recording)
    -> TranscriptDifference?
  {
    // Why it cannot is for the check of replays to tell.
    guard let before = try? first.whole(plan.file), let after = try? second.whole(plan.file) else {
      return nil
    }
    return TranscriptDifference(from: before, to: after, plan: plan)
  }

  /// The difference in words, or by lines if the transcripts have the same meaning.
  private func lines(_ first: Recording, _ second: Recording) -> [String] {
    let difference = difference(first, second)?.lines ?? []
    if !difference.isEmpty { return Array(difference.prefix(Self.mostLines)) }
    let lines = [first, second].map { $0.bytes.split(separator: UInt8(ascii: "\n")) }
    let pair = zip(lines[0], lines[1]).first { $0 != $1 }
    guard let pair else { return ["one has \(lines[0].count) lines, the other \(lines[1].count)"] }
    return [pair.0, pair.1].map { String(decoding: $0, as: UTF8.self) }
  }
}

extension CheckRun {
  /// The most calls after which the sample is killed, spread evenly over it.
  private static let mostKills = 20

  /// The first call after which a killed and resumed run differs from an uninterrupted one.
  ///
  /// This shows a wrong `state`. State in memory declared as outside is lost, and state outside
  /// declared as in memory is changed twice.
  func resumeProblems() async -> [Diagnostic] {
    let whole = await record()
    // Why the sample fails is for another check to report.
    guard whole.failures.isEmpty else { return [] }
    let world = await world?()
    let step = max(1, whole.calls.count / Self.mostKills)
    for number in stride(from: 1, to: whole.calls.count, by: step) {
      guard let journal = await journal(killedAfter: number) else { continue }
      let (report, calls) = await resumed(journal)
      let otherWorld = CheckFault.otherWorld(
        whole.calls[number - 1].name, before: world, after: await self.world?())
      let fault = fault(whole, report, calls, after: number)
      guard let fault = fault ?? (report.diagnostics.isEmpty ? otherWorld : nil) else { continue }
      return [fault.diagnostic(at: whole.span(of: whole.calls[number - 1].address, in: plan.file))]
    }
    return []
  }

  private func fault(
    _ whole: Record, _ report: RunReport, _ calls: [ComponentCall], after number: Int
  ) -> CheckFault? {
    let name = whole.calls[number - 1].name
    if let failure = report.diagnostics.first {
      // An answer with a secret known only to the component cannot be served again, whatever its
      // state. The effect of a call in progress at the kill is unknown, unless it is declared safe
      // to repeat.
      if [.hiddenAnswer, .unknownOutcome].contains(failure.code) { return nil }
      return .otherwiseResumed(name, [failure.message] + failure.notes)
    }
    let expected = Dictionary(whole.calls.map { ($0.address, $0) }) { _, last in last }
    let other = calls.first {
      $0.withoutVolatileFields != expected[$0.address]?.withoutVolatileFields
    }
    guard let other else { return nil }
    return .otherwiseResumed(
      name,
      ["\(other)", "without the kill: " + (expected[other.address].map { "\($0)" } ?? "none")])
  }

  /// The journal of a run killed after some calls, or nil if other calls were in progress then.
  private func journal(killedAfter number: Int) async -> Journal? {
    let kill = Kill(after: number)
    let bytes = Mutex<[UInt8]>([])
    let recorder = JournalRecorder(scenario: plan.file, run: Self.name) { line in
      if !kill.isDone { bytes.withLock { $0 += line } }
    }
    let session = session([recorder, kill])
    let live = ResumingCaller(nil, in: session, recorder: recorder)
    await prepare()
    _ = await session.run(inputs: inputs, through: KilledCaller(live: live, kill: kill))
    guard kill.isDone else { return nil }
    return try? TranscriptReader.readJournal(bytes.withLock { $0 }, file: plan.file)
  }

  private func resumed(_ journal: Journal) async -> (RunReport, [ComponentCall]) {
    let log = CallLog()
    let recorder = JournalRecorder(
      scenario: plan.file, run: Self.name, resuming: journal
    ) { _ in }
    let session = session([recorder, log])
    let caller = ResumingCaller(journal, in: session, recorder: recorder)
    let report = await session.run(inputs: inputs, through: caller)
    return (report, log.calls)
  }

  /// Both runs have one name, as a run and its resumption have, so that their calls have the same keys.
  private static let name = "contract"

  private func session(_ sinks: [any EventSink]) -> Session {
    var options = Session.Options()
    options.virtualTime = VirtualTime()
    options.seed = 1
    options.date = .epoch
    options.name = Self.name
    options.secret = secret
    return Session(of: plan, sinks: sinks, options: options)
  }
}

extension ComponentCall {
  /// The call, with null in its answer for every field that differs from run to run.
  fileprivate var withoutVolatileFields: ComponentCall {
    guard case .output(let value) = answer else { return self }
    var copy = self
    copy.answer = .output(value.withoutVolatileFields)
    return copy
  }
}

/// The moment of a kill: after some calls, with no call in progress beside the last one.
private final class Kill: EventSink {
  private struct State {
    /// The unfinished calls.
    var open: [Address] = []
    var answered = 0
    var isDone = false
  }

  private let number: Int
  private let state = Mutex(State())

  init(after number: Int) { self.number = number }
  var isDone: Bool { state.withLock { $0.isDone } }

  func receive(_ event: Event) {
    switch event {
    case .invoked(let invocation) where invocation.isCall:
      state.withLock { $0.open.append(invocation.address) }
    case .completed(let invocation, _) where invocation.isCall:
      state.withLock { state in
        if let index = state.open.firstIndex(of: invocation.address) {
          state.open.remove(at: index)
        }
        state.answered += 1
        // Its callers may be in progress, but nothing else.
        let isAlone = state.open.allSatisfy { invocation.address.belongs(to: $0) }
        if state.answered >= number, isAlone { state.isDone = true }
      }
    default: return
    }
  }
}

/// Calls nothing any more once the run is killed.
private struct KilledCaller: Caller {
  let live: any Caller
  let kill: Kill

  func call(_ invocation: Invocation) async throws -> Outcome {
    if kill.isDone { throw BoundaryFailure(code: "killed", message: "killed", notes: []) }
    return try await live.call(invocation)
  }

  // What was opened is closed all the same: this process goes on.
  func close(_ scope: Address) async { await live.close(scope) }
  func finish() async throws { try await live.finish() }
}

extension Invocation {
  fileprivate var isCall: Bool { if case .operation = target { true } else { false } }
}
