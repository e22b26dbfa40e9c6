import FlowCore
import FlowTesting
import Synchronization
import TestKit
import Testing

@Suite struct ReportingTests {
  private static let steps = Workshop.payment.replacing(
    existing: "expect: {money: 6}", with: "expect: {money: 7}")

  @Test func `a failure is an issue at the line of the scenario`() async throws {
    let workshop = try Workshop(Self.steps)
    let locations = Mutex<[SourceLocation]>([])
    let comments = Mutex<[Comment]>([])

    try await withKnownIssue {
      try await workshop.scenario.run(try Registry([Purse.self]))
    } matching: { issue in
      locations.withLock { $0 += issue.sourceLocation.map { [$0] } ?? [] }
      comments.withLock { $0 += issue.comments }
      return true
    }

    let place = try #require(locations.withLock { $0.first })
    #expect(place.fileName == "it.yaml")
    #expect(place.line == 8)
    #expect(place.column == 14)
    #expect(comments.withLock { $0.first }?.rawValue.contains("money: expected 7, got 6") == true)
  }

  @Test func `a replay records every problem as an issue of its own`() async throws {
    let workshop = try Workshop("  - uses: it.pya\n  - uses: it.sleep")
    let lines = Mutex<[Int]>([])

    try await withKnownIssue {
      try await workshop.scenario.replay(try Registry([Purse.self]))
    } matching: { issue in
      lines.withLock { $0 += issue.sourceLocation.map { [$0.line] } ?? [] }
      return true
    }

    #expect(lines.withLock { $0 } == [5, 6])
  }

  @Test func `where no test runs, the failure is thrown with its text`() async throws {
    let workshop = try Workshop(Self.steps)
    let scenario = workshop.scenario

    // A detached task belongs to no test, as a test of XCTest does not.
    let task = Task.detached {
      try await scenario.run(try Registry([Purse.self]))
    }
    let error = await #expect(throws: ScenarioFailure.self) { try await task.value }

    #expect(error?.problems.map(\.code) == ["F2001"])
    #expect(error?.description.contains("note: money: expected 7, got 6") == true)
  }
}
