import FlowCore
import FlowReport
import TestKit
import Testing

/// The files and commands for a job of GitHub Actions.
@Suite struct GitHubTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "a, b/s.yaml")
  }

  private var variables: [String: String] {
    [
      "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": folder.directory.path,
      "GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "o/r", "GITHUB_SHA": "c0ffee",
    ]
  }

  private func failing(_ message: String, times count: Int = 1) -> WrittenReports {
    let file = folder.path("a, b/s.yaml")
    let diagnostic = Diagnostic(
      .failedAssertion, message, at: WrittenReports.place(file, 7), notes: ["50% of\nit"])
    return WrittenReports(
      Array(
        repeating: WrittenReports.scenario(
          file, name: "A: b, c", .failed, runs: [(false, [diagnostic])]), count: count))
  }

  @Test func `a failure is noted at its line, with the escapes of the runner`() throws {
    let place = "file=a%2C b/s.yaml,line=7,col=5"
    let title =
      "title=failed%3A \(folder.path("a, b/s.yaml").replacing(",", with: "%2C"))%3A A%3A b%2C c"

    #expect(
      failing("100% ::error::\r\nno").commands(variables)
        == "::error \(place),\(title)::100%25 ::error::%0Ano%0A50%25 of%0Ait\n")
  }

  @Test func `the tenth says how many more there are`() throws {
    let lines = failing("no", times: 12).commands(variables).split(separator: "\n")

    #expect(lines.count == 10)
    #expect(lines.last == "::error::3 more, see the summary")
  }

  @Test func `what is flaky or slow is a warning, and so many of them`() throws {
    var slow = WrittenReports.scenario("slow.yaml", .passed, runs: [(true, [])])
    slow.elapsed = .seconds(61)
    let flaky = WrittenReports.scenario("f.yaml", .flaky, runs: [(false, []), (true, [])])

    #expect(
      WrittenReports([slow, flaky]).commands(variables) == """
        ::warning title=slow%3A slow.yaml::took 1 min 1 s
        ::warning title=flaky%3A f.yaml::flaky

        """)
    let many = WrittenReports(Array(repeating: flaky, count: 10)).commands(variables)
    #expect(many.hasSuffix("\n::warning::1 more, see the summary\n"))
  }

  @Test func `a summary links to the line in the repository`() throws {
    let job = try #require(GitHubJob { variables[$0] })

    let summary = try failing("no").text("markdown", in: job)

    #expect(
      summary.contains("(https://github.com/o/r/blob/c0ffee/a%2C%20b/s.yaml#L7)"), "\(summary)")
  }

  @Test func `nothing is said outside of a job`() {
    #expect(failing("no").commands(["GITHUB_ACTIONS": "false"]) == "")
  }

  @Test(arguments: [
    ("::error::x", ": :error::x"), ("a\n  ::set-env::b", "a\n  : :set-env::b"),
    ("\r::x\u{2003}::y", "\r: :x\u{2003}::y"), ("a ::error::b", "a ::error::b"),
    ("see ##[error]this", "see # #[error]this"), ("###[group]", "## #[group]"),
    ("# a: b", "# a: b"),
  ]) func `output of others is no command`(_ text: String, _ harmless: String) {
    #expect(text.withoutWorkflowCommands == harmless)
  }
}
