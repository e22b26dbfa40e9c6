import FlowCommand
import FlowCore
import FlowSchema
import TestKit
import Testing

/// The result of a command for programs: one shape for all commands.
@Suite struct VerdictTests {
  private static let scenario = """
    flow: 1
    components: {p: {plugin: probe}}
    steps:
      - {id: a, uses: p.count, with: {by: 2}, expect: {value: 2}}
      - {id: b, uses: p.echo, with: {value: old}}

    """

  private let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "flow.yaml")
    try folder.write(Self.scenario, to: "s.yaml")
    _ = try await flow("run", "@/s.yaml", "--record")
  }

  private func flow(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(arguments, in: folder)
  }

  private func change(_ right: String, _ wrong: String) throws {
    try folder.write(Self.scenario.replacing(existing: right, with: wrong), to: "s.yaml")
  }

  // MARK: - The shape

  struct Case: CustomTestStringConvertible {
    let arguments: [String]
    let verdict: String
    var change: (right: String, wrong: String)?

    var testDescription: String { (arguments + [change?.wrong ?? ""]).joined(separator: " ") }

    init(_ arguments: String, _ verdict: String, _ right: String = "", _ wrong: String = "") {
      self.arguments = arguments.split(separator: " ").map(String.init)
      self.verdict = verdict
      if !right.isEmpty { change = (right, wrong) }
    }
  }

  private static let cases = [
    Case("check @/s.yaml", "passed"),
    Case("check @/s.yaml", "invalid", "p.count", "p.cuont"),
    Case("check @/none.yaml", "invalid"),
    Case("run @/s.yaml", "passed"),
    Case("run @/s.yaml", "failed", "{value: 2}", "{value: 3}"),
    Case("run @/s.yaml --sed 1", "error"),
    Case("run @/s.yaml --input a=1", "invalid"),
    Case("test @/", "passed"),
    Case("test @/", "failed", "by: 2", "by: 1"),
    Case("test @/ --live", "failed", "value: old", "value: new"),
    Case("replay @/s.transcript.jsonl", "passed"),
    Case("replay @/s.transcript.jsonl", "failed", "value: old", "value: new"),
    Case("diff @/s.transcript.jsonl", "failed", "value: old", "value: new"),
    Case("diff @/s.transcript.jsonl @/none.jsonl", "invalid"),
    Case("mutate @/s.yaml", "passed"),
    Case("mutate @/s.yaml --at-least 90", "failed"),
    Case("explore @/s.yaml --budget 3", "passed"),
    Case("explore @/s.yaml --budget 3", "failed", "{value: 2}", "{value: 3}"),
    Case("resume @/none.journal", "invalid"),
  ]

  @Test(arguments: cases, [false, true]) func `each verdict fits the published schema`(
    _ example: Case, isComplete: Bool
  ) async throws {
    if let change = example.change { try self.change(change.right, change.wrong) }
    let schema = try Schema(Value(json: Array(ProjectFiles.text(Self.schema).utf8)))

    let details = isComplete ? ["--details", "-"] : []
    let run = try await FlowCommandRun(
      example.arguments + ["--format", "json"] + details, in: folder)

    let verdict = try Value(json: Array(run.output.utf8))
    let violations = try schema.validate(verdict)
    #expect("\(violations)" == "\(try schema.validate(Self.minimal))", "\(run.output)")
    #expect(run.output.contains(#""verdict":"\#(example.verdict)""#), "\(run.output)\(run.errors)")
    #expect(run.output.split(separator: "\n").count == 1)
  }

  private static let schema = "Docs/schemas/verdict.schema.json"
  /// A valid document.
  private static var minimal: Value {
    get throws {
      let text = """
        {"format": "flow-verdict", "version": 1, "command": "test", "verdict": "passed",
        "exit_code": 0, "counts": {}, "problems": [], "next": [], "notes": [],
        "more": {"omitted_problems": 0, "omitted_notes": 0, "file": null}}
        """
      return try Value(json: Array(text.utf8))
    }
  }

  // MARK: - The contents

  @Test func `a problem has its place, its fix as an edit and the command to run next`()
    async throws
  {
    try change("p.count", "p.cuont")
    let run = try await flow("check", "@/s.yaml", "--format", "json")

    #expect(
      run.output == """
        {"format":"flow-verdict","version":1,"command":"check","verdict":"invalid","exit_code":65,\
        "counts":{"scenarios":1,"errors":1,"warnings":0},"problems":[{"code":"F1203",\
        "severity":"error","message":"'p' has no operation 'cuont'; did you mean 'count'?",\
        "file":"@/s.yaml","line":4,"column":21,"end_line":4,"end_column":26,\
        "excerpt":"  - {id: a, uses: p.cuont, with: {by: 2}, expect: {value: 2}}",\
        "address":null,"differences":[],"notes":[],"fixes":[{"kind":"repair",\
        "title":"replace cuont by count","edits":[{"file":"@/s.yaml","line":4,"column":21,\
        "end_line":4,"end_column":26,"new_text":"count"}]}],"explain":"flow explain F1203",\
        "next":"flow check @/s.yaml --format json"}],"next":["flow check @/s.yaml --format json"],\
        "notes":[],"more":{"omitted_problems":0,"omitted_notes":0,"file":null}}

        """)
    #expect(run.errors == "")
    #expect(run.code == .badInput)
  }

  @Test func `an answer has what was expected and what came, and an edit that accepts it`()
    async throws
  {
    try change("{value: 2}", "{value: 3}")
    let run = try await flow("run", "@/s.yaml", "--format", "json")

    #expect(run.output.contains(#""differences":[{"path":"value","expected":"3","got":"2"}]"#))
    #expect(
      run.output.contains(
        #""fixes":[{"kind":"accept","title":"accept the answer: replace 3 by 2","edits":"#
          + #"[{"file":"@/s.yaml","line":4,"column":59,"end_line":4,"end_column":60,"new_text":"2"}]}]"#
      ), "\(run.output)")
    #expect(run.output.contains(#""address":"a#1""#))
  }

  @Test func `a departure names the command that records again`() async throws {
    try change("value: old", "value: new")
    let run = try await flow("test", "@/s.yaml", "--update", "never", "--format", "json")

    #expect(
      run.output.contains(
        #""differences":[{"path":"value","expected":"\"old\"","got":"\"new\""}]"#),
      "\(run.output)")
    #expect(
      run.output.contains(#""next":["flow test @/s.yaml --update failed --format json"]"#))
  }

  @Test(arguments: [
    (["test", "@/s.yaml"], "nonsense", "flow run @/s.yaml --record --format json"),
    (["mutate", "@/s.yaml"], "nonsense", "flow run @/s.yaml --record --format json"),
    (["mutate", "@/s.yaml"], "", "flow run @/s.yaml --record --format json"),
    (["test", "@/s.yaml"], "", "flow run @/s.yaml --record --format json"),
  ]) func `a missing or broken transcript has the command that writes one`(
    _ command: [String], _ transcript: String, _ next: String
  ) async throws {
    if transcript.isEmpty {
      try folder.remove("s.transcript.jsonl")
    } else {
      try folder.write(transcript, to: "s.transcript.jsonl")
    }
    let run = try await FlowCommandRun(
      command + ["--format", "json"], in: folder, environment: ["CI": "1"])

    #expect(run.output.contains(#""next":["\#(next)""#), "\(run.output)")
  }

  @Test func `a failed run with a journal has the command that continues it`() async throws {
    try change("{value: 2}", "{value: 3}")
    let run = try await flow("run", "@/s.yaml", "--journal", "@/j", "--format", "json")
    let ended = try await flow("resume", "@/j", "--format", "json")

    for output in [run.output, ended.output] {
      #expect(
        output.contains(/"next":\["flow resume @\/j [^"]*--retry-failed[^"]* --format json"/),
        "\(output)")
    }
  }

  @Test func `a value of another type has the expected type`() async throws {
    try change("{by: 2}", "{by: many}")
    let run = try await flow("check", "@/s.yaml", "--format", "json")

    #expect(
      run.output.contains(
        #""differences":[{"path":"","expected":"int","got":"the string \"many\""}]"#),
      "\(run.output)")
  }

  @Test func `an expected expression is not replaced by a value`() async throws {
    try change("{value: 2}", "{value: \"${{ 1 + 2 }}\"}")
    let run = try await flow("run", "@/s.yaml", "--format", "json")

    #expect(run.output.contains(#""code":"F2001""#))
    #expect(run.output.contains(#""fixes":[]"#))
  }

  @Test func `the complete result is in a file, and the short one counts what it leaves out`()
    async throws
  {
    let wrong = (1...30).map { "  - {uses: p.cuont, name: \"\($0)\"}\n" }.joined()
    try folder.write(Self.scenario + wrong, to: "s.yaml")
    let run = try await flow(
      "check", "@/s.yaml", "--format", "json", "--details", "@/all.json")
    let all = try folder.text("all.json")

    #expect(run.output.utf8.count <= 16 << 10)
    #expect(run.output.contains(/"omitted_problems":[12]\d,"omitted_notes":0,"file":"@\/all.json"/))
    #expect(all.matches(of: /"code":"F1203"/).count == 60)
    #expect(all.contains(#""omitted_problems":0"#))
    #expect(all.contains(#","report":{"diagnostics":["#))
  }

  @Test func `long texts are cut, and edits never`() async throws {
    let long = String(repeating: "x", count: 900)
    try change("{value: 2}", "{value: 2}, name: \(long)")
    try folder.write(
      Self.scenario.replacing(existing: "value: old}", with: "value: \(long)}, expect: {value: y}"),
      to: "s.yaml")
    let run = try await flow("run", "@/s.yaml", "--format", "json")

    #expect(run.output.contains("… and "))
    #expect(run.output.contains(#""new_text":"\"\#(long)\"""#), "\(run.output)")
  }

  @Test(arguments: [
    (["run", "@/s.yaml", "--format", "jsn"], "'--format': expected text or json, got 'jsn'"),
    (["resume", "j", "--format", "sarif"], "'--format': expected text or json, got 'sarif'"),
    (["check", "@/s.yaml", "--details", "x"], "'--details' needs '--format json'"),
    (["test", "@/s.yaml", "--details", "x"], "'--details' needs '--format json'"),
    (
      ["run", "@/s.yaml", "--dry-run", "--format", "json"],
      "'--format' cannot be combined with '--dry-run'"
    ),
  ]) func `a wrong format is refused`(_ arguments: [String], _ message: String) async throws {
    let run = try await FlowCommandRun(arguments, in: folder)

    #expect(run.code == .badCommandLine)
    #expect(run.errors.hasPrefix("flow: \(message)"), "\(run.errors)")
  }

  @Test func `a report does not go where the verdict goes`() async throws {
    let run = try await flow("check", "@/s.yaml", "--format", "json", "--details", "@/s.yaml")

    #expect(run.code == .cannotWrite)
    #expect(run.errors.contains("the details were not written: "))
    #expect(try folder.text("s.yaml") == Self.scenario)
    #expect(run.output.contains(#""verdict":"error","exit_code":73"#))
  }
}
