import FlowCore
import TestKit

/// A component that reaches the network if its settings say so.
struct Line: Component {
  static let plugin = Plugin(
    "line", version: "1.0", "Says which hosts are allowed.", state: .none, reaches: [.network],
    settings: Parameter<String>("key", "A secret.", default: "", secret: true),
    operations: [
      Operation(
        "ask", "Says whether a host is allowed.", Parameter<String>("host", "The host."),
        answers: allowed
      ) { _, context, host in context.network.allows(host: host, port: 80) }
    ]
  ) { _, _ in Line() }
  static let allowed = Record<Bool>("allowed", "Whether it is.")
}

/// A component that starts programs and leaves a file when it is opened.
struct Starter: Component {
  static let plugin = Plugin(
    "starter", version: "1.0", "Starts nothing.", state: .none, reaches: [.files, .process],
    operations: [Operation("start", "Starts nothing.", answers: .none) { _, _ in }]
  ) { context in
    try context.directory.write([], to: "opened")
    return Starter()
  }
}

/// A component that reaches nothing itself and calls the one in its role.
struct Agent: Component {
  static let plugin = Plugin(
    "agent", version: "1.0", "Asks another one.", state: .none, uses: [ask],
    operations: [
      Operation("ask", "Asks.", answers: Line.allowed) { _, context in
        try await ask("a.test", in: context)
      }
    ]
  ) { _ in Agent() }
  static let ask = Role("line", "Is asked.")
    .call("ask", Parameter<String>("host", "The host."), answers: Line.allowed)
}

/// A component that reaches as many files as its settings say, at least one.
struct Cellar: Component {
  static let plugin = Plugin(
    "cellar", version: "1.0", "Keeps files.", state: .none, reaches: [.files],
    settings: Parameter<Int>("files", "How many.", default: 1),
    operations: [
      Operation(
        "write", "Writes one.", answers: Record<Bool>("written", "Whether it could.")
      ) { _, context in (try? context.directory.write([], to: "kept")) != nil }
    ]
  ) { _, _ in Cellar() }
  .checking { (files: Int) in
    if files < 0 { throw ComponentError(.settings, "'files' is \(files); it must be 0 or more") }
  }
  .reaching { (files: Int) in files == 0 ? [] : [.files] }
}

/// A folder with scenarios over these components, with `@` for it in arguments and in output.
struct ReachFolder {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      components:
        api: {plugin: line, with: {key: hunter2!}}
        server: {plugin: starter}
        p: {plugin: probe}
      steps:
        - {uses: api.ask, with: {host: a.test}}
        - {uses: server.start}
        - {uses: p.count}

      """, to: "s.yaml")
    try folder.write(
      """
      flow: 1
      components:
        api: {plugin: line}
        agent: {plugin: agent, using: {line: api}}
      steps:
        - {id: ask, uses: agent.ask}
      outputs: {allowed: "${{ steps.ask.allowed }}"}

      """, to: "agent.yaml")
    try folder.write("flow: 1\nsteps: [{scenario: agent.yaml}]\n", to: "outer.yaml")
  }

  func flow(_ arguments: String...) async throws -> SuiteRun {
    try await flow(arguments: arguments)
  }

  /// The same with a list of arguments.
  func flow(arguments: [String]) async throws -> SuiteRun {
    let run = try await FlowCommandRun(
      arguments, in: folder,
      components: [Line.self, Starter.self, Agent.self, Cellar.self, Probe.self])
    return SuiteRun(output: run.output.withoutDurations, errors: run.errors, code: run.code)
  }

  /// The message about a component that a scenario may not open.
  static func refusal(
    _ file: String, _ line: Int, _ text: String, _ reason: String, width: Int
  ) -> String {
    """
    @/\(file):\(line):3: error: \(reason) [F1216]
    \(String(repeating: " ", count: 4))\(line) | \(text)
          |   \(String(repeating: "^", count: width))

    """
  }
}
