import FlowCore
import TestKit
import Testing

/// Promises of the planner about random scenarios.
@Suite struct RandomScenarioTests {
  @Test(arguments: 0..<4)
  func `what is accepted never reads what has no value`(_ part: Int) async throws {
    var random = SeededGenerator(seed: UInt64(part), label: "random scenarios")
    var accepted = 0

    for _ in 0..<150 {
      let scenario = RandomScenario(using: &random)
      guard try ScenarioText.problems(scenario.text).isEmpty else { continue }
      accepted += 1
      for (a, b) in [("false", "false"), ("false", "true"), ("true", "false"), ("true", "true")] {
        let run = try await ProbeRun(scenario.text, inputs: [("a", a), ("b", b)])
        #expect(!run.failures.contains("[F2005]"), "\(scenario.text)\n\(run.failures)")
      }
    }

    #expect(accepted > 10)
  }

  @Test(arguments: 0..<4) func `what is rejected is told once for each place`(_ part: Int) throws {
    var random = SeededGenerator(seed: UInt64(part), label: "rejected scenarios")

    for _ in 0..<150 {
      let scenario = RandomScenario(using: &random)
      let problems = try ScenarioText.problems(scenario.text)
      #expect(Set(problems).count == problems.count, "\(scenario.text)")
    }
  }
}
