import FlowCore
import FlowEngine
import FlowPlan
import FlowRedaction
import FlowTranscript

extension FuzzTarget {
  /// The bytes as a transcript of one of the samples, and what is done with it.
  static func transcript(_ bytes: [UInt8]) async {
    let file = FuzzSample.folder + "/fuzz.jsonl"
    _ = try? TranscriptReader.readJournal(bytes, file: file)
    _ = try? TranscriptReader.read(bytes, file: file)
    // No mutation has a right seal, and what comes behind it is to be reached.
    guard let transcript = try? TranscriptReader.read(Seal.sealed(bytes), file: file),
      let sample = FuzzSample.all[transcript.header.scenario]
    else { return }
    transcript.write(limit: 200, Redactor()) { _ in }
    _ = transcript.header.changes(in: sample.plan)
    _ = TranscriptDifference(from: sample.transcript, to: transcript).lines
    _ = TranscriptDifference(from: transcript, to: sample.transcript, plan: sample.plan).lines
    await replay(transcript, of: sample.plan, file)
  }

  /// Replays a transcript on its scenario; when that passes, what is recorded of it can be read.
  private static func replay(_ transcript: Transcript, of plan: Plan, _ file: String) async {
    guard let inputs = try? transcript.header.inputValues(for: plan, file: file) else { return }
    _ = try? plan.liveInputs(inputs) { _ in "s3cr+t/\"x\\y" }
    let recorder = Recorder(of: plan)
    let passed = await replay(transcript, plan, inputs, [recorder])
    // A call that the transcript does not answer has no answer in the recording either.
    guard passed, let run = try? recorder.recording.whole(file) else { return }
    for recorded in [run, transcript.keeping(in: run, of: plan)] {
      let bodies = Dictionary(
        recorded.bodies.map { ($0.digest, $1) }, uniquingKeysWith: { first, _ in first })
      do throws(TranscriptError) {
        let again = try TranscriptReader.read(recorded.bytes, file: file, bodies: bodies)
        precondition(again.isSame(as: recorded), "a recording is read as another one")
        _ = TranscriptDifference(from: transcript, to: again, plan: plan).lines
      } catch {
        preconditionFailure("a recording cannot be read: \(error.diagnostic.message)")
      }
    }
    for alteration in Alterations(of: transcript, plan, .init(limit: 2)).first {
      _ = await replay(transcript.applying(alteration), plan, inputs, [])
    }
  }

  private static func replay(
    _ transcript: Transcript, _ plan: Plan, _ inputs: [Value], _ sinks: [any EventSink]
  ) async -> Bool {
    // Departures are allowed, so that a replay comes further than to the first of them.
    let report = await Replay(transcript, of: plan, allowing: [.changed, .unused])
      .run(inputs: inputs, sinks: sinks)
    let diagnostics = report.mismatches.map(\.diagnostic) + report.diagnostics
    _ = DiagnosticRenderer(sources: [:]).render(diagnostics)
    return report.run.passed
  }
}
