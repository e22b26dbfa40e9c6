import FlowCore
import FlowTesting
import TestKit
import Testing

@Suite struct StandInTests {
  private static let twice = """
      - id: spend
        uses: it.pay
        with: {money: 4}
        retry: {attempts: 2, backoff: 0s}
        expect: {money: 1}
    """

  @Test func `a stand-in answers from its script and keeps the calls`() async throws {
    let workshop = try Workshop(Self.twice)
    let purse = try StandIn(
      for: Purse.self, ["pay": .sequence([.error("empty"), .answer(["money": 1])])])

    try await workshop.scenario.run(with: [.standIn(purse)])

    #expect(
      purse.calls.map(\.description) == [
        "spend#1 purse.pay {money: 4} -> empty: scripted",
        "spend#1 purse.pay {money: 4} -> {money: 1}",
      ])
  }

  @Test func `a closure makes its answer of the input, and may wait and report`() async throws {
    let workshop = try Workshop(
      "  - uses: it.pay\n    with: {money: 4}\n    expect: {money: 8}\n  - await: it.paid\n    timeout: 1s"
    )
    let purse = try StandIn(
      for: Purse.self,
      [
        "pay": .body { input, context in
          try await context.sleep(for: .seconds(3600))
          context.emit(Purse.paid, Money(money: 1))
          guard case .int(let money)? = input["money"] else { return [:] }
          return ["money": money * 2]
        }
      ])

    try await workshop.scenario.run(
      with: [.standIn(purse)], options: LiveOptions(isVirtualTime: true))

    #expect(purse.calls.map { "\($0.answer)" } == ["{money: 8}"])
  }

  @Test func `a call without an answer fails and says which`() async throws {
    let workshop = try Workshop(Workshop.payment)
    let purse = try StandIn(for: Purse.self, [:])

    let run = await workshop.scenario.attempt(with: [.standIn(purse)])

    #expect(
      workshop.text(run.problems).contains(
        "  note: no answer is scripted for 'purse.pay', called at 'spend#1' with {money: 4}\n"))
  }

  @Test func `a call beyond the script fails though the scenario goes on after errors`()
    async throws
  {
    let workshop = try Workshop(
      "  - uses: it.pay\n    with: {money: 4}\n    continue-on-error: true\n"
        + Workshop.payment
        .replacing(existing: "6", with: "1"))
    let purse = try StandIn(for: Purse.self, ["pay": .sequence([.answer(["money": 1])])])

    let run = await workshop.scenario.attempt(with: [.standIn(purse)])

    #expect(
      workshop.text(run.problems).contains(
        "the one scripted answer is used up for 'purse.pay', called at 'spend#1' with {money: 4}"))
  }

  @Test func `an unscripted call that a step hides is a problem of the run`() async throws {
    let workshop = try Workshop(
      "  - uses: it.pay\n    with: {money: 4}\n    continue-on-error: true")

    let run = await workshop.scenario.attempt(with: [.standIn(try StandIn(for: Purse.self, [:]))])

    #expect(
      run.failures
        == "error: no answer is scripted for 'purse.pay', called at 'it.pay#1' with {money: 4} [stand-in]"
    )
  }

  @Test func `an unscripted call of an earlier run is no problem of the next`() async throws {
    let hiding = try Workshop(
      "  - uses: it.pay\n    with: {money: 4}\n    continue-on-error: true")
    let idle = try Workshop("  - wait: 0s")
    let purse = TestComponent.standIn(try StandIn(for: Purse.self, [:]))

    let first = await hiding.scenario.attempt(with: [purse])
    let second = await idle.scenario.attempt(with: [purse])
    let third = await hiding.scenario.attempt(with: [purse])

    #expect([first, second, third].map(\.problems.count) == [1, 0, 1])
  }

  @Test func `a sequence goes on from run to run`() async throws {
    let workshop = try Workshop(Workshop.payment)
    let purse = try StandIn(
      for: Purse.self, ["pay": .sequence([.answer(["money": 6]), .answer(["money": 7])])])

    let runs = [
      await workshop.scenario.attempt(with: [.standIn(purse)]),
      await workshop.scenario.attempt(with: [.standIn(purse)]),
    ]

    #expect(runs.map(\.passed) == [true, false])
    #expect(purse.calls.map { "\($0.answer)" } == ["{money: 6}", "{money: 7}"])
  }

  struct Mistake: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable () throws -> StandIn

    init(_ expected: String, _ make: @escaping @Sendable () throws -> StandIn) {
      testDescription = expected
      self.make = make
    }
  }

  static let mistakes = [
    Mistake("there is no operation 'purse.pya'; did you mean 'pay'?") {
      try StandIn(for: Purse.self, ["pya": .answer])
    },
    Mistake("'purse.pay' is scripted twice") {
      try StandIn(for: Purse.self, ["pay": .error("empty"), "pay": .error("empty")])
    },
    Mistake("'purse.pay' does not declare the error 'emty'; did you mean 'empty'?") {
      try StandIn(for: Purse.self, ["pay": .sequence([.error("emty")])])
    },
    Mistake("the answer of 'purse.pay' does not fit: 'mony': unknown field; did you mean 'money'?")
    {
      try StandIn(for: Purse.self, ["pay": .answer(["mony": 1])])
    },
    Mistake("the answer of 'purse.pay' does not fit: 'money': expected int, got \"much\"") {
      try StandIn(for: Purse.self, ["pay": .answer(["money": "much"])])
    },
    Mistake("the answer of 'purse.pay' does not fit: 'money': missing, expected int") {
      try StandIn(for: Purse.self, ["pay": .answer])
    },
    Mistake("'purse.pay' has a sequence inside a sequence") {
      try StandIn(for: Purse.self, ["pay": .sequence([.sequence([])])])
    },
  ]

  @Test(arguments: mistakes)
  func `a script that does not fit its component is refused`(_ mistake: Mistake) {
    let error = #expect(throws: StandInError.self) { try mistake.make() }

    #expect(error?.description == mistake.testDescription)
  }
}
