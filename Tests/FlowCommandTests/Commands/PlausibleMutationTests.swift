import FlowCommand
import FlowCore
import TestKit
import Testing

/// Alterations of answers that a server could give.
@Suite struct PlausibleMutationTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      components:
        page: {plugin: page}
        reader: {plugin: reader, using: {page: page}}
      steps:
        - {uses: page.load, with: {text: '[1]'}}
        - {uses: page.load, with: {text: plain}}
        - {uses: reader.read}

      """, to: "s.yaml")
  }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    var run = try await FlowCommandRun(
      arguments, in: folder, components: [Page.self, Reader.self])
    run.output = run.output.withoutDurations
    return run
  }

  @Test func `a status becomes another one, and one form of a body is altered`() async throws {
    _ = try await flow("run", "@/s.yaml", "--record")

    let run = try await flow("mutate", "@/s.yaml", "--all")

    #expect(
      run.output == """
        page.load, ok.status: 6 of 6 not noticed
          page.load#1, ok.status: 200 -> 404
          page.load#1, ok.status: 200 -> 500
          page.load[2]#1, ok.status: 200 -> 404
          page.load[2]#1, ok.status: 200 -> 500
          reader.read#1/page.load#1 on line 12, ok.status: 200 -> 404
          reader.read#1/page.load#1 on line 12, ok.status: 200 -> 500
        page.load, ok.json: 1 of 1 not noticed
          page.load#1, ok.json: [1] -> []
        page.load, ok.json[]: 2 of 2 not noticed
          page.load#1, ok.json[0]: 1 -> 2
          page.load#1, ok.json[0]: 1 -> -1
        page.load, ok.text: 1 of 1 not noticed
          page.load[2]#1, ok.text: "plain" -> "plain~"
        reader.read, ok.found: 1 of 1 not noticed
          reader.read#1, ok.found: true -> false
        0 of 11 alterations were noticed, 0.0 %, in T

        """, "\(run.output)\(run.errors)")
  }

  @Test func `what restates other fields is altered on request`() async throws {
    _ = try await flow("run", "@/s.yaml", "--record")

    let run = try await flow("mutate", "@/s.yaml", "--all", "--all-fields")

    let kinds = run.output.split(separator: "\n").filter { !$0.hasPrefix(" ") }
    #expect(
      kinds == [
        "page.load, ok.status: 6 of 6 not noticed", "page.load, ok.json: 1 of 1 not noticed",
        "page.load, ok.json[]: 2 of 2 not noticed", "page.load, ok.text: 3 of 3 not noticed",
        "page.load, ok.bytes: 3 of 3 not noticed", "page.load, ok.size: 6 of 6 not noticed",
        "reader.read, ok.found: 1 of 1 not noticed",
        "0 of 22 alterations were noticed, 0.0 %, in T",
      ], "\(run.output)\(run.errors)")
  }

  @Test(arguments: ["1", "4"])
  func `any number of replays at once has the same report`(_ jobs: String) async throws {
    _ = try await flow("run", "@/s.yaml", "--record")

    let run = try await flow("mutate", "@/s.yaml", "--live=reader", "--jobs", jobs)

    #expect(
      run.output.hasSuffix("\n2 of 10 alterations were noticed, 20.0 %, in T\n"), "\(run.output)")
    #expect(run.code == .passed)
  }

  @Test func `a number of replays that cannot be is refused`() async throws {
    let run = try await flow("mutate", "@/s.yaml", "--jobs", "0")

    #expect(run.code == .badCommandLine)
    #expect(run.errors.contains("'--jobs': expected a whole number from 1 to 64, got '0'"))
  }
}

/// A page of a server.
private struct Page: Component {
  struct Content: Sendable {
    var status: Int
    var json: Value
    var text: String
    var bytes: Bytes?
    var size: Int
  }

  static let content = Record(
    Content.init(status:json:text:bytes:size:),
    Field("status", \.status, "The status.", plausible: [200, 404, 500]),
    Field("json", \.json, "The body as JSON."),
    Field("text", \.text, "The body as text.", compared: .whenReadBeside("json")),
    Field("bytes", \.bytes, "Another body.", mutated: .whenPresent),
    Field("size", \.size, "The size of the body.", mutated: .onRequest))
  static let plugin = Plugin(
    "page", version: "1", "Is a page.", state: .none,
    operations: [
      Operation("load", "Loads it.", Parameter<String>("text", "The body."), answers: content) {
        _, _, text in
        Content(
          status: 200, json: (try? Value(json: Array(text.utf8))) ?? .null, text: text,
          size: text.utf8.count)
      }
    ]
  ) { _ in Page() }
}

/// Looks at the status of a page.
private struct Reader: Component {
  static let load = Role("page", "Has a body.").call(
    "load", Parameter<String>("text", "The body."), answers: Page.content)
  static let plugin = Plugin(
    "reader", version: "1", "Reads a page.", state: .none, uses: [load],
    operations: [
      Operation("read", "Reads it.", answers: Record<Bool>("found", "Whether it is there.")) {
        _, context in try await load("[]", in: context).status == 200
      }
    ]
  ) { _ in Reader() }
}
