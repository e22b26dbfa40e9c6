import FlowCommand
import FlowCore
import TestKit
import Testing

/// Open journals of scenarios that were edited: `flow check --journals` judges each edit as a run on
/// a copy then proves.
@Suite struct ChangedJournalTests {
  static let scenario = """
    flow: 1
    components: {d: {plugin: desk}, p: {plugin: probe}}
    inputs: {who: {type: string, default: Ann}, many: {type: bool, default: true}, note: {type: string, default: x}}
    steps:
      - {id: first, uses: d.add, with: {text: first}}
      - {id: count, uses: p.count, with: {by: 2}}
      - {id: greet, uses: d.add, with: {text: "${{ inputs.who }}"}}
      - {set: {word: chosen}}
      - {id: said, uses: d.add, with: {text: "${{ word }}"}}
      - id: each
        for: name
        in: "${{ inputs.many ? ['a', 'b'] : ['a'] }}"
        do: [{id: line, uses: d.add, with: {text: "${{ name }}"}}]
      - id: both
        parallel:
          left: [{id: l, uses: d.add, with: {text: left}}]
          right: [{id: r, uses: d.add, with: {text: right}}]
      - id: group
        do: [{id: inner, uses: d.add, with: {text: inner}}]
      - {uses: d.add, with: {text: unnamed}}
      - {id: held, uses: d.add, with: {text: held}}
      - {id: late, uses: d.add, with: {text: "${{ string(steps.first.number) }}"}}
    finally: [{id: clean, uses: d.add, with: {text: clean}}]

    """
  /// What was done when the process ended.
  static let done = ["first", "Ann", "chosen", "a", "b", "left", "right", "inner", "unnamed"]

  struct Edit: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let old: String
    let new: String
    /// The kind of the first difference, or nil if the run goes on.
    var kind: String?
    /// False if the finished journal does not replay, since a component was opened late.
    var replays = true
    /// What is done after `done`.
    var rest = ["held", "5", "clean"]

    init(
      _ description: String, _ old: String, _ new: String, _ kind: String? = nil,
      rest: [String] = ["held", "5", "clean"], replays: Bool = true
    ) {
      (testDescription, self.old, self.new) = (description, old, new)
      (self.kind, self.rest, self.replays) = (kind, rest, replays)
    }
  }

  private static let first = "  - {id: first, uses: d.add, with: {text: first}}\n"
  private static let count = "  - {id: count, uses: p.count, with: {by: 2}}\n"
  private static let greet =
    #"  - {id: greet, uses: d.add, with: {text: "${{ inputs.who }}"}}"# + "\n"
  private static let held = "  - {id: held, uses: d.add, with: {text: held}}\n"
  private static let new = "  - {id: new, uses: d.add, with: {text: new}}\n"

  static let compatible = [
    Edit("a comment is added", "steps:\n", "# new\nsteps:\n"),
    Edit("a step that was not done has another id", "id: held", "id: kept"),
    Edit("a step that was not done is gone", held, "", rest: ["5", "clean"]),
    Edit(
      "a step comes after those that were done", held, new + held,
      rest: ["new", "held", "5", "clean"]),
    Edit(
      "a step that was not done has another input", "{text: held}", "{text: holding}",
      rest: ["holding", "5", "clean"]),
    Edit(
      "steps that were not done change places", "{id: held, uses: d.add, with: {text: held}}",
      "{id: late2, uses: d.add, with: {text: x}}", rest: ["x", "5", "clean"]),
    Edit(
      "finally does more", "finally: [", "finally: [{id: tidy, uses: d.add, with: {text: tidy}}, ",
      rest: ["held", "5", "tidy", "clean"]),
    Edit("there are outputs", "steps:\n", "outputs: {n: \"${{ steps.late.number }}\"}\nsteps:\n"),
    Edit(
      "a new input is used by a later step", "note: {type: string, default: x}}",
      "note: {type: string, default: x}, by: {type: string, default: soon}}"),
    Edit("an input has another default", "default: Ann", "default: Bob"),
    Edit("the default of a list's condition is another one", "default: true", "default: false"),
    Edit(
      "there is a new component", "p: {plugin: probe}}",
      "p: {plugin: probe}, e: {plugin: desk}}",
      replays: false),
    Edit(
      "an assertion that holds comes first", "steps:\n",
      "steps:\n  - {assert: [\"${{ 1 == 1 }}\"]}\n"),
    Edit("a set comes first", "steps:\n", "steps:\n  - {set: {other: other}}\n"),
    Edit("a wait comes first", "steps:\n", "steps:\n  - {wait: 1ms}\n"),
    Edit("a done step has a name", "{id: first, uses", "{id: first, name: The first, uses"),
    Edit(
      "a done step has a condition that holds", "{id: greet, uses",
      "{id: greet, if: \"${{ inputs.who == 'Ann' }}\", uses"),
    Edit("a done step has a timeout", "{id: first, uses", "{id: first, timeout: 1h, uses"),
    Edit(
      "a done step is tried again if it fails", "{id: first, uses",
      "{id: first, retry: {attempts: 3}, uses"),
    Edit(
      "a done step expects what it answered", "with: {text: first}}",
      "with: {text: first}, expect: {number: 5}}"),
    Edit("an input is written with the recorded value", "\"${{ inputs.who }}\"", "Ann"),
    Edit(
      "an input is computed with the recorded value", "{text: first}",
      "{text: \"${{ 'fi' + 'rst' }}\"}"),
    Edit(
      "branches change places",
      "      left: [{id: l, uses: d.add, with: {text: left}}]\n      right: [{id: r, uses: d.add, with: {text: right}}]\n",
      "      right: [{id: r, uses: d.add, with: {text: right}}]\n      left: [{id: l, uses: d.add, with: {text: left}}]\n"
    ),
  ]

  static let incompatible = [
    Edit("a done step has another id", "id: greet", "id: hello", "renamed"),
    Edit("a done step in a loop has another id", "id: line", "id: row", "renamed"),
    Edit("a loop has another id", "id: each", "id: every", "moved"),
    Edit("a branch has another name", "left: [", "links: [", "moved"),
    Edit(
      "a done step leaves its block",
      "  - id: group\n    do: [{id: inner, uses: d.add, with: {text: inner}}]\n",
      "  - {id: inner, uses: d.add, with: {text: inner}}\n", "moved"),
    Edit(
      "a done step comes into a loop", greet,
      """
        - for: i
          in: [1, 2]
          do: [{id: greet, uses: d.add, with: {text: "${{ inputs.who }}"}}]

      """, "moved"),
    Edit(
      "a loop is no loop any more",
      "    for: name\n    in: \"${{ inputs.many ? ['a', 'b'] : ['a'] }}\"\n    do: [{id: line, uses: d.add, with: {text: \"${{ name }}\"}}]",
      "    do: [{id: line, uses: d.add, with: {text: a}}]", "moved"),
    Edit("a done step is gone", greet, "", "removed"),
    Edit("a done step in memory is gone", count, "", "removed"),
    Edit(
      "a done loop is gone",
      "  - id: each\n    for: name\n    in: \"${{ inputs.many ? ['a', 'b'] : ['a'] }}\"\n    do: [{id: line, uses: d.add, with: {text: \"${{ name }}\"}}]\n",
      "", "removed"),
    Edit("a step comes before all others", "steps:\n", "steps:\n" + new, "inserted"),
    Edit("a step comes between done ones", count, count + new, "inserted"),
    Edit(
      "a step comes into a done loop", "do: [{id: line,",
      "do: [{id: new, uses: d.add, with: {text: new}}, {id: line,", "inserted"),
    Edit(
      "a done block has one more step", "do: [{id: inner,",
      "do: [{id: new, uses: d.add, with: {text: new}}, {id: inner,", "inserted"),
    Edit(
      "there is one more branch", "      right: [",
      "      middle: [{id: m, uses: d.add, with: {text: middle}}]\n      right: [", "inserted"),
    Edit(
      "a call in memory comes first", "steps:\n",
      "steps:\n  - {id: draw, uses: p.count, with: {by: 1}}\n", "inserted"),
    Edit("a done step has another written input", "{text: first}", "{text: second}", "input"),
    Edit(
      "a done step has another computed input", "\"${{ inputs.who }}\"",
      "\"${{ inputs.who + '!' }}\"", "input"),
    Edit("a done step in memory has another input", "{by: 2}", "{by: 3}", "input"),
    Edit(
      "a value that a done step uses is another one", "set: {word: chosen}", "set: {word: taken}",
      "input"),
    Edit(
      "a step without an id comes before one", "  - {uses: d.add, with: {text: unnamed}}",
      "  - {uses: d.add, with: {text: other}}\n  - {uses: d.add, with: {text: unnamed}}", "input"),
    Edit(
      "a done step calls another operation", greet,
      "  - {id: greet, uses: p.echo, with: {value: Ann}}\n", "operation"),
    Edit("done steps change places", first + count + greet, greet + count + first, "order"),
    Edit("a done step in memory changes places", first + count, count + first, "order"),
    Edit(
      "a condition leaves a done step out", "{id: greet, uses",
      "{id: greet, if: \"${{ inputs.who == 'Bob' }}\", uses", "skipped"),
    Edit("a list is shorter", "inputs.many ? ", "!inputs.many ? ", "skipped"),
    Edit("a list has other elements", "['a', 'b']", "['b', 'a']", "input"),
    Edit("an input of the run is gone", ", note: {type: string, default: x}", "", "inputs"),
    Edit(
      "an input has another type", "note: {type: string, default: x}",
      "note: {type: int, default: 7}", "inputs"),
    Edit(
      "an assertion that does not hold comes first", "steps:\n",
      "steps:\n  - {id: check, assert: [\"${{ 1 == 2 }}\"]}\n", "failing"),
    Edit(
      "an assertion that does not hold comes next", held,
      "  - {id: check, assert: [\"${{ 1 == 2 }}\"]}\n" + held, "failing"),
    Edit(
      "a done step expects something else", "with: {text: first}}",
      "with: {text: first}, expect: {number: 6}}", "failing"),
  ]

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(arguments, in: folder, components: [Desk.self, Probe.self])
  }

  /// Runs the scenario up to the step `held`, and then edits it.
  private func interrupt(editing edit: Edit) async throws {
    try folder.write(Self.scenario, to: "s.yaml")
    try folder.write("", to: "refused")
    _ = try await flow("run", "@/s.yaml", "--journal", "@/j")
    let lines = try folder.text("j").split(separator: "\n")
      .prefix { !$0.hasPrefix(#"{"at":"held#1""#) }
    try folder.write(lines.map { $0 + "\n" }.joined(), to: "j")
    try folder.write(Self.done.map { $0 + "\n" }.joined(), to: "added")
    try folder.write(Self.scenario.replacing(existing: edit.old, with: edit.new), to: "s.yaml")
  }

  /// The strings received by the component.
  private var added: [String] {
    get throws { try folder.text("added").split(separator: "\n").map(String.init) }
  }

  @Test(arguments: compatible) func `a run goes on with an edited scenario that is judged to fit`(
    _ edit: Edit
  ) async throws {
    try await interrupt(editing: edit)
    let judged = try await flow("check", "--journals", "@/")
    let resumed = try await flow("resume", "@/j")
    let again = try await flow("check", "--journals", "@/")
    let replayed = try await flow("replay", "@/j", "--quiet")

    #expect(judged.output.hasPrefix("@/j: compatible, goes on at '"), "\(judged)")
    #expect(resumed.code == .passed, "\(resumed)")
    #expect(try added == Self.done + edit.rest)
    #expect(again.output == "@/j: passed\n1 journal: 1 passed\n")
    #expect(replayed.errors.isEmpty == edit.replays)
    #expect([judged, again].map(\.code) == [.passed, .passed])
  }

  @Test(arguments: incompatible) func `a run does not go on with an edit that is judged not to fit`(
    _ edit: Edit
  ) async throws {
    try await interrupt(editing: edit)
    let journal = try folder.text("j")
    let judged = try await flow("check", "--journals", "@/")
    let refused = try await flow("resume", "@/j")
    let untouched = try (folder.text("j"), added)
    let forced = try await flow("resume", "@/j", "--force")
    let replayed = try await flow("replay", "@/j", "--quiet")

    #expect(
      judged.output.hasPrefix("@/j: incompatible (\(edit.kind ?? "")): "), "\(judged)")
    #expect([judged.code, refused.code] == [.failed, .badInput], "\(judged) \(refused)")
    #expect(untouched == (journal, Self.done))
    // In spite of it, the run fails, or does not end as a run of the edited scenario would.
    #expect(forced.code != .passed || replayed.code != .passed, "\(forced) \(replayed)")
  }

  @Test func `a renamed step is the done one if a person says so`() async throws {
    try await interrupt(editing: Edit("", "id: greet", "id: hello"))
    let resumed = try await flow("resume", "@/j", "--as", "greet=hello")
    let replayed = try await flow("replay", "@/j", "--quiet")
    let whole = try folder.text("j")
    let cut = try #require(whole.firstRange(of: #"{"at":"held#1","ok""#))
    try folder.write(String(whole[..<cut.lowerBound]), to: "j")
    let again = try await flow("resume", "@/j", "--retry-unknown")

    #expect([resumed, replayed, again].map(\.code) == [.passed, .passed, .passed], "\(resumed)")
    #expect(whole.contains(#","as":{"greet":"hello"},"crc":""#))
    #expect(again.errors == "")
    #expect(try folder.text("j") == whole)
  }

  @Test(arguments: [
    (["--as", "gret=hello"], "'--as gret': the journal has no such step; did you mean 'greet'?"),
    (["--as", "greet=hullo"], "'--as hullo': the scenario has no such step"),
    (["--as", "greet=first"], "'--as first': the journal has calls of this step already"),
    (
      ["--as", "greet=hello", "--as", "first=hello"],
      "'--as first=hello': one of the steps is given twice"
    ),
    (
      ["--as", "greet"],
      "'--as': expected OLD=NEW with two paths of steps, as pay=charge, got 'greet'"
    ),
    (["--as", "greet=hello", "--force"], "'--as' cannot be combined with '--force'"),
  ])
  func `a step that cannot stand for another one is told`(
    _ options: [String], _ message: String
  ) async throws {
    try await interrupt(editing: Edit("", "id: greet", "id: hello"))
    let journal = try folder.text("j")

    let run = try await FlowCommandRun(
      ["resume", "@/j"] + options, in: folder, components: [Desk.self, Probe.self])

    #expect(run.errors == "flow: \(message)\nsee 'flow help resume'\n")
    #expect(run.code == .badCommandLine)
    #expect(try folder.text("j") == journal)
  }

  @Test func `the judgement names the step and the line, and the ways to go on`() async throws {
    try await interrupt(editing: Edit("", "id: greet", "id: hello"))
    let judged = try await flow("check", "--journals", "@/")
    let details = try await flow(
      "check", "--journals", "@/", "--format", "json", "--details", "-")
    let refused = try await flow("resume", "@/j")

    let json =
      #"{"journal":"@/j","scenario":"@/s.yaml","state":"incompatible","calls":12,"changed":true,"#
      + #""unknown":[],"difference":{"kind":"renamed","at":"greet#1","line":11,"now":"hello"}}"#
    #expect(details.output.contains(json), "\(details.output)")
    let difference = """
      @/s.yaml:7:5: error: 'greet#1' seems to be 'hello' now [F3006]
          7 |   - {id: hello, uses: d.add, with: {text: "${{ inputs.who }}"}}
            |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        note: recorded in '@/j', line 11: 'greet#1' called 'd.add'

      """
    let choices = """
      note: finish it with the old version in Git, or with the path of a copy: \
      flow resume @/j --scenario REV:
      note: say that the done step is the new one: flow resume @/j --as greet=hello

      """
    #expect(judged.errors == difference + choices)
    #expect(
      judged.output == """
        @/j: incompatible (renamed): 'greet#1' seems to be 'hello' now
        1 journal: 1 incompatible

        """)
    #expect(
      refused.errors == """
        error: '@/s.yaml' has changed since it was recorded
        \(difference)flow: nothing was run: the scenario does not repeat what the journal has
        \(choices)
        """)
  }

  @Test func `journals of other scenarios, ended ones and other files are told apart`() async throws
  {
    try await interrupt(editing: Edit("", "id: held", "id: kept"))
    try folder.write(Self.scenario, to: "other.yaml")
    _ = try await flow("run", "@/other.yaml", "--journal", "@/other")
    let all = try await flow("check", "--journals", "@/")
    let one = try await flow("check", "@/other.yaml", "--journals", "@/")
    try folder.write(#"{"transcript":1,"#, to: "torn")
    try folder.remove("other.yaml")
    let broken = try await flow("check", "--journals", "@/")

    #expect(
      all.output == """
        @/j: compatible, goes on at 'kept#1'
        @/other: passed
        2 journals: 1 compatible, 1 passed

        """)
    #expect(one.output == "@/other: passed\n1 journal: 1 passed\n")
    #expect(broken.output.hasSuffix("2 journals: 1 compatible, 1 unreadable\n"))
    #expect([all, one, broken].map(\.code) == [.passed, .passed, .badInput])
  }
}
