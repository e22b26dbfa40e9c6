import FlowCore
import FlowEngine
import FlowPlan
import FlowScenario
import FlowTranscript
import Synchronization
import TestKit
import Testing

/// Transcripts and journals of a scenario that runs another one.
@Suite struct InnerScenarioTests {
  private static let scenario = """
    flow: 1
    steps:
      - id: all
        for: x
        in: ${{ [1, 2] }}
        do: [{id: part, scenario: part.yaml, with: {start: "${{ x }}"}}]
        outputs: {values: "${{ steps.part.value }}"}
    outputs: {values: "${{ steps.all.values }}"}
    """
  private static let part = """
    flow: 1
    inputs: {start: {type: int}}
    components: {p: {plugin: probe, with: {start: "${{ inputs.start }}"}}, l: {plugin: ledger}}
    steps:
      - {id: count, uses: p.count}
      - {uses: l.append, with: {text: "in ${{ inputs.start }}"}}
    finally:
      - {uses: l.append, with: {text: "out ${{ inputs.start }}"}}
    outputs: {value: "${{ steps.count.value }}"}
    """

  private let folder: TemporaryFolder
  private let plan: Plan

  init() throws {
    folder = try TemporaryFolder()
    plan = try Self.plan(["part.yaml": Self.part])
  }

  private static func plan(_ files: [String: String]) throws -> Plan {
    try ScenarioLoader(
      registry: try Registry([Ledger.self, Probe.self]), files: ScenarioFiles(texts: files)
    ).plan(ScenarioSource(file: "test.yaml", bytes: Array(scenario.utf8)))
  }

  @Test func `recording twice gives the same bytes, and the header names the inner plugins`()
    async throws
  {
    let first = await record()
    let second = await record()

    #expect(first == second)
    #expect(first.contains(#""plugins":{"ledger":"1","probe":"1.2"}"#))
    #expect(first.contains(#"{"at":"all/part/count#2","emit":"p.counted","payload":{"value":3}}"#))
    #expect(first.hasSuffix(#""end":"passed","outputs":{"values":[2,3]}}"# + "\n"))
  }

  @Test func `a transcript replays without the components`() async throws {
    let text = await record()
    try folder.remove("ledger.txt")
    let transcript = try TranscriptReader.read(Array(text.utf8), file: "t")
    let recorder = Recorder(scenario: "test.yaml")

    let report = await Replay(transcript, of: plan).run(inputs: [], sinks: [recorder])

    #expect(report.passed)
    #expect(recorder.text == text)
    #expect(folder.directory.contains("ledger.txt") == false)
  }

  @Test func `a changed inner scenario changes the digest of the header`() async throws {
    let changed = try Self.plan(["part.yaml": Self.part + " # changed"])

    #expect(plan.digest != changed.digest)
    #expect(await record().contains(plan.digest))
  }

  @Test func `a component has the folder of its scenario's file, and no path leads out of it`()
    async throws
  {
    try folder.write("", to: "parts/data.txt")
    let text = "flow: 1\nsteps: [{scenario: parts/a.yaml}]"
    let plan = try ScenarioLoader(
      registry: try Registry([Ledger.self]),
      files: ScenarioFiles(texts: ["parts/a.yaml": Self.writing])
    ).plan(ScenarioSource(file: "test.yaml", bytes: Array(text.utf8)))

    let result = await Session(of: plan, options: .init(in: folder.directory)).run(inputs: [])

    #expect(result.passed)
    #expect(try folder.text("parts/ledger.txt") == "here\n")
  }

  private static let writing = """
    flow: 1
    components: {l: {plugin: ledger}}
    steps: [{uses: l.append, with: {text: here}}]
    """

  @Test func `a run that is cut after any line goes on to the same journal`() async throws {
    let whole = await journal()
    #expect(whole.ledger == "in 1\nout 1\nin 2\nout 2\n")

    for count in 1..<whole.lines.count {
      // What was done when the line was written.
      try folder.write(whole.ledgers[count - 1], to: "ledger.txt")
      let cut = try TranscriptReader.readJournal(
        Array(whole.lines[..<count].joined().utf8), file: "j")
      let resumed = await journal(resuming: cut)

      #expect(whole.lines[..<count] + resumed.lines == whole.lines[...], "after \(count) lines")
    }
  }

  @Test func `a finally inside that an interruption brought about is left to the resumed run`()
    async throws
  {
    let interrupted = await journal(interruptedAt: "all/part/count#2")
    #expect(interrupted.ledger == "in 1\nout 1\nout 2\n")
    #expect(interrupted.lines.last?.hasPrefix(#"{"at":"all/part/count#2","#) ?? false)

    let lines = Array(interrupted.lines.joined().utf8)
    let resumed = await journal(resuming: try TranscriptReader.readJournal(lines, file: "j"))

    #expect(resumed.ledger == "in 1\nout 1\nout 2\nin 2\nout 2\n")
    #expect(resumed.lines.last?.contains(#""end":"passed""#) ?? false)
  }

  @Test func `a finally inside that had begun is written after an interruption`() async throws {
    let interrupted = await journal(interruptedAt: "all/part/finally/l.append#1")

    #expect(interrupted.ledger == "in 1\nout 1\n")
    #expect(
      interrupted.lines.last?.unsealed
        == #"{"at":"all/part/finally/l.append#1","ok":{"lines":2}}"# + "\n")
  }

  // MARK: - Runs

  private func record() async -> String {
    try? folder.remove("ledger.txt")
    let recorder = Recorder(scenario: "test.yaml")
    _ = await Session(of: plan, sinks: [recorder], options: .init(in: folder.directory))
      .run(inputs: [])
    return recorder.text
  }

  private struct Journaled {
    let lines: [String]
    /// The ledger as it was when each line was written.
    let ledgers: [String]
    /// The ledger at the end.
    let ledger: String
  }

  private func journal(
    resuming journal: Journal? = nil, interruptedAt address: String? = nil
  ) async -> Journaled {
    if journal == nil { try? folder.remove("ledger.txt") }
    let lines = Mutex<[(line: String, ledger: String)]>([])
    let recorder = JournalRecorder(scenario: "test.yaml", run: "r", resuming: journal) {
      [folder] bytes in
      let ledger = (try? folder.text("ledger.txt")) ?? ""
      lines.withLock { $0.append((String(decoding: bytes, as: UTF8.self), ledger)) }
    }
    let interruption = InterruptionAt(address, recorder)
    let session = Session(
      of: plan, sinks: [recorder, interruption], options: .init(in: folder.directory))
    // A ledger is not safe to repeat; what was not done before the cut may be done again here.
    let caller = ResumingCaller(
      journal, in: session, recorder: recorder, options: .init(retriesUnknown: true))
    await interruption.cancelling { _ = await session.run(inputs: [], through: caller) }
    let all = lines.withLock { $0 }
    return Journaled(
      lines: all.map(\.line), ledgers: all.map(\.ledger),
      ledger: (try? folder.text("ledger.txt")) ?? "")
  }
}

/// Cancels the task of a run when an address is called, whatever task calls it.
private final class InterruptionAt: EventSink {
  private let address: String?
  private let recorder: JournalRecorder
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(_ address: String?, _ recorder: JournalRecorder) {
    self.address = address
    self.recorder = recorder
  }

  /// Does the work in a task that can be cancelled from the first moment on.
  func cancelling(_ work: @escaping @Sendable () async -> Void) async {
    let (start, gate) = AsyncStream<Void>.makeStream()
    let running = Task {
      for await _ in start {}
      await work()
    }
    task.withLock { $0 = running }
    gate.finish()
    await running.value
  }

  func receive(_ event: Event) {
    guard case .invoked(let invocation) = event, "\(invocation.address)" == address else { return }
    recorder.interrupt()
    task.withLock { $0?.cancel() }
  }
}
