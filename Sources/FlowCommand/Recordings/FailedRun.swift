internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowRedaction
internal import FlowSystem
internal import FlowTranscript

/// A failed run with a journal.
struct FailedRun: Sendable {
  let place: JournalPlace
  let plan: Plan
  let failures: FailedSteps

  /// Returns the sentence that says where the run failed, and how it goes on.
  func sentence(_ journal: Journal, _ run: CommandRun) -> String {
    let start = "the run in '\(place.text.onOneLine)' failed"
    guard let step = failures.first else { return "\(start); begin a new run" }
    let failed = "\(start) at '\(step)'"
    if journal.retrying(failures, isChanged: false) != nil {
      return "\(failed); continue with: \(command(run))"
    }
    var forced = run
    forced.isForced = true
    return "\(failed), because of recorded answers; change the scenario and continue with: "
      + command(forced)
  }

  /// Returns the command that continues the run.
  func command(_ run: CommandRun) -> String {
    run.command(resuming: place, of: plan, " --retry-failed")
  }
}

extension CommandContext {
  /// Prints where a run failed, and how it goes on.
  func tell(_ failed: FailedRun, _ journal: Journal, _ run: CommandRun) {
    if failed.failures.first != nil { verdict.offer(failed.command(run)) }
    process.say(failed.sentence(journal, run))
  }

  /// Replays the failed run of a journal, to find where it failed.
  ///
  /// Returns nothing for a run that does not fail again.
  func failures(
    of journal: Journal, _ plan: Plan, at place: JournalPlace
  ) async throws -> (steps: FailedSteps, diagnostics: [Diagnostic]) {
    let inputs = try journal.header.inputValues(for: plan, file: place.text)
    plan.hideSecrets(inputs: inputs, by: redactor)
    let steps = FailedSteps()
    let run = await TestRun.replay(
      journal.recording, of: plan, inputs: inputs, self, acceptance: nil, sinks: [steps])
    return (steps, run.report.diagnostics)
  }
}

/// The calls of `--done`: calls with an unknown outcome that a person found to be done.
struct DoneCalls: Sendable {
  static let option = Option(
    "done", .required("CALL[=JSON]"),
    "Records that a call with an unknown outcome was done, and its answer unless that is empty.")

  /// The calls in the given order.
  private let calls: [DoneCall]

  /// Reads the options.
  ///
  /// - Throws: `UsageError` for a call given twice and for an answer that is no JSON.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    var calls: [DoneCall] = []
    for text in arguments.values("done") {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let address = String(parts[0])
      if calls.contains(where: { $0.address == address }) {
        throw .doneCall(address, problem: "the call is given twice")
      }
      calls.append(
        DoneCall(address, answer: try Self.answer(parts.dropFirst().first, of: address)))
    }
    self.calls = calls
  }

  private static func answer(
    _ text: Substring?, of address: String
  ) throws(UsageError) -> JSON {
    guard let text else { return .object([]) }
    guard let json = try? JSONParser.parse(Array(text.utf8)[...]), case .object = json else {
      throw .doneCall(address, problem: "the answer is not a JSON object")
    }
    return json
  }

  /// Returns the lines of a journal for the calls.
  ///
  /// - Throws: `UsageError` for a call without an unknown outcome, and for an answer of another
  ///   type.
  func lines(
    by writer: DoneCallLines, _ redactor: Redactor
  ) throws(UsageError) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for call in calls {
      do throws(DoneCallError) { lines += try writer.lines(for: call) } catch {
        throw error.usageError(call.address, redactor)
      }
    }
    return lines
  }
}

extension DoneCallError {
  fileprivate func usageError(_ address: String, _ redactor: Redactor) -> UsageError {
    switch self {
    case .unknown(let waiting):
      let near = Suggestion.nearest(to: address, among: waiting)
      return .doneCall(
        address, problem: "no call at this address waits for its answer",
        near: near.isEmpty ? Array(waiting.prefix(4)) : near)
    case .answered: return .doneCall(address, problem: "the call has its answer already")
    case .ambiguous: return .doneCall(address, problem: "several calls have this address")
    case .untyped: return .doneCall(address, problem: "the scenario has no operation there")
    case .inMemory(let component):
      return .doneCall(
        address, problem: "'\(component)' keeps its state in memory, so the call is made again")
    case .inside(let step):
      return .doneCall(address, problem: "the call is made again, because '\(step)' runs again")
    case .madeAgain:
      return .doneCall(address, problem: "the call did not fail, so it is made again")
    case .lacking(let fields, let form):
      let names = fields.map { "'\($0.name)' (\($0.type))" }.joined(separator: ", ")
      return .doneCall(
        address, problem: "the answer lacks \(names), as in --done '\(address)=\(form.text)'")
    case .misfit(let error, let form):
      let example = "'\(address)=\(form.text)'"
      return .doneCall(
        address,
        problem: redactor.redacted("the answer, as in --done \(example): \(error)"))
    }
  }
}
