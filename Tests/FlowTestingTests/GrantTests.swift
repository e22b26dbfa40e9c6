import FlowCore
import FlowTesting
import TestKit
import Testing

/// Effects that a plugin does not declare, which its components cannot use.
@Suite struct GrantTests {
  private static let closed = "the plugin does not declare that it reaches files"

  @Test func `without files every path is refused`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("text", to: "a.txt")
    let hermit = try await OpenComponent(Hermit.self, in: folder.directory.path)

    #expect(
      await hermit.text("look") == "{found: [\"cannot read 'a.txt': \(Self.closed)\", "
        + "\"cannot write 'b.txt': \(Self.closed)\", \"cannot remove 'a.txt': \(Self.closed)\", "
        + "\"cannot read '.': \(Self.closed)\", \"cannot read 'a.txt': \(Self.closed)\", "
        + "\"false\", \"false\"]}")
    #expect(try folder.names == ["a.txt"])
  }

  @Test func `a scenario gives no more, and neither does one that it includes`() async throws {
    let folder = try TemporaryFolder()
    let text = """
      flow: 1
      components: {h: {plugin: hermit}}
      steps:
        - {id: look, uses: h.look}
        - {assert: ["${{ steps.look.found.all(f, f == 'false' || f.endsWith('reaches files')) }}"]}

      """
    try folder.write(text, to: "inner/s.yaml")
    try folder.write("flow: 1\nsteps: [{scenario: inner/s.yaml}]\n", to: "s.yaml")

    for path in ["s.yaml", "inner/s.yaml"] {
      try await ScenarioFile(folder.directory.path + "/" + path).run(try Registry([Hermit.self]))
    }
  }

  @Test func `what stands in for a component has its folder`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("text", to: "a.txt")
    try folder.write(
      "flow: 1\ncomponents: {r: {plugin: reader}}\nsteps: [{id: r, uses: r.read}]\n"
        + "outputs: {text: \"${{ steps.r.text }}\"}\n", to: "s.yaml")
    let reader = try StandIn(
      for: Reader.self,
      [
        "read": .body { _, context in
          ["text": String(decoding: try context.directory.read("a.txt"), as: UTF8.self)]
        }
      ])

    let run = try await ScenarioFile(folder.directory.path + "/s.yaml")
      .run(with: [.standIn(reader)])

    #expect(try run.output("text", as: String.self) == "text")
  }
}

/// A component that looks at resources it does not declare.
private struct Hermit: Component {
  static let plugin = Plugin(
    "hermit", version: "1.0", "Stays at home.", state: .none,
    operations: [
      Operation("look", "Looks outside.", answers: found) { _, context in
        let directory = context.directory
        return [
          error { try directory.read("a.txt") }, error { try directory.write([], to: "b.txt") },
          error { try directory.remove("a.txt") }, error { try directory.subdirectory(".") },
          error { try context.document("a.txt") }, "\(directory.contains("a.txt"))",
          "\(context.network.allows(host: "a.test", port: 80))",
        ]
      }
    ]
  ) { _ in Hermit() }
  static let found = Record<[String]>("found", "What it found.")
}

/// The error of some work, or an empty string.
private func error<Value>(_ work: () throws -> Value) -> String {
  do { _ = try work() } catch { return "\(error)" }
  return ""
}

private struct Reader: Component {
  static let plugin = Plugin(
    "reader", version: "1.0", "Reads.", state: .none, reaches: [.files],
    operations: [
      Operation("read", "Reads.", answers: Record<String>("text", "The text.")) { _, _ in "" }
    ]
  ) { _ in Reader() }
}
