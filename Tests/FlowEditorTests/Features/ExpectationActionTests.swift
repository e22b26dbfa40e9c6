import BalancePlugin
import FilePlugin
import FlowCommand
import FlowSystem
import Synchronization
import TestKit
import Testing

@testable import FlowEditor

/// Actions that let a step expect what nothing notices.
struct ExpectationActionTests {
  private static let start = "flow: 1\ncomponents: {files: {plugin: file}}\nsteps:\n"
  private static let data = #"{"currency": "EUR", "total": 12, "items": ["a", "b"]}"#
  private static let block =
    start + """
        # Reads it.
        - id: order
          uses: files.read # the order
          with: {path: data.json, as: json}
        - assert: ["${{ steps.order.data.total > 0 }}"]

      """

  /// Opens a recorded scenario.
  private func desk(_ text: String = block, recording recorded: String? = nil) async throws
    -> EditorDesk
  {
    var desk = try EditorDesk(["a.yaml": recorded ?? text, "data.json": Self.data])
    let run = try await FlowCommandRun(
      ["run", "@/a.yaml", "--record"], in: desk.folder, components: [Files.self, Balance.self])
    #expect(run.code == .passed, "\(run.errors)")
    try desk.open("a.yaml", text)
    return desk
  }

  private func question(_ desk: EditorDesk, line: Int, _ context: JSON = .object([])) -> JSON {
    let place = EditorPosition(line: line, character: 4)
    return .fields([
      "textDocument": .fields(["uri": .string(desk.uri("a.yaml"))]),
      "range": EditorRange(place, place).json, "context": context,
    ])
  }

  private func actions(_ desk: inout EditorDesk, line: Int) async -> [JSON] {
    await desk.requestLater("textDocument/codeAction", question(desk, line: line)).elements
  }

  /// Returns a text after the edit of an action.
  private func text(_ text: String, after action: JSON?) throws -> String {
    let edits = try #require(action?.at("edit", "documentChanges")?.elements.first?["edits"])
    let edit = try #require(edits.elements.first)
    let range = try #require(edit["range"].flatMap(EditorRange.init))
    let lines = LineTable(Array(text.utf8))
    let document = TextDocument(uri: "", path: "", language: "", version: 0, text: text)
    let bytes = lines.offset(of: range.start, .utf8)..<lines.offset(of: range.end, .utf8)
    let changed = document.applying([
      TextEdit(range: bytes, text: edit["newText"]?.string ?? "")
    ])
    return String(decoding: changed.bytes, as: UTF8.self)
  }

  @Test func `a step expects each value of which nothing notices a change, or all of them`()
    async throws
  {
    var desk = try await desk()

    let actions = await actions(&desk, line: 5)

    #expect(
      actions.map { $0["title"]?.string } == [
        "Expect data.currency: EUR (nothing notices a change)",
        "Expect data.items: [a, b] (nothing notices a change)",
        "Expect data.total: 12 (nothing notices a change)",
        #"Expect data.items: "${{ it[0] == 'a' }}" (nothing notices a change)"#,
        #"Expect data.items: "${{ it[1] == 'b' }}" (nothing notices a change)"#,
        "Expect text: null (nothing notices a change)",
        "Expect all 6 values of which nothing notices a change",
      ])
    #expect(actions.allSatisfy { $0["kind"]?.string == "refactor.rewrite" })
    #expect(
      try text(Self.block, after: actions.first)
        == Self.block.replacing(
          existing: "as: json}\n", with: "as: json}\n    expect: {data: {currency: EUR}}\n"))
    #expect(
      try text(Self.block, after: actions.last)
        == Self.block.replacing(
          existing: "as: json}\n",
          with: "as: json}\n"
            + "    expect: {data: {currency: EUR, items: [a, b], total: 12}, text: null}\n"))
  }

  @Test func `the text of the editor counts, and its expectation is kept`() async throws {
    let text =
      Self.start
      + "  - {id: order, uses: files.read, with: {path: data.json, as: json}, expect: {data: {total: 12}}}\n"
    var desk = try await desk(text, recording: Self.block)

    let first = await actions(&desk, line: 3).first

    #expect(first?["title"]?.string == "Expect data.currency: EUR (nothing notices a change)")
    #expect(
      try self.text(text, after: first)
        == text.replacing(existing: "{total: 12}", with: "{total: 12, currency: EUR}"))
  }

  @Test(arguments: [
    (block.replacing(existing: "data.json", with: "other.json"), 5),
    (block.replacing(existing: "files.read", with: "files.raed"), 5), (block, 7), (block, 0),
  ])
  func `without a recording that replays, and beside steps, there are none`(
    _ text: String, _ line: Int
  ) async throws {
    var desk = try await desk(text, recording: Self.block)

    let actions = await actions(&desk, line: line)

    #expect(actions.filter { $0["kind"]?.string == "refactor.rewrite" } == [])
  }

  @Test func `nothing is tried unless someone asks`() async throws {
    var desk = try await desk()
    let contexts = [
      JSON.fields(["triggerKind": .int(2)]), .fields(["only": .array([.string("quickfix")])]),
    ]

    for context in contexts {
      let answer = desk.request("textDocument/codeAction", question(desk, line: 5, context))
      #expect(answer == .array([]))
      #expect(desk.server.takeLaterAnswers().isEmpty)
    }
  }

  @Test func `a search ends when it is cancelled, and when the text changes`() async throws {
    var desk = try await desk()
    let ask = { (desk: inout EditorDesk) throws -> LaterAnswer in
      _ = desk.request("textDocument/codeAction", question(desk, line: 5))
      return try #require(desk.server.takeLaterAnswers().first)
    }

    let cancelled = try ask(&desk)
    desk.notify("$/cancelRequest", .fields(["id": cancelled.id]))
    let outdated = try ask(&desk)
    desk.change("a.yaml", to: Self.block + "\n", version: 2)
    let many = try (0..<5).map { _ in try ask(&desk) }

    #expect(await cancelled.message().at("error", "code") == .number("-32800"))
    #expect(await outdated.message().at("error", "code") == .number("-32801"))
    #expect(many.map(\.stop.isStopped) == [true, false, false, false, false])
  }

  @Test func `a session answers other requests during a search`() async throws {
    let desk = try await desk()
    let (parts, input) = AsyncStream.makeStream(of: MessageStream.Part.self)
    let open = JSON.fields([
      "textDocument": .fields([
        "uri": .string(desk.uri("a.yaml")), "languageId": .string("flow"), "version": .int(1),
        "text": .string(Self.block),
      ])
    ])
    let messages = [
      ("initialize", JSON.fields(["capabilities": EditorDesk.capabilities]), 1),
      ("textDocument/didOpen", open, nil),
      ("textDocument/codeAction", question(desk, line: 5), 2),
      ("textDocument/hover", desk.place("a.yaml", 5, 4), 3),
    ]
    for (method, params, id) in messages {
      input.yield(
        .message(
          .fields([
            "jsonrpc": .string("2.0"), "id": id.map(JSON.int), "method": .string(method),
            "params": params,
          ])))
    }
    let answers = Mutex<[Int: JSON]>([:])

    let ended = await EditorSession.serve(parts, by: try EditorDesk.server()) { message in
      guard let id = message["id"]?.int else { return }
      let count = answers.withLock { answers in
        answers[id] = message["result"]
        return answers.count
      }
      if count == 3 { input.finish() }
    }

    #expect(!ended)
    #expect(answers.withLock { $0[2] }?.elements.count == 7)
  }
}
