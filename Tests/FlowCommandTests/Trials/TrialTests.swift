import FlowCommand
import FlowCore
import TestKit
import Testing

/// `trials:` of a scenario that runs on its components.
@Suite struct TrialTests {
  @Test func `the trials end as soon as enough have passed`() async throws {
    let folder = try OracleFolder(letters: "yyyynyyyyyyy", trials: "{runs: 10, pass: 8}")

    let run = try await folder.flow("run", "@/s.yaml")

    #expect(
      run.output.withoutDurations == """
        Ask
        trial 1 passed in T: steps 2 passed
        trial 2 passed in T: steps 2 passed
        trial 3 passed in T: steps 2 passed
        trial 4 passed in T: steps 2 passed
          failed assert  (T)
        trial 5 failed in T: steps 1 passed, 1 failed
        trial 6 passed in T: steps 2 passed
        trial 7 passed in T: steps 2 passed
        trial 8 passed in T: steps 2 passed
        trial 9 passed in T: steps 2 passed
        passed in T: trials 8 of 9 passed (89%, 95% interval 57% to 98%)

        """)
    #expect(
      run.errors == """
        note: trial 5 failed: 'assert#1': assertion failed: steps.ask.letter is "n", from line 7 \
        (@/s.yaml:8:19)

        """)
    #expect(run.code == .passed)
    #expect(try folder.rest == "yyy")
  }

  @Test func `the trials end as soon as not enough can pass any more`() async throws {
    let folder = try OracleFolder(letters: "ynnnyyyyyy", trials: "{runs: 10, pass: 8}")

    let run = try await folder.flow("run", "@/s.yaml", "--quiet")

    #expect(
      run.output.withoutDurations.hasSuffix(
        "failed in T: trials 1 of 4 passed (25%, 95% interval 5% to 70%)\n"))
    #expect(
      run.errors == """
        @/s.yaml:5:1: error: too many trials failed: 1 of 4 passed (25%, 95% interval 5% to 70%), \
        and 8 of 10 must pass [F2013]
            5 | trials: {runs: 10, pass: 8}
              | ^^^^^^
          note: trial 2 failed: 'assert#1': assertion failed: steps.ask.letter is "n", from line 7 \
        (@/s.yaml:8:19)
          note: trial 3 failed: 'assert#1': assertion failed: steps.ask.letter is "n", from line 7 \
        (@/s.yaml:8:19)
          note: trial 4 failed: 'assert#1': assertion failed: steps.ask.letter is "n", from line 7 \
        (@/s.yaml:8:19)
        @/s.yaml:8:19: error: 'assert#1': assertion failed [F2004]
            8 |   - assert: ["${{ steps.ask.letter == 'y' || steps.ask.letter == '-' }}"]
              |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          note: steps.ask.letter is "n", from line 7
          note: steps.ask.letter is "n"

        """)
    #expect(run.code == .failed)
    #expect(try folder.rest == "yyyyyy")
  }

  // MARK: - The limit

  @Test func `a limit that does not hold ends the trials, and they fail`() async throws {
    let folder = try OracleFolder(
      letters: "yyyyyyyy", trials: #"{runs: 10, pass: 8, limit: "${{ sum(usage.total) < 300 }}"}"#)

    let run = try await folder.flow("run", "@/s.yaml", "--quiet")

    #expect(
      run.errors == """
        @/s.yaml:5:1: error: the limit ended the trials: 3 of 3 passed (100%, 95% interval 44% to \
        100%), and 8 of 10 must pass [F2013]
            5 | trials: {runs: 10, pass: 8, limit: "${{ sum(usage.total) < 300 }}"}
              | ^^^^^^
          note: the limit is ${{ sum(usage.total) < 300 }}
          note: sum(usage.total) is 300

        """)
    #expect(run.code == .failed)
    #expect(try folder.rest == "yyyyy")
  }

  @Test func `a trial that makes the verdict certain may use up the limit`() async throws {
    let folder = try OracleFolder(
      letters: "yyyyyyyy", trials: #"{runs: 10, pass: 3, limit: "${{ sum(usage.total) < 300 }}"}"#)

    let run = try await folder.flow("run", "@/s.yaml", "--quiet")

    #expect(run.code == .passed)
    #expect(try folder.rest == "yyyyy")
  }

  @Test func `a limit reads every quantity and the inputs`() async throws {
    let folder = try OracleFolder(
      letters: "yyyyyyyy",
      trials:
        #"{runs: 9, pass: 9, limit: "${{ sum(usage.price) < inputs.euros && usage.total.size() < 8 }}"}"#,
      inputs: "{euros: {type: decimal, default: 1.00}}")

    let one = try await folder.flow("run", "@/s.yaml", "--quiet", "--input", "euros=0.50")
    let left = try folder.rest
    let two = try await folder.flow("run", "@/s.yaml", "--quiet")

    #expect([one.code, two.code] == [.failed, .failed])
    #expect(left == "yyyyyy")
    #expect(try folder.rest == "yy")
  }

  @Test func `a limit on a quantity that no answer has is told`() async throws {
    let folder = try OracleFolder(
      letters: "--", trials: #"{runs: 2, pass: 2, limit: "${{ sum(usage.total) < 1 }}"}"#)

    let run = try await folder.flow("run", "@/s.yaml", "--quiet")

    #expect(
      run.errors
        == "note: no answer had the quantity 'total', so the limit has not seen any\n")
    #expect(run.code == .passed)
  }

  @Test func `a limit without a value ends the trials`() async throws {
    let folder = try OracleFolder(
      letters: "yyy", trials: #"{runs: 3, pass: 3, limit: "${{ 1 / usage.total[5] > 0 }}"}"#)

    let run = try await folder.flow("run", "@/s.yaml", "--quiet")

    #expect(run.errors.contains("note: the limit has no value: "), "\(run.errors)")
    #expect(run.code == .failed)
  }

  @Test func `an unknown quantity is reported before the run, with the known ones`() async throws {
    let folder = try OracleFolder(
      letters: "y", trials: #"{runs: 2, pass: 1, limit: "${{ sum(usage.totl) < 3 }}"}"#)

    let run = try await folder.flow("run", "@/s.yaml")

    #expect(
      run.errors == """
        @/s.yaml:5:50: error: the record has no field 'totl'; did you mean 'total'? [F1304]
            5 | trials: {runs: 2, pass: 1, limit: "${{ sum(usage.totl) < 3 }}"}
              |                                                  ^^^^

        """)
    #expect(run.code == .badInput)
  }

  // MARK: - Recordings

  @Test func `the last trial that passed is recorded, and runs once from then on`() async throws {
    let folder = try OracleFolder(letters: "ynyn", trials: "{runs: 5, pass: 2}")

    let run = try await folder.flow("run", "@/s.yaml", "--record", "--quiet", "--seed", "40")
    let test = try await folder.flow("test", "@/s.yaml", environment: ["CI": "true"])

    #expect(run.output.hasSuffix("\nrecorded @/s.transcript.jsonl (trial 3)\n"), "\(run.output)")
    #expect(try folder.folder.text("s.transcript.jsonl").contains(#""seed":"42""#))
    #expect(
      test.output.withoutDurations == """
        passed   @/s.yaml  (T)
        passed in T: scenarios 1 passed
        replayed: oracle
        note: all answers were recorded ones: the scenarios still ask and accept what was recorded, \
        but no system was asked; 'flow test --live' asks them

        """)
    #expect(try folder.rest == "n")
  }

  @Test func `trials that fail record nothing, and leave a recording as it is`() async throws {
    let folder = try OracleFolder(letters: "yynn", trials: "{runs: 2, pass: 2}")
    _ = try await folder.flow("run", "@/s.yaml", "--record", "--quiet")
    let recorded = try folder.folder.text("s.transcript.jsonl")

    let run = try await folder.flow("run", "@/s.yaml", "--record", "--quiet")

    #expect(run.code == .failed)
    #expect(
      run.errors.hasSuffix("note: the trials failed, so nothing was recorded\n"), "\(run.errors)")
    #expect(try folder.folder.text("s.transcript.jsonl") == recorded)
    #expect(try folder.names == ["flow.yaml", "letters.txt", "s.transcript.jsonl", "s.yaml"])
  }

  @Test func `an interrupted trial ends the trials, and records nothing`() async throws {
    let folder = try OracleFolder(letters: "yxy", trials: "{runs: 3, pass: 2}")

    let run = try await folder.flow("test", "@/s.yaml", "--live")

    #expect(run.output.withoutDurations.hasPrefix("not run  @/s.yaml  (interrupted, T)\n"))
    #expect(run.code == .interrupted)
    #expect(try folder.names == ["flow.yaml", "letters.txt", "s.yaml"])
  }

  @Test(arguments: [["--twice", "--record"], ["--journal=@/journal"]])
  func `what is about one run runs once, and says so`(_ options: [String]) async throws {
    let folder = try OracleFolder(letters: "yyyyyy", trials: "{runs: 5, pass: 5}")

    let run = try await folder.flow(["run", "@/s.yaml", "--quiet"] + options)

    let name = options[0].prefix { $0 != "=" }
    #expect(run.errors == "note: with '\(name)' the scenario runs once, without its trials\n")
    #expect(run.code == .passed)
  }

  // MARK: - Suites

  @Test func `a live test makes the trials, and compares no answers`() async throws {
    let folder = try OracleFolder(letters: "ynyyny", trials: "{runs: 4, pass: 3}")
    _ = try await folder.flow("run", "@/s.yaml", "--record", "--quiet")
    try folder.folder.write("-n--", to: "letters.txt")
    let recorded = try folder.folder.text("s.transcript.jsonl")

    let test = try await folder.flow("test", "@/s.yaml", "--live")

    #expect(
      test.output.withoutDurations == """
        passed   @/s.yaml  (live, 3 of 4 passed (75%, 95% interval 30% to 95%), T)
        passed in T: scenarios 1 passed
        live: oracle

        """)
    #expect(
      test.errors == """
        note: trial 2 failed: 'assert#1': assertion failed: steps.ask.letter is "n", from line 7 \
        (@/s.yaml:8:19)

        """)
    #expect(try folder.folder.text("s.transcript.jsonl") == recorded)
  }

  @Test func `a part that is live makes trials, and its calls alone count`() async throws {
    let folder = try OracleFolder(
      letters: "yy", trials: #"{runs: 9, pass: 9, limit: "${{ sum(usage.total) < 300 }}"}"#,
      others: ", other: {plugin: oracle}", steps: "  - uses: other.ask\n")
    let text = try folder.folder.text("s.yaml")
    try folder.folder.write(
      text.replacing(existing: "runs: 9, pass: 9", with: "runs: 1, pass: 1"), to: "s.yaml")
    _ = try await folder.flow("run", "@/s.yaml", "--record", "--quiet")
    try folder.folder.write(text, to: "s.yaml")
    try folder.folder.write("yyyyyyyyy", to: "letters.txt")

    let test = try await folder.flow("test", "@/s.yaml", "--live=oracle")

    #expect(
      test.output.withoutDurations.hasPrefix(
        "failed   @/s.yaml  (live: oracle, 3 of 3 passed (100%, 95% interval 44% to 100%), T)\n"),
      "\(test.output)")
    #expect(try folder.rest == "yyyyyy")
  }

  @Test func `a component that tests always call makes no trials`() async throws {
    let folder = try OracleFolder(
      letters: "yyyy", trials: "{runs: 2, pass: 2}", settings: ", live: true")
    _ = try await folder.flow("run", "@/s.yaml", "--record", "--quiet")

    let test = try await folder.flow("test", "@/s.yaml")

    #expect(test.output.withoutDurations.hasPrefix("passed   @/s.yaml  (live: oracle, T)\n"))
    #expect(try folder.rest == "y")
  }

  @Test func `trials are not repeated`() async throws {
    let folder = try OracleFolder(letters: "yyyy", trials: "{runs: 2, pass: 2}")

    let test = try await folder.flow(
      "test", "@/s.yaml", "--live", "--repeat", "2", "--update", "never")

    #expect(test.errors == "note: '--repeat' does not repeat the trials of a scenario\n")
    #expect(try folder.rest == "yy")
  }

  @Test func `a document has the trials, and JUnit those that failed`() async throws {
    let folder = try OracleFolder(letters: "yny", trials: "{runs: 3, pass: 2}")

    let test = try await folder.flow(
      "test", "@/s.yaml", "--live", "--update", "never", "--format", "json", "--details", "-",
      "--report", "junit=@/junit.xml")

    let pattern = #/"trials": ?\{.*?\]\s*\}/#.dotMatchesNewlines()
    let trials = try #require(test.output.firstMatch(of: pattern))
    #expect(
      String(trials.output).filter { !$0.isWhitespace } == """
        "trials":{"end":"passed","passed":2,"tried":3,"pass":2,"runs":3,"share":0.667,"low":0.208,\
        "high":0.939,"failures":[{"trial":2,"code":"F2004","message":"'assert#1':assertionfailed:\
        steps.ask.letteris\\"n\\",fromline7"}]}
        """)
    let junit = try folder.folder.text("junit.xml")
    #expect(junit.contains("<testsuites name=\"flow\" tests=\"1\" failures=\"0\" errors=\"0\""))
    #expect(junit.ranges(of: "<flakyFailure ").count == 1)
    #expect(
      junit.contains("<system-out>2 of 3 passed (67%, 95% interval 21% to 94%)\n</system-out>"))
  }
}

/// A project with a scenario that asks the oracle, with `y` or `-` as the right answer.
struct OracleFolder {
  let folder: TemporaryFolder

  init(
    letters: String, trials: String, inputs: String = "{}", settings: String = "",
    others: String = "", steps: String = ""
  ) throws {
    folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "flow.yaml")
    try folder.write(letters, to: "letters.txt")
    try folder.write(
      """
      flow: 1
      name: Ask
      inputs: \(inputs)
      components: {oracle: {plugin: oracle\(settings)}\(others)}
      trials: \(trials)
      steps:
        - {id: ask, uses: oracle.ask}
        - assert: ["${{ steps.ask.letter == 'y' || steps.ask.letter == '-' }}"]
      \(steps)
      """, to: "s.yaml")
  }

  /// The letters that nobody has asked for.
  var rest: String { get throws { try folder.text("letters.txt") } }

  /// The names of the files, without the memory of the project.
  var names: [String] { get throws { try folder.names.filter { $0 != ".flow" } } }

  func flow(
    _ arguments: String..., environment: [String: String] = [:]
  ) async throws -> FlowCommandRun {
    try await flow(arguments, environment: environment)
  }

  func flow(
    _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> FlowCommandRun {
    try await FlowCommandRun(
      arguments, in: folder, environment: environment, components: [Oracle.self])
  }
}
