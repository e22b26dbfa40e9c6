public import FlowCore
public import FlowTesting
public import XCTest

extension XCTestCase {
  /// Replays a scenario on its transcript; every problem is an issue at its line of the scenario.
  ///
  ///     func testSpend() async throws {
  ///       await replay(try ScenarioFile("Scenarios/spend.yaml"), registry)
  ///     }
  ///
  /// - Parameters:
  ///   - scenario: The scenario.
  ///   - registry: The components' types, which say how the recorded values are read.
  public func replay(_ scenario: ScenarioFile, _ registry: Registry) async {
    record(await scenario.problemsOfReplay(registry))
  }

  /// Records what is wrong with a scenario, each at its line of the scenario.
  ///
  ///     let run = await scenario.attempt(with: [.instance(balance)])
  ///     record(run.problems)
  ///
  /// - Parameter problems: What is wrong; nothing is recorded for none.
  public func record(_ problems: [ScenarioProblem]) {
    for problem in problems {
      #if canImport(Darwin)
        let location = XCTSourceCodeLocation(
          filePath: problem.file, lineNumber: problem.position.line)
        record(
          XCTIssue(
            type: .assertionFailure, compactDescription: problem.text, detailedDescription: nil,
            sourceCodeContext: XCTSourceCodeContext(location: location), associatedError: nil,
            attachments: []))
      #else
        // The XCTest of other systems has no XCTIssue.
        recordFailure(
          withDescription: problem.text, inFile: problem.file, atLine: problem.position.line,
          expected: true)
      #endif
    }
  }
}
