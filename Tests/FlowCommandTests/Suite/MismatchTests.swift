import FlowCommand
import TestKit
import Testing

/// The messages about a replay that differs from its transcript.
@Suite struct MismatchTests {
  private static let scenario = """
    flow: 1
    components: {p: {plugin: probe}}
    steps:
      - {id: a, uses: p.count, with: {by: 2}}
      - {id: b, uses: p.echo, with: {value: VALUE}}

    """

  private let suite: SuiteFolder

  init() throws {
    suite = try SuiteFolder()
  }

  /// Replays a recording of one value for step `b` with another value.
  private func replay(
    _ old: String, _ new: String, _ arguments: String...
  ) async throws -> FlowCommandRun {
    try suite.folder.write(Self.scenario.replacing(existing: "VALUE", with: old), to: "s.yaml")
    _ = try await suite.flow("run", "@/s.yaml", "--record")
    try suite.folder.write(Self.scenario.replacing(existing: "VALUE", with: new), to: "s.yaml")
    return try await FlowCommandRun(
      ["replay", "@/s.transcript.jsonl", "--quiet"] + arguments, in: suite.folder)
  }

  @Test func `what does not fit on a line is told as a difference of lines`() async throws {
    let list = { (name: String) in
      "[\(name), {first: aaaaaaaaaaaaaaaaaaaaaa}, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, c, d, e]"
    }
    let run = try await replay(
      "{items: \(list("x"))}", "{items: \(list("x").replacing(existing: "d,", with: "f,"))}")
    let whole = try await replay("[\(list("y")), 1]", "text")

    #expect(run.errors.contains("note: value.items[4]: recorded \"d\", now \"f\"\n"))
    #expect(
      whole.errors.contains(
        """
          note: value:
                - [
                -   [
                -     "y",
        """))
    #expect(whole.errors.contains("        + \"text\"\n"))
  }

  @Test func `the command that accepts a departure repeats the inputs and the seed`() async throws {
    let scenario = { (value: String) in
      """
      flow: 1
      inputs: {who: {type: string}, n: {type: int, default: 1}, key: {type: string, secret: true}}
      components: {p: {plugin: probe}}
      steps: [{uses: p.echo, with: {value: "\(value) ${{ inputs.who }} ${{ inputs.n }} ${{ inputs.key }}"}}]

      """
    }
    try suite.folder.write(scenario("old"), to: "s.yaml")
    _ = try await suite.flow(
      "run", "@/s.yaml", "--input", "who=it's me", "--input", "n=7", "--seed", "5", "--record",
      "@/x.jsonl",
      environment: ["FLOW_SECRET_KEY": "s3cret+key"])
    try suite.folder.write(scenario("new"), to: "s.yaml")
    let run = try await suite.flow("replay", "@/x.jsonl", "--quiet")

    #expect(
      run.errors.contains(
        #"""
          note: if the change is intended, record again with 'flow run @/s.yaml --record=@/x.jsonl --input 'who=it'\''s me' --input n=7 --seed 5'

        """#))
  }

  @Test func `text of several lines is told line by line`() async throws {
    let run = try await replay(#""a\nb\nc\nd\ne\nf""#, #""a\nb\nc\nD\ne\nf""#)

    #expect(
      run.errors.contains(
        """
          note: value:
                ...
                  b
                  c
                - d
                + D
                  e
                  f
          note: if the change is intended, record again with 'flow test @/s.yaml --update failed'

        """))
  }

  @Test func `a long text is told where it departs`() async throws {
    let text = String(repeating: "x", count: 200)
    let run = try await replay(text, text.dropLast(50) + "y" + text.suffix(50))

    #expect(
      run.errors.contains(
        "value: recorded 200 characters, now 201, first different at character 150: recorded "
          + "…\"xxxxxxxxxx"))
  }

  @Test func `bytes are told by size, type and the first that differs`() async throws {
    let run = try await replay(
      "\"${{ b'\\\\x89PNG12' }}\"", "\"${{ b'\\\\x89PNG134' }}\"")

    #expect(
      run.errors.contains(
        "note: value: recorded 6 bytes of PNG, now 7 bytes of PNG, first different at byte 5\n"))
  }

  @Test func `a departure is told to machines`() async throws {
    let run = try await replay("1", "2", "--format", "json", "--details", "-")

    #expect(run.code == .failed)
    #expect(
      run.output.commandReport.hasPrefix(
        #"{"passed":false,"mismatches":[{"address":"b#1","compared":"input","code":"F3003","#
          + #""message":"the input of 'b#1' has changed","line":7,"expected":{"value":1},"#
          + #""actual":{"value":2},"fields":[{"path":"value","recorded":1,"now":2}],"allowed":false,"#
          + #""consequence":false,"accept":"flow test @/s.yaml --update failed"}],"diagnostics":[{"code":"F3003","#
      ))
  }

  @Test func `the nearest recorded call is told`() async throws {
    _ = try await replay("1", "1")
    let text = try suite.folder.text("s.yaml")
    try suite.folder.write(
      text + "  - {id: c, uses: p.count, with: {by: 3}}\n", to: "s.yaml")
    let run = try await FlowCommandRun(
      ["test", "@/s.yaml", "--update", "never", "--format", "json", "--details", "-"],
      in: suite.folder)

    #expect(
      run.output.contains(
        #""mismatches":[{"address":"c#1","compared":"call","code":"F3001","#
          + #""message":"'c#1' is not in the transcript","actual":{"invoke":"p.count","input":{"by":3}},"#
          + #""fields":[],"nearest":{"address":"a#1","line":4,"served":true,"#
          + #""fields":[{"path":"by","recorded":2,"now":3}]},"allowed":false,"#))
    #expect(
      run.output.commandReport.hasPrefix(
        #"{"passed":false,"scenarios":[{"path":"@/s.yaml","verdict":"failed","#))
  }

  @Test func `a replay that departs from nothing says so`() async throws {
    let run = try await replay("1", "1", "--format=json", "--details=-")

    let report = #"{"passed":true,"mismatches":[],"diagnostics":[],"notes":[]}"#
    #expect(run.output.commandReport == report + "\n")
  }

  @Test(arguments: [
    ("a b.yaml", "'@/a b.yaml'"), ("it's.yaml", #"'@/it'\''s.yaml'"#),
    ("$(x).yaml", "'@/$(x).yaml'"),
  ])
  func `a path is quoted for the shell where it needs to be`(
    _ name: String, _ quoted: String
  ) async throws {
    try suite.folder.write(Self.scenario.replacing(existing: "VALUE", with: "1"), to: name)
    _ = try await suite.flow("run", "@/\(name)", "--record")
    try suite.folder.write(Self.scenario.replacing(existing: "VALUE", with: "2"), to: name)

    let run = try await FlowCommandRun(["test", "@/\(name)", "--update=never"], in: suite.folder)

    #expect(
      run.errors.contains(
        "note: if the change is intended, record again with 'flow test \(quoted) --update failed'\n"
      ))
  }
}
