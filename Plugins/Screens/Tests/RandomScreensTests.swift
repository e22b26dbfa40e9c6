import FlowCore
import FlowTesting
import ScreensPlugin
import TestKit
import Testing

/// Whatever a person does, and in whatever order the answers come: what is seen at the end is right.
@Suite struct RandomScreensTests {
  private static let schedules = Stress.count(60, full: 4_000)

  /// What can be done; an amount is one of those that are typed.
  private static let actions = [
    "uses: screens.open, with: {screen: balance}",
    "uses: screens.open, with: {screen: catalog}",
    "uses: screens.close, with: {screen: balance}",
    "uses: screens.close, with: {screen: catalog}",
    "uses: screens.reload, with: {screen: balance}",
    "uses: screens.reload, with: {screen: catalog}",
    "uses: screens.scroll, with: {to: 60}",
    "uses: screens.scroll, with: {to: 250}",
    "uses: screens.scroll, with: {to: 100000}",
    "uses: screens.type, with: {text: \"7.5\"}",
    "uses: screens.submit",
    "uses: screens.submit",
    "uses: screens.dismiss",
    "uses: screens.read, with: {screen: catalog}",
    "uses: balance.add, with: {amount: 3}",
    "uses: balance.subtract, with: {amount: 20}",
    "wait: 20ms",
  ]

  private static func steps(_ seed: UInt64) -> String {
    var random = SeededGenerator(seed: seed, label: "steps")
    let steps = (0..<40).compactMap { _ in actions.randomElement(using: &random) }
    return (actions.prefix(2) + steps + actions.prefix(2))
      .map { "  - {\($0), continue-on-error: true}\n" }.joined()
        + """
          - {wait: 10s}
          - {uses: screens.scroll, with: {to: 120}}
          - {id: money, uses: screens.read, with: {screen: balance}}
          - {id: places, uses: screens.read, with: {screen: catalog}}
          - assert:
              - ${{ steps.places.rows.all(row, row.title == 'Row ' + string(row.row)) }}
              - ${{ steps.places.rows.all(row, row.picture == 'broken' || row.width == row.row) }}
              - ${{ steps.places.count % 6 == 0 && steps.places.count <= 30 }}
          - {id: till, uses: balance.load, retry: {attempts: 2, on: [unavailable]}}
        outputs: {label: "${{ steps.money.label }}", balance: "${{ steps.till.balance }}"}

        """
  }

  @Test func `what is seen at the end is what there is`() async throws {
    for seed in 0..<UInt64(Self.schedules) {
      var shop = ScreenShop()
      shop.failing = ["load#2", "subtract#1", "page 0#2", "page 6#1", "picture 2#1", "picture 0#2"]
      shop.delay = { call in
        // A report is not overtaken by a later one.
        if call.hasPrefix("report") { return .zero }
        var random = SeededGenerator(seed: seed, label: call)
        return .milliseconds(Int.random(in: 0...60, using: &random))
      }

      let run = try await shop.run(
        Self.steps(seed), on: try Registry([Screens.self]), seed: seed)

      #expect(run.failures == "", "seed \(seed)")
      let label = try Decimal(run.output("label", as: String.self))
      #expect(try label == run.output("balance", as: Decimal.self), "seed \(seed)")
    }
  }
}
