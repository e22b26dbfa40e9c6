import FlowCore
import FlowTesting
import Synchronization
import TestKit
import Testing

/// Failures for the end of a run, which a component may withdraw.
@Suite struct PendingFailureTests {
  private func problems(_ text: String, _ files: [String: String] = [:]) async throws -> [String] {
    let folder = try TemporaryFolder()
    for (name, text) in files { try folder.write(text, to: name) }
    try folder.write(text, to: "oven.yaml")
    let run = try await ScenarioFile(folder.path("oven.yaml")).attempt(Registry([Oven.self]))
    return run.problems.map { $0.text.replacing(folder.path("") + "/", with: "") }
  }

  private static let components = "flow: 1\ncomponents: {oven: {plugin: oven}}\n"

  @Test func `a failure for the end is of its step, and the steps after it run`() async throws {
    let problems = try await problems(
      Self.components + """
        steps:
          - {uses: oven.bake, with: {text: burnt}}
          - assert: ["${{ 1 == 2 }}"]

        """)

    #expect(
      problems == [
        """
        oven.yaml:5:19: error: 'assert#1': assertion failed [F2004]
            5 |   - assert: ["${{ 1 == 2 }}"]
              |                   ^^^^^^
        """,
        """
        oven.yaml:4:5: error: 'oven' notes the error 'hot': burnt [F2011]
            4 |   - {uses: oven.bake, with: {text: burnt}}
              |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          note: with cheese
        """,
      ])
  }

  @Test func `a withdrawn failure fails nothing`() async throws {
    let problems = try await problems(
      Self.components + """
        steps:
          - {uses: oven.bake, with: {text: burnt}}
          - {uses: oven.scrape}

        """)

    #expect(problems == [])
  }

  @Test func `a failure in a scenario of a step is of the inner step`() async throws {
    let inner = Self.components + "steps:\n  - {uses: oven.bake, with: {text: burnt}}\n"
    let problems = try await problems(
      "flow: 1\nsteps:\n  - scenario: inner.yaml\n", ["inner.yaml": inner])

    #expect(
      problems == [
        """
        inner.yaml:4:5: error: 'oven' notes the error 'hot': burnt [F2011]
            4 |   - {uses: oven.bake, with: {text: burnt}}
              |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          note: with cheese
          note: included from oven.yaml:3:15
        """
      ])
  }

  @Test func `every component looks for failures before any is closed`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      components:
        first: {plugin: oven, with: {looks: true}}
        second: {plugin: oven, with: {looks: true}}
      steps:
        - wait: 1ms

      """, to: "oven.yaml")
    let run = try await ScenarioFile(folder.path("oven.yaml")).attempt(Registry([Oven.self]))

    #expect(
      run.problems.map { $0.text.replacing(folder.path("") + "/", with: "") } == [
        "error: 'first' notes the error 'hot': still on [F2011]",
        "error: 'second' notes the error 'hot': still on [F2011]",
        "error: 'second' notes the error 'hot': closed [F2011]",
        "error: 'first' notes the error 'hot': closed [F2011]",
      ])
  }

  @Test func `an open component shows its failures for the end`() async throws {
    let oven = try await OpenComponent(Oven.self)

    _ = await oven.text("bake", ["text": "burnt"])
    #expect(oven.events == ["failed at the end: hot: burnt"])
    _ = await oven.text("scrape")
    #expect(oven.events == [])
  }
}

/// Notes a failure when it bakes, and withdraws it when it is scraped.
private final class Oven: Component {
  static let plugin = Plugin(
    "oven", version: "1.0", "Bakes.", state: .none,
    settings: Parameter<Bool>("looks", "Notes a failure at the end.", default: false),
    operations: [
      Operation("bake", "Bakes.", Parameter<String>("text", "The reason."), answers: .none) {
        oven, context, text in
        let failure = context.failAtEnd(ComponentError(hot, text), notes: ["with cheese"])
        oven.failure.withLock { $0 = failure }
      },
      Operation("scrape", "Scrapes.", answers: .none) { oven, _ in
        oven.failure.withLock { $0?.withdraw() }
      },
    ]
  ) { context, looks in Oven(context, looks) }

  private static let hot = ErrorCode("hot", "It is too hot.")

  private let failure = Mutex<PendingFailure?>(nil)
  private let context: Context
  private let looks: Bool

  private init(_ context: Context, _ looks: Bool) { (self.context, self.looks) = (context, looks) }

  func prepareToClose() async {
    if looks { _ = context.failAtEnd(ComponentError(Self.hot, "still on")) }
  }

  func close() async {
    if looks { _ = context.failAtEnd(ComponentError(Self.hot, "closed")) }
  }
}
