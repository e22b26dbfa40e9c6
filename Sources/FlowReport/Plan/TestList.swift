package import FlowCore
package import FlowPlan
internal import FlowRedaction
internal import FlowSystem

/// The scenarios of a project as tests, for people and for other programs that run them.
package struct TestList: Sendable {
  /// A scenario.
  package struct Test: Sendable {
    /// The path as `flow test` takes it.
    package let file: String
    /// The `name:`, or empty.
    package var name = ""
    /// The line of the name, of the first key without one, or of the first problem.
    ///
    /// From 1.
    package var line = 1
    package var tags: [String] = []
    /// True if its test serves recorded answers.
    package var isRecorded = false
    /// The components that its test calls although it is recorded, sorted.
    package var live: [String] = []
    /// The iterations of its loops with `cases`, in their order.
    package var cases: [PlannedCase] = []
    /// The problems of a scenario that cannot run, or of its transcript.
    package var problems: [Diagnostic] = []

    /// Creates the test of a file about which nothing else is known.
    package init(file: String) { self.file = file }
  }

  /// The tests, by the bytes of their paths.
  package let tests: [Test]

  /// Creates a list of these tests.
  package init(_ tests: [Test]) { self.tests = tests }
}

extension ReportFormat<TestList> {
  /// A line for each test, then one for each of its cases.
  ///
  ///     Scenarios/prices.yaml:2: Prices (smoke)
  ///       Scenarios/prices.yaml:9: rain
  ///     2 scenarios, 1 case
  package static var text: ReportFormat { ReportFormat("text") { list, _ in .text(list.text) } }

  /// One JSON object, as `Docs/schemas/tests.schema.json` describes it.
  ///
  ///     {"format":"flow-tests","version":1,"tests":[{"file":"prices.yaml","line":2,"name":"Prices",
  ///     "tags":["smoke"],"recorded":true,"live":[],
  ///     "cases":[{"name":"rain","file":"prices.yaml","line":9}],"diagnostics":[]}]}
  package static var json: ReportFormat {
    ReportFormat("json") { list, redactor in
      .json(
        .object([
          .init("format", .string("flow-tests")), .init("version", .number(1)),
          .init("tests", .array(list.tests.map { test in .test(test, redactor) })),
        ]))
    }
  }
}

extension TestList {
  fileprivate var text: String {
    let (count, cases) = (tests.count, tests.reduce(0) { $0 + $1.cases.count })
    return tests.map(Self.text).joined() + "\(count) \(count == 1 ? "scenario" : "scenarios")"
      + (cases > 0 ? ", \(cases) \(cases == 1 ? "case" : "cases")" : "") + "\n"
  }

  private static func text(of test: Test) -> String {
    let title = test.problems.first?.message ?? test.name
    let tags = test.tags.isEmpty ? "" : " (\(test.tags.joined(separator: ", ")))"
    let head = "\(test.file):\(test.line):" + (title.isEmpty ? "" : " \(title)") + tags
    let lines = test.cases.map { "  \($0.span.file):\($0.span.start.line): \($0.name)" }
    return ([head] + lines).map { $0.onOneLine + "\n" }.joined()
  }
}

extension JSON {
  fileprivate static func test(_ test: TestList.Test, _ redactor: Redactor) -> JSON {
    .object([
      .init("file", .string(test.file)), .init("line", .number(test.line)),
      .init("name", .string(test.name)), .init("tags", .list(test.tags)),
      .init("recorded", .bool(test.isRecorded)), .init("live", .list(test.live)),
      .init(
        "cases",
        .array(
          test.cases.map { item in
            .object([
              .init("name", .string(item.name)), .init("file", .string(item.span.file)),
              .init("line", .number(item.span.start.line)),
            ])
          })),
      .init("diagnostics", .diagnostics(test.problems, redactor)),
    ])
  }
}
