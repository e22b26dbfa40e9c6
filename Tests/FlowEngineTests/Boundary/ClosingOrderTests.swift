import FlowCore
import FlowEngine
import FlowScenario
import Synchronization
import TestKit
import Testing

/// A component with a task that says when it ends, as the component does when it is closed.
private struct Part: Sendable {
  static let role = Role("other", "Is used.", optional: true)
  static let use = role.call("use", answers: .none)

  let context: Context

  init(_ context: Context) {
    self.context = context
    context.spawn("job") { context in
      try? await context.sleep(for: .seconds(86_400))
      // The used component is still open then.
      do { if Part.role.isFilled(in: context) { try await Part.use(in: context) } } catch {
        context.log("\(error)")
      }
      context.log("ended")
    }
  }

  static func operation<Owner>() -> FlowCore.Operation<Owner> {
    Operation("use", "Does nothing.", answers: .none) { _, _ in }
  }

  func close() { context.log("closed") }
}

private struct Tool: Component {
  static let plugin = Plugin(
    "tool", version: "1", "Has a task.", state: .none, uses: [Part.use],
    operations: [Part.operation()]
  ) { context in Tool(part: Part(context)) }

  let part: Part

  func close() async { part.close() }
}

private struct Program: Component {
  static let plugin = Plugin(
    "program", version: "1", "Starts programs.", state: .none, reaches: [.process],
    uses: [Part.use], operations: [Part.operation()]
  ) { context in Program(part: Part(context)) }

  let part: Part

  func close() async { part.close() }
}

private struct Broken: Component {
  static let plugin = Plugin(
    "broken", version: "1", "Cannot be opened.", state: .none, operations: [Part.operation()]
  ) { context in try Broken(context) }

  init(_ context: Context) throws {
    _ = Part(context)
    throw ComponentError(.refused, "no")
  }
}

@Suite struct ClosingOrderTests {
  /// The closed components of a scenario, and their tasks.
  private static func log(of components: String) async throws -> [String] {
    let text = "flow: 1\ncomponents: {\(components)}\nsteps: []"
    let plan = try ScenarioLoader(
      registry: try Registry([Tool.self, Program.self, Broken.self]),
      files: ScenarioFiles(texts: [:])
    ).plan(ScenarioSource(file: "test.yaml", bytes: Array(text.utf8)))
    let lines = Mutex<[String]>([])
    var options = Session.Options(in: Directory("."), virtualTime: VirtualTime())
    options.log = { address, line in
      let name = address.path.dropFirst("components/".count)
      lines.withLock { $0.append("\(name) \(line)") }
    }
    _ = await Session(of: plan, options: options).run(inputs: [])
    return lines.withLock { $0 }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let components: String
    /// The names in the order of closing.
    let closed: [String]
  }

  @Test(arguments: [
    Case(
      testDescription: "the one opened last is first",
      components: "a: {plugin: tool}, b: {plugin: tool}", closed: ["b", "a"]),
    Case(
      testDescription: "a component is closed before the one that it uses",
      components: "a: {plugin: tool, using: {other: c}}, b: {plugin: tool}, c: {plugin: tool}",
      closed: ["b", "a", "c"]),
    Case(
      testDescription: "programs are closed before what was opened after them",
      components: "p: {plugin: program}, a: {plugin: tool}, q: {plugin: program}, "
        + "b: {plugin: tool}",
      closed: ["q", "p", "b", "a"]),
    Case(
      testDescription: "a component is closed before the program that it uses",
      components: "p: {plugin: program}, a: {plugin: tool}, "
        + "u: {plugin: tool, using: {other: p}}, v: {plugin: tool, using: {other: u}}",
      closed: ["v", "u", "p", "a"]),
    Case(
      testDescription: "a program is closed before the component that it uses",
      components: "a: {plugin: tool}, p: {plugin: program, using: {other: a}}, b: {plugin: tool}",
      closed: ["p", "b", "a"]),
  ])
  func `components are closed one after the other, each after its tasks`(_ test: Case) async throws
  {
    let log = try await Self.log(of: test.components)

    #expect(log == test.closed.flatMap { ["\($0) ended", "\($0) closed"] })
  }

  @Test func `the tasks of a component that cannot be opened end before the others`() async throws {
    let log = try await Self.log(of: "a: {plugin: tool}, b: {plugin: broken}")

    #expect(log == ["b ended", "a ended", "a closed"])
  }
}
