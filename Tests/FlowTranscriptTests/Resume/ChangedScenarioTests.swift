import FlowCore
import FlowEngine
import FlowPlan
import FlowRedaction
import FlowScenario
import FlowTranscript
import Synchronization
import TestKit
import Testing

/// Journals resumed with a changed scenario, whose differences are found before any new call.
@Suite struct ChangedScenarioTests {
  private static let head = """
    flow: 1
    components: {l: {plugin: ledger}, p: {plugin: probe}}
    inputs: {by: {type: int, default: 2}, all: {type: bool, default: true}}

    """
  private static let steps = """
    steps:
      - {id: count, uses: p.count, with: {by: "${{ inputs.by }}"}}
      - {id: one, uses: l.append, with: {text: one}}
      - id: each
        for: name
        in: "${{ inputs.all ? ['a', 'b', 'c'] : ['a'] }}"
        do: [{id: line, uses: l.append, with: {text: "${{ name }}"}}]
      - {id: held, uses: l.append, with: {text: held}}

    """

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static func plan(_ steps: String) throws -> Plan {
    try ScenarioLoader(registry: try Registry([Ledger.self, Probe.self]))
      .plan(ScenarioSource(file: "test.yaml", bytes: Array((head + steps).utf8)))
  }

  /// The journal of a run of the scenario up to the last step.
  private func journal() async throws -> Journal {
    let run = try await run(Self.plan(Self.steps), resuming: nil, watching: false)
    let lines = run.lines.prefix { !$0.hasPrefix(#"{"at":"held#1""#) }
    return try TranscriptReader.readJournal(Array(lines.joined().utf8), file: "j")
  }

  // MARK: - What the text of the scenario tells

  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let old: String
    let new: String
    var departures: [String] = []
  }

  private static let note = "nothing was run: the journal cannot be resumed with this scenario"

  static let changes = [
    Change(
      testDescription: "a step is gone", old: "  - {id: one, uses: l.append, with: {text: one}}\n",
      new: "",
      departures: [
        "F3006 1 recorded call is no longer in the scenario; line 9: 'one#1' called 'l.append'"
      ]
    ),
    Change(
      testDescription: "a step has another id", old: "id: line", new: "id: row",
      departures: [
        """
        F3006 3 recorded calls are no longer in the scenario; line 11: 'each/line#1' called 'l.append'; \
        line 13: 'each/line#2' called 'l.append'; line 15: 'each/line#3' called 'l.append'
        """
      ]),
    Change(
      testDescription: "a step is in no loop any more",
      old:
        "    for: name\n    in: \"${{ inputs.all ? ['a', 'b', 'c'] : ['a'] }}\"\n    do: [{id: line, uses: l.append, with: {text: \"${{ name }}\"}}]",
      new: "    do: [{id: line, uses: l.append, with: {text: a}}]",
      departures: [
        """
        F3006 2 recorded calls are no longer in the scenario; line 13: 'each/line#2' called 'l.append'; \
        line 15: 'each/line#3' called 'l.append'
        """
      ]),
    Change(
      testDescription: "a step calls something else",
      old: "{id: one, uses: l.append, with: {text: one}}",
      new: "{id: one, uses: p.echo, with: {value: one}}",
      departures: ["F3002 'one#1' calls 'p.echo', recorded 'l.append'"]),
    Change(
      testDescription: "a step that calls something calls nothing",
      old: "{id: one, uses: l.append, with: {text: one}}", new: "{id: one, wait: 1ms}",
      departures: [
        "F3006 1 recorded call is no longer in the scenario; line 9: 'one#1' called 'l.append'"
      ]
    ),
    Change(
      testDescription: "a written input is another one", old: "with: {text: one}",
      new: "with: {text: two}",
      departures: ["F3003 the input of 'one#1' has changed; text: recorded \"one\", now \"two\""]),
    Change(
      testDescription: "there is a step before the others", old: "steps:\n",
      new: "steps:\n  - {id: new, uses: l.append, with: {text: new}}\n"),
    Change(
      testDescription: "a step that was not begun is gone",
      old: "  - {id: held, uses: l.append, with: {text: held}}\n", new: ""),
    Change(testDescription: "nothing has changed", old: "steps:", new: "steps:"),
  ]

  @Test(arguments: changes) func `the text of a scenario tells what it does not do again`(
    _ change: Change
  ) async throws {
    let journal = try await journal()
    let plan = try Self.plan(Self.steps.replacing(existing: change.old, with: change.new))

    let found = journal.departures(in: plan, hidingSecretsBy: Redactor())

    #expect(found.allSatisfy { $0.notes.last == Self.note })
    let texts = found.map { diagnostic in
      "\(diagnostic.code) "
        + ([diagnostic.message] + diagnostic.notes.dropLast()).joined(separator: "; ")
    }
    #expect(texts == change.departures)
  }

  // MARK: - What the run tells

  @Test(arguments: [
    (
      "a condition leaves a step out", "{id: one, uses",
      "{id: one, if: \"${{ inputs.by > 2 }}\", uses",
      "1 recorded call was never made", "line 9: 'one#1' called 'l.append'"
    ),
    (
      "a loop is shorter", "inputs.all ? ", "!inputs.all ? ",
      "2 recorded calls were never made", "line 13: 'each/line#2' called 'l.append'"
    ),
  ]) func `nothing new is done when a step has passed without its recorded calls`(
    _ id: String, _ old: String, _ new: String, _ problem: String, _ line: String
  ) async throws {
    let journal = try await journal()
    let before = try folder.text("ledger.txt")
    let text = Self.steps.replacing(existing: old, with: new)

    let watched = try await run(Self.plan(text), resuming: journal, watching: true)

    #expect(watched.problem.hasPrefix("F3006 \(problem)\n\(line)"), "\(id): \(watched.problem)")
    #expect(watched.lines == [])
    #expect(try folder.text("ledger.txt") == before)
  }

  @Test func `what is new comes to its turn where all that is recorded is made`() async throws {
    let journal = try await journal()
    let text = Self.steps.replacing(
      existing: "  - id: each\n",
      with: "  - {id: new, uses: l.append, with: {text: new}}\n  - id: each\n")

    let resumed = try await run(Self.plan(text), resuming: journal, watching: true)

    #expect(resumed.problem == "")
    #expect(try folder.text("ledger.txt").hasSuffix("c\nheld\nnew\nheld\n"))
  }

  // MARK: - Runs

  private struct Run {
    let lines: [String]
    let problem: String
  }

  private func run(
    _ plan: Plan, resuming journal: Journal?, watching: Bool
  ) async throws -> Run {
    let lines = Mutex<[String]>([])
    let recorder = JournalRecorder(
      scenario: "test.yaml", run: "r", resuming: journal, blobs: nil,
      append: { bytes, _ in lines.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) } },
      reachDisk: {})
    let session = Session(of: plan, sinks: [recorder], options: .init(in: folder.directory))
    var options = ResumingCaller.Options()
    options.watchesSteps = watching
    let caller = ResumingCaller(journal, in: session, recorder: recorder, options: options)
    let report = await session.run(inputs: try plan.inputValues(texts: []), through: caller)
    for case .boundary(let failure) in report.failures.map(\.failure) {
      let text = ([failure.code.name + " " + failure.message] + failure.notes)
      return Run(lines: lines.withLock { $0 }, problem: text.joined(separator: "\n"))
    }
    return Run(lines: lines.withLock { $0 }, problem: report.passed ? "" : "\(report.failures)")
  }
}
