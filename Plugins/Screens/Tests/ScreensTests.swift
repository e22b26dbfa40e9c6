import BalancePlugin
import CatalogPlugin
import FilePlugin
import FlowCore
import FlowTesting
import ImagesPlugin
import ScreensPlugin
import TestKit
import Testing

/// What a person sees while answers are late, early, missing, or for somebody else.
@Suite struct ScreensTests {
  /// A behaviour: the steps, how the shop answers, and what is asked of it.
  struct Behaviour: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// How long calls take; the others take no time.
    var delays: [String: Int] = [:]
    var failing: Set<String> = []
    var rows = 30
    let steps: String
    /// The calls that begin with one of these are compared.
    var of: [String] = []
    var calls: [String] = []
  }

  @Test(arguments: balance + tables + pictures)
  func `a screen behaves`(_ behaviour: Behaviour) async throws {
    var shop = ScreenShop()
    shop.delay = { .seconds(behaviour.delays[$0] ?? 0) }
    shop.failing = behaviour.failing
    shop.rows = behaviour.rows

    let run = try await shop.run(behaviour.steps, on: try Registry([Screens.self]))

    #expect(run.failures == "")
    let calls = run.calls.filter { call in behaviour.of.contains { call.name.hasPrefix($0) } }
    #expect(calls.map { "\($0.name) \($0.input)" } == behaviour.calls)
  }

  @Test func `a read that waits for a text that never comes ends with its step`() async throws {
    let run = try await ScreenShop().run(
      """
        - {uses: screens.open, with: {screen: balance}}
        - {uses: screens.read, with: {screen: balance, text: "7.00"}, timeout: 5s}

      """, on: try Registry([Screens.self]))

    #expect(run.problems.map(\.code) == ["F2010"])
  }

  private static let scenarios = ["screens-balance", "screens-catalog", "screens-tour"]
  private static let registry = Result {
    try Registry([Balance.self, Catalog.self, Files.self, Images.self, Screens.self])
  }

  @Test(arguments: scenarios)
  func `the screens replay live, and what they use is absent`(_ name: String) async throws {
    let scenario = try ScenarioFile("\(ScenarioFolder.path)/\(name).yaml")
    let live = name == "screens-catalog" ? ["screens", "plain"] : ["screens"]

    try await scenario.replay(try Self.registry.get(), live: live)
  }

  @Test(arguments: scenarios)
  func `a recording has the same bytes under every schedule`(_ name: String) async throws {
    let scenario = try ScenarioFile("\(ScenarioFolder.path)/\(name).yaml")
    var recordings: Set<[UInt8]> = []
    for number in 0..<12 {
      let options = LiveOptions(isVirtualTime: number % 2 == 0)
      recordings.insert(
        try await scenario.run(try Self.registry.get(), options: options).transcript)
    }

    #expect(recordings.count == 1)
  }

  private static let balance = [
    Behaviour(
      testDescription: "an amount that would go below zero asks nobody",
      steps: """
          - {uses: screens.open, with: {screen: balance}}
          - {uses: screens.read, with: {screen: balance}}
          - {uses: screens.type, with: {text: "100.01"}}
          - {uses: screens.submit, expect: {waiting: false, field: "100.01", alert: {title: Illegal value}}}

        """, of: ["balance"], calls: ["balance.load {}"]),
    Behaviour(
      testDescription: "nothing can be taken before the balance is known", delays: ["load#1": 9],
      steps: """
          - {uses: screens.open, with: {screen: balance}}
          - {uses: screens.type, with: {text: "1"}}
          - {uses: screens.submit, expect: {alert: {title: Not loaded}, field: "1"}}

        """, of: ["balance.subtract"]),
    Behaviour(
      testDescription: "a balance that is not answered can be loaded again", failing: ["load#1"],
      steps: """
          - {uses: screens.open, with: {screen: balance}}
          - {uses: screens.read, with: {screen: balance}, expect: {label: "", waiting: false, alert: {message: no answer}}}
          - {uses: screens.reload, with: {screen: balance}, expect: {error: blocked}}
          - {uses: screens.dismiss}
          - {uses: screens.reload, with: {screen: balance}, expect: {waiting: true}}
          - {uses: screens.read, with: {screen: balance}, expect: {label: "100.00", alert: null}}

        """),
    Behaviour(
      testDescription: "an amount that got no answer stays, and can be submitted again",
      failing: ["subtract#1"],
      steps: """
          - {uses: screens.open, with: {screen: balance}}
          - {uses: screens.read, with: {screen: balance}}
          - {uses: screens.type, with: {text: "10"}}
          - {uses: screens.submit}
          - {uses: screens.read, with: {screen: balance}, expect: {field: "10", waiting: false, alert: {title: Not taken}}}
          - {uses: screens.dismiss}
          - {uses: screens.submit}
          - {uses: screens.read, with: {screen: balance}, expect: {field: "", alert: null}}

        """),
    Behaviour(
      testDescription: "what is typed while an amount is taken stays", delays: ["subtract#1": 9],
      steps: """
          - {uses: screens.open, with: {screen: balance}}
          - {uses: screens.read, with: {screen: balance}}
          - {uses: screens.type, with: {text: "10"}}
          - {uses: screens.submit}
          - {uses: screens.submit, expect: {error: busy}}
          - {uses: screens.type, with: {text: "20"}, expect: {waiting: true}}
          - {uses: screens.read, with: {screen: balance}, expect: {label: "90.00", field: "20"}}

        """),
    Behaviour(
      testDescription: "an answer that was overtaken by a report is asked for again",
      delays: ["load#1": 9],
      steps: """
          - {uses: screens.open, with: {screen: balance}}
          - {wait: 1s}
          - {uses: balance.add, with: {amount: 10}}
          - {uses: screens.read, with: {screen: balance, text: "110.00", settled: false}, expect: {waiting: true}}
          - {uses: screens.read, with: {screen: balance}, expect: {label: "110.00"}}

        """, of: ["balance.load"], calls: ["balance.load {}", "balance.load {}"]),
    Behaviour(
      testDescription: "the answer to a change that was followed by another one is asked for again",
      delays: ["subtract#1": 9],
      steps: """
          - {uses: screens.open, with: {screen: balance}}
          - {uses: screens.read, with: {screen: balance}}
          - {uses: screens.type, with: {text: "10"}}
          - {uses: screens.submit}
          - {wait: 1s}
          - {uses: balance.add, with: {amount: 5}}
          - {uses: screens.read, with: {screen: balance}, expect: {label: "95.00", field: ""}}

        """, of: ["balance.load"], calls: ["balance.load {}", "balance.load {}"]),
    Behaviour(
      testDescription: "a load that is older than a change does not undo it", delays: ["load#2": 9],
      steps: """
          - {uses: screens.open, with: {screen: balance}}
          - {uses: screens.read, with: {screen: balance}}
          - {uses: screens.type, with: {text: "10"}}
          - {uses: screens.reload, with: {screen: balance}}
          - {uses: screens.submit}
          - {uses: screens.read, with: {screen: balance}, expect: {label: "90.00", field: ""}}

        """),
    Behaviour(
      testDescription: "a balance that others have spent is refused by its keeper, and shown",
      delays: ["report#1": 9],
      steps: """
          - {uses: screens.open, with: {screen: balance}}
          - {uses: screens.read, with: {screen: balance}}
          - {uses: balance.subtract, with: {amount: 95}}
          - {uses: screens.type, with: {text: "10"}}
          - {uses: screens.submit, expect: {alert: null}}
          - uses: screens.read
            with: {screen: balance}
            expect: {label: "5.00", field: "10", alert: {title: Not taken, message: 10 is more than 5}}

        """),
    Behaviour(
      testDescription: "a screen that is closed while it waits leaves the next one alone",
      delays: ["subtract#1": 9],
      steps: """
          - {uses: screens.open, with: {screen: balance}}
          - {uses: screens.read, with: {screen: balance}}
          - {uses: screens.type, with: {text: "10"}}
          - {uses: screens.submit}
          - {uses: screens.close, with: {screen: balance}}
          - {uses: screens.open, with: {screen: balance}, expect: {field: ""}}
          - {uses: screens.type, with: {text: "500"}}
          - {uses: screens.submit, expect: {alert: {title: Illegal value}}}
          - {uses: screens.read, with: {screen: balance}, expect: {label: "90.00", field: "500"}}

        """),
    Behaviour(
      testDescription: "a screen that opens after a report shows it before it is loaded",
      delays: ["load#1": 9],
      steps: """
          - {uses: balance.add, with: {amount: 1}}
          - {wait: 1s}
          - {uses: screens.open, with: {screen: balance}, expect: {label: "101.00", waiting: true}}

        """),
  ]

  private static let tables = [
    Behaviour(
      testDescription: "one page is asked for at a time", delays: ["page 6#1": 9],
      steps: """
          - {uses: screens.open, with: {screen: catalog}}
          - {uses: screens.read, with: {screen: catalog}}
          - {uses: screens.scroll, with: {to: 300}, expect: {waiting: true}}
          - {uses: screens.scroll, with: {to: 290}}
          - {uses: screens.scroll, with: {to: 300}}
          - {uses: screens.read, with: {screen: catalog}, expect: {count: 12, offset: 300}}

        """, of: ["catalog"],
      calls: ["catalog.page {start: 0, length: 6}", "catalog.page {start: 6, length: 6}"]),
    Behaviour(
      testDescription: "a page that did not come is asked for again by scrolling",
      failing: ["page 0#1", "page 6#1"],
      steps: """
          - {uses: screens.open, with: {screen: catalog}}
          - {uses: screens.read, with: {screen: catalog}, expect: {count: 0, waiting: false, problem: no answer}}
          - {uses: screens.scroll, with: {to: 0}, expect: {waiting: true, problem: null}}
          - {uses: screens.read, with: {screen: catalog}, expect: {count: 6, problem: null}}
          - {uses: screens.scroll, with: {to: 300}}
          - {uses: screens.read, with: {screen: catalog}, expect: {count: 6, waiting: false, problem: no answer}}
          - {uses: screens.scroll, with: {to: 300}}
          - {uses: screens.read, with: {screen: catalog}, expect: {count: 12}}

        """),
    Behaviour(
      testDescription: "an empty catalog has an end at once", rows: 0,
      steps: """
          - {uses: screens.open, with: {screen: catalog}}
          - {uses: screens.read, with: {screen: catalog}, expect: {count: 0, end: true, waiting: false}}

        """, of: ["catalog"], calls: ["catalog.page {start: 0, length: 6}"]),
    Behaviour(
      testDescription: "a page for a table that began anew is ignored", delays: ["page 6#1": 9],
      steps: """
          - {uses: screens.open, with: {screen: catalog}}
          - {uses: screens.read, with: {screen: catalog}}
          - {uses: screens.scroll, with: {to: 270}, expect: {waiting: true}}
          - {uses: screens.scroll, with: {to: 0}}
          - {uses: screens.reload, with: {screen: catalog}}
          - {uses: screens.read, with: {screen: catalog}, expect: {count: 6, offset: 0, waiting: false}}

        """),
    Behaviour(
      testDescription: "a page for a table that was closed is ignored", delays: ["page 6#1": 9],
      steps: """
          - {uses: screens.open, with: {screen: catalog}}
          - {uses: screens.read, with: {screen: catalog}}
          - {uses: screens.scroll, with: {to: 270}}
          - {uses: screens.close, with: {screen: catalog}}
          - {uses: screens.open, with: {screen: catalog}, expect: {count: 0}}
          - {uses: screens.read, with: {screen: catalog}, expect: {count: 6, offset: 0}}

        """),
    Behaviour(
      testDescription: "a row is asked for where the catalog has not loaded it",
      failing: ["page 20#1"],
      steps: """
          - {uses: screens.open, with: {screen: place, row: 20}, expect: {waiting: true, rows: []}}
          - {uses: screens.read, with: {screen: place}, expect: {problem: no answer, waiting: false}}
          - {uses: screens.reload, with: {screen: place}}
          - {uses: screens.read, with: {screen: place}, expect: {problem: null, rows: [{title: Row 20, width: 20}]}}

        """),
  ]

  private static let pictures = [
    Behaviour(
      testDescription: "a picture that comes after its cell shows another row is not shown there",
      delays: ["picture 0#1": 9],
      steps: """
          - {uses: screens.open, with: {screen: catalog}}
          - {uses: screens.read, with: {screen: catalog, text: 6 rows, settled: false}}
          - {uses: screens.scroll, with: {to: 120}, expect: {rows: [{row: 2, picture: loading}]}}
          - {uses: screens.read, with: {screen: catalog, text: 2x1, settled: false}}
          - {uses: screens.read, with: {screen: catalog}, expect: {rows: [{row: 2, picture: shown, width: 2}]}}

        """),
    Behaviour(
      testDescription: "a broken picture says why, and is tried again when it is shown again",
      failing: ["picture 0#1"],
      steps: """
          - {uses: screens.open, with: {screen: catalog}}
          - uses: screens.read
            with: {screen: catalog}
            expect: {rows: [{picture: broken, problem: unavailable, width: null}]}
          - {uses: screens.scroll, with: {to: 120}}
          - {uses: screens.read, with: {screen: catalog}}
          - {uses: screens.scroll, with: {to: 0}, expect: {rows: [{picture: loading}]}}
          - {uses: screens.read, with: {screen: catalog}, expect: {rows: [{picture: shown, width: 0}]}}

        """),
  ]
}
