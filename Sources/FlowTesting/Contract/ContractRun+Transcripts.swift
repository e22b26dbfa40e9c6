internal import FlowCore
internal import FlowEngine
internal import FlowScenario
internal import FlowTranscript

extension ContractRun {
  /// The most lines of a difference that are told.
  static let mostLines = 20

  /// What two runs of the sample recorded differently.
  func repetitionProblems() async -> [Diagnostic] {
    let first = await record()
    let second = await record()
    guard first.transcript.bytes != second.transcript.bytes else { return [] }
    let lines = lines(first.transcript, second.transcript)
    return [ContractFault.otherTranscript(lines).diagnostic(at: nil)]
  }

  /// How a replay of the recorded sample fails, or what it records differently.
  func replayProblems() async -> [Diagnostic] {
    let recorded = await record().transcript
    let transcript: Transcript
    let inputs: [Value]
    do throws(TranscriptError) {
      transcript = try recorded.read(plan.file)
      // Those of the recording: a replay has placeholders for secrets.
      inputs = try transcript.header.inputValues(for: plan, file: plan.file)
    } catch {
      return [ContractFault.brokenTranscript(error.diagnostic.message).diagnostic(at: nil)]
    }
    let recording = MemoryRecording(of: plan)
    let failures = await Replay(transcript, of: plan)
      .run(inputs: inputs, sinks: [recording.recorder]).diagnostics
    // A sample that fails when it is recorded fails in the same way when it is replayed.
    if !failures.isEmpty { return failures }
    // Not the bytes: what a component reports after its answer is replayed before it.
    do throws(TranscriptError) {
      let again = try recording.run.read(plan.file)
      let difference = TranscriptDifference(from: transcript, to: again, plan: plan)
      if difference.isEmpty { return [] }
      return [ContractFault.otherRecording(difference.lines).diagnostic(at: nil)]
    } catch {
      return [ContractFault.brokenTranscript(error.diagnostic.message).diagnostic(at: nil)]
    }
  }

  /// The difference by calls and fields; nil where a transcript cannot be read.
  func difference(_ first: InMemoryTranscript, _ second: InMemoryTranscript)
    -> TranscriptDifference?
  {
    // Why it cannot is for the check of replays to tell.
    guard let before = try? first.read(plan.file), let after = try? second.read(plan.file) else {
      return nil
    }
    return TranscriptDifference(from: before, to: after, plan: plan)
  }

  /// The difference in words; by lines where the transcripts mean the same.
  private func lines(_ first: InMemoryTranscript, _ second: InMemoryTranscript) -> [String] {
    let difference = difference(first, second)?.lines ?? []
    if !difference.isEmpty { return Array(difference.prefix(Self.mostLines)) }
    let lines = [first, second].map { $0.bytes.split(separator: UInt8(ascii: "\n")) }
    let pair = zip(lines[0], lines[1]).first { $0 != $1 }
    guard let pair else { return ["one has \(lines[0].count) lines, the other \(lines[1].count)"] }
    return [pair.0, pair.1].map { String(decoding: $0, as: UTF8.self) }
  }
}
