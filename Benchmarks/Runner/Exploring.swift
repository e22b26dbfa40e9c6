import FlowCore
import FlowExplore
import FlowScenario

/// The number of schedules a second, of two cells that race for a picture.
enum Exploring {
  static let benchmark = Benchmark(name: "exploring", rounds: 5) {
    [
      Case(name: "two racing cells", figures: [.init("schedules", "/s"), .init("processor", "µs")])
      {
        let (numbers, cost) = try ChildProcess.numbers(
          [$0.benchmarks, Child.explore.rawValue], count: 1)
        return numbers + [cost.processor * 1_000 / Double(budget)]
      }
    ]
  }

  private static let budget = 20_000

  private static let scenario = """
    flow: 1
    components: {cell: {plugin: racing-cell}}
    steps:
      - parallel:
          one: [{uses: cell.show, with: {path: a}}]
          two: [{uses: cell.show, with: {path: b}}]

    """

  /// Prints the schedules of a second, in the child process.
  static func measure() async throws {
    let plan = try ScenarioLoader(registry: try Registry([RacingCell.self]))
      .plan(ScenarioSource(file: "race.yaml", bytes: Array(scenario.utf8)))
    var options = ExplorationOptions()
    options.budget = budget
    let exploration = await Explorer(plan, inputs: [], options).explore()
    precondition(exploration.found == nil, "a schedule failed")
    print(Double(exploration.tried) / (exploration.elapsed / .seconds(1)))
  }
}

/// A component that shows the picture of a path, which it requests itself.
private actor RacingCell: Component {
  static let plugin = Plugin(
    "racing-cell", version: "1.0", "Shows a picture.", state: .memory,
    operations: [
      Operation(
        "show", "Shows a picture.", Parameter<String>("path", "Which."), answers: Record<Void>.none
      ) { cell, _, path in await cell.show(path) }
    ]
  ) { _ in RacingCell() }

  private var picture = ""

  private func show(_ path: String) { picture = path }
}
