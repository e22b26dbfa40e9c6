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
  /// or reported events after a call, if a call was cut off or added, if parts of answers are secret, or if the inputs, the seed or the path of the run are others.
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
    guard recording.bytes != calls.lines.bytes.whole, isPlain, !plan.hasSecretAnswers,
      let now = try? recording.read(path ?? plan.file), now.isPlain, now.passed,
      header.hasSameRun(as: now.header)
    else { return recording }
    var merged = now
    let echoes = merged.keepAnswers(of: self, plan)
    guard let echoes,
      var kept = await merged.recordedAgain(of: plan, date: date ?? now.date, redactor),
      let again = try? kept.read(path ?? plan.file), asksTheSame(again, echoes, plan)
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

  /// Takes the answers of an old transcript that hold.
  ///
  /// Returns the old call of each one whose answers differ in values from elsewhere, such as the input,
  /// or nil if no answer holds.
  private mutating func keepAnswers(of old: Transcript, _ plan: Plan) -> [Int: Int]? {
    var comparison = AnswerComparison(old.calls, calls, plan)
    let kept = comparison.keptCalls()
    for (number, call) in kept {
      calls[number].answer = call.answer
      calls[number].emitted = call.emitted
    }
    return kept.isEmpty ? nil : comparison.explained
  }

  /// Returns true if some calls of a recording are asked what their counterparts here were asked.
  ///
  /// Otherwise an old answer would repeat what its call does not have any more, such as an id that
  /// the server assigned anew.
  private func asksTheSame(_ recording: Transcript, _ counterparts: [Int: Int], _ plan: Plan)
    -> Bool
  {
    let types = CallTypes(plan)
    return counterparts.allSatisfy { number, counterpart in
      guard recording.calls.indices.contains(number) else { return false }
      let call = recording.calls[number]
      let given = calls[counterpart].matchedInput(by: call, as: types[call.name]?.input)
      return call.address == calls[counterpart].address && given == call.input.served
    }
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
