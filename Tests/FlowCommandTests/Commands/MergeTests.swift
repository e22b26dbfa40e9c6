import FlowCommand
import FlowCore
import FlowSystem
import TestKit
import Testing

/// Suites tested in parts, then merged.
@Suite struct MergeTests {
  private func suite() throws -> SuiteFolder {
    let suite = try SuiteFolder()
    for number in 1...7 {
      try suite.write("s\(number).yaml", name: "S \(number)", passes: number != 3)
    }
    try suite.folder.write("flow: 1\nsteps: [{uses: nothing.at_all}]\n", to: "wrong.yaml")
    return suite
  }

  @discardableResult
  private func part(
    _ number: Int, of count: Int = 3, _ suite: SuiteFolder, _ options: String...
  ) async throws -> SuiteRun {
    try await suite.flow(
      [
        "test", "@/", "--update", "never", "--shard", "\(number)/\(count)", "--results",
        "@/results",
      ]
        + (options.contains("--run") ? [] : ["--run", "r"]) + options)
  }

  private func merge(_ suite: SuiteFolder, _ options: String...) async throws -> SuiteRun {
    try await suite.flow(["merge", "@/results", "@/"] + options)
  }

  private func text(_ path: String, _ suite: SuiteFolder) throws -> String {
    let path = suite.folder.directory.path + "/" + path
    return String(decoding: try FileSystem.contents(of: path, limit: 1 << 24), as: UTF8.self)
  }

  /// The text without numbers that may be times, or offsets in a page that depend on times.
  private func withoutTimes(_ text: String) -> String {
    text.replacing(/data-z="[^"]*"/, with: "Z")
      // Where the names of bars stand follows from the times as well.
      .replacing(/<text[^>]*>/, with: "<text>")
      .replacing(/([0-9]+ (d|h|min) )?[0-9]+(\.[0-9]+)? ?(ms|s|min|h)\b/, with: "T")
      .replacing(/"(start|seconds|ts|dur)":[0-9.]+/, with: "T")
      .replacing(/(time|datetime|duration_ms|x|width|style)[=:] ?"[^"]*"/, with: "T")
  }

  /// A scenario whose loop has passed, failed and equally named cases.
  private static let cases = """
    flow: 1
    components: {p: {plugin: probe}}
    steps:
      - for: row
        in: [a, "b #1", "b #1"]
        cases: ${{ row }}
        fail-fast: false
        do:
          - {uses: p.echo, with: {value: "${{ row }}"}, expect: {value: "${{ loop.index != 1 }}"}}
      - {uses: p.count}

    """

  private static let reports = [
    "html": "r.html", "junit": "r.xml", "tap": "r.tap", "tap14": "r14.tap", "jsonl": "r.jsonl",
    "trace": "r.json", "markdown": "r.md",
  ]

  private func options(_ folder: String) -> [String] {
    Self.reports.flatMap { ["--report", "\($0.key)=@/\(folder)\($0.value)"] }
  }

  @Test(arguments: [false, true])
  func `the merge is as one run of all`(_ hasCases: Bool) async throws {
    let suite = try suite()
    if hasCases {
      for number in 1...4 { try suite.folder.write(Self.cases, to: "rows\(number).yaml") }
    }
    for number in 1...3 { try await part(number, suite) }

    let merged = try await suite.flow(["merge", "@/results", "@/"] + options("merged-"))
    let mergedState = try text(".flow/last-failed", suite)
    let whole = try await suite.flow(
      ["test", "@/", "--update", "never"] + options("whole-"))

    #expect(merged.output == whole.output)
    #expect(merged.errors == whole.errors)
    #expect(merged.code == whole.code)
    // The lanes of a trace depend on the rounded times of steps that take none.
    for file in Self.reports.values where !hasCases || file != "r.json" {
      let texts = try ["merged-", "whole-"].map { withoutTimes(try text($0 + file, suite)) }
      let lines = texts.map { $0.split(separator: "\n") }
      let difference = zip(lines[0], lines[1]).first { $0 != $1 }.map { [$0, $1] }
      #expect(difference == nil, "\(file)")
      #expect(lines[0].count == lines[1].count, "\(file)")
    }
    let durations = /"microseconds":[0-9]+/
    #expect(
      mergedState.replacing(durations, with: "")
        == (try text(".flow/last-failed", suite)).replacing(durations, with: ""))
  }

  @Test func `the document is as that of one run`() async throws {
    let suite = try suite()
    for number in 1...3 { try await part(number, suite) }

    let merged = try await merge(suite, "--format", "json")
    let whole = try await suite.test("--format", "json", "--details", "-")

    #expect(merged.output == whole.output.commandReport)
  }

  @Test func `parts leave the state alone, and the merge writes it for --rerun-failed`()
    async throws
  {
    let suite = try suite()
    for number in 1...3 { try await part(number, suite) }
    #expect(!FileSystem.exists(suite.folder.directory.path + "/.flow"))

    _ = try await merge(suite)
    let again = try await suite.test("--rerun-failed")

    #expect(again.paths == ["s3.yaml", "wrong.yaml"])
  }

  @Test func `a part that is missing is named`() async throws {
    let suite = try suite()
    for number in [1, 3] { try await part(number, suite) }

    let run = try await merge(suite, "--report", "junit=@/r.xml")

    #expect(run.errors == "flow: the part 2/3 is missing\n")
    #expect(run.code == .badInput)
    #expect(!FileSystem.exists(suite.folder.directory.path + "/r.xml"))
    #expect(!FileSystem.exists(suite.folder.directory.path + "/.flow"))
  }

  @Test func `the latest attempt of a part counts`() async throws {
    let suite = try suite()
    for _ in 1...2 { for number in 1...3 { try await part(number, suite) } }

    let run = try await merge(suite, "--quiet")

    #expect(
      try FileSystem.entries(of: suite.folder.directory.path + "/results/r").map(\.name).sorted()
        == ["1.1.json", "1.2.json", "2.1.json", "2.2.json", "3.1.json", "3.2.json"])
    #expect(run.output.hasSuffix("failed in T: scenarios 6 passed, 2 failed\n"))
    #expect(run.code == .badInput)
  }

  @Test func `a later attempt that passes replaces one that failed`() async throws {
    let suite = try SuiteFolder()
    try suite.writeReader(page: "one")
    _ = try await suite.flow("test", "@/", "--update", "missing")
    try suite.folder.write("two", to: "page.txt")
    let failed = try await part(1, of: 1, suite, "--live")
    try suite.folder.write("one", to: "page.txt")
    try await part(1, of: 1, suite, "--live")

    let run = try await merge(suite)

    #expect(failed.code == .failed)
    #expect(run.code == .passed)
  }

  @Test func `a part of another suite is named`() async throws {
    let suite = try suite()
    for number in [1, 2] { try await part(number, suite) }
    try suite.write("s1.yaml", name: "changed")
    try await part(3, suite)

    let run = try await merge(suite)

    #expect(
      run.errors
        == "flow: '3.1.json' and '1.1.json' are of different suites: scenarios, options or recorded "
        + "durations differed\n")
    #expect(run.code == .badInput)
  }

  @Test func `another number of parts is named`() async throws {
    let suite = try suite()
    try await part(1, of: 2, suite)
    try await part(2, of: 3, suite)

    let run = try await merge(suite)

    #expect(run.errors.hasPrefix("flow: '2.1.json' is one of 3 parts, and '1.1.json' one of 2\n"))
    #expect(run.code == .badInput)
  }

  @Test(arguments: ["cut", "flipped", "swapped"])
  func `a damaged file is named`(_ damage: String) async throws {
    let suite = try suite()
    for number in 1...3 { try await part(number, suite) }
    let old = try text("results/r/2.1.json", suite)
    let new =
      switch damage {
      case "cut": String(old.dropLast(100))
      case "flipped": old.replacing("\"failed\":false", with: "\"failed\":true", maxReplacements: 1)
      default: try text("results/r/1.1.json", suite)
      }
    #expect(new != old)
    try suite.folder.write(new, to: "results/r/2.1.json")

    let run = try await merge(suite)

    let problem =
      damage == "swapped"
      ? "has the results of another part: attempt 1 of part 1/3 of the run 'r'"
      : "is damaged, or was not written by this version of flow"
    #expect(
      run.errors == "flow: '@/results/r/2.1.json' \(problem)\nflow: the part 2/3 is missing\n")
    #expect(run.code == .badInput)
  }

  /// Forged results with a valid digest.
  private func forge(
    _ path: String, _ suite: SuiteFolder, _ change: (String) -> String
  ) throws {
    let text = try text(path, suite)
    let start = try #require(text.firstRange(of: "\"result\":")).upperBound
    let old = String(text[start...].dropLast(2))
    let body = change(old)
    #expect(body != old)
    let digest = SHA256(Array(body.utf8)).hexadecimal
    try suite.folder.write(
      "{\"flow-results\":3,\"sha256\":\"\(digest)\",\"result\":\(body)}\n", to: path)
  }

  private func forge(_ path: String, _ suite: SuiteFolder, _ old: String, _ new: String) throws {
    try forge(path, suite) { $0.replacing(old, with: new) }
  }

  @Test func `parts are balanced by the durations of the last merge`() async throws {
    let suite = try suite()
    try await part(1, of: 1, suite)
    var milliseconds = 0
    try forge("results/r/1.1.json", suite) { text in
      text.replacing(/"microseconds":[0-9]+/) { _ in
        milliseconds += 1
        return "\"microseconds\":\(milliseconds * 1_000)"
      }
    }
    _ = try await merge(suite)
    var loads: [Int] = []
    for number in 1...3 {
      let paths = try await part(number, suite).paths
      // In the order of the paths, s1 to s7 and wrong.
      loads.append(
        paths.reduce(0) { $0 + ($1 == "wrong.yaml" ? 8 : Int($1.filter(\.isNumber)) ?? 0) })
    }

    #expect(loads.sorted() == [11, 12, 13])
  }

  @Test func `a secret is in no results, and its placeholder is in the merge`() async throws {
    let suite = try SuiteFolder()
    try suite.folder.write(
      """
      flow: 1
      inputs: {key: {type: string, secret: true}}
      components: {p: {plugin: probe}}
      steps: [{name: "Take ${{ inputs.key }}", uses: p.count, expect: {value: 2}}]

      """, to: "a.yaml")

    _ = try await suite.flow(
      ["test", "@/", "--update", "never", "--results", "@/results", "--run", "r"],
      environment: ["FLOW_SECRET_KEY": "s3cret+token"])
    let run = try await merge(suite, "--report", "jsonl=-")

    #expect(!(try text("results/r/1.1.json", suite)).contains("s3cret"))
    #expect(run.output.contains("Take ${secret:key}"))
    #expect(run.code == .failed)
  }

  struct Forgery: CustomStringConvertible, Sendable {
    let description: String
    let (old, new): (String, String)
    let problem: String

    init(_ description: String, _ old: String, _ new: String, _ problem: String) {
      (self.description, self.old, self.new) = (description, old, new)
      self.problem = problem
    }
  }

  private static let damaged =
    "'@/results/r/1.1.json' is damaged, or was not written by this version of flow"

  static let forgeries = [
    Forgery(
      "a piece that no page has", "[\\\"steps\\\"]", "[\\\"script\\\",\\\"x\\\"]", damaged),
    Forgery("no such state of a step", "\"state\":\"passed\"", "\"state\":\"fine\"", damaged),
    Forgery("a duration without end", "\"seconds\":0.", "\"seconds\":1e300,\"x\":0.", damaged),
    Forgery("no such verdict", "\"verdict\":\"passed\"", "\"verdict\":\"fine\"", damaged),
    Forgery("no such code", "\"code\":0", "\"code\":99", damaged),
    Forgery("more parts than there may be", "\"shards\":1,", "\"shards\":1000000,", damaged),
    Forgery(
      "a run that leads elsewhere", "\"run\":\"r\"", "\"run\":\"../x\"",
      "'@/results/r/1.1.json' has the results of another part: attempt 1 of part 1/1 of the run '../x'"
    ),
    Forgery(
      "one scenario in place of another", "\"key\":\"s1.yaml\"", "\"key\":\"s2.yaml\"",
      "the parts are not the whole suite: they have 8 of 8 scenarios"),
    Forgery(
      "a suite that is larger", "\"total\":8", "\"total\":9",
      "the parts are not the whole suite: they have 8 of 9 scenarios"),
  ]

  @Test(arguments: forgeries)
  func `results that flow would not write are refused`(_ forgery: Forgery) async throws {
    let suite = try suite()
    try await part(1, of: 1, suite)
    try forge("results/r/1.1.json", suite, forgery.old, forgery.new)

    let run = try await merge(
      suite, "--report", "html=@/r.html", "--report", "junit=@/r.xml")

    #expect(run.errors == "flow: \(forgery.problem)\n")
    #expect(run.code == .badInput)
  }

  @Test func `texts of results drive no terminal`() async throws {
    let suite = try suite()
    try await part(1, of: 1, suite)
    try forge("results/r/1.1.json", suite) {
      $0.replacing("\"brief\":\"", with: "\"brief\":\"\\u001b[2J\\u0007gone ")
        .replacing("\"name\":\"S ", with: "\"name\":\"\\u001b[2JS ")
    }

    let run = try await merge(suite)

    #expect(run.errors.contains("gone "))
    #expect(!(run.errors + run.output).contains { $0 == "\u{1b}" || $0 == "\u{7}" })
    #expect(run.code == .badInput)
  }

  @Test func `attempts that ran something else contradict each other`() async throws {
    let suite = try suite()
    for number in 1...3 { try await part(number, suite) }
    try await part(1, suite)
    try forge("results/r/1.2.json", suite, "s1.yaml", "s9.yaml")

    let run = try await merge(suite)

    #expect(
      run.errors
        == "flow: the attempts 1 and 2 of part 1/3 contradict each other: they ran different scenarios\n"
    )
    #expect(run.code == .badInput)
  }

  @Test func `secrets are in no results`() async throws {
    let suite = try SuiteFolder("flow: 1\nredact: ['tok-[a-z]+']\n")
    try suite.write("a.yaml", name: "A tok-abc", passes: false)

    try await part(1, of: 1, suite)

    #expect(!(try text("results/r/1.1.json", suite)).contains("tok-abc"))
  }

  @Test func `several runs are told apart`() async throws {
    let suite = try suite()
    try await part(1, of: 1, suite, "--run", "one")
    try await part(1, of: 1, suite, "--run", "two")

    let unclear = try await merge(suite)
    let clear = try await merge(suite, "--run", "two", "--quiet")

    #expect(
      unclear.errors
        == "flow: '@/results' has the results of several runs, choose one with --run: one, two\n")
    #expect(unclear.code == .badCommandLine)
    #expect(clear.output.hasSuffix("failed in T: scenarios 6 passed, 2 failed\n"))
  }

  @Test(arguments: ["../x", "", ".x", "a/b", "a b"])
  func `a run that is no name of a folder is refused`(_ name: String) async throws {
    let suite = try suite()

    let run = try await part(1, suite, "--run", name)

    #expect(
      run.errors
        == "flow: '--run': expected a name of letters, digits, '.', '_' and '-', got '\(name)'\n"
        + "see 'flow help test'\n")
    #expect(run.code == .badCommandLine)
  }

  @Test func `Slurm names the run and the attempt`() async throws {
    let suite = try suite()
    var environment = [
      "SLURM_ARRAY_TASK_ID": "0", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_MAX": "0",
      "SLURM_ARRAY_TASK_COUNT": "1", "SLURM_ARRAY_JOB_ID": "4711",
    ]
    let arguments = [
      "test", "@/", "--update", "never", "--shard", "auto", "--results", "@/results",
    ]
    _ = try await suite.flow(arguments, environment: environment)
    environment["SLURM_RESTART_COUNT"] = "4"
    _ = try await suite.flow(arguments, environment: environment)

    #expect(
      try FileSystem.entries(of: suite.folder.directory.path + "/results/slurm-4711")
        .map(\.name).sorted() == ["1.1.json", "1.5.json"])
  }
}
