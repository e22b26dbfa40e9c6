import Foundation
import TestKit
import Testing

/// The agents of `Examples/agents` with their SDKs, a server of both APIs from PyPI, and a server of
/// tools.
@Suite(
  .serialized, .enabled(if: Example.hasPackages("agents"), "no packages of an example here"))
struct AgentExampleTests {
  private static let agents = ["openai", "anthropic", "pydantic-ai"]

  private static func flow(
    _ arguments: [String], in folder: TemporaryFolder, isServer: Bool = false
  ) async throws -> BuiltProgram {
    // The agents start 'flow stand-in'.
    let programs = BuiltProgram.url("flow").deletingLastPathComponent().path
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return try await BuiltProgram.run(
      "flow", arguments, in: folder,
      environment: [
        "PATH": "\(programs):\(path)", "FLOW_SECRET_KEY": "a-key-of-this-test",
        "CI": isServer ? "true" : "",
      ])
  }

  @Test(arguments: agents) func `an agent passes without its model and without its tools`(
    _ agent: String
  ) async throws {
    let folder = try Example.copy(of: "agents")
    try FileManager.default.removeItem(atPath: folder.path("model.yaml"))
    try FileManager.default.removeItem(atPath: folder.path("tools.py"))

    let run = try await Self.flow(["test", "\(agent).yaml"], in: folder, isServer: true)

    #expect(run.errors == "")
    #expect(
      run.output.withoutDurations == """
        passed   \(agent).yaml  (live: programs, stand_in, upstream, T)
        passed in T: scenarios 1 passed
        replayed: model, orders, servers; live: programs, stand_in, upstream

        """)
  }

  @Test(arguments: agents) func `an agent passes with its tools, on the answers of its model`(
    _ agent: String
  ) async throws {
    let folder = try Example.copy(of: "agents")
    try FileManager.default.removeItem(atPath: folder.path("model.yaml"))

    let run = try await Self.flow(["test", "\(agent).yaml", "--live=orders"], in: folder)

    #expect(run.errors == "")
    #expect(run.code == 0)
  }

  @Test(arguments: agents) func `an agent passes with its model, on the results of its tools`(
    _ agent: String
  ) async throws {
    let folder = try Example.copy(of: "agents")
    try FileManager.default.removeItem(atPath: folder.path("tools.py"))
    // A live model draws other ids, and says it in its own words.
    try folder.change("model.yaml", "I am sorry about the lamp. You get", "Sorry! You will get")

    let run = try await Self.flow(
      ["test", "\(agent).yaml", "--live=model,servers", "--input", "port=\(try freePort())"],
      in: folder)

    #expect(run.errors == "")
    #expect(run.code == 0)
  }

  @Test(arguments: agents) func `an agent is recorded with one command`(_ agent: String)
    async throws
  {
    let folder = try Example.copy(of: "agents")
    try FileManager.default.removeItem(atPath: folder.path("\(agent).transcript.jsonl"))

    let recorded = try await Self.flow(
      ["run", "\(agent).yaml", "--record", "--quiet", "--input", "port=\(try freePort())"],
      in: folder)
    let replayed = try await Self.flow(["test", "\(agent).yaml"], in: folder, isServer: true)

    #expect(recorded.errors == "")
    #expect(recorded.code == 0)
    #expect(try !folder.text("\(agent).transcript.jsonl").contains("a-key-of-this-test"))
    #expect(replayed.errors == "")
    #expect(replayed.code == 0)
  }

  @Test(arguments: ["openai", "anthropic"])
  func `the date in a prompt may be any, and another word may not`(
    _ agent: String
  ) async throws {
    let folder = try Example.copy(of: "agents")
    let program = "with_\(agent).py"
    try folder.change(program, "datetime.date.today()", "datetime.date(2031, 2, 3)")

    let later = try await Self.flow(["test", "\(agent).yaml"], in: folder)
    try folder.change(program, "You answer customers", "You help customers")
    let changed = try await Self.flow(["test", "\(agent).yaml"], in: folder)

    #expect(later.errors == "")
    #expect(later.code == 0)
    #expect(changed.code == 1)
    #expect(changed.errors.contains("is not in the transcript [F3001]"), "\(changed.errors)")
    #expect(changed.errors.contains("help"), "\(changed.errors)")
  }

  @Test(arguments: ["anthropic", "pydantic-ai"])
  func `another field in the result of a live tool is named`(
    _ agent: String
  ) async throws {
    let folder = try Example.copy(of: "agents")
    try folder.change("tools.py", "\"cents\": 2050", "\"cents\": 2051")

    let run = try await Self.flow(["test", "\(agent).yaml", "--live=orders"], in: folder)

    #expect(run.code == 1)
    #expect(run.errors.contains("is not in the transcript [F3001]"), "\(run.errors)")
    #expect(run.errors.contains(/\+ .*2051/) || run.errors.contains(/now .*2051/), "\(run.errors)")
  }

  @Test(arguments: ["openai", "anthropic"]) func `a call too many of a tool is named`(
    _ agent: String
  ) async throws {
    let folder = try Example.copy(of: "agents")
    try folder.change(
      "with_\(agent).py", "result = await tools.call_tool(",
      "await tools.call_tool(\"find_order\", {\"number\": 7}); result = await tools.call_tool(")

    let run = try await Self.flow(["test", "\(agent).yaml"], in: folder)

    #expect(run.code == 1)
    #expect(
      run.errors.contains("/orders.exchange.find-order#2' is not in the transcript [F3001]"),
      "\(run.errors)")
    #expect(run.errors.contains("but is already used"), "\(run.errors)")
  }

  @Test func `an SDK that tries a miss again, and an agent that swallows it, fail all the same`()
    async throws
  {
    let folder = try Example.copy(of: "agents")
    try folder.change("with_openai.py", "You answer customers", "You help customers")
    try folder.change(
      "with_openai.py", "asyncio.run(run(sys.argv[1], sys.argv[2:]))",
      """
      try:
          asyncio.run(run(sys.argv[1], sys.argv[2:]))
      except Exception:
          print("I am sorry about the lamp. You get 20.50 back.", end="")
      """)

    let run = try await Self.flow(["test", "openai.yaml"], in: folder)

    #expect(run.code == 1)
    #expect(
      run.errors.contains(
        "/server.exchange.POST-v1-chat-completions#1' is not in the transcript [F3001]"),
      "\(run.errors)")
    // The scenario accepts what the program prints.
    #expect(!run.errors.contains("F2001"), "\(run.errors)")
  }
}

extension TemporaryFolder {
  /// Replaces a text in a file.
  fileprivate func change(_ name: String, _ text: String, _ replacement: String) throws {
    try write(self.text(name).replacing(existing: text, with: replacement), to: name)
  }
}
