import FlowCore
import FlowTesting
import Testing

/// Each thing that the screens take care of, left out: found by a scenario under some schedule, and never found where
/// it is taken care of.
@Suite struct CarelessScreensTests {
  private static let schedules: UInt64 = 24

  /// How many of some schedules, in which each answer and each report takes its time, a scenario fails under.
  private func failures(
    _ scenario: Carelessness, with fault: Carelessness
  ) async throws -> (count: Int, texts: Set<String>) {
    var (count, texts) = (0, Set<String>())
    for seed in 0..<Self.schedules {
      var shop = ScreenShop()
      shop.failing = scenario.failing
      shop.delay = { call in
        var random = SeededGenerator(seed: seed, label: call)
        return .milliseconds(Int.random(in: 0...100, using: &random))
      }
      let run = try await shop.run(
        scenario.steps,
        "plugin: careless-screens, with: {fault: \(fault.rawValue), page: 6, height: 60}",
        on: try Registry([CarelessScreens.self]), seed: seed)
      if run.passed { continue }
      count += 1
      texts.formUnion(run.problems.map { "\($0.code): \($0.text)" })
    }
    return (count, texts)
  }

  @Test(arguments: Carelessness.allCases.filter { $0 != .nothing })
  func `a scenario passes under every schedule with care, and fails under some without`(
    _ fault: Carelessness
  ) async throws {
    let careful = try await failures(fault, with: .nothing)
    let careless = try await failures(fault, with: fault)

    #expect(careful.texts == [])
    #expect(careless.count > 0)
    // What fails is an expectation, not the component.
    #expect(careless.texts.allSatisfy { $0.hasPrefix("F2001: ") }, "\(careless.texts)")
  }
}
