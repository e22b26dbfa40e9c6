import FlowCommand
import FlowCore
import TestKit
import Testing

/// Slips in the declaration of a plugin that neither the compiler nor the check can see: the run says what they are.
@Suite struct ComponentSlipTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ steps: String) async throws -> FlowRun {
    try folder.write(
      """
      flow: 1
      components:
        slips: {plugin: slips, using: {other: other}}
        other: {plugin: slips}
      steps: [\(steps)]

      """, to: "slips.yaml")
    return try await FlowRun(["run", folder.path("slips.yaml"), "--record"], with: [Slips.self])
  }

  @Test func `an event that is not declared fails the call that reports it`() async throws {
    let run = try await run("{uses: slips.report}")

    #expect(run.code == .failed)
    #expect(
      run.errors.contains(
        "note: the plugin 'slips' reports the event 'hidden', which is not in its 'events'\n"))
  }

  @Test func `a call of a role that is not listed is told apart from a role that is not filled`()
    async throws
  {
    let run = try await run("{uses: slips.ask}")

    #expect(run.code == .failed)
    #expect(
      run.errors.contains("note: 'other.report' is not in the 'uses' of the plugin 'slips'\n"))
  }
}

/// Reports an event and calls a role that its plugin does not list.
private struct Slips: Component {
  static let plugin = Plugin(
    "slips", version: "1.0", "Forgets to declare things.", state: .none, uses: [quiet],
    operations: [
      Operation("report", "Reports what is not declared.", answers: .none) { _, context in
        context.emit(hidden, 1)
      },
      Operation("rest", "Does nothing.", answers: .none) { _, _ in },
      Operation("ask", "Calls what is not listed.", answers: .none) { _, context in
        try await loud(in: context)
      },
    ]
  ) { _ in Slips() }

  private static let hidden = EventKind("hidden", "Not listed.", Record<Int>("count", "A count."))
  private static let other = Role("other", "Another one.", optional: true)
  private static let quiet = other.call("rest", answers: .none)
  private static let loud = other.call("report", answers: .none)
}
