import FlowEngine
import FlowReport
import Testing

/// The part of a run kept by its trace.
@Suite struct RunTraceTests {
  /// A loop of 12,000 steps, and the steps after it.
  private static func long(_ rest: String = "") -> String {
    """
    steps:
      - repeat: {until: "${{ loop.index == 11999 }}", limit: 12000}
        do:
          - {set: {last: "${{ loop.index }}"}}
    \(rest)
    """
  }

  @Test func `each step that is too much is counted once`() async throws {
    let trace = try await WrittenReports.trace(Self.long())

    #expect(trace.end?.passed == true)
    // The loop and its content.
    #expect(trace.spans.count + trace.omitted == 12_002)
    #expect(trace.omitted == 2_002)
  }

  @Test func `a failed step is held beyond the others, and began when it did`() async throws {
    let trace = try await WrittenReports.trace(Self.long("  - {id: wrong, uses: p.crash}"))

    #expect(trace.end?.failures.map { "\($0.address)" } == ["wrong#1"])
    let last = try #require(trace.spans.last)
    let end = try #require(trace.end).elapsed
    #expect("\(last.address) \(last.state)" == "wrong#1 failed")
    // Without its call.
    #expect(trace.omitted == 2_003)
    #expect(trace.spans.count == 10_001)
    #expect(last.elapsed > .zero)
    #expect(last.start + last.elapsed <= end)
  }

  @Test func `TAP and a trace say how much of a run they leave out`() async throws {
    let reports = WrittenReports([
      WrittenReports.scenario(
        "s.yaml", .passed, runs: [(true, [])], try await WrittenReports.trace(Self.long()))
    ])

    let note = "2002 further steps and calls are left out"
    #expect(try reports.text("tap14").contains("\n    ok 1 - repeat\n    # \(note)\n    1..1\n"))
    #expect(try reports.text("trace").contains("{\"labels\":\"\(note)\"}"))
  }

  @Test func `a comparison of runs that are not whole says how much was compared`() async throws {
    let trace = try await WrittenReports.trace(Self.long())

    let comparison = ComparisonHTML(.init("old", trace), .init("new", trace))

    #expect(comparison.title == "No difference in the first 10000 steps and calls")
    #expect(comparison.page.contains("<header class=\"k\">"))
    #expect(comparison.page.contains("<p class=\"o\">9004 more are left out.</p>"))
  }
}
