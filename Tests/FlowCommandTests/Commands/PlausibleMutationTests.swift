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
      arguments, in: folder, components: [Page.self, Reader.self, Note.self])
    run.output = run.output.withoutDurations
    return run
  }

  @Test func `a status becomes another one, and one form of a body is altered`() async throws {
    _ = try await flow("run", "@/s.yaml", "--record")

    let run = try await flow("mutate", "@/s.yaml", "--all")

    #expect(
      run.output == """
        page.load, ok.status: 6 of 6 not noticed
          page.load#1, ok.status: 200 -> 404 or 500
            expect: {status: 200}
          page.load[2]#1, ok.status: 200 -> 404 or 500
            expect: {status: 200}
          reader.read#1/page.load#1 on line 12, ok.status: 200 -> 404 or 500
            no expect: no step made the call
        page.load, ok.json: 2 of 2 not noticed
          page.load#1, ok.json: [1] -> [] or [1, 1]
            expect: {json: [1]}
        page.load, ok.json[]: 2 of 2 not noticed
          page.load#1, ok.json[0]: 1 -> 2 or -1
            expect: {json: "${{ it[0] == 1 }}"}
        page.load, ok: 3 of 3 not noticed
          page.load#1, ok: {status: 200, json: [1], text: "[1]", bytes: null, size: 3} -> the answer on line 9
            expect: {json: [1]}
          page.load[2]#1, ok: {status: 200, json: null, text: "plain", bytes: null, size: 5} -> the answer on line 12
            expect: {json: null}
          reader.read#1/page.load#1 on line 12, ok: {status: 200, json: [], text: "[]", bytes: null, size: 2} -> the answer on line 7
            no expect: no step made the call
        page.load, ok.text: 1 of 1 not noticed
          page.load[2]#1, ok.text: "plain" -> "plain~"
            expect: {text: plain}
        reader.read, ok.found: 1 of 1 not noticed
          reader.read#1, ok.found: true -> false
            expect: {found: true}
        0 of 15 alterations were noticed, 0.0 %, in T

        """, "\(run.output)\(run.errors)")
  }

  @Test func `what restates other fields is altered on request`() async throws {
    _ = try await flow("run", "@/s.yaml", "--record")

    let run = try await flow("mutate", "@/s.yaml", "--all", "--all-fields")

    let kinds = run.output.split(separator: "\n").filter { !$0.hasPrefix(" ") }
    #expect(
      kinds == [
        "page.load, ok.status: 6 of 6 not noticed", "page.load, ok.json: 2 of 2 not noticed",
        "page.load, ok.json[]: 2 of 2 not noticed", "page.load, ok.text: 3 of 3 not noticed",
        "page.load, ok.bytes: 3 of 3 not noticed", "page.load, ok.size: 6 of 6 not noticed",
        "page.load, ok: 3 of 3 not noticed",
        "reader.read, ok.found: 1 of 1 not noticed",
        "0 of 26 alterations were noticed, 0.0 %, in T",
      ], "\(run.output)\(run.errors)")
  }

  @Test func `null does not take the place of an absent value, which means the same`()
    async throws
  {
    try folder.write(
      "flow: 1\ncomponents: {note: {plugin: note}}\nsteps: [{uses: note.read}]\n", to: "n.yaml")
    _ = try await flow("run", "@/n.yaml", "--record")

    let run = try await flow("mutate", "@/n.yaml", "--all", "--all-fields")

    #expect(
      run.output == """
        note.read, ok.size: 1 of 1 not noticed
          note.read#1, ok.size: nothing -> 0
            expect: {size: null}
        0 of 1 alterations were noticed, 0.0 %, in T

        """, "\(run.errors)")
  }

  @Test(arguments: ["1", "4"])
  func `any number of replays at once has the same report`(_ jobs: String) async throws {
    _ = try await flow("run", "@/s.yaml", "--record")

    let run = try await flow("mutate", "@/s.yaml", "--live=reader", "--jobs", jobs)

    #expect(
      run.output.hasSuffix("\n2 of 14 alterations were noticed, 14.2 %, in T\n"), "\(run.output)")
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

/// A note without content.
private struct Note: Component {
  struct Content: Sendable {
    var text: Value?
    var size: Int?
  }

  static let plugin = Plugin(
    "note", version: "1", "Is a note.", state: .none,
    operations: [
      Operation(
        "read", "Reads it.",
        answers: Record(
          Content.init(text:size:), Field("text", \.text, "What it says."),
          Field("size", \.size, "Its length."))
      ) { _, _ in Content() }
    ]
  ) { _ in Note() }
}
