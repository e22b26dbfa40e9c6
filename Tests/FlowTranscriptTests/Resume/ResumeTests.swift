import FlowCore
import FlowEngine
import FlowPlan
import FlowScenario
import FlowTranscript
import Synchronization
import TestKit
import Testing

@Suite struct ResumeTests {
  private static let scenario = """
    flow: 1
    components:
      l: {plugin: ledger}
      p: {plugin: probe}
    steps:
      - {id: one, uses: l.append, with: {text: one}}
      - {id: count, uses: p.count}
      - {id: two, uses: l.append, with: {text: two}}
    finally:
      - {id: last, uses: l.append, with: {text: last}}
    outputs: {lines: "${{ steps.two.lines }}"}

    """

  private let folder: TemporaryFolder
  private let plan: Plan

  init() throws {
    folder = try TemporaryFolder()
    plan = try Self.plan(Self.scenario)
  }

  private static func plan(_ text: String) throws -> Plan {
    try ScenarioLoader(registry: try Registry([Ledger.self, Probe.self, Gambler.self, Doors.self]))
      .plan(ScenarioSource(file: "test.yaml", bytes: Array(text.utf8)))
  }

  @Test func `the journal is on the disk before an external component is called, and at the end`()
    async throws
  {
    let run = await run()

    let durable = run.lines.filter(\.isDurable).map { String($0.text.prefix(24)) }
    #expect(
      durable == [
        #"{"at":"components/l#1",""#, #"{"at":"one#1","invoke":""#, #"{"at":"two#1","invoke":""#,
        #"{"at":"finally/last#1",""#, #"{"at":"steps","end":"pas"#,
      ])
  }

  @Test(arguments: [
    (
      scenario,
      [
        #"{"at":"components/p#1","invo"#, #"{"at":"components/p#1","ok":"#,
        #"{"at":"count#1","invoke":"p."#, #"{"at":"count#1","ok":{"value"#,
      ]
    ),
    (
      // What it draws for a component outside may be seen there before that has answered.
      """
      flow: 1
      components: {p: {plugin: probe}, c: {plugin: clerk, using: {dice: p}}}
      steps: [{id: ask, uses: c.ask}]
      """, [#"{"at":"components/p#1","invo"#, #"{"at":"components/p#1","ok":"#]
    ),
  ])
  func `lines about components without a state outside may wait, unless one outside has asked`(
    _ scenario: String, _ expected: [String]
  ) async throws {
    let waiting = Mutex<[String]>([])
    let recorder = JournalRecorder(
      scenario: "test.yaml", run: "r", resuming: nil, blobs: nil,
      append: { line, mayWait in
        let text = String(decoding: line.prefix(28), as: UTF8.self)
        if mayWait { waiting.withLock { $0.append(text) } }
      }, reachDisk: {})
    let plan = try Self.plan(scenario)
    let session = Session(of: plan, sinks: [recorder], options: .init(in: folder.directory))
    let caller = ResumingCaller(nil, in: session, recorder: recorder)

    let report = await session.run(inputs: [], through: caller)

    #expect(report.passed, "\(report.failures)")
    #expect(waiting.withLock { $0 } == expected)
  }

  @Test func `an answer from outside is on the disk before the run waits`() async throws {
    let run = await run(
      of: try Self.plan(
        """
        flow: 1
        components: {l: {plugin: ledger}}
        steps:
          - {uses: l.append, with: {text: one}}
          - {wait: 1ms}
          - {wait: 1ms}
        """))

    let durable = run.lines.filter(\.isDurable).map { String($0.text.prefix(32)) }
    #expect(
      durable == [
        #"{"at":"components/l#1","invoke":"#, #"{"at":"l.append#1","invoke":"l.a"#,
        #"{"at":"l.append#1","ok":{"lines""#, #"{"at":"steps","end":"passed","ou"#,
      ])
  }

  @Test func `an answer from outside is on the disk at once while another branch waits`()
    async throws
  {
    let run = await run(
      of: try Self.plan(
        """
        flow: 1
        components: {l: {plugin: ledger}}
        steps:
          - parallel:
              a: [{wait: 200ms}]
              b: [{id: b, uses: l.append, with: {text: one}}]
        """))

    let durable = run.lines.filter(\.isDurable).map(\.text)
    #expect(durable.contains { $0.hasPrefix(#"{"at":"parallel/b/b#1","ok":"#) })
  }

  @Test func `an unknown call that is not safe to repeat stops the run before finally`()
    async throws
  {
    let whole = await run()
    let journal = try whole.journal(upTo: #"{"at":"two#1","invoke""#)
    try folder.write("one\n", to: "ledger.txt")

    let stopped = await run(resuming: journal)

    #expect(
      stopped.problem == """
        F3202 it is not known whether 'two#1' took effect
        it was called but has no answer, and is not declared safe to repeat
        check it, then resume with --retry-unknown to repeat the call
        or with --done 'two#1={"lines":0}' if it took effect, with the values of its answer
        """)
    #expect(stopped.lines.isEmpty)
    #expect(try folder.text("ledger.txt") == "one\n")
  }

  @Test func `beside an unknown call another branch does nothing new`() async throws {
    let plan = { (other: String) in
      try Self.plan(
        """
        flow: 1
        components: {l: {plugin: ledger}}
        steps:
          - parallel:
              a:
                - {for: i, in: "${{ lists.range(500) }}", do: [{assert: "${{ i >= 0 }}"}]}
                - {id: a, uses: l.append, with: {text: one}}
              b: [{id: b, \(other)}]
        """)
    }
    // The other branch has not come to its call.
    let journal = try await run(of: plan("wait: 0s"))
      .journal(upTo: #"{"at":"parallel/a/a#1","invoke""#)
    try folder.write("one\n", to: "ledger.txt")

    // Now it does before the 500 steps have gone.
    let stopped = await run(of: try plan("uses: l.append, with: {text: two}"), resuming: journal)

    #expect(
      stopped.problem.hasPrefix("F3202 it is not known whether 'parallel/a/a#1' took effect\n"))
    #expect(try folder.text("ledger.txt") == "one\n")
  }

  @Test func `an unknown call is made again when that is asked for`() async throws {
    let whole = await run()
    let journal = try whole.journal(upTo: #"{"at":"two#1","invoke""#)
    try folder.write("one\n", to: "ledger.txt")

    let resumed = await run(resuming: journal, .init(retriesUnknown: true))

    #expect(resumed.problem == "")
    #expect(resumed.lines.first?.text.unsealed == #"{"at":"two#1","ok":{"lines":2}}"# + "\n")
    #expect(try folder.text("ledger.txt") == "one\ntwo\nlast\n")
  }

  @Test func `an unknown call whose input says that it is safe to repeat is made again`()
    async throws
  {
    let whole = await run()
    let journal = try whole.journal(upTo: #"{"at":"finally/last#1","invoke""#)
    try folder.write("one\ntwo\n", to: "ledger.txt")

    let resumed = await run(resuming: journal)

    #expect(resumed.problem == "")
    #expect(try folder.text("ledger.txt") == "one\ntwo\nlast\n")
  }

  @Test func `an unknown call to a component in memory is made again`() async throws {
    let whole = await run()
    let journal = try whole.journal(upTo: #"{"at":"count#1","invoke""#)
    try folder.write("one\n", to: "ledger.txt")

    let resumed = await run(resuming: journal)

    #expect(resumed.problem == "")
    #expect(try folder.text("ledger.txt") == "one\ntwo\nlast\n")
  }

  @Test func `a component in memory has to answer as it did`() async throws {
    let whole = await run()
    let journal = try whole.journal(upTo: #"{"at":"count#1","ok""#) {
      $0.unsealed.replacing(existing: #""ok":{"value":1}"#, with: #""ok":{"value":9}"#)
    }

    let stopped = await run(resuming: journal)

    #expect(
      stopped.problem == """
        F3201 'count#1' answers differently than recorded
        recorded {value: 9}, now {value: 1}
        'p.count' was called again to rebuild its state in memory
        """)
    #expect(stopped.lines.isEmpty)
  }

  @Test(arguments: [
    ("at ${{ steps.port.value }}", "two", ""),
    // Not what has changed with it.
    ("at ${{ steps.port.value }}", "${{ steps.port.value > 0 ? 'three' : '' }}", "F3003"),
  ])
  func `what was made of a volatile answer in memory may be another one`(
    _ first: String, _ second: String, _ problem: String
  ) async throws {
    let scenario = { (second: String) in
      """
      flow: 1
      components: {l: {plugin: ledger}, d: {plugin: doors}}
      steps:
        - {id: port, uses: d.open}
        - {id: one, uses: l.append, with: {text: "\(first)"}}
        - {id: two, uses: l.append, with: {text: "\(second)"}}
        - {id: three, uses: l.append, with: {text: "${{ string(steps.port.value) }}"}}

      """
    }
    let whole = await run(of: try Self.plan(scenario("two")))
    let journal = try whole.journal(upTo: #"{"at":"two#1","ok""#)

    let resumed = await run(of: try Self.plan(scenario(second)), resuming: journal)

    #expect(resumed.problem.prefix(5) == problem)
  }

  @Test func `a component that does not open again leaves the journal as it was`() async throws {
    let whole = await run()
    let journal = try whole.journal(upTo: #"{"at":"count#1","ok""#)
    try folder.write("", to: "closed")

    let stopped = await run(resuming: journal)

    #expect(stopped.problem.hasPrefix("F3203 'components/l#1' could not be opened again\n"))
    #expect(stopped.lines.isEmpty)
  }

  @Test func `what cannot be written is not done`() async throws {
    let stopped = await run(failingAt: #"{"at":"two#1","invoke""#)

    #expect(stopped.problem.hasPrefix("F3204 'two#1' was not called: the journal"))
    #expect(try folder.text("ledger.txt") == "one\n")
  }

  @Test func `an interrupted run has no end and its finally is left to the resumed one`()
    async throws
  {
    let interrupted = await run(interruptedAt: "count#1")
    #expect(try folder.text("ledger.txt") == "one\nlast\n")
    #expect(!interrupted.text.contains("finally"))
    #expect(!interrupted.text.contains(#""end""#))

    let resumed = await run(resuming: try interrupted.journal())

    #expect(resumed.problem == "")
    #expect(resumed.text.unsealed.hasSuffix(#""end":"passed","outputs":{"lines":3}}"# + "\n"))
    #expect(try folder.text("ledger.txt") == "one\nlast\ntwo\nlast\n")
  }

  // MARK: - Runs

  private struct Line: Sendable {
    let text: String
    /// True if the journal had to be on the disk after this line.
    var isDurable: Bool
  }

  private struct Run {
    let lines: [Line]
    let problem: String

    var text: String { lines.map(\.text).joined() }

    /// The journal up to the first line with this start, or all of it for an empty string.
    func journal(
      upTo beginning: String = "", _ change: (String) -> String = { $0 }
    ) throws -> Journal {
      let last = lines.firstIndex { $0.text.hasPrefix(beginning) }
      let end = beginning.isEmpty ? lines.count : (last ?? 0) + 1
      let text = change(lines[..<end].map(\.text).joined())
      return try TranscriptReader.readJournal(Array(text.utf8), file: "j")
    }
  }

  private struct Full: Error {}

  private func run(
    of other: Plan? = nil, resuming journal: Journal? = nil,
    _ options: ResumingCaller.Options = .init(),
    failingAt failing: String? = nil, interruptedAt interrupting: String? = nil
  ) async -> Run {
    if journal == nil { try? folder.remove("ledger.txt") }
    let lines = Mutex<[Line]>([])
    let recorder = JournalRecorder(scenario: "test.yaml", run: "r", resuming: journal) {
      bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      if let failing, text.hasPrefix(failing) { throw Full() }
      lines.withLock { $0.append(Line(text: text, isDurable: false)) }
    } reachDisk: {
      lines.withLock { lines in
        if !lines.isEmpty { lines[lines.count - 1].isDurable = true }
      }
    }
    let cancellation = Cancellation(at: interrupting) { recorder.interrupt() }
    let session = Session(
      of: other ?? plan, sinks: [recorder, cancellation], options: .init(in: folder.directory))
    let caller = ResumingCaller(journal, in: session, recorder: recorder, options: options)
    let result = await cancellation.run { await session.run(inputs: [], through: caller) }
    return Run(lines: lines.withLock { $0 }, problem: Self.problem(of: result))
  }

  /// The failure of the boundary: its code and message, then its notes.
  private static func problem(of result: RunReport) -> String {
    for case .boundary(let failure) in result.failures.map(\.failure) {
      return ([failure.code.name + " " + failure.message] + failure.notes).joined(separator: "\n")
    }
    return ""
  }
}

/// A component in memory that opens another port each time.
private struct Doors: Component {
  struct Door: RecordRepresentable {
    let value: Int
    static let record = Record(
      Door.init(value:), Field("value", \.value, "The port.", volatile: true))
  }

  static let plugin = Plugin(
    "doors", version: "1", "Opens.", state: .memory,
    operations: [
      Operation("open", "Opens a port.", answers: Door.record) { _, _ in
        Door(value: .random(in: 10_000...1_000_000_000))
      }
    ]
  ) { _ in Doors() }
}

/// An external component that calls another one.
private struct Gambler: Component {
  static let plugin = Plugin(
    "clerk", version: "1", "Asks.", state: .external, uses: [random],
    operations: [
      Operation("ask", "Asks.", answers: .none, retry: .safe) { _, context in
        _ = try await random(in: context)
      }
    ]
  ) { _ in Gambler() }

  private static let random = Role("dice", "Draws.")
    .call("random", answers: Record<Int>("value", "A number."))
}
