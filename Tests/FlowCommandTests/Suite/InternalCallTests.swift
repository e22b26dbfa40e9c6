import FlowCommand
import FlowCore
import TestKit
import Testing

/// Live runs of a component that talks to another one in a language of its own.
@Suite struct InternalCallTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "flow.yaml")
    try folder.write(
      """
      flow: 1
      components: {n: {plugin: notebook}, pilot: {plugin: pilot, using: {driver: n}}}
      steps:
        - {uses: pilot.look, with: {sheet: sheet.txt}}
        - {uses: n.price}

      """, to: "s.yaml")
    try folder.write("7 sky", to: "page.txt")
    try folder.write("100", to: "price.txt")
    try folder.write("red", to: "sheet.txt")
  }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(
      arguments, in: folder, components: [Probe.self, Notebook.self, Pilot.self])
  }

  private func changes(_ run: FlowCommandRun) -> [String] {
    run.errors.split(separator: "\n").filter { $0.hasPrefix("        ") }.map {
      String($0.drop { $0 == " " })
    }
  }

  @Test func `what a component says to its driver is not compared, and its answer is`()
    async throws
  {
    #expect(try await flow("run", "@/s.yaml", "--record").code == .passed)

    // The number of calls and their answers are others.
    try folder.write("3 sky", to: "page.txt")
    let same = try await flow("test", "--live", "@/s.yaml")
    #expect(same.errors == "")
    #expect(same.code == .passed)

    try folder.write("3 sea", to: "page.txt")
    let other = try await flow("test", "--live", "@/s.yaml")
    #expect(
      changes(other) == [
        "changed pilot.look#1, pilot.look", #"ok.seen: recorded "sky", now "sea""#,
      ])
  }

  @Test func `the calls of a step are compared as ever`() async throws {
    #expect(try await flow("run", "@/s.yaml", "--record").code == .passed)
    try folder.write("200", to: "price.txt")

    let run = try await flow("test", "--live", "@/s.yaml")
    #expect(
      changes(run) == ["changed n.price#1, n.price", #"ok.text: recorded "100", now "200""#])
  }

  @Test func `a file of which only such calls tell is compared by its content`() async throws {
    #expect(try await flow("run", "@/s.yaml", "--record").code == .passed)
    try folder.write("blue", to: "sheet.txt")

    let run = try await flow("test", "--live", "@/s.yaml")
    #expect(changes(run).count == 2)
    #expect(changes(run)[0] == "changed pilot.look#1, pilot.look")
    #expect(changes(run)[1].hasPrefix(#"files.sheet.txt: recorded "sha256:"#))
  }
}

/// Asks its driver as often as the first word of the answer says, and answers the second one.
private actor Pilot: Component {
  private static let read = Role("driver", "Answers.").call(
    "read", answers: Notebook.Page.record, errors: [.torn], internally: true)

  static let plugin = Plugin(
    "pilot", version: "1.0", "Flies.", state: .memory, reaches: [.files], uses: [read],
    operations: [
      Operation(
        "look", "Looks out.", Parameter<String>("sheet", "A file."),
        answers: Record<String>("seen", "The second word.")
      ) { _, context, sheet in
        _ = try context.directory.read(sheet)
        let words = try await read(in: context).text.split(separator: " ").map(String.init)
        for _ in 1..<(Int(words[0]) ?? 1) { _ = try await read(in: context) }
        return words[1]
      }
    ]
  ) { _ in Pilot() }
}
