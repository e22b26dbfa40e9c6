import BalancePlugin
import CEventLoop
import FlowCore
import FlowEngine
import FlowPlan
import FlowRedaction
import FlowReport
import FlowScenario
import FlowSystem
import FlowTranscript
import Foundation

/// Scenarios of 1 to 100,000 steps: loading, running, recording and replaying them.
enum Steps {
  static let benchmark = Benchmark(name: "steps", rounds: 5) {
    sizes.flatMap { size in
      StepsMode.allCases.filter { size <= $0.largest }.map { mode in
        Case(
          name: "steps, \(mode.rawValue)", size: size, figures: figures, isReference: mode.isFloor
        ) { try sample($0, size, mode) }
      }
        + shells.map { shell in
          Case(
            name: "steps, \(shell)", size: size, figures: [Case.Figure("run", "µs/step")],
            isReference: true
          ) { _ in try sample(shell: shell, size) }
        }
    }
  }

  private static let sizes = [1, 100, 1_000, 10_000, 100_000]
  private static let figures = [
    Case.Figure("load", "µs/step"), Case.Figure("run", "µs/step"),
    Case.Figure("processor", "µs/step"), Case.Figure("peak", "MiB"),
  ]

  private static func sample(
    _ program: Program, _ size: Int, _ mode: StepsMode
  ) throws -> [Double] {
    let (numbers, cost) = try ChildProcess.numbers(
      [program.benchmarks, Child.steps.rawValue, "\(size)", mode.rawValue], count: 3)
    return [numbers[0], numbers[1], cost.processor * 1_000 / Double(size), numbers[2]]
  }

  /// The installed shells, whose scripts have such steps.
  private static let shells = ["dash", "bash"].filter {
    FileManager.default.isExecutableFile(atPath: "/bin/\($0)")
  }

  /// Measures a whole process that reads and runs a script with as many additions, each compared.
  private static func sample(shell: String, _ size: Int) throws -> [Double] {
    let script = FileManager.default.temporaryDirectory.appending(path: "flow-\(UUID()).sh")
    defer { try? FileManager.default.removeItem(at: script) }
    let lines = (1...size).map { "b=$((b + 1)); [ \"$b\" = \($0) ] || exit 1\n" }
    try Data(("b=0\n" + lines.joined()).utf8).write(to: script)
    let cost = try ChildProcess.run(["/bin/\(shell)", script.path])
    return [cost.elapsed * 1_000 / Double(size)]
  }

  /// Prints microseconds a step to load and to run, and MiB at the peak, in the child process.
  static func measure(_ size: Int, _ mode: StepsMode) async throws {
    switch mode {
    case .disk: return try measureDisk(size)
    case .events: return measureEvents(size)
    case .lines: return measureLines(size)
    default: break
    }
    let balance: any Component.Type = mode == .durable ? OutsideBalance.self : Balance.self
    let loader = ScenarioLoader(registry: try Registry([balance, Teller.self]))
    let clock = ContinuousClock()
    let start = clock.now
    let plan = try loader.plan(ScenarioSource(file: "steps.yaml", bytes: mode.scenario(size)))
    let load = start.duration(to: clock.now)
    let isReplayed = [.replay, .loopReplay, .rolesReplay].contains(mode)
    let transcript = isReplayed ? try await transcript(of: plan) : nil
    let run = try await mode.run(plan, transcript)
    let microseconds = { (duration: Duration) in duration / .microseconds(1) / Double(size) }
    print(microseconds(load), microseconds(run), Double(peakMemory()) / 1_048_576)
  }

  /// Measures the least cost of a durable journal: a line for each step, which reaches the disk
  /// alone.
  private static func measureDisk(_ size: Int) throws {
    let path = CommandLine.arguments[0] + ".\(UUID()).journal"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let file = try JournalFile(creating: path)
    let line = [UInt8](repeating: UInt8(ascii: "-"), count: 119) + [0x0A]
    let clock = ContinuousClock()
    let start = clock.now
    for _ in 0..<size {
      try file.append(line)
      try file.reachDisk()
    }
    let microseconds = start.duration(to: clock.now) / .microseconds(1) / Double(size)
    print(0.0, microseconds, Double(peakMemory()) / 1_048_576)
  }

  /// The least that loading costs: libyaml's events of the same text.
  private static func measureEvents(_ size: Int) {
    let text = scenario(steps: size)
    let time = ContinuousClock().measure {
      precondition(YAMLLoading.countEvents(text) > 0, "libyaml rejects the scenario")
    }
    print(time / .microseconds(1) / Double(size), 0.0, Double(peakMemory()) / 1_048_576)
  }

  /// The least that recording costs: as many lines of a transcript printed by C.
  private static func measureLines(_ size: Int) {
    let time = ContinuousClock().measure { flow_print_lines(size) }
    print(0.0, time / .microseconds(1) / Double(size), Double(peakMemory()) / 1_048_576)
  }

  /// Steps as people write them: an id, an operation, an input, an expectation.
  static func scenario(steps: Int) -> [UInt8] {
    var text: [UInt8] = []
    text += "flow: 1\ncomponents:\n  balance: {plugin: balance}\nsteps:\n".utf8
    for step in 0..<steps {
      text +=
        """
          - id: step\(step)
            uses: balance.add
            with: {amount: 0.01}
            expect: {balance: \(FlowCore.Decimal(significand: Int128(step + 1), scale: 2))}

        """.utf8
    }
    return text
  }

  /// The same with expressions: the same one in each input, another one in each expectation.
  static func expressions(steps: Int) -> [UInt8] {
    var text: [UInt8] = []
    text +=
      "flow: 1\ninputs: {amount: {type: decimal, default: 0.01}}\ncomponents:\n  balance: {plugin: balance}\nsteps:\n"
      .utf8
    for step in 0..<steps {
      let before = step == 0 ? "0.00" : "steps.step\(step - 1).balance"
      text +=
        """
          - id: step\(step)
            uses: balance.add
            with: {amount: "${{ inputs.amount }}"}
            expect: {balance: "${{ \(before) + inputs.amount }}"}

        """.utf8
    }
    return text
  }

  /// One step in a loop.
  static func loop(steps: Int) -> [UInt8] {
    Array(
      """
      flow: 1
      components: {balance: {plugin: balance}}
      steps:
        - for: number
          in: ${{ lists.range(\(steps)) }}
          do: [{uses: balance.add, with: {amount: 0.01}}]

      """.utf8)
  }

  private static func transcript(of plan: Plan) async throws -> Transcript {
    // Beside the program: a temporary folder may be memory.
    let path = CommandLine.arguments[0] + ".\(UUID()).jsonl"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let recorder = Recorder(scenario: "steps.yaml")
    _ = try await StepsMode.run(plan, [recorder])
    try FileSystem.replace(path, with: recorder.recording.bytes)
    return try TranscriptReader.read(path)
  }
}

/// How the steps are run.
enum StepsMode: String, CaseIterable {
  /// With the console's report only.
  case run
  /// With a recording as well.
  case record
  /// With a recording that has a secret to hide.
  case secret
  /// With a journal of components in memory.
  case journal
  /// With a journal that reaches the disk before each call, as for components outside of the process.
  case durable
  /// A line a step that reaches the disk, and no step.
  case disk = "floor"
  /// The events of libyaml, and no step.
  case events = "libyaml's events"
  /// Lines of a transcript printed by C, and no step.
  case lines = "lines printed by C"
  /// On recorded answers.
  case replay
  /// With nobody listening: the engine and the component alone.
  case bare
  /// The same calls of one step in a loop, which is loaded once.
  case loop = "loop bare"
  /// The same, with a recording.
  case loopRecord = "loop record"
  /// The same, on recorded answers.
  case loopReplay = "loop replay"
  /// The same calls, made by a component in one step.
  case roles = "roles bare"
  /// The same, with the console's report.
  case rolesRun = "roles run"
  /// The same, with a recording.
  case rolesRecord = "roles record"
  /// The component that calls live, on recorded answers.
  case rolesReplay = "roles replay"
  /// Steps with an expression in their input and another one in their expectation, reported by the console.
  case expressions = "two expressions"

  /// The most steps that are measured so.
  var largest: Int { self == .durable || self == .disk ? 1_000 : .max }

  /// Whether it shows what the least is, without us.
  var isFloor: Bool { [.disk, .events, .lines].contains(self) }

  func scenario(_ size: Int) -> [UInt8] {
    switch self {
    case .roles, .rolesRun, .rolesRecord, .rolesReplay: Teller.scenario(calls: size)
    case .loop, .loopRecord, .loopReplay: Steps.loop(steps: size)
    case .expressions: Steps.expressions(steps: size)
    default: Steps.scenario(steps: size)
    }
  }

  func run(_ plan: Plan, _ transcript: Transcript?) async throws -> Duration {
    let console = ConsoleReport(style: .init()) { _ in }
    switch self {
    case .bare, .roles, .loop: return try await Self.run(plan, [])
    case .rolesRecord, .loopRecord:
      return try await Self.record(plan, console)
    case .rolesReplay:
      guard let transcript else { return .zero }
      var live = Replay.Live()
      live.names = ["teller"]
      return try await Self.time { [live] in
        await Replay(transcript, of: plan, live: live).run(inputs: [], sinks: [console]).run
      }
    case .run, .rolesRun, .expressions: return try await Self.run(plan, [console])
    case .record: return try await Self.record(plan, console)
    case .secret:
      let options = Session.Options()
      try options.redactor.add("correct-horse-battery-staple", named: "token")
      return try await Self.record(plan, console, options)
    case .journal, .durable: return try await Self.journal(plan, console)
    case .disk, .events, .lines: return .zero
    case .replay, .loopReplay:
      guard let transcript else { return .zero }
      let inputs = try plan.inputValues(texts: [])
      return try await Self.time {
        await Replay(transcript, of: plan).run(inputs: inputs, sinks: [console]).run
      }
    }
  }

  private static func journal(_ plan: Plan, _ console: ConsoleReport) async throws -> Duration {
    // Beside the program: a temporary folder may be no disk.
    let path = CommandLine.arguments[0] + ".\(UUID()).journal"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let file = try JournalFile(creating: path)
    let recorder = JournalRecorder(
      scenario: "steps.yaml", run: "run", resuming: nil, blobs: nil,
      append: { try file.append($0, mayWait: $1) }, reachDisk: { try file.reachDisk() })
    let session = Session(of: plan, sinks: [recorder, console])
    let caller = ResumingCaller(nil, in: session, recorder: recorder)
    let inputs = try plan.inputValues(texts: [])
    return try await time { await session.run(inputs: inputs, through: caller) }
  }

  static func run(
    _ plan: Plan, _ sinks: [any EventSink], _ options: Session.Options = Session.Options()
  ) async throws -> Duration {
    let inputs = try plan.inputValues(texts: [])
    let session = Session(of: plan, sinks: sinks, options: options)
    return try await time { await session.run(inputs: inputs) }
  }

  /// Records a run, to the bytes of its file.
  private static func record(
    _ plan: Plan, _ console: ConsoleReport, _ options: Session.Options = Session.Options()
  ) async throws -> Duration {
    let recorder = Recorder(scenario: "steps.yaml")
    let inputs = try plan.inputValues(texts: [])
    let session = Session(of: plan, sinks: [console, recorder], options: options)
    return try await time {
      let report = await session.run(inputs: inputs)
      precondition(!recorder.recording.bytes.isEmpty)
      return report
    }
  }

  private static func time(_ run: () async -> RunReport) async throws -> Duration {
    let clock = ContinuousClock()
    let start = clock.now
    let report = await run()
    precondition(report.passed, "the steps failed: \(report.failures)")
    return start.duration(to: clock.now)
  }
}

/// A balance that says that it is kept outside of the process, and answers at once.
actor OutsideBalance: Component {
  static let plugin = Plugin(
    "balance", version: "1.0", "A balance elsewhere.", state: .external,
    operations: [
      Operation(
        "add", "Adds to it.", Parameter<FlowCore.Decimal>("amount", "How much."),
        answers: Record<FlowCore.Decimal>("balance", "How much there is."), retry: .safe
      ) { balance, _, amount in try await balance.add(amount) }
    ]
  ) { _ in OutsideBalance() }

  private var balance = FlowCore.Decimal(0)

  private func add(_ amount: FlowCore.Decimal) throws -> FlowCore.Decimal {
    balance = try balance + amount
    return balance
  }
}
