import FlowCore
import FlowEngine
import FlowPlan
import FlowScenario
import FlowTranscript
import Synchronization
import TestKit
import Testing

/// Journals of parallel steps, in virtual time.
@Suite struct ParallelResumeTests {
  private static let scenario = """
    flow: 1
    components: {l: {plugin: ledger}, p: {plugin: probe}}
    steps:
      - parallel:
          stuck:
            - uses: p.sleep
              with: {span: 1h}
              timeout: 10s
              retry: {attempts: 3, backoff: 5s}
              continue-on-error: true
            - {uses: l.append, with: {text: stuck}}
          other:
            - wait: 12s
            - {id: count, uses: p.count}
            - {await: p.counted, timeout: 1m}
            - wait: 1m
            - {uses: l.append, with: {text: other}}
        finally:
          - {uses: l.append, with: {text: inner}}
      - {id: last, uses: l.append, with: {text: last}}
    finally:
      - {uses: l.append, with: {text: outer}}
    outputs: {lines: "${{ steps.last.lines }}"}

    """

  private let folder: TemporaryFolder
  private let plan: Plan

  init() throws {
    folder = try TemporaryFolder()
    plan = try Self.plan(Self.scenario)
  }

  private static func plan(_ scenario: String, _ files: [String: String] = [:]) throws -> Plan {
    let registry = try Registry([Ledger.self, Probe.self])
    return try ScenarioLoader(registry: registry, files: ScenarioFiles(texts: files))
      .plan(ScenarioSource(file: "test.yaml", bytes: Array(scenario.utf8)))
  }

  @Test func `an interruption in a retry leaves a journal that ends as the run would have`()
    async throws
  {
    let whole = try await run()
    #expect(whole.lines.last?.contains(#""end":"passed","outputs":{"lines":4}"#) == true)
    #expect(try folder.text("ledger.txt") == "stuck\nother\ninner\nlast\nouter\n")

    // While the retry waits for its second attempt.
    let interrupted = try await run(interruptedAt: "parallel/other/count#1")
    #expect(!interrupted.lines.contains { $0.contains("finally") || $0.contains(#""end""#) })
    #expect(try folder.text("ledger.txt") == "inner\nouter\n")

    try folder.remove("ledger.txt")
    let journal = try TranscriptReader.readJournal(
      Array(interrupted.lines.joined().utf8), file: "j")
    let resumed = try await run(resuming: journal)

    #expect(resumed.result.passed)
    #expect(try folder.text("ledger.txt") == "stuck\nother\ninner\nlast\nouter\n")
    #expect(
      (interrupted.lines + resumed.lines).map(\.unsealed).sorted()
        == whole.lines.map(\.unsealed).sorted())
  }

  @Test func `components of one name in several scenarios are opened again after any line`()
    async throws
  {
    let plan = try Self.plan(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - parallel:
            a: [{id: own, uses: p.count}]
            b:
              - id: all
                for: x
                in: ${{ [1, 2, 3] }}
                parallel: 3
                do: [{id: part, scenario: part.yaml, with: {start: "${{ x }}"}}]
                outputs: {values: "${{ steps.part.value }}"}
      outputs: {values: "${{ steps.all.values }}", own: "${{ steps.own.value }}"}
      """,
      [
        "part.yaml": """
        flow: 1
        inputs: {start: {type: int}}
        components: {p: {plugin: probe, with: {start: "${{ inputs.start }}"}}}
        steps:
          - {uses: p.count}
          - {id: count, uses: p.count}
          - {uses: p.fail, with: {code: refused}, continue-on-error: true}
        outputs: {value: "${{ steps.count.value }}"}
        """
      ])
    let whole = try await run(plan)
    #expect(whole.lines.last?.contains(#""outputs":{"values":[3,4,5],"own":1}"#) == true)

    for count in 1..<whole.lines.count {
      let cut = whole.lines[..<count]
      let resumed = try await run(
        plan, resuming: TranscriptReader.readJournal(Array(cut.joined().utf8), file: "j"))

      #expect(
        (cut + resumed.lines).map(\.unsealed).sorted() == whole.lines.map(\.unsealed).sorted(),
        "after \(whole.lines[count - 1])")
    }
  }

  @Test func `a whole journal replays`() async throws {
    let whole = try await run()
    let transcript = try TranscriptReader.read(Array(whole.lines.joined().utf8), file: "j")

    let report = await Replay(transcript, of: plan).run(inputs: [])

    #expect(report.passed)
  }

  private struct Run {
    let lines: [String]
    let result: RunReport
  }

  private func run(
    _ other: Plan? = nil, resuming journal: Journal? = nil, interruptedAt address: String? = nil
  ) async throws -> Run {
    try? folder.remove("ledger.txt")
    let lines = Mutex<[String]>([])
    let recorder = JournalRecorder(scenario: "test.yaml", run: "r", resuming: journal) { bytes in
      lines.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
    }
    let cancellation = Cancellation(at: address) { recorder.interrupt() }
    let session = Session(
      of: other ?? plan, sinks: [recorder, cancellation],
      options: .init(in: folder.directory, virtualTime: VirtualTime()))
    let caller = ResumingCaller(
      journal, in: session, recorder: recorder, options: .init(keepsOrder: true))
    let result = await cancellation.run { await session.run(inputs: [], through: caller) }
    return Run(lines: lines.withLock { $0 }, result: result)
  }
}
