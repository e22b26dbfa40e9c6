import FilePlugin
import FlowCommand
import FlowCore
import FlowEngine
import FlowExplore
import FlowPlan
import FlowScenario
import FlowTranscript
import Foundation
import Synchronization
import TestKit
import Testing

/// Scenarios under other orders of their work.
@Suite struct ExploreTests {
  private static let steps = """
    steps:
      - {uses: cell.show, with: {path: a.png}}
      - {uses: cell.show, with: {path: b.png}}
      - {uses: cell.settle}
      - {uses: cell.read, expect: {picture: b.png}}
    """

  private func plan(_ plugin: String, _ steps: String = Self.steps) throws -> Plan {
    let text = """
      flow: 1
      components:
        pictures: {plugin: pictures}
        cell: {plugin: \(plugin), using: {images: pictures}}
      \(steps)

      """
    let registry = try Registry([
      Pictures.self, CarelessCell.self, CarefulCell.self, Escapist.self, Adder.self,
      Waiter.self,
    ])
    return try ScenarioLoader(registry: registry)
      .plan(ScenarioSource(file: "cell.yaml", bytes: Array(text.utf8)))
  }

  @Test func `the plain order passes and one delay shows the stale picture`() async throws {
    let exploration = await Explorer(try plan("careless-cell"), inputs: []).explore()

    let found = try #require(exploration.found)
    #expect(found.schedule.delays.count == 1)
    #expect(found.schedule.delays.first?.count == 1)
    #expect(exploration.tried < 100)
    #expect(exploration.strays == [])
    #expect(exploration.isDeterministic)
    #expect(
      found.report.diagnostics.map(\.message) == ["'cell.read#1' did not answer as expected"])
    let delay = try #require(found.story.texts.first { $0.hasPrefix("(") })
    #expect(delay.contains("show#1"))
  }

  @Test func `a cell that checks what it shows passes in every order that is tried`() async throws {
    var options = ExplorationOptions()
    options.budget = 3_000

    let exploration = await Explorer(try plan("careful-cell"), inputs: [], options).explore()

    #expect(exploration.found == nil)
    #expect(exploration.tried == 3_000)
    #expect(exploration.isDeterministic)
    #expect(exploration.completedDelays ?? 0 >= 1)
  }

  @Test func `what was found fails in the same way every time, and its transcript replays`()
    async throws
  {
    let plan = try plan("careless-cell")
    let found = try #require(await Explorer(plan, inputs: []).explore().found)
    let transcript = try found.transcript.whole("cell.yaml")

    #expect(transcript.header.schedule == found.schedule)
    let schedule = try #require(transcript.header.schedule)
    for _ in 0..<Stress.count(10, full: 100) {
      let again = await Explorer(plan, inputs: []).run(schedule)
      #expect(again.transcript.bytes == found.transcript.bytes)
      #expect(again.failure == found.failure)
    }
    let replay = await Replay(transcript, of: plan).run(inputs: [])
    #expect(replay.run.diagnostics.map(\.message) == found.report.diagnostics.map(\.message))
  }

  @Test func `a component is explored on answers that are recorded`() async throws {
    let recorded = try plan("careful-cell")
    let run = await Explorer(recorded, inputs: []).run(Schedule())
    let transcript = try run.transcript.whole("cell.yaml")
    var options = ExplorationOptions()
    options.recorded = transcript
    options.live = ["cell"]
    options.budget = 300

    let careless = await Explorer(try plan("careless-cell"), inputs: [], options).explore()
    let careful = await Explorer(recorded, inputs: [], options).explore()

    let found = try #require(careless.found)
    #expect(found.schedule.delays.count == 1)
    #expect(careful.found == nil)
    #expect(careful.inconclusive == 0)
  }

  @Test(arguments: [
    #"{"delays":[[2,0,"idle"]],"faults":[]}"#, #"{"delays":[[2,1,"later"]],"faults":[]}"#,
    #"{"delays":[[2,1,"idle"],[2,1,"idle"]],"faults":[]}"#,
    #"{"delays":[[-1,1,"idle"]],"faults":[]}"#,
    #"{"faults":[],"delays":[]}"#, #"{"delays":[],"faults":[{"at":"a"}]}"#, "[]",
    #"{"delays":[[1e1,1,"idle"]],"faults":[]}"#,
  ])
  func `a schedule that is none makes the header one that is none`(_ schedule: String) async throws
  {
    let run = await Explorer(try plan("careful-cell"), inputs: []).run(Schedule())
    let text = String(decoding: run.transcript.bytes, as: UTF8.self).unsealed
    let old = #"{"delays":[],"faults":[]}"#

    #expect(throws: Never.self) { try TranscriptReader.read(Array(text.utf8), file: "t.jsonl") }
    #expect(throws: TranscriptError.self) {
      try TranscriptReader.read(
        Array(text.replacing(existing: old, with: schedule).utf8), file: "t.jsonl")
    }
  }

  @Test func `the command says what fails, and runs it again`() async throws {
    let folder = try TemporaryFolder()
    let scenario = """
      flow: 1
      components:
        balance: {plugin: balance, with: {opening: 10.00}}
      steps:
        - parallel:
            rent: [{uses: balance.subtract, with: {amount: 6.00}}]
            wages: [{uses: balance.add, with: {amount: 1.00}}]
            food: [{uses: balance.subtract, with: {amount: 5.00}}]

      """
    try folder.write(scenario, to: "month.yaml")
    let transcript = "month.transcript.explored.jsonl"
    for (arguments, code) in [
      // In virtual time, where the plain order is the only one: in real time any other may come.
      (["run", "month.yaml", "--virtual-time"], 0), (["explore", "month.yaml"], 1),
      (["replay", transcript], 1),
      (["replay", transcript, "--live"], 1), (["explore", "month.yaml", "--budget", "0"], 64),
      (["explore", "month.yaml", "--live=balance"], 65),
      (["explore", "month.yaml", "--faults=balence"], 64),
    ] {
      let run = try await BuiltProgram.run("flow", arguments, in: folder)
      #expect(run.code == Int32(code), "\(arguments): \(run.errors)")
    }
    _ = try await BuiltProgram.run("flow", ["explore", "month.yaml", "--svg=out.svg"], in: folder)
    let drawn = ScenarioFolder.path + "/../Docs/images/month.svg"
    #expect(try folder.text("out.svg") == String(contentsOfFile: drawn, encoding: .utf8))

    try folder.write(
      scenario.replacing(existing: "opening: 10.00", with: "opening: 20.00"), to: "month.yaml")
    #expect(
      try await BuiltProgram.run("flow", ["replay", transcript, "--live"], in: folder).code == 0)
    #expect(
      try await BuiltProgram.run("flow", ["explore", "month.yaml", "--budget", "200"], in: folder)
        .code == 0)
  }

  @Test func `an error that a component declares is tried, and found with no delay`() async throws {
    var options = ExplorationOptions()
    options.faults = ["pictures"]
    let steps = """
      steps:
        - {uses: cell.show, with: {path: a.png}}
        - {uses: cell.settle}
        - {uses: cell.read, expect: {picture: a.png}}
      """

    let found = try #require(
      await Explorer(try plan("careful-cell", steps), inputs: [], options).explore().found)

    #expect(found.schedule.delays == [])
    guard case .error("broken", _)? = found.schedule.faults.first else {
      Issue.record("\(found.schedule.faults)")
      return
    }
    #expect(found.schedule.faults.count == 1)
  }

  @Test func `work that leaves the run is named with its call`() async throws {
    let steps = "steps: [{uses: cell.show, with: {path: a.png}}]"
    var options = ExplorationOptions()
    options.budget = 1

    let exploration = await Explorer(try plan("escapist", steps), inputs: [], options).explore()

    #expect(exploration.strays == ["cell.show#1"])
  }

  @Test func `an attempt after an error that was put in has an answer`() async throws {
    var options = ExplorationOptions()
    options.faults = ["pictures"]
    options.budget = 50
    let steps = """
      steps:
        - uses: pictures.load
          with: {path: a.png}
          retry: {attempts: 2, backoff: 1s, on: [broken]}
          expect: {picture: a.png}
      """

    let exploration = await Explorer(
      try plan("careful-cell", steps), inputs: [], options
    ).explore()

    #expect(exploration.found == nil)
    #expect(exploration.outcomeCount == 1)
    #expect(exploration.tried > 1)
  }

  @Test func `a call that never ends fails as one in which nothing goes on`() async throws {
    let steps = "steps: [{uses: cell.wait}]"

    let found = try #require(
      await Explorer(try plan("waiter", steps), inputs: []).explore().found)

    #expect(found.standstill == .stuck)
    #expect(found.schedule.delays == [])
  }

  @Test func `a drawing that cannot be written is noticed before the search`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("flow: 1\nsteps: [{assert: ['${{ true }}']}]\n", to: "x.yaml")

    let run = try await FlowCommandRun(
      ["explore", folder.path("x.yaml"), "--svg", folder.path("none/x.svg")])

    #expect(run.code == .cannotWrite)
    #expect(run.output == "")
    #expect(
      run.errors
        == "flow: the drawing was not written: cannot write '\(folder.path("none/x.svg"))': "
        + "there is no folder '\(folder.path("none"))'\n")
    #expect(try folder.names == ["x.yaml"])
  }

  @Test func `a drawing that cannot be written does not lose the recording`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      components: {files: {plugin: file}}
      steps:
        - {uses: files.write, with: {path: x.svg, text: "flow: 1"}}
        - {assert: ["${{ false }}"]}

      """, to: "x.yaml")

    let run = try await FlowCommandRun(
      ["explore", folder.path("x.yaml"), "--svg", folder.path("x.svg")],
      components: [Files.self])

    #expect(run.code == .cannotWrite)
    #expect(run.output.contains("recorded \(folder.path("x.transcript.explored.jsonl")); "))
    #expect(
      run.errors.contains(
        "flow: the drawing was not written: cannot write '\(folder.path("x.svg"))': it is a scenario"
      ))
    #expect(try folder.names == ["x.svg", "x.transcript.explored.jsonl", "x.yaml"])
  }

  @Test func `a call that looks again and again without an end fails as endless`() async throws {
    var options = ExplorationOptions()
    options.mostSleeps = 20_000
    let explorer = Explorer(try plan("waiter", "steps: [{uses: cell.poll}]"), inputs: [], options)

    let found = try #require(await explorer.explore().found)

    #expect(found.standstill == .endless)
    #expect(found.schedule.delays == [])
  }

  @Test(arguments: ["careless-cell", "careful-cell"], [0, 2])
  func `what is tried and found does not depend on how many run at once`(
    _ plugin: String, _ delays: Int
  ) async throws {
    let plan = try plan(plugin)
    var finds: Set<String> = []
    for jobs in [1, 2, 5] {
      var options = ExplorationOptions()
      (options.budget, options.maxDelays, options.jobs) = (400, delays, jobs)
      options.faults = ["pictures"]
      let found = await Explorer(plan, inputs: [], options).explore()
      finds.insert(
        "\(found.tried) \(found.outcomeCount) \(found.moments) \(found.isDeterministic) "
          + "\(found.completedDelays as Int?) \(found.found?.schedule as Schedule?)")
    }

    #expect(finds.count == 1, "\(finds)")
  }

  @Test func `a counter that is read before it is written is found and shrunk`() async throws {
    let steps = """
      steps:
        - for: x
          in: ${{ [1, 2, 3] }}
          parallel: 3
          do: [{uses: cell.add}]
        - {uses: cell.count, expect: {count: 3}}
      """

    let found = try #require(
      await Explorer(try plan("adder", steps), inputs: []).explore().found)

    #expect(found.schedule.delays.count <= 1)
  }
}

/// Gives a picture for each path.
private struct Pictures: Component {
  static let broken = ErrorCode("broken", "No picture.")
  static let path = Parameter<String>("path", "Which.")
  static let picture = Record<String>("picture", "The picture.")

  static let plugin = Plugin(
    "pictures", version: "1.0", "Gives pictures.", state: .none,
    operations: [
      Operation("load", "Loads a picture.", path, answers: picture, errors: [broken]) {
        _, _, path in path
      }
    ]
  ) { _ in Pictures() }
}

/// The common part of all cells in these tests.
private actor Cell {
  static let load = Role("images", "Where pictures are.").call(
    "load", Pictures.path, answers: Pictures.picture, errors: [Pictures.broken])

  private let checks: Bool
  private var path = ""
  private(set) var picture = ""
  private var loading: [Task<Void, any Error>] = []

  init(checks: Bool) { self.checks = checks }

  func show(_ path: String, _ context: Context) {
    self.path = path
    loading.append(
      context.spawn("picture") { [self] context in
        let picture = (try? await Self.load(path, in: context)) ?? "broken"
        await fill(picture, for: path)
      })
  }

  private func fill(_ picture: String, for path: String) {
    if !checks || path == self.path { self.picture = picture }
  }

  func settle() async throws { for task in loading { try await task.value } }

  static func operations<Subject: Component>(
    _ cell: @escaping @Sendable (Subject) -> Cell
  ) -> [FlowCore.Operation<Subject>] {
    [
      Operation("show", "Shows a picture.", Pictures.path, answers: Record<Void>.none) {
        await cell($0).show($2, $1)
      },
      Operation("settle", "Waits.", answers: Record<Void>.none) { subject, _ in
        try await cell(subject).settle()
      },
      Operation("read", "What is shown.", answers: Pictures.picture) { subject, _ in
        await cell(subject).picture
      },
    ]
  }
}

/// Shows whatever picture comes last.
private struct CarelessCell: Component {
  let cell = Cell(checks: false)
  static let plugin = Plugin(
    "careless-cell", version: "1.0", "Shows pictures.", state: .memory, uses: [Cell.load],
    operations: Cell.operations { (it: CarelessCell) in it.cell }
  ) { _ in CarelessCell() }
}

/// A cell that ignores a picture it no longer shows.
private struct CarefulCell: Component {
  let cell = Cell(checks: true)
  static let plugin = Plugin(
    "careful-cell", version: "1.0", "Shows pictures.", state: .memory, uses: [Cell.load],
    operations: Cell.operations { (it: CarefulCell) in it.cell }
  ) { _ in CarefulCell() }
}

/// A cell that works in a task unknown to the run.
private struct Escapist: Component {
  static let plugin = Plugin(
    "escapist", version: "1.0", "Leaves.", state: .memory, uses: [Cell.load],
    operations: [
      Operation("show", "Shows.", Pictures.path, answers: Record<Void>.none) { _, _, _ in
        await Task.detached { await Task.yield() }.value
      }
    ]
  ) { _ in Escapist() }
}

/// A component that reads a number, makes a call, and writes the next number.
private actor Adder: Component {
  static let plugin = Plugin(
    "adder", version: "1.0", "Counts.", state: .memory, uses: [Cell.load],
    operations: [
      Operation("add", "Adds one.", answers: Record<Void>.none) { it, context in
        let before = await it.count
        _ = try await Cell.load("\(context.address)", in: context)
        await it.set(before + 1)
      },
      Operation("count", "The count.", answers: Record<Int>("count", "The count.")) { it, _ in
        await it.count
      },
    ]
  ) { _ in Adder() }

  private var count = 0

  private func set(_ count: Int) { self.count = count }
}

/// A component that waits until it is cancelled.
private struct Waiter: Component {
  static let plugin = Plugin(
    "waiter", version: "1.0", "Waits.", state: .memory, uses: [Cell.load],
    operations: [
      Operation("wait", "Waits.", answers: Record<Void>.none) { _, _ in
        let (news, _) = AsyncStream<Void>.makeStream()
        for await _ in news {}
      },
      Operation("poll", "Looks every second.", answers: Record<Void>.none) { _, context in
        while true { try await context.sleep(for: .seconds(1)) }
      },
    ]
  ) { _ in Waiter() }
}
