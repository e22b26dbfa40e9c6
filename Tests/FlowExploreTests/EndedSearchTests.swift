import FlowCommand
import TestKit
import Testing

/// Searches with nothing left to vary.
@Suite struct EndedSearchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Explores a scenario with two branches, or one step.
  private func explore(
    _ options: [String], branches: Bool = true
  ) async throws -> FlowCommandRun {
    let steps =
      branches
      ? """
        - parallel:
            a: [{uses: p.echo, with: {value: "1"}}]
            b: [{uses: p.echo, with: {value: "2"}}]
      """ : "  - {uses: p.echo, with: {value: \"1\"}}"
    try folder.write(
      "flow: 1\ncomponents: {p: {plugin: probe}}\nsteps:\n\(steps)\n", to: "s.yaml")
    return try await FlowCommandRun(["explore", folder.path("s.yaml")] + options)
  }

  /// The sentence on the end of the search.
  private func end(_ run: FlowCommandRun) -> Substring {
    run.output.split(separator: "\n").last { $0.hasPrefix("no failure found") } ?? ""
  }

  @Test(arguments: [["--delays", "1"], ["--delays", "3", "--jobs", "3"], ["--seed", "17"]])
  func `every order is tried once and then no more, whatever the order of the search`(
    _ options: [String]
  ) async throws {
    let first = try await explore(["--budget", "1000000"])
    let run = try await explore(["--budget", "1000000"] + options)

    let text = try #require(end(first).wholeMatch(of: Self.sentence)).output
    #expect(end(run) == end(first))
    let count = try #require(Int(text.1))
    #expect(count > 2)
    // The orders, and combinations of delays that come upon one of them.
    let tried = try #require(first.output.firstMatch(of: Self.tried)?.output.1)
    #expect(try #require(Int(tried)) < 4 * count, "\(first.output)")
  }

  @Test(arguments: [
    (["--delays", "0"], true, "no failure found; nothing is left to vary after the plain order"),
    ([], false, "no failure found; there is only one order"),
    (["--budget", "3"], true, "no failure found"),
  ])
  func `the report says what was varied`(
    _ options: [String], _ branches: Bool, _ expected: String
  ) async throws {
    let run = try await explore(options, branches: branches)

    #expect(end(run) == expected, "\(run.output)")
  }

  @Test(arguments: [(["--delays", "0"], true), (["--budget", "3"], false)])
  func `programs read whether anything was left`(
    _ options: [String], _ isExhausted: Bool
  ) async throws {
    _ = try await explore(options + ["--format", "json", "--details", folder.path("d.json")])

    let details = try folder.text("d.json")
    #expect(details.contains("\"exhausted\":\(isExhausted),"), "\(details)")
  }

  private static var sentence: Regex<(Substring, Substring)> {
    /no failure found; nothing is left to vary after all ([0-9]+) orders/
  }
  private static var tried: Regex<(Substring, Substring)> { /tried ([0-9]+) schedules/ }
}
