import FlowCore
import FlowPlan
import FlowScenario
import Testing

/// The settings of a `flow.yaml`, and the messages about a wrong one.
@Suite struct ProjectFileTests {
  private static func file(_ text: String) throws -> ProjectFile {
    try ProjectFile(file: "flow.yaml", bytes: Array(text.utf8), formats: ["text", "json"])
  }

  @Test func `every key is read with its place`() throws {
    let file = try Self.file(
      """
      flow: 1
      scenarios: [a, b/c.yaml]
      exclude:
        - a/x
      update: failed
      jobs: 3
      report: {quiet: false, format: json, contract: {status: 80.5, operation: 100}}
      mutate: {at_least: 80%}
      """)

    #expect(file.scenarios?.map(\.value) == ["a", "b/c.yaml"])
    #expect(file.scenarios?.last?.span.start == Position(line: 2, column: 16))
    #expect(file.exclude?.map(\.value) == ["a/x"])
    #expect(file.exclude?.first?.span.start == Position(line: 4, column: 5))
    #expect(file.update?.value == .failed)
    #expect(file.update?.span.start.line == 5)
    #expect(file.jobs?.value == 3)
    #expect(file.jobs?.span.start.line == 6)
    #expect(file.format?.value == "json")
    #expect(file.format?.span.start == Position(line: 7, column: 32))
    #expect(file.isQuiet?.value == false)
    #expect(file.isQuiet?.span.start == Position(line: 7, column: 17))
    #expect(
      file.thresholds?.value == [.operation: Decimal(100), .status: try #require(Decimal("80.5"))])
    #expect(file.thresholds?.span.start == Position(line: 7, column: 48))
    #expect(file.leastMutationScore?.value == 80)
    #expect(file.leastMutationScore?.span.start == Position(line: 8, column: 20))
  }

  @Test func `every key but the version may be absent`() throws {
    let file = try Self.file("flow: 1\n")

    #expect(file.scenarios == nil)
    #expect(file.exclude == nil)
    #expect(file.update == nil)
    #expect(file.jobs == nil)
    #expect(file.format == nil)
    #expect(file.isQuiet == nil)
  }

  struct Wrong: Sendable, CustomTestStringConvertible {
    let text: String
    let problem: String
    var testDescription: String { problem }
  }

  @Test(arguments: wrong) func `a mistake is told with its place`(_ sample: Wrong) throws {
    let error = try #require(throws: ScenarioError.self) { try Self.file(sample.text) }

    let text = DiagnosticRenderer(sources: [:]).render(error.diagnostics)
    #expect(text == "flow.yaml:" + sample.problem + "\n")
  }

  @Test func `what may be reached is read with its places`() throws {
    let file = try Self.file("flow: 1\ndeny: [files, network]\nallow-host: ['*.a.org', b:80]")

    #expect(file.deny?.map(\.value) == [.files, .network])
    #expect(file.deny?.last?.span.start == Position(line: 2, column: 15))
    #expect(file.allowedHosts?.map(\.value) == ["*.a.org", "b:80"])
    #expect(file.allowedHosts?.last?.span.start == Position(line: 3, column: 25))
  }

  static let wrong: [Wrong] = [
    Wrong(
      text: "flow: 1\nlive: [{components: [a]}]",
      problem: "2:8: error: an entry of 'live' has neither 'scenario' nor 'tag' [F1605]"),
    Wrong(
      text: "flow: 1\nlive: [{tag: a}]",
      problem: "2:8: error: an entry of 'live' has no 'components' [F1605]"),
    Wrong(
      text: "flow: 1\ndeny: network",
      problem:
        "2:7: error: 'deny' of a project file must be a list, not the string \"network\" [F1605]"),
    Wrong(
      text: "flow: 1\ndeny: [netwrk]",
      problem: "2:8: error: a kind of 'deny' must be network, process, files or database, not "
        + "'netwrk'; did you mean 'network'? [F1605]"),
    Wrong(
      text: "flow: 1\nallow-host: []",
      problem: "2:13: error: 'allow-host' of a project file is empty [F1605]"),
    Wrong(
      text: "flow: 1\nallow-host: [a, 'https://b']",
      problem: "2:17: error: 'https://b' is not a host such as example.org, *.example.org, "
        + "[::1] or localhost:8080 [F1605]"),
    Wrong(
      text: "jobs: 1", problem: "1:1: error: missing 'flow: 1', the version of the format [F1603]"),
    Wrong(text: "flow: 2", problem: "1:7: error: unknown format version '2', expected 1 [F1603]"),
    Wrong(
      text: "flow: 1\nexlude: []",
      problem: "2:1: error: unknown key 'exlude' in a project file; did you mean 'exclude'? [F1604]"
    ),
    Wrong(
      text: "flow: 1\nscenarios: a",
      problem:
        "2:12: error: 'scenarios' of a project file must be a list, not the string \"a\" [F1605]"),
    Wrong(
      text: "flow: 1\nscenarios: []",
      problem: "2:12: error: 'scenarios' of a project file is empty [F1605]"),
    Wrong(
      text: "flow: 1\nexclude: [{a: b}]",
      problem: "2:11: error: a path of 'exclude' must be text, not a mapping [F1605]"),
    Wrong(
      text: "flow: 1\nupdate: nevr",
      problem: "2:9: error: 'update' must be never, missing, failed or all, not 'nevr'; "
        + "did you mean 'never'? [F1605]"),
    Wrong(
      text: "flow: 1\njobs: 0",
      problem: "2:7: error: 'jobs' must be a whole number from 1 to 1024, not the number 0 [F1605]"),
    Wrong(
      text: "flow: 1\nat-once: {bank: 0}",
      problem:
        "2:17: error: 'bank' of 'at-once' must be a whole number from 1 to 1024, not the number 0 [F1605]"
    ),
    Wrong(
      text: "flow: 1\nat-once: 2",
      problem:
        "2:10: error: 'at-once' of a project file must be a mapping, not the number 2 [F1605]"),
    Wrong(
      text: "flow: 1\nmutate: {at_least: 80.5%}",
      problem:
        "2:20: error: 'at_least' of 'mutate' must be a whole percentage from 0% to 100%, not "
        + "the string \"80.5%\" [F1605]"),
    Wrong(
      text: "flow: 1\nmutate: {at_least: 101}",
      problem:
        "2:20: error: 'at_least' of 'mutate' must be a whole percentage from 0% to 100%, not "
        + "the number 101 [F1605]"),
    Wrong(
      text: "flow: 1\nmutate: {at-least: 80}",
      problem:
        "2:10: error: unknown key 'at-least' in 'mutate'; did you mean 'at_least'? [F1604]"),
    Wrong(
      text: "flow: 1\nreport: json",
      problem: "2:9: error: 'report' must be a mapping, not the string \"json\" [F1605]"),
    Wrong(
      text: "flow: 1\nreport: {formt: json}",
      problem: "2:10: error: unknown key 'formt' in 'report'; did you mean 'format'? [F1604]"),
    Wrong(
      text: "flow: 1\nreport: {format: jsn}",
      problem:
        "2:18: error: 'format' of 'report' must be text or json, not 'jsn'; did you mean 'json'? [F1605]"
    ),
    Wrong(
      text: "flow: 1\nreport: {quiet: yes}",
      problem:
        "2:17: error: 'quiet' of 'report' must be true or false, not the string \"yes\" [F1605]"),
    Wrong(
      text: "flow: 1\nreport: {contract: 80}",
      problem:
        "2:20: error: 'contract' of 'report' must be a mapping, not the number 80 [F1605]"),
    Wrong(
      text: "flow: 1\nreport: {contract: {statuses: 80}}",
      problem: "2:21: error: unknown key 'statuses' in 'contract' of 'report'; did you mean "
        + "'status'? [F1604]"),
    Wrong(
      text: "flow: 1\nreport: {contract: {body: 100.5}}",
      problem: "2:27: error: 'body' of 'contract' of 'report' must be a number from 0 to 100, "
        + "not the number 100.5 [F1605]"),
    Wrong(
      text: "flow: 1\nreport: {contract: {body: '80'}}",
      problem: "2:27: error: 'body' of 'contract' of 'report' must be a number from 0 to 100, "
        + "not the string \"80\" [F1605]"),
    Wrong(
      text: "flow: 1\nreport: {contract: {body: .nan}}",
      problem: "2:27: error: 'body' of 'contract' of 'report' must be a number from 0 to 100, "
        + "not the number .nan [F1605]"),
    Wrong(text: "[]", problem: "1:1: error: a project file must be a mapping, not a list [F1605]"),
    Wrong(
      text: "flow: 1\nflow: 1",
      problem: "2:1: error: duplicate key 'flow', first on line 1 [F1602]"),
  ]

  @Test func `all mistakes of a file are told at once`() throws {
    let error = try #require(throws: ScenarioError.self) {
      try Self.file("jobs: x\nupdate: y\nz: 1\n")
    }

    #expect(error.diagnostics.map(\.code) == ["F1603", "F1605", "F1605", "F1604"])
  }
}
