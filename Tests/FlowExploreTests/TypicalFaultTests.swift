import FlowCommand
import FlowCore
import TestKit
import Testing

/// A service on the recorded answers of what it calls, with the typical failures of those calls.
@Suite struct TypicalFaultTests {
  private static let components: [any Component.Type] = [Bank.self, Shop.self]

  private static func scenario(_ steps: String) -> String {
    """
    flow: 1
    components:
      bank: {plugin: bank}
      shop: {plugin: shop, using: {bank: bank}}
    steps:
    \(steps)

    """
  }

  /// Records a scenario, and explores it with the shop live.
  private func explore(_ steps: String, _ faults: String = "--faults") async throws
    -> FlowCommandRun
  {
    let folder = try TemporaryFolder()
    try folder.write(Self.scenario(steps), to: "shop.yaml")
    let recorded = try await FlowCommandRun(
      ["run", folder.path("shop.yaml"), "--record"], components: Self.components)
    #expect(recorded.code == .passed, "\(recorded.errors)")
    return try await FlowCommandRun(
      [
        "explore", folder.path("shop.yaml"), "--live=shop", "--delays", "0", "--budget", "20",
        faults,
      ],
      components: Self.components)
  }

  /// The lines about faults.
  private func told(_ run: FlowCommandRun) -> [String] {
    run.output.split(separator: "\n").map(String.init).dropFirst()
      .prefix { !$0.hasPrefix("tried ") }.map { $0 }
  }

  @Test func `only the typical failures are tried, and what the service did is printed`()
    async throws
  {
    let run = try await explore("  - {id: buy, uses: shop.buy, with: {price: 3}}")

    #expect(
      told(run) == [
        "buy#1/bank.charge#1: refused, passed",
        #"  bank.charge {amount: 3} answers {status: "done"}"#,
        #"  bank.log {text: "done"} answers {}"#,
        "  step 'buy#1' passed",
        "buy#1/bank.charge#1: lost, passed",
        #"  bank.charge {amount: 3} answers {status: "done"}"#,
        #"  bank.log {text: "done"} answers {}"#,
        "  step 'buy#1' passed",
        "buy#1/bank.charge#1: busy, passed",
        "  step 'buy#1' passed",
        "buy#1/bank.charge#1: odd, passed",
        "  step 'buy#1' passed",
        "buy#1/bank.charge#1: slow, passed",
        #"  bank.log {text: "done"} answers {}"#,
        "  step 'buy#1' passed",
      ], "\(run.output)")
    #expect(!run.output.contains("no verdict"))
    #expect(run.code == .passed)
  }

  @Test func `a fault belongs to one of two calls with equal paths`() async throws {
    let run = try await explore(
      "  - {id: buy, uses: shop.both, with: {first: 3, second: 4}}", "--faults=bank.charge")

    let lines = told(run)
    #expect(
      lines.filter { $0.hasPrefix("buy") } == ["refused", "lost", "busy", "odd", "slow"].flatMap {
        ["buy#1/bank.charge#1: \($0), passed"]
      } + ["refused", "lost", "busy", "odd", "slow"].map { "buy#1/bank.charge#1: \($0), passed" })
    // The other one is not affected.
    #expect(lines.contains(#"  bank.charge {amount: 4} answers {status: "done"}"#))
    #expect(lines.contains(#"  bank.charge {amount: 3} answers {status: "done"}"#))
  }

  @Test func `a changed answer reaches a caller that reads a part of it`() async throws {
    let run = try await explore(
      "  - {id: look, uses: shop.look, with: {day: 1}, expect: {text: fine}}")

    #expect(
      told(run) == ["look#1/bank.report#1: odd, failed", "  step 'look#1' failed"],
      "\(run.output)")
  }

  @Test func `another attempt gets the answer that a fault took away`() async throws {
    let run = try await explore(
      "  - {id: insist, uses: shop.insist, with: {day: 7}, expect: {text: fine}}")

    let answer = #"  bank.report {day: 7} answers {text: "fine"}"#
    // The one that changes nothing is not tried.
    #expect(
      told(run)
        == ["odd", "lost"].flatMap {
          ["insist#1/bank.report#1: \($0), passed", answer, "  step 'insist#1' passed"]
        }, "\(run.output)")
    #expect(
      run.output.contains("nothing is left to vary after the only order, and 2 faults\n"),
      "\(run.output)")
  }

  @Test func `a service that fails at a fault is found, with the fault in the recording`()
    async throws
  {
    let run = try await explore(
      "  - {id: buy, uses: shop.buy, with: {price: 3}, expect: {bought: true}}",
      "--faults=bank.charge")

    #expect(run.code == .failed)
    #expect(
      told(run).suffix(2) == ["buy#1/bank.charge#1: busy, failed", "  step 'buy#1' failed"],
      "\(run.output)")
    #expect(run.output.contains("failed with 1 injected fault:\n"))
  }
}

/// Takes money, and fails in some typical ways.
private struct Bank: Component {
  static let status = Record<String>("status", "Whether it is done.")
  static let unreachable = ErrorCode("unreachable", "It cannot be reached.")
  static let plugin = Plugin(
    "bank", version: "1.0", "Takes money.", state: .none,
    operations: [
      Operation(
        "charge", "Takes money.", Parameter<Int>("amount", "How much."), answers: status,
        errors: [unreachable, .refused], retry: .safe
      ) { _, _, _ in "done" }
      .failing(
        status,
        [
          .error("refused", "Nobody is there.", unreachable),
          .lost("lost", "It is done, and nobody hears of it.", unreachable),
          .answer("busy", "It has no time.", "busy"),
          .changed("odd", "It says it in another way.") { $0 + "?" },
          .late("slow", "It takes its time.", by: .seconds(5)),
        ]),
      Operation(
        "log", "Notes it.", Parameter<String>("text", "What."), answers: .none, errors: [.refused]
      ) { _, _, _ in }
      // It has no typical failure, and its error is not tried.
      .failing(Record.none, []),
      Operation(
        "report", "Reports.", Parameter<Int>("day", "Which."), answers: Statement.record,
        errors: [unreachable]
      ) { _, _, day in Statement(text: "fine", days: [Day(number: day, note: "")]) }
      .failing(
        Statement.record,
        [
          .changed("odd", "It says it in another way.") {
            Statement(text: $0.text + "?", days: [])
          },
          .changed("same", "It says the same.") { $0 },
          .lost("lost", "It says it, and nobody hears of it.", unreachable),
        ]),
    ]
  ) { _ in Bank() }
}

/// A report, of which the shop reads the text alone.
private struct Statement: Sendable {
  let text: String
  let days: [Day]
  static let record = Record(
    Statement.init(text:days:), Field("text", \.text, "What."), Field("days", \.days, "When."))
}

private struct Day: RecordRepresentable {
  let number: Int
  let note: String
  static let record = Record(
    Day.init(number:note:), Field("number", \.number, "Which."), Field("note", \.note, "What."))
}

/// Buys things, and tries again once when the bank cannot be reached.
private struct Shop: Component {
  static let charge = Role("bank", "Takes money.").call(
    "charge", Parameter<Int>("amount", "How much."), answers: Bank.status,
    errors: [Bank.unreachable, .refused])
  static let log = Role("bank", "Takes money.").call(
    "log", Parameter<String>("text", "What."), answers: .none, errors: [.refused])
  static let report = Role("bank", "Takes money.").call(
    "report", Parameter<Int>("day", "Which."), answers: text, errors: [Bank.unreachable])
  static let text = Record<String>("text", "What.")
  static let bought = Record<Bool>("bought", "Whether it was paid.")
  static let plugin = Plugin(
    "shop", version: "1.0", "Sells things.", state: .none, uses: [charge, log, report],
    operations: [
      Operation("buy", "Buys.", Parameter<Int>("price", "How much."), answers: bought) {
        _, context, price in
        guard try await pay(price, context) == "done" else { return false }
        try await log("done", in: context)
        return true
      },
      Operation(
        "both", "Buys two things.", Parameter<Int>("first", "How much."),
        Parameter<Int>("second", "How much."), answers: bought
      ) { _, context, first, second in
        let paid = [try await pay(first, context), try await pay(second, context)]
        return paid == ["done", "done"]
      },
      Operation("look", "Looks.", Parameter<Int>("day", "Which."), answers: text) {
        _, context, day in try await report(day, in: context)
      },
      Operation("insist", "Looks twice.", Parameter<Int>("day", "Which."), answers: text) {
        _, context, day in
        if let text = try? await report(day, in: context), text == "fine" { return text }
        return try await report(day, in: context)
      },
    ]
  ) { _ in Shop() }

  private static func pay(_ price: Int, _ context: Context) async throws -> String {
    do { return try await charge(price, in: context) } catch let error as ComponentError
      where error.code == Bank.unreachable
    {
      return try await charge(price, in: context)
    }
  }
}
