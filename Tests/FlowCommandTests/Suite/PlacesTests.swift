import FlowCommand
import FlowCore
import Synchronization
import TestKit
import Testing

/// The number of scenarios that run at once, of which some wait for a server.
@Suite struct PlacesTests {
  private struct Row: CustomTestStringConvertible {
    let name: String
    var project = ""
    var options: [String] = []
    var plugin = "hall"
    /// The number of scenarios that use the component at once, on one core.
    let most: Int

    var testDescription: String { name }
  }

  private static let rows = [
    Row(name: "six wait for a server", most: 6),
    Row(name: "the project allows more", project: "at-once: {h: 8}\n", most: 8),
    Row(name: "the project allows fewer", project: "at-once: {h: 2}\n", most: 2),
    Row(name: "another component is meant", project: "at-once: {other: 2}\n", most: 6),
    Row(name: "the number of jobs is given", options: ["--jobs", "3"], most: 3),
    Row(name: "the project has a number of jobs", project: "jobs: 2\n", most: 2),
    Row(
      name: "fewer use it than there are jobs", project: "at-once: {h: 2}\n",
      options: ["--jobs", "5"], most: 2),
    Row(name: "a database is work", plugin: "archive", most: 1),
    Row(
      name: "a database has a limit, too", project: "at-once: {h: 2}\n", plugin: "archive", most: 1),
  ]

  /// Each scenario waits until as many others wait for the component, and sees no more of them.
  @Test(arguments: rows) private func `as many run at once as servers are used to`(
    _ row: Row
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write("flow: 1\n" + row.project, to: "flow.yaml")
    let names = (0..<(row.most * 3)).map { "s\($0 < 10 ? "0" : "")\($0)" }
    for name in names {
      try folder.write(
        """
        flow: 1
        components: {h: {plugin: \(row.plugin)}}
        steps:
          - {uses: h.meet, with: {count: \(row.most)}, timeout: 60s, expect: {most: \(row.most)}}

        """, to: "\(name).yaml")
    }
    let run = try await FlowCommandRun(
      ["test", "@/", "--live", "--update", "never"] + row.options, in: folder,
      components: [Hall.self, Archive.self])

    let reported = run.output.split(separator: "\n").compactMap { line in
      names.first { line.contains("@/\($0).yaml") }
    }
    #expect(reported == names)
    #expect(run.code == .passed)
  }

  @Test(arguments: [
    (
      [],
      "warning: flow.yaml:2: no scenario has the component 'prob'; did you mean 'probe'?\n"
    ),
    (["s.yaml"], ""),
  ]) func `a limit of a component that no scenario of the project has is pointed out`(
    _ paths: [String], _ expected: String
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write("flow: 1\nat-once: {prob: 2, probe: 1}\n", to: "flow.yaml")
    try folder.write(
      "flow: 1\ncomponents: {probe: {plugin: balance, with: {opening: 1.00}}}\nsteps: [{uses: probe.load}]\n",
      to: "s.yaml")
    let arguments = ["test", "--live", "--update", "never"]
    let run = try await BuiltProgram.run("flow", arguments + paths, in: folder)

    #expect(run.errors == expected)
    #expect(run.code == 0)
  }

  /// A server that answers when so many calls have come.
  private struct Hall: Component {
    static let plugin = Plugin(
      "hall", version: "1.0", "Lets calls meet.", state: .external, reaches: [.network],
      operations: [meet(in: "hall")]
    ) { _ in Hall() }
  }

  /// The same as a database.
  private struct Archive: Component {
    static let plugin = Plugin(
      "archive", version: "1.0", "Lets calls meet.", state: .external,
      reaches: [.network, .database], operations: [meet(in: "archive")]
    ) { _ in Archive() }
  }

  private static func meet<Place: Component>(in kind: String) -> Operation<Place> {
    Operation(
      "meet", "Returns when so many calls have come.",
      Parameter<Int>("count", "The number of calls."),
      answers: Record<Int>("most", "The most calls at once until then.")
    ) { _, context, count in
      await context.outside { await Room.named(context.directory.path + kind).meet(count) }
    }
  }

  /// The calls of one test.
  private final class Room: Sendable {
    private struct State {
      var waiting: [CheckedContinuation<Void, Never>] = []
      var present = 0
      var most = 0
    }

    private static let rooms = Mutex<[String: Room]>([:])
    private let state = Mutex(State())

    static func named(_ name: String) -> Room {
      rooms.withLock { rooms in
        let room = rooms[name] ?? Room()
        rooms[name] = room
        return room
      }
    }

    func meet(_ count: Int) async -> Int {
      await withCheckedContinuation { continuation in
        let met = state.withLock { state in
          state.present += 1
          state.most = max(state.most, state.present)
          state.waiting.append(continuation)
          defer { if state.waiting.count >= count { state.waiting = [] } }
          return state.waiting.count >= count ? state.waiting : []
        }
        for continuation in met { continuation.resume() }
      }
      return state.withLock { state in
        state.present -= 1
        return state.most
      }
    }
  }
}
