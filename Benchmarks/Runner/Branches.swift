import BalancePlugin
import FlowCore
import FlowScenario

/// Two branches beside the same steps in one branch, on all processors, each with a separate
/// component.
enum Branches {
  static let benchmark = Benchmark(name: "branches", rounds: 9) {
    kinds.map { kind in
      Case(
        name: kind.name,
        figures: [.init("in turn", "ms"), .init("at once", "ms"), .init("at once / in turn", "")]
      ) {
        try ChildProcess.numbers([$0.benchmarks, Child.branches.rawValue, kind.name], count: 3)
          .numbers
      }
    }
  }

  private static let count = 20_000
  private static let kinds: [(name: String, step: String)] = [
    ("calls", "uses: NAME.add, with: {amount: 0.01}"),
    ("set", "set: {x: 1}"),
    ("expressions", "assert: \"${{ [1, 2, 3].map(i, i * 2) == [2, 4, 6] }}\""),
  ]

  /// Prints the milliseconds of both ways and their ratio, in the child process.
  static func measure(_ name: String) async throws {
    guard let kind = kinds.first(where: { $0.name == name }) else { throw Child.Misuse() }
    let turns = try await time(["one"], 2 * count, kind.step)
    let branches = try await time(["one", "two"], count, kind.step)
    print(turns, branches, branches / turns)
  }

  private static func time(_ names: [String], _ count: Int, _ step: String) async throws -> Double {
    let branches = names.map { name in
      "      \(name): [{for: i, in: \"${{ lists.range(\(count)) }}\", do: [{\(step.replacing("NAME", with: name))}]}]\n"
    }
    let text = """
      flow: 1
      components: {one: {plugin: balance}, two: {plugin: balance}}
      steps:
        - parallel:
      \(branches.joined())
      """
    let plan = try ScenarioLoader(registry: try Registry([Balance.self]))
      .plan(ScenarioSource(file: "branches.yaml", bytes: Array(text.utf8)))
    return try await StepsMode.run(plan, []) / .milliseconds(1)
  }
}
