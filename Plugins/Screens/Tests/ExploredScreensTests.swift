import BalancePlugin
import FlowCore
import FlowEngine
import FlowExplore
import FlowPlan
import FlowScenario
import TestKit
import Testing

@testable import ScreensPlugin

/// The faults of screens that depend on the order of answers, found by exploring it.
@Suite struct ExploredScreensTests {
  /// A scenario on screens with a fault, or on the real ones.
  private func plan(_ scenario: Carelessness, with fault: Carelessness) throws -> Plan {
    let screens =
      fault == .nothing
      ? "plugin: screens, with: {" : "plugin: careless-screens, with: {fault: \(fault.rawValue), "
    let text = """
      flow: 1
      components:
        balance: {plugin: balance, with: {opening: 100.00}}
        catalog: {plugin: rows, with: {failing: \(scenario == .stuckLoading)}}
        images: {plugin: wide-pictures}
        screens:
          {\(screens)page: 6, height: 60}, using: {balance: balance, catalog: catalog, images: images}}
      steps:
      \(scenario.steps)
      """
    let registry = try Registry([
      Balance.self, Rows.self, WidePictures.self, CarelessScreens.self, Screens.self,
    ])
    return try ScenarioLoader(registry: registry)
      .plan(ScenarioSource(file: "screens.yaml", bytes: Array(text.utf8)))
  }

  @Test(arguments: Carelessness.allCases.filter { $0 != .nothing })
  func `each fault is found within a thousand schedules, and nothing without it`(
    _ fault: Carelessness
  ) async throws {
    var options = ExplorationOptions()
    options.budget = 1_000
    let careless = await Explorer(try plan(fault, with: fault), inputs: [], options).explore()
    options.budget = Stress.count(100, full: 15_000)
    let careful = await Explorer(try plan(fault, with: .nothing), inputs: [], options).explore()

    let found = try #require(careless.found, "\(careless.tried) schedules")
    #expect(found.schedule.delays.count <= 2)
    #expect(found.report.diagnostics.map(\.code) == [.unexpectedAnswer])
    #expect(careless.strays == [] && careless.isDeterministic)
    #expect(careful.found == nil, "\(careful.found?.story.texts ?? [])")
    #expect(careful.strays == [] && careful.isDeterministic)
  }
}

/// Has thirty rows, whose first page has no answer at first where that is wanted.
private actor Rows: Component {
  static let plugin = Plugin(
    "rows", version: "1.0", "Has rows.", state: .memory,
    settings: Parameter<Bool>("failing", "Whether the first call fails."),
    operations: [
      Operation(
        "page", "Some rows.", Parameter<Int>("start", "The first."),
        Parameter<Int>("length", "How many."),
        answers: Record<[ScreensPlugin.Place]>("items", "The rows."),
        errors: [.illegal, .unavailable]
      ) { rows, _, start, length in try await rows.page(start, length) }
    ]
  ) { _, failing in Rows(failing: failing) }

  private var failing: Bool

  init(failing: Bool) { self.failing = failing }

  private func page(_ start: Int, _ length: Int) throws -> [ScreensPlugin.Place] {
    if failing {
      failing = false
      throw ComponentError(.unavailable, "no answer")
    }
    return (start..<max(start, min(start + length, 30))).map {
      ScreensPlugin.Place(title: "Row \($0)", city: "C", state: "S", image: "\($0)")
    }
  }
}

/// Has a picture for each number, as wide as that.
private struct WidePictures: Component {
  static let plugin = Plugin(
    "wide-pictures", version: "1.0", "Has pictures.", state: .none,
    operations: [
      Operation(
        "fetch", "A picture.", Parameter<String>("path", "Which."), answers: Picture.record,
        errors: [.missing, .broken, .forbidden, .unavailable]
      ) { _, _, path in Picture(width: Int(path) ?? 0, height: 1) }
    ]
  ) { _ in WidePictures() }
}
