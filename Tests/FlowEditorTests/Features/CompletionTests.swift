import FlowSystem
import Testing

@testable import FlowEditor

struct CompletionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let text: String
    /// Proposals that must be there.
    let has: [String]
    /// Proposals that must not be there.
    var lacks: [String] = []
    var testDescription: String { id }

    init(_ id: String, _ text: String, _ has: [String], lacks: [String] = []) {
      (self.id, self.text, self.has, self.lacks) = (id, text, has, lacks)
    }
  }

  private static let head = """
    flow: 1
    inputs:
      amount: {type: decimal, description: To spend.}
    components:
      balance: {plugin: balance, with: {opening: 100.00}}
      clock: {plugin: time}
    steps:
      - id: load
        uses: balance.load
      - set: {rest: "${{ steps.load.balance - inputs.amount }}"}

    """

  private static let cases = [
    Case(
      "a key of the scenario", "flow: 1\n‸", ["steps", "components", "inputs"], lacks: ["flow"]),
    Case("a started key", "flow: 1\nst‸", ["steps"]),
    Case("a key of an input", "flow: 1\ninputs:\n  a:\n    ‸", ["type", "default", "secret"]),
    Case("a key of the trials", "flow: 1\ntrials: {‸", ["runs", "pass", "limit"]),
    Case(
      "a name in the limit of the trials",
      "flow: 1\ninputs: {most: {type: int}}\ntrials: {limit: \"${{ ‸ }}\"}\nsteps: []\n",
      ["inputs", "usage"], lacks: ["steps"]),
    Case("a type", "flow: 1\ninputs:\n  a: {type: ‸", ["decimal", "list(string)"]),
    Case("a plugin", "flow: 1\ncomponents:\n  a: {plugin: ‸}\n", ["balance", "http", "time"]),
    Case("a plugin in a block", "flow: 1\ncomponents:\n  a:\n    plugin: ba‸\n", ["balance"]),
    Case(
      "a setting", "flow: 1\ncomponents:\n  a:\n    plugin: balance\n    with:\n      ‸\n",
      ["opening", "file"]),
    Case("a step after its dash", head + "  - ‸", ["uses", "set", "id", "assert"]),
    Case("a step without its dash", head + "  ‸", ["- uses", "- set"]),
    Case("an operation", head + "  - uses: ‸", ["balance.load", "balance.subtract", "clock.now"]),
    Case("an operation of a component", head + "  - uses: balance.su‸", ["balance.subtract"]),
    Case(
      "a further key of a call", head + "  - uses: balance.load\n    ‸",
      ["with", "expect", "retry"],
      lacks: ["uses", "do", "set"]),
    Case("a field in a block", head + "  - uses: balance.subtract\n    with:\n      ‸", ["amount"]),
    Case("a field in braces", head + "  - {uses: balance.subtract, with: {‸", ["amount"]),
    Case(
      "a field before its operation", head + "  - {with: {‸}, uses: balance.subtract}\n",
      ["amount"]),
    Case(
      "a field before others and its operation",
      head + "  - {with: {‸, x: [1, {y: 2}]}, uses: balance.subtract, expect: {balance: 1}}\n",
      ["amount"]),
    Case(
      "a step in braces before another one",
      "flow: 1\nsteps: [{id: a, ‸}, {uses: balance.load, with: {b: 1}}]\n", ["uses", "set"]),
    Case(
      "a step in braces before its end",
      "flow: 1\nsteps: [{id: a, ‸, wait: 1ms}, {uses: balance.load}]\n", ["name"],
      lacks: ["uses", "set"]),
    Case(
      "an expected field or error", head + "  - uses: balance.subtract\n    expect:\n      ‸",
      ["balance", "error"]),
    Case(
      "an error code", head + "  - uses: balance.subtract\n    expect: {error: ‸", ["insufficient"]),
    Case("the groups of names", head + "  - assert: ${{ ‸", ["steps", "inputs", "rest", "size"]),
    Case("an id", head + "  - assert: ${{ steps.‸", ["load"]),
    Case("a field of an answer", head + "  - assert: ${{ steps.load.‸", ["balance"]),
    Case("an input", head + "  - assert: \"${{ inputs.‸ }}\"\n", ["amount"]),
    Case("a member of a string", head + "  - assert: ${{ 'a'.‸", ["startsWith", "contains"]),
    Case(
      "a variable of a macro", head + "  - assert: ${{ [steps.load].all(step, step.‸", ["balance"]),
    Case("a function of a group", head + "  - assert: ${{ math.‸", ["abs", "greatest"]),
    Case(
      "an expected value named it", head + "  - uses: balance.load\n    expect: {balance: \"${{ i‸",
      ["it", "inputs"]),
    Case(
      "a key of retry", head + "  - uses: balance.load\n    retry: {‸", ["attempts", "backoff"]),
    Case(
      "a key in a nested block",
      head + "  - if: ${{ true }}\n    do:\n      - uses: balance.load\n        ‸",
      ["with", "expect"], lacks: ["else"]),
    Case("nothing in the text of a block", head + "  - name: |\n      us‸", [], lacks: ["uses"]),
    Case("nothing in a string", head + "  - assert: ${{ 'steps.‸", [], lacks: ["load"]),
    Case("the first key of a new file", "fl‸", ["flow"]),
    Case("a key of flow.yaml is another matter", "flow: 1\nsce‸", [], lacks: ["scenarios"]),
  ]

  @Test(arguments: cases)
  func `completion knows the place`(_ sample: Case) throws {
    let marked = MarkedText(sample.text)
    var desk = try EditorDesk()
    try desk.open("a.yaml", marked.text)

    let list = desk.request(
      "textDocument/completion", desk.place("a.yaml", marked.line, marked.column))

    let labels = (list["items"]?.elements ?? []).compactMap { $0["label"]?.string }
    for name in sample.has { #expect(labels.contains(name), "\(labels)") }
    for name in sample.lacks { #expect(!labels.contains(name), "\(labels)") }
  }

  @Test func `a proposal has its type, its documentation and its edit`() throws {
    let marked = MarkedText(Self.head + "  - uses: balance.subtract\n    with: {am‸\n")
    var desk = try EditorDesk()
    try desk.open("a.yaml", marked.text)

    let list = desk.request(
      "textDocument/completion", desk.place("a.yaml", marked.line, marked.column))

    let item = list["items"]?.elements.first { $0["label"] == .string("amount") }
    #expect(item?["detail"]?.string == "decimal, required")
    #expect(item?["documentation"]?.string?.isEmpty == false)
    #expect(
      item?["textEdit"]?.text
        == #"{"range":{"start":{"line":11,"character":11},"end":{"line":11,"character":13}},"newText":"amount: "}"#
    )
  }

  @Test(arguments: [
    ("  - uses: balance.lo ‸", 10), ("  - {uses: balance.lo  ‸", 11),
    ("  - uses: \"balance.lo ‸", 11),
  ])
  func `a proposal replaces the written start with the blanks after it`(
    _ line: String, _ start: Int
  ) throws {
    let marked = MarkedText(Self.head + line)
    var desk = try EditorDesk()
    try desk.open("a.yaml", marked.text)

    let list = desk.request(
      "textDocument/completion", desk.place("a.yaml", marked.line, marked.column))

    let item = list["items"]?.elements.first { $0["label"] == .string("balance.load") }
    let range = item?.at("textEdit", "range").flatMap(EditorRange.init)
    #expect(range?.start.character == start)
    #expect(range?.end.character == marked.column)
  }

  @Test func `keys of flow.yaml are proposed there`() throws {
    var desk = try EditorDesk()
    try desk.open("flow.yaml", "flow: 1\n\n")

    let list = desk.request("textDocument/completion", desk.place("flow.yaml", 1, 0))

    let labels = (list["items"]?.elements ?? []).compactMap { $0["label"]?.string }
    #expect(labels.contains("scenarios") && labels.contains("redact"))
    #expect(!labels.contains("steps"))
  }
}
