import FlowCore
import FlowTesting
import FlowXCTest
import XCTest

/// The same checks from XCTest, whose own suite sees that a wrong test fails.
final class XCTestTests: XCTestCase {
  func testAScenarioReplays() async throws {
    let workshop = try Workshop(Workshop.payment)
    try await workshop.record()

    await replay(workshop.scenario, try Registry([Purse.self]))
  }

  func testWithoutATestOfSwiftTestingTheFailureIsThrown() async throws {
    let workshop = try Workshop(Workshop.payment)
    let registry = try Registry([Purse.self])

    do {
      try await workshop.scenario.replay(registry)
      XCTFail("a scenario without a transcript passed")
    } catch {
      XCTAssertEqual(error.problems.map(\.code), ["F3101"])
    }
  }

  #if !canImport(Darwin)
    func testEachProblemIsRecordedAtItsLineOfTheScenario() async throws {
      let workshop = try Workshop("  - uses: it.pya\n  - uses: it.sleep")
      let registry = try Registry([Purse.self])
      let witness = Witness(name: "witness") { _ in }

      await witness.replay(workshop.scenario, registry)

      XCTAssertEqual(
        witness.recorded.map(\.file), [workshop.scenario.path, workshop.scenario.path])
      XCTAssertEqual(witness.recorded.map(\.line), [5, 6])
      XCTAssert(witness.recorded[0].text.contains("did you mean 'pay'?"))
    }
  #endif
}

#if !canImport(Darwin)
  /// A case that keeps its recorded issues.
  private final class Witness: XCTestCase {
    private(set) var recorded: [(text: String, file: String, line: Int)] = []

    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
      expected: Bool
    ) {
      recorded.append((description, filePath, lineNumber))
    }
  }
#endif
