import FlowCore
import FlowEngine
import FlowScenario
import Synchronization
import TestKit
import Testing

/// A component like a client of a server, which reports that it is closed.
private actor Client: Component {
  static let plugin = Plugin(
    "client", version: "1", "Asks a server.", state: .none,
    settings: Parameter<Bool>("refused", "Whether it cannot be opened.", default: false),
    operations: [
      Operation("ask", "Waits for an answer from elsewhere.", answers: .none) { _, context in
        try await context.outside { try await ContinuousClock().sleep(for: .milliseconds(50)) }
      },
      Operation("hang", "Waits for an answer that never comes.", answers: .none) { _, context in
        try await context.outside { try await ContinuousClock().sleep(for: .seconds(86_400)) }
      },
      Operation("glance", "Asks somebody who answers at once.", answers: .none) { client, context in
        try await client.glance(context)
      },
      Operation("fail", "Fails.", answers: .none, errors: [.refused]) { _, _ in
        throw ComponentError(.refused, "no")
      },
      Operation("wait", "Waits in the run's time.", answers: .none) { _, context in
        try await context.sleep(for: .seconds(60))
      },
    ]
  ) { context, refused in
    if refused { throw ComponentError(.refused, "no") }
    return Client(context: context)
  }

  private let context: Context

  init(context: Context) { self.context = context }

  func glance(_ context: Context) async throws { await context.outside {} }

  func close() async {
    // What is left to say to the server takes its time, also after a cancellation.
    do { try await context.sleep(for: .seconds(1)) } catch { context.log("not closed") }
    context.log("closed")
  }
}

@Suite struct CloseTests {
  private static func run(
    _ text: String, files: [String: String] = [:], cancelledAt address: String? = nil
  ) async throws -> (log: [String], report: RunReport) {
    let plan = try ScenarioLoader(
      registry: try Registry([Client.self]), files: ScenarioFiles(texts: files)
    ).plan(ScenarioSource(file: "test.yaml", bytes: Array(text.utf8)))
    let lines = Lines()
    var options = Session.Options(in: Directory("."), virtualTime: VirtualTime())
    options.log = { lines.add("\($0.path) \($1)") }
    let cancellation = Cancellation(at: address)
    let session = Session(of: plan, sinks: [cancellation], options: options)
    let report = await cancellation.run { await session.run(inputs: []) }
    return (lines.all, report)
  }

  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  private static let components = "components: {a: {plugin: client}, b: {plugin: client}}"
  private static let closed = ["components/b closed", "components/a closed"]

  @Test(arguments: ["ask", "fail"])
  func `components are closed in reverse order at the end, also after a failure`(
    _ operation: String
  ) async throws {
    let run = try await Self.run(
      "flow: 1\n\(Self.components)\nsteps: [{uses: a.\(operation)}, {uses: b.ask}]")

    #expect(run.log == Self.closed)
    #expect(run.report.passed == (operation == "ask"))
  }

  @Test func `a cancellation does not reach the closing`() async throws {
    let run = try await Self.run(
      "flow: 1\n\(Self.components)\nsteps: [{uses: a.wait}, {uses: b.ask}]", cancelledAt: "a.wait#1"
    )

    #expect(run.log == Self.closed)
    #expect(!run.report.passed)
  }

  @Test func `what was opened is closed when the next component cannot be opened`() async throws {
    let run = try await Self.run(
      """
      flow: 1
      components: {a: {plugin: client}, b: {plugin: client, with: {refused: true}}}
      steps: [{uses: a.ask}, {uses: b.ask}]
      """)

    #expect(run.log == ["components/a closed"])
  }

  @Test func `the components of a sub-scenario are closed with it`() async throws {
    let part = "flow: 1\ncomponents: {c: {plugin: client}}\nsteps: [{uses: c.ask}]"
    let run = try await Self.run(
      """
      flow: 1
      components: {a: {plugin: client}}
      steps: [{id: part, scenario: part.yaml}, {uses: a.ask}]
      """, files: ["part.yaml": part])

    #expect(run.log == ["part/components/c closed", "components/a closed"])
  }

  @Test func `virtual time stands still while work goes on outside of it`() async throws {
    let run = try await Self.run(
      """
      flow: 1
      components: {a: {plugin: client}}
      steps:
        - parallel:
            asking: [{uses: a.ask, timeout: 10m}]
            waiting: [{wait: 1h}]
      """)

    #expect(run.report.passed)
    #expect(run.report.elapsed >= .seconds(3600))
  }

  @Test(arguments: [
    ("{id: call, uses: a.hang, timeout: 20ms}", "call"),
    ("{id: block, do: [{uses: a.ask}, {uses: a.hang}], timeout: 200ms}", "block"),
  ])
  func `a timeout ends work that goes on outside for as long in real time`(
    _ step: String, _ name: String
  ) async throws {
    let run = try await Self.run(
      """
      flow: 1
      components: {a: {plugin: client}}
      steps: [\(step)]
      """)

    #expect(
      run.report.diagnostics.map { $0.message.prefix { $0 != "0" } } == [
        "'\(name)#1' did not end within "
      ])
    // The clock has stood still all the same, apart from the end of the component.
    #expect(run.report.elapsed == .seconds(1))
  }

  @Test func `no time passes while an actor comes back from outside`() async throws {
    let run = try await Self.run(
      """
      flow: 1
      components: {a: {plugin: client}}
      steps:
        - for: i
          in: ${{ lists.range(1000) }}
          do: [{uses: a.glance, timeout: 10m}]
      """)

    #expect(run.report.passed)
    #expect(run.report.elapsed < .seconds(2))
  }
}
