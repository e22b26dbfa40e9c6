import FlowCommand
import TestKit
import Testing

/// Transcripts written by `flow test`, each of them with a message.
@Suite struct UpdateTests {
  private static let automated = ["CI": "true"]
  private static let transcript = "reader.transcript.jsonl"

  private let suite: SuiteFolder

  init() throws {
    suite = try SuiteFolder()
    try suite.writeReader(page: "old")
  }

  private func test(_ options: String..., environment: [String: String] = [:]) async throws
    -> SuiteRun
  {
    try await suite.flow(["test", "@/"] + options, environment: environment)
  }

  /// True if the scenario has a transcript beside it.
  private var hasTranscript: Bool {
    get throws { try suite.folder.names.contains(Self.transcript) }
  }

  /// Records a transcript, then changes the scenario to expect another answer.
  private func recordThenChange() async throws {
    _ = try await test()
    try suite.folder.write("new", to: "page.txt")
    let text = try suite.folder.text("reader.yaml")
    try suite.folder.write(
      text.replacing(existing: "uses: n.read", with: "uses: n.read, expect: {text: new}"),
      to: "reader.yaml")
  }

  @Test func `what is missing is recorded and told, and then replayed`() async throws {
    let first = try await test()
    let second = try await test()

    #expect(
      first.output == """
        recorded @/reader.yaml  (@/reader.transcript.jsonl, T)
        passed in T: scenarios 0 passed, 1 recorded
        live: n

        """)
    #expect(
      second.output
        == "passed   @/reader.yaml  (T)\npassed in T: scenarios 1 passed\nreplayed: n\n")
    #expect([first.code, second.code] == [.passed, .passed])
    #expect(
      try suite.folder.names
        == [".flow", "flow.yaml", "page.txt", Self.transcript, "reader.yaml"])
  }

  @Test func `a recording is what flow run records`() async throws {
    _ = try await test()
    _ = try await suite.flow("run", "@/reader.yaml", "--record=@/other.jsonl")

    #expect(try suite.folder.text(Self.transcript) == (try suite.folder.text("other.jsonl")))
  }

  @Test func `a recording is told also when that is to be quiet`() async throws {
    #expect(try await test("--quiet").output.hasPrefix("recorded @/reader.yaml  ("))
  }

  @Test func `a run whose recording does not replay is not recorded`() async throws {
    try suite.folder.write("flow: 1\nredact: ['page [0-9]+']\n", to: "flow.yaml")
    try suite.folder.write(
      """
      flow: 1
      components: {n: {plugin: notebook}}
      steps: [{id: read, uses: n.read}, {assert: ["${{ steps.read.text == 'page 42' }}"]}]

      """, to: "reader.yaml")
    try suite.folder.write("page 42", to: "page.txt")
    let run = try await test()

    #expect(
      run.output.hasPrefix(
        "failed   @/reader.yaml  (live, no transcript, not recorded, the recording does not replay, T)\n"
      ))
    #expect(run.errors.contains("error: 'assert#1': assertion failed ["))
    #expect(run.code == .failed)
    #expect(try !hasTranscript)
  }

  @Test func `a run that fails is not recorded`() async throws {
    try suite.folder.remove("page.txt")
    let run = try await test("--update", "all")

    #expect(run.output.hasPrefix("failed   @/reader.yaml  (live, no transcript, T)\n"))
    #expect(run.code == .failed)
    #expect(try !hasTranscript)
  }

  struct Precedence: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var options: [String] = []
    var environment: [String: String] = [:]
    var project = ""
    let records: Bool
  }

  @Test(arguments: precedences)
  func `an option goes before the environment, that before the file and the default`(
    _ sample: Precedence
  ) async throws {
    try suite.folder.write("flow: 1\n" + sample.project, to: "flow.yaml")
    _ = try await FlowCommandRun(
      ["test", "@/"] + sample.options, in: suite.folder, environment: sample.environment,
      components: [Notebook.self])

    #expect(try hasTranscript == sample.records)
  }

  static let precedences = [
    Precedence(testDescription: "the default", records: true),
    Precedence(testDescription: "the file", project: "update: never\n", records: false),
    Precedence(
      testDescription: "the environment", environment: ["FLOW_UPDATE": "missing"],
      project: "update: never\n", records: true),
    Precedence(
      testDescription: "the option", options: ["--update", "never"],
      environment: ["FLOW_UPDATE": "all"], project: "update: all\n", records: false),
    Precedence(testDescription: "never", options: ["--update=never"], records: false),
    Precedence(testDescription: "failed", options: ["--update=failed"], records: true),
  ]

  // MARK: - Recording again

  @Test func `a transcript that fails stays, unless failed ones are to be recorded`() async throws {
    try await recordThenChange()
    let before = try suite.folder.text(Self.transcript)
    let missing = try await test("--update", "missing")
    let kept = try suite.folder.text(Self.transcript)
    let failed = try await test("--update", "failed")
    let after = try await test()

    #expect(missing.errors.contains("  note: text: expected \"new\", got \"old\"\n"))
    #expect(kept == before)
    #expect([missing.code, failed.code, after.code] == [.failed, .passed, .passed])
    #expect(failed.errors == "")
    #expect(failed.output.hasPrefix("recorded @/reader.yaml  (@/reader.transcript.jsonl, T)\n"))
    #expect(failed.output.contains("\n      changed read#1, n.read\n"))
    #expect(failed.output.contains("\n        ok.text: recorded \"old\", now \"new\"\n"))
  }

  @Test func `a transcript that fails stays when the live run fails too`() async throws {
    try await recordThenChange()
    let before = try suite.folder.text(Self.transcript)
    try suite.folder.write("third", to: "page.txt")
    let run = try await test("--update", "failed")

    #expect(
      run.output.hasPrefix("failed   @/reader.yaml  (not recorded, the live run failed, T)\n"))
    #expect(run.errors.contains("  note: text: expected \"new\", got \"third\"\n"))
    #expect(run.errors.hasSuffix("note: '@/reader.yaml' has changed since it was recorded\n"))
    #expect(run.code == .failed)
    #expect(try suite.folder.text(Self.transcript) == before)
  }

  @Test func `everything is recorded again, and what is the same is not written`() async throws {
    _ = try await test()
    let same = try await test("--update", "all")
    try suite.folder.write("new", to: "page.txt")
    let replayed = try await test()
    let changed = try await test("--update", "all")

    #expect(
      same.output
        == "passed   @/reader.yaml  (live, T)\npassed in T: scenarios 1 passed\nlive: n\n")
    #expect(replayed.code == .passed)
    #expect(changed.output.hasPrefix("recorded @/reader.yaml  ("))
    #expect(try suite.folder.text(Self.transcript).contains(#""ok":{"text":"new"}"#))
  }

  @Test(arguments: ["all", "failed"])
  func `a transcript that cannot be read is recorded again`(_ mode: String) async throws {
    try suite.folder.write("nonsense\n", to: Self.transcript)
    let never = try await test("--update", "missing")
    let run = try await test("--update", mode)

    #expect([never.code, run.code] == [.badInput, .passed])
    #expect(try suite.folder.text(Self.transcript).hasPrefix(#"{"transcript":1,"#))
  }

  @Test func `inputs are recorded again with the values that they had`() async throws {
    try suite.folder.write(
      """
      flow: 1
      inputs: {text: {type: string, default: a}}
      components: {n: {plugin: notebook}}
      steps: [{uses: n.write, with: {text: "${{ inputs.text }}"}}]

      """, to: "reader.yaml")
    _ = try await suite.flow("run", "@/reader.yaml", "--record", "--input", "text=b")
    let before = try suite.folder.text(Self.transcript)
    let run = try await test("--update", "all")

    #expect(run.output.hasPrefix("passed   @/reader.yaml  (live, T)\n"))
    #expect(try suite.folder.text(Self.transcript) == before)
  }

  @Test func `a matcher stands again where the new value fits it`() async throws {
    _ = try await test()
    let matcher = #""ok":{"text":{"$match":"^[a-z]+$","example":"old"}}"#
    let recorded = try suite.folder.text(Self.transcript).unsealed
    try suite.folder.write(
      recorded.replacing(existing: #""ok":{"text":"old"}"#, with: matcher)
        .replacing(
          existing: #""outputs":{"text":"old"}"#, with: #""outputs":{"text":{"$any":"string"}}"#),
      to: Self.transcript)
    try suite.folder.write("new", to: "page.txt")
    let live = try await test("--live")
    let updated = try await test("--update", "all")
    let text = try suite.folder.text(Self.transcript)
    try suite.folder.write("1", to: "page.txt")
    let other = try await test("--live", "--update", "never")
    _ = try await test("--update", "all")

    #expect([live.code, updated.code, other.code] == [.passed, .passed, .failed])
    #expect(text.contains(matcher))
    #expect(text.contains(#""outputs":{"text":{"$any":"string"}}"#))
    #expect(other.errors.contains("ok.text: recorded a string like '^[a-z]+$', now \"1\"\n"))
    #expect(try suite.folder.text(Self.transcript).contains(#""ok":{"text":"1"}"#))
  }

  // MARK: - What cannot be read

  /// Records the page with an input and a seed of their own, and puts a matcher in place of the answer.
  ///
  /// Gives the transcript as it then is, not sealed again.
  private func recordWithMatcher(input: String = "b") async throws -> String {
    try suite.folder.write(
      """
      flow: 1
      inputs: {word: {type: string, default: a}}
      components: {n: {plugin: notebook}}
      steps:
        - {id: read, uses: n.read}
        - {uses: n.write, with: {text: "${{ steps.read.text }}"}}
      outputs: {word: "${{ inputs.word }}"}

      """, to: "reader.yaml")
    _ = try await suite.flow(
      "run", "@/reader.yaml", "--record", "--input", "word=\(input)", "--seed", "7")
    let text = try suite.folder.text(Self.transcript).replacing(
      existing: #""ok":{"text":"old"}"#, with: #""ok":{"text":{"$any":"string","example":"old"}}"#)
    try suite.folder.write(text, to: Self.transcript)
    try suite.folder.write("new", to: "page.txt")
    return text
  }

  @Test(arguments: ["all", "failed"])
  func `what a broken seal covers is kept`(_ mode: String) async throws {
    _ = try await recordWithMatcher()

    let run = try await test("--update", mode)

    let text = try suite.folder.text(Self.transcript)
    #expect(run.output.hasPrefix("recorded @/reader.yaml  ("))
    #expect(run.errors == "")
    #expect(text.contains(#""ok":{"text":{"$any":"string","example":"old"}}"#))
    #expect(text.contains(#""inputs":{"word":"b"},"seed":"7"}"#))
    #expect(try await test().code == .passed)
  }

  @Test(arguments: ["all", "failed"])
  func `a missing body costs its input alone`(_ mode: String) async throws {
    let long = String(repeating: "long ", count: 1_000)
    let old = try await recordWithMatcher(input: long)
    let name = try suite.folder.names(in: "blobs")[0]
    try suite.folder.write(old.unsealed, to: Self.transcript)
    try suite.folder.remove("blobs/\(name)")

    let run = try await test("--update", mode)

    let text = try suite.folder.text(Self.transcript)
    #expect(
      run.errors
        == "note: the input 'word' cannot be kept: the body 'sha256:\(name)' is "
        + "missing in '@/blobs'\n")
    #expect(text.contains(#""ok":{"text":{"$any":"string","example":"new"}}"#))
    #expect(text.contains(#""inputs":{"word":"a"},"seed":"7","defaults":["word"]}"#))
  }

  @Test func `what is lost of a transcript that is cut off is told`() async throws {
    let old = try await recordWithMatcher()
    let lines = old.split(separator: "\n").dropLast()
    try suite.folder.write(lines.joined(separator: "\n") + "\n", to: Self.transcript)

    let run = try await test("--update", "failed")

    #expect(
      run.errors
        == "note: the matchers cannot be kept: the transcript has no end; it was cut off after this line\n"
    )
    #expect(
      try suite.folder.text(Self.transcript).contains(#""inputs":{"word":"b"},"seed":"7"}"#))
  }

  @Test func `inputs that do not fit any more are recorded with their defaults`() async throws {
    _ = try await recordWithMatcher()
    _ = try await suite.flow("transcript", "seal", "@/\(Self.transcript)")
    let scenario = try suite.folder.text("reader.yaml")
    try suite.folder.write(scenario.replacing(existing: "word", with: "phrase"), to: "reader.yaml")

    let missing = try await test("--update", "missing")
    let failed = try await test("--update", "failed")

    let text = try suite.folder.text(Self.transcript)
    #expect([missing.code, failed.code] == [.badInput, .passed])
    #expect(failed.errors.contains("; their defaults are used\n"))
    #expect(text.contains(#""inputs":{"phrase":"a"},"seed":"7","defaults":["phrase"]}"#))
    #expect(text.contains(#""ok":{"text":{"$any":"string","example":"new"}}"#))
  }

  // MARK: - Machines

  @Test(arguments: [["--update", "missing", "--live"], ["--update=failed"], ["--update=all"]])
  func `a retried CI job cannot turn green by recording`(_ options: [String]) async throws {
    if options.count == 1 { try await recordThenChange() }
    let before = try? suite.folder.text(Self.transcript)

    for _ in 0..<3 {
      let run = try await suite.flow(["test", "@/"] + options, environment: Self.automated)

      #expect(
        run.output.hasPrefix(
          "recorded @/reader.yaml  (@/.flow/recorded/reader.transcript.jsonl, T)\n"))
      #expect(run.output.hasSuffix("\nfailed in T: scenarios 0 passed, 1 recorded\nlive: n\n"))
      #expect(
        run.errors.hasSuffix(
          "flow: CI is set, so the recordings are in '@/.flow/recorded' and their scenarios did not pass\n"
        ))
      #expect(run.code == .failed)
      let now = try? suite.folder.text(Self.transcript)
      #expect(now == before)
    }
    #expect(try suite.folder.text(".flow/recorded/\(Self.transcript)").contains(#""end":"passed""#))
  }

  @Test func `a retried CI job of a changed component stays red`() async throws {
    try await recordThenChange()

    for _ in 0..<3 {
      #expect(try await test(environment: Self.automated).code == .failed)
    }
  }

  @Test func `a transcript that cannot be written is exit 73`() async throws {
    try suite.folder.write("", to: "\(Self.transcript)/x")
    let run = try await test("--update", "all")

    #expect(
      run.errors == "note: the transcript was not written: "
        + "cannot write '@/reader.transcript.jsonl': not a file\n")
    #expect(run.output.hasSuffix("\nfailed in T: scenarios 0 passed, 1 failed\nlive: n\n"))
    #expect(run.code == .cannotWrite)
  }
}
