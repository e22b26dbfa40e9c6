internal import FlowCore
internal import FlowEngine
internal import FlowImport
internal import FlowPlan
internal import FlowRedaction
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript
private import Synchronization

/// The transcript of a recorded session: its scenario, run on the recorded answers.
extension CommandContext {
  /// Writes a scenario with the transcript beside it.
  func record(_ result: Import, _ request: ImportRequest, _ path: String) async -> ExitCode {
    let transcript = Path.transcript(of: path)
    if !request.isReplacing, isOccupied(path) || isOccupied(transcript) { return .cannotWrite }
    guard result.hasAnswers else {
      process.say("'--transcript' needs a HAR file with answers")
      return .badInput
    }
    let code = write(result.scenario, to: path, isReplacing: true)
    guard code == .passed, let plan = plan(path) else { return code.worse(.badInput) }
    do throws(FileError) {
      return try await record(result, plan)
    } catch {
      process.say("the transcript was not written: \(error)")
      return error.writingCode
    }
  }

  private func record(_ result: Import, _ plan: Plan) async throws(FileError) -> ExitCode {
    let inputs: [Value]
    do throws(ScenarioError) {
      let texts = plan.inputs.compactMap { input in
        result.secrets[input.name].map { (name: input.name, text: $0) }
      }
      inputs = try plan.inputValues(texts: texts, file: nil)
    } catch {
      error.hideSecrets(by: redactor)
      print(error.diagnostics)
      return .badInput
    }
    plan.hideSecrets(inputs: inputs, by: redactor)
    var options = Session.Options()
    options.redactor = runRedactor()
    options.virtualTime = VirtualTime()
    for (name, value) in result.answers.flatMap(\.secrets) {
      // One that is too short to be hidden everywhere was not chosen.
      try? options.redactor.add(value, named: name)
    }
    let output = try TranscriptOutput(of: plan, at: "", redactor)
    let session = Session(of: plan, sinks: [output.recorder], options: options)
    let report = await session.run(
      inputs: inputs, through: RecordedAnswers(result.answers))
    guard report.passed else {
      output.abandon()
      print(report.diagnostics)
      return .failed
    }
    let path = try await output.finish(passed: true)
    confirm("recorded \(path.onOneLine)\n")
    return await replays(plan) ? .passed : .failed
  }

  /// Returns true if the transcript beside a scenario replays, and prints the reasons if not.
  private func replays(_ plan: Plan) async -> Bool {
    guard let (transcript, inputs) = recorded(beside: plan) else { return false }
    let run = await TestRun.replay(transcript, of: plan, inputs: inputs, self, acceptance: nil)
    print(run.diagnostics)
    return run.passed
  }
}

/// Answers calls with the recorded answers, in their order.
private final class RecordedAnswers: Caller {
  private let rest: Mutex<ArraySlice<RecordedAnswer>>

  init(_ answers: [RecordedAnswer]) { rest = Mutex(answers[...]) }

  func call(_ invocation: Invocation) async throws -> Outcome {
    guard case .operation = invocation.target else {
      return .answer(.record(RecordValue(invocation.outputType, [])))
    }
    guard let answer = rest.withLock({ $0.popFirst() }) else {
      throw BoundaryFailure(
        code: .unrecordedCall, message: "the recording has no further answer", notes: [])
    }
    do {
      return .answer(try answer.value.converted(to: .record(invocation.outputType)))
    } catch {
      throw BoundaryFailure(
        code: .unrecordedCall,
        message: "the answer in line \(answer.line) does not fit: \(error)", notes: [])
    }
  }

  func close(_ scope: Address) async {}

  func finish() async throws {}
}
