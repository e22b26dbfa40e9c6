internal import FlowCore
internal import FlowEngine
package import FlowRedaction
package import FlowScenario
internal import FlowSystem

extension Transcript {
  /// Returns a new recording of the same scenario with the answers of this one that still hold.
  ///
  /// An answer holds if the new one differs only in its varying parts. The scenario is run again on these answers and on
  /// the other new ones, so everything it computes from them is recorded with them: a new step adds its lines
  /// and changes no other. The recording is returned as it is if that cannot be done: if components called others
  /// or reported events after a call, if a call was cut off or added, or if the inputs, the seed or the path of the run are others.
  ///
  /// - Parameters:
  ///   - recording: The new recording.
  ///   - path: The path of its file if its bodies are in files already, else nil.
  ///   - plan: The scenario.
  ///   - redactor: Hides the patterns of the project.
  /// - Returns: The recording with the kept answers, or the same one.
  package func keepingAnswers(
    in recording: InMemoryTranscript, beside path: String? = nil, of plan: Plan,
    _ redactor: Redactor
  ) async -> InMemoryTranscript {
    guard recording.bytes != calls.lines.bytes.whole, isPlain,
      let now = try? recording.read(path ?? plan.file), now.isPlain, now.passed,
      header.hasSameRun(as: now.header)
    else { return recording }
    var merged = now
    guard merged.keepAnswers(of: self, plan),
      var kept = await merged.recordedAgain(of: plan, date: date ?? now.date, redactor)
    else { return recording }
    kept.isPrivate = recording.isPrivate
    return kept
  }

  /// True if the answers alone determine the run of the scenario.
  private var isPlain: Bool {
    !calls.hasCallsOfComponents
      && calls.indices.allSatisfy { number in
        let answer = calls.answerOffset(of: number) ?? 0
        guard calls.eventOffsets(of: number).allSatisfy({ $0 < answer }) else { return false }
        let call = calls[number]
        if case .cancelled? = call.answer { return false }
        return call.marks.added == nil
      }
  }

  /// Takes the answers of an old transcript that hold, and returns false if there are none.
  private mutating func keepAnswers(of old: Transcript, _ plan: Plan) -> Bool {
    var comparison = AnswerComparison(old.calls, calls, plan)
    let kept = comparison.keptCalls()
    for (number, call) in kept {
      calls[number].answer = call.answer
      calls[number].emitted = call.emitted
    }
    return !kept.isEmpty
  }

  /// Records the scenario on these answers, or returns nil if it needs others.
  private func recordedAgain(
    of plan: Plan, date: Timestamp?, _ redactor: Redactor
  ) async -> InMemoryTranscript? {
    guard let inputs = try? header.inputValues(for: plan, file: plan.file) else { return nil }
    let recording = MemoryRecording(of: plan)
    redactor.reserve(placeholderNumbers)
    var options = Session.Options()
    options.virtualTime = VirtualTime()
    options.seed = header.seed
    options.redactor = redactor
    options.date = date
    options.files = files
    let session = Session(of: plan, sinks: [recording.recorder], options: options)
    var strictness = ReplayingCaller.Options()
    strictness.comparesSteps = false
    let caller = ReplayingCaller(self, in: session, options: strictness)
    caller.use(inputs)
    let run = await session.run(inputs: inputs, through: caller, pacing: caller.pacing)
    guard run.passed, caller.mismatches.isEmpty, caller.inconclusive == nil,
      recording.recorder.failure == nil
    else { return nil }
    return recording.run
  }
}

extension TranscriptHeader {
  /// Returns true if the seed and all inputs are the same.
  fileprivate func hasSameRun(as other: TranscriptHeader) -> Bool {
    seed == other.seed
      && JSON.object(inputs.sorted { $0.name < $1.name })
        == JSON.object(other.inputs.sorted { $0.name < $1.name })
  }
}
