import FlowCommand
import TestKit
import Testing

/// The scenarios of a suite that run, and their number of runs.
@Suite struct SelectionTests {
  private let suite: SuiteFolder

  init() throws {
    suite = try SuiteFolder()
    try suite.write("a.yaml", name: "Spend", tags: "smoke, shop")
    let tags = #"shop, slow-one, two words, "ns:x", "it's", "true""#
    try suite.write("b.yaml", name: "Browse", tags: tags)
    try suite.write("c.yaml", name: "Other")
  }

  struct Choice: Sendable, CustomTestStringConvertible {
    let options: [String]
    let paths: [String]
    var testDescription: String { options.joined(separator: " ") }
  }

  @Test(arguments: choices) func `options choose scenarios`(_ choice: Choice) async throws {
    let arguments = ["test", "@/", "--update", "never"] + choice.options
    let run = try await FlowCommandRun(arguments, in: suite.folder)

    let paths = run.output.matches(of: /@\/(\S+)  \(/).map { String($0.1) }
    #expect(paths == choice.paths)
    #expect(run.errors == "")
  }

  @Test(arguments: [false, true])
  func `parts that run one after another leave nothing out and run nothing twice`(
    _ isKnown: Bool
  ) async throws {
    for number in 1...6 { try suite.write("s\(number).yaml") }
    if isKnown { _ = try await suite.test("--filter", "s1") }
    var paths: [String] = []
    for number in 1...3 { paths += try await suite.test("--shard", "\(number)/3").paths }

    let all = try await suite.test().paths

    #expect(paths.sorted() == all)
  }

  @Test func `parts of those that failed leave none out`() async throws {
    for name in ["a", "b", "c", "d"] { try suite.write("\(name).yaml", passes: false) }
    _ = try await suite.test()
    for name in ["a", "c", "d"] { try suite.write("\(name).yaml") }
    let first = try await suite.test("--rerun-failed", "--shard", "1/2")
    let second = try await suite.test("--rerun-failed", "--shard", "2/2")

    #expect((first.paths + second.paths).sorted() == ["a.yaml", "b.yaml", "c.yaml", "d.yaml"])
    #expect([first.code, second.code].contains(.failed))
  }

  static let choices = [
    Choice(options: ["--filter", "b.y"], paths: ["b.yaml"]),
    Choice(options: ["--filter", "Spend"], paths: ["a.yaml"]),
    Choice(options: ["--tag", "shop"], paths: ["a.yaml", "b.yaml"]),
    Choice(options: ["--tag", "slow-one"], paths: ["b.yaml"]),
    Choice(options: ["--skip-tag", "smoke"], paths: ["b.yaml", "c.yaml"]),
    Choice(options: ["--tag", "shop", "--skip-tag", "smoke"], paths: ["b.yaml"]),
    Choice(options: ["--tag", "'smoke' in tags || name == 'Other'"], paths: ["a.yaml", "c.yaml"]),
    Choice(options: ["--tag", "path.endsWith('c.yaml') && tags.size() == 0"], paths: ["c.yaml"]),
    Choice(options: ["--tag", "two words"], paths: ["b.yaml"]),
    Choice(options: ["--tag", "ns:x"], paths: ["b.yaml"]),
    Choice(options: ["--tag", "it's"], paths: ["b.yaml"]),
    Choice(options: ["--tag", "true"], paths: ["b.yaml"]),
    Choice(options: ["--skip-tag", "two words"], paths: ["a.yaml", "c.yaml"]),
    Choice(options: ["--shard", "1/2"], paths: ["a.yaml", "c.yaml"]),
    Choice(options: ["--shard", "2/2"], paths: ["b.yaml"]),
  ]

  @Test(arguments: [
    (["--tag", "smokee"], "no scenario is selected: none of 3 matches --tag 'smokee'"),
    (
      ["--filter", "x", "--skip-tag", "smoke"],
      "no scenario is selected: none of 3 matches --filter 'x' and --skip-tag 'smoke'"
    ),
    (["--rerun-failed"], "no scenario is selected: none failed in its last run"),
    ([""], "a path is empty"),
    (["--shard", "0/4"], "'--shard': expected I/N, such as 2/3, or auto, got '0/4'"),
    (["--shard", "5/4"], "'--shard': expected I/N, such as 2/3, or auto, got '5/4'"),
    (["--repeat", "0"], "'--repeat': expected a whole number from 1 to 10000, got '0'"),
    (["--flaky", "no"], "'--flaky': expected pass or fail, got 'no'"),
    (
      ["--status", "x"],
      "'--status': expected none, fail, flaky, recorded, slow, pass or all, got 'x'"
    ),
    (["--status", "all", "--quiet"], "'--status' cannot be combined with '--quiet'"),
    (["--jobs", "x"], "'--jobs': expected a whole number from 1 to 1024, got 'x'"),
    (["--shuffle", "x"], "'--shuffle': expected a whole number from 0, or 'random', got 'x'"),
    (["--tag", "tags"], "'--tag': expected a condition, got 'tags'"),
    (
      ["--tag", "smoke && shop"],
      "'--tag': 'smoke' is not declared; 'shop' is not declared "
        + "(a tag alone, or an expression such as 'smoke' in tags)"
    ),
    (
      ["--tag", "tags[0] == 'smoke'"],
      "'--tag': tags[0]: no element 0; the list is empty "
        + "(it has no value for '@/c.yaml')"
    ),
    (["--updtae", "all"], "unknown option '--updtae'; did you mean '--update'?"),
    (
      ["--update", "alll"],
      "'--update' is given twice"
    ),
  ]) func `what selects nothing is exit 64 and says why`(
    _ options: [String], _ message: String
  ) async throws {
    let arguments = ["test", "@/", "--update", "never"] + options
    let run = try await FlowCommandRun(arguments, in: suite.folder)

    #expect(run.errors == "flow: \(message)\nsee 'flow help test'\n")
    #expect(run.output == "")
    #expect(run.code == .badCommandLine)
  }

  @Test func `a scenario that cannot be read is left out by its path alone`() async throws {
    try suite.folder.write("flow: 1\nsteps: 1\n", to: "broken.yaml")
    let tagged = try await suite.test("--tag", "smoke")
    let filtered = try await suite.test("--filter", "a.y")

    #expect(tagged.paths == ["a.yaml", "broken.yaml"])
    #expect(tagged.code == .badInput)
    #expect(filtered.code == .passed)
  }

  @Test func `those that failed last run again until they pass`() async throws {
    try suite.write("b.yaml", passes: false)
    let first = try await suite.test()
    let second = try await suite.test("--rerun-failed")
    try suite.write("b.yaml")
    let third = try await suite.test("--rerun-failed")
    let fourth = try await suite.test("--rerun-failed")

    #expect(first.output.hasSuffix("\nfailed in T: scenarios 2 passed, 1 failed\nlive: p\n"))
    #expect([second.paths, third.paths] == [["b.yaml"], ["b.yaml"]])
    #expect([first.code, second.code, third.code] == [.failed, .failed, .passed])
    #expect(fourth.errors.hasPrefix("flow: no scenario is selected: none failed"))
  }

  @Test func `what did not run again is remembered as it was`() async throws {
    try suite.write("b.yaml", passes: false)
    _ = try await suite.test()
    _ = try await suite.test("--filter", "a.yaml")

    #expect(try await suite.test("--rerun-failed").paths == ["b.yaml"])
  }

  @Test func `a state that is none is told where it matters`() async throws {
    try suite.folder.write("{}", to: ".flow/last-failed")
    let run = try await suite.test("--rerun-failed")
    let plain = try await suite.test()

    #expect(
      run.errors
        == "flow: cannot read '@/.flow/last-failed': it is not the state of a suite; remove it\n")
    #expect(run.code == .badInput)
    #expect(plain.code == .passed)
    #expect(try suite.folder.text(".flow/last-failed").hasPrefix("{\"flow-state\":1}\n"))
  }

  @Test func `a seed shuffles the same way each time and is told`() async throws {
    for number in 0..<20 { try suite.write("more/\(number).yaml") }
    let plain = try await suite.test()
    let first = try await suite.test("--shuffle", "7")
    let second = try await suite.test("--shuffle", "7")
    let random = try await suite.test("--shuffle", "random")

    #expect(first.paths == second.paths)
    #expect(first.paths != plain.paths)
    #expect(first.paths.sorted() == plain.paths.sorted())
    #expect(
      first.output.hasSuffix("\nshuffled, --shuffle 7 gives this order again\nlive: p\n"))
    #expect(random.output.contains(/shuffled, --shuffle \d+ gives this order again\n/))
  }
}
