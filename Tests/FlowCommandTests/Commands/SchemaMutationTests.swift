import FlowCommand
import FlowCore
import FlowSchema
import TestKit
import Testing

/// Alterations of answers that schemas describe.
@Suite struct SchemaMutationTests {
  fileprivate static let schema = """
    {"type": "object", "required": ["state", "items"], "properties": {
      "state": {"enum": ["open", "paid", "declined"]},
      "items": {"type": "array", "minItems": 1, "items": {"type": "integer", "minimum": 0}},
      "due": {"type": "string", "format": "date"},
      "note": {"type": ["string", "null"]}}}
    """
  private static let body = #"{"state": "open", "items": [4, 9], "due": "2031-04-05", "note": "n"}"#

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.schema, to: "order.json")
  }

  private func mutate(
    _ step: String, plugin: String = "desk", _ arguments: String...
  ) async throws -> FlowCommandRun {
    try folder.write(
      "flow: 1\ncomponents: {d: {plugin: \(plugin)}}\nsteps:\n  - \(step)\n", to: "s.yaml")
    _ = try await flow("run", "@/s.yaml", "--record")
    var run = try await flow(["mutate", "@/s.yaml", "--all"] + arguments)
    run.output = run.output.withoutDurations
    return run
  }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await flow(arguments)
  }

  private func flow(_ arguments: [String]) async throws -> FlowCommandRun {
    try await FlowCommandRun(
      arguments, in: folder, components: [OrderDesk.self, DescribedOrderDesk.self])
  }

  private static let lines = """
    d.ask, ok.json.due: 2 of 2 not noticed
      a#1, ok.json.due: "2031-04-05" -> "2000-01-01" or missing
        EXPECT{json: {BEFOREdue: "2031-04-05"}}
    d.ask, ok.json.items: 2 of 2 not noticed
      a#1, ok.json.items: [4, 9] -> [4] or [4, 9, 9]
        EXPECT{json: {BEFOREitems: [4, 9]}}
    d.ask, ok.json.items[]: 4 of 4 not noticed
      a#1, ok.json.items[0]: 4 -> 5 or 0 (minimum)
        EXPECT{json: {BEFOREitems: "${{ it[0] == 4 }}"}}
      a#1, ok.json.items[1]: 9 -> 10 or 0 (minimum)
        EXPECT{json: {BEFOREitems: "${{ it[1] == 9 }}"}}
    d.ask, ok.json.note: 3 of 3 not noticed
      a#1, ok.json.note: "n" -> "n~" or null or missing
        EXPECT{json: {BEFOREnote: "n"}}
    d.ask, ok.json.state: 2 of 2 not noticed
      a#1, ok.json.state: "open" -> "paid" or "declined"
        EXPECT{json: {BEFOREstate: open}}
    0 of 13 alterations were noticed, 0.0 %, in T

    """

  private static func lines(before: String) -> String {
    lines.replacing("EXPECT", with: "expect: ").replacing("BEFORE", with: before)
  }

  @Test func `the schema of an expectation, and that of an operation, name the other values`()
    async throws
  {
    let ask = "id: a, uses: d.ask, with: {text: '\(Self.body)'}"
    let expected = try await mutate("{\(ask), expect: {json: {schema: order.json}}}")
    let described = try await mutate("{\(ask)}", plugin: "described")

    #expect(expected.output == Self.lines(before: "schema: order.json, "), "\(expected.errors)")
    #expect(described.output == Self.lines(before: ""), "\(described.errors)")
  }

  @Test func `each proposed line notices the alterations that it is for`() async throws {
    let ask = "id: a, uses: d.ask, with: {text: '\(Self.body)'}"
    let found = try await mutate("{\(ask)}", plugin: "described").output
    let lines = Set(found.matches(of: #/    (expect: .*)\n/#).map { String($0.1) })

    #expect(lines.count == 6, "\(found)")
    for line in lines {
      let run = try await mutate("{\(ask), \(line)}", plugin: "described")
      #expect(!run.output.contains(line), "\(line): \(run.output)\(run.errors)")
      #expect(run.code == .passed)
    }
  }

  @Test func `machines are told the kind, and no value that is left out`() async throws {
    let body = #"{"state": "open", "items": [4], "note": null}"#
    let run = try await mutate(
      "{id: a, uses: d.ask, with: {text: '\(body)'}}", plugin: "described", "--format", "json",
      "--details", "-")

    let note = run.output.matches(of: #/"path":"ok.json.note",("recorded":.*?),"changesOutputs"/#)
    #expect(
      note.map { String($0.1) } == [
        #""recorded":null,"kind":"a value","altered":"x""#, #""recorded":null,"kind":"missing""#,
      ])
    let items = run.output.matches(of: #/"path":"ok.json.items","recorded":\[4\],"kind":"(.*?)"/#)
    #expect(items.map { String($0.1) } == ["one element more"])
  }

  @Test func `another answer keeps volatile values, and is compared without what is not read`()
    async throws
  {
    try folder.write(
      """
      flow: 1
      components: {d: {plugin: desk}}
      steps:
        - {id: a, uses: d.ask, with: {text: '[1, 2]'}}
        - {id: b, uses: d.ask, with: {text: '[1, 2]'}}
        - {id: c, uses: d.ask, with: {text: '{"x": {"y": [1]}}'}}

      """, to: "s.yaml")
    _ = try await flow("run", "@/s.yaml", "--record")
    let run = try await flow("mutate", "@/s.yaml", "--format", "json", "--details", "-")

    let found = run.output.matches(
      of:
        #/"address":"(.)#1"[^{}]*?"path":"ok","recorded":.*?,"kind":"another answer","altered":(.*?),"changesOutputs"/#
    )
    #expect(
      found.map { "\($0.1) \($0.2)" } == [
        #"a {"json":{"x":{"y":[1]}},"number":1,"header":"h3"}"#,
        #"b {"json":{"x":{"y":[1]}},"number":2,"header":"h3"}"#,
        #"c {"json":[1,2],"number":3,"header":"h1"}"#,
      ], "\(run.output)")
  }
}

/// Answers with a number that differs in each call.
private actor OrderDesk: Component {
  struct Content: Sendable {
    var json: Value
    var number: Int
    var header: String
  }

  static let content = Record(
    Content.init(json:number:header:), Field("json", \.json, "The content."),
    Field("number", \.number, "The number of the call.", volatile: true),
    Field("header", \.header, "A header.", compared: .whenRead))
  static let operation = Operation<OrderDesk>(
    "ask", "Asks.", Parameter<String>("text", "The content."), answers: content
  ) { desk, _, text in await desk.answer(text) }
  static let plugin = Plugin(
    "desk", version: "1", "Is a desk.", state: .none, operations: [operation]
  ) { _ in OrderDesk() }

  private var count = 0

  func answer(_ text: String) -> Content {
    count += 1
    let json = (try? Value(json: Array(text.utf8))) ?? .null
    return Content(json: json, number: count, header: "h\(count)")
  }
}

/// A desk whose operation says what its answers are.
private struct DescribedOrderDesk: Component {
  static let plugin = Plugin(
    "described", version: "1", "Is a desk.", state: .none, operations: operations
  ) { _ in DescribedOrderDesk() }
  static var operations: [Operation<DescribedOrderDesk>] {
    let text = SchemaMutationTests.schema
    let operation = Operation<DescribedOrderDesk>(
      "ask", "Asks.", Parameter<String>("text", "The content."),
      answers: Record<Value>("json", "The content.")
    ) { _, _, text in (try? Value(json: Array(text.utf8))) ?? .null }
    let schema = try? Schema(Value(json: Array(text.utf8)))
    return [schema.map { operation.describing(["json": $0]) } ?? operation]
  }
}
