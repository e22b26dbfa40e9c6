import FlowCore
import FlowTesting
import TestKit
import Testing

@Suite struct RunTests {
  @Test func `a run on the test's own object gives outputs, calls and reports`() async throws {
    let workshop = try Workshop(
      Workshop.payment + "\noutputs:\n  left: ${{ steps.spend.money }}")
    let purse = Purse(money: 10)

    let run = try await workshop.scenario.run(with: [.instance(purse)])

    #expect(try run.output("left", as: Int.self) == 6)
    #expect(run.calls.map(\.description) == ["spend#1 it.pay {money: 4} -> {money: 6}"])
    #expect(run.reports.map(\.description) == ["spend#1 it.paid {money: 4}"])
    #expect(await purse.money == 6)
  }

  @Test func `inputs are Swift values`() async throws {
    let head = "inputs:\n  amount: {type: int}\n  note: {type: string, default: none}\n"
    let steps = """
        - uses: it.pay
          with: {money: "${{ inputs.amount }}"}
        - assert: ["${{ inputs.note == 'cash' }}"]
      """
    let workshop = try Workshop(steps, head: head)

    let run = try await workshop.scenario.run(
      with: [.instance(Purse(money: 5))], inputs: ["amount": 3, "note": "cash"])

    #expect(run.calls.map { "\($0.input)" } == ["{money: 3}"])
  }

  @Test func `a wrong input is a problem`() async throws {
    let workshop = try Workshop(
      "  - assert: [\"${{ inputs.a == 1 }}\"]", head: "inputs: {a: {type: int}}\n")

    let run = await workshop.scenario.attempt(try Registry([Purse.self]), inputs: ["b": "x"])

    #expect(
      run.failures
        == "error: the scenario has no input 'b'; did you mean 'a'? [F1401]")
  }

  @Test func `an hour of virtual time is an hour to the second, from a given date`() async throws {
    let steps = "  - uses: it.rest\n    with: {span: 1h}"
    let workshop = try Workshop(steps, plugin: "sundial")
    let options = LiveOptions(isVirtualTime: true, date: .epoch)

    let run = try await workshop.scenario.run(try Registry([Sundial.self]), options: options)

    #expect(
      run.calls.map { "\($0.answer)" }
        == ["{before: 1970-01-01T00:00:00Z, after: 1970-01-01T01:00:00Z}"])
  }

  @Test func `what fails is told as the command line tells it, and there are no outputs`()
    async throws
  {
    let workshop = try Workshop(
      Workshop.payment.replacing(existing: "6", with: "7")
        + "\noutputs: {left: \"${{ steps.spend.money }}\"}"
    )

    let run = await workshop.scenario.attempt(with: [.instance(Purse(money: 10))])

    #expect(
      workshop.text(run.problems) == """
        it.yaml:8:14: error: 'spend#1' did not answer as expected [F2001]
            8 |     expect: {money: 7}
              |              ^^^^^^^^
          note: money: expected 7, got 6
          input: {money: 4}
          answer: {money: 6}

        """)
    let error = #expect(throws: MissingOutput.self) { try run.output("left", as: Int.self) }
    #expect(error?.description == "the run has no output 'left', because it failed")
  }

  @Test func `several components of one plugin are told apart by their names`() async throws {
    let workshop = try Workshop(
      "  - uses: it.pay\n    with: {money: 1}\n  - uses: other.pay\n    with: {money: 2}")
    let text = try workshop.folder.text("it.yaml")
    try workshop.folder.write(
      text.replacing(existing: "steps:", with: "  other: {plugin: purse}\nsteps:"), to: "it.yaml")
    let (first, second) = (Purse(money: 10), Purse(money: 10))

    try await workshop.scenario.run(
      with: [.instance(first, as: "it"), .instance(second, as: "other")])
    let run = await workshop.scenario.attempt(with: [.instance(first, as: "it")])

    #expect(await [first.money, second.money] == [9, 8])
    #expect(run.problems.map(\.code) == ["F2008"])
    #expect(run.failures.contains("the test provides 'it' only, and no other type"))
  }

  @Test func `a test component that stands for nothing is a problem`() async throws {
    let workshop = try Workshop("  - uses: it.rest\n    with: {span: 0s}")
    let purse = Purse(money: 10)
    let misspelt = await workshop.scenario.attempt(
      try Registry([Purse.self]), with: [.instance(purse, as: "at")])
    let twice = await workshop.scenario.attempt(with: [.instance(purse), .instance(purse)])

    #expect(
      misspelt.failures
        == "error: the scenario has no component 'at'; did you mean 'it'? [test component]")
    #expect(
      twice.failures == "error: the test provides the plugin 'purse' twice [test component]")
  }

  @Test func `settings are checked though the object has its own`() async throws {
    let workshop = try Workshop("  - uses: it.rest\n    with: {span: 0s}")
    let text = try workshop.folder.text("it.yaml")
    try workshop.folder.write(
      text.replacing(existing: "purse}", with: "purse, with: {mony: 1}}"), to: "it.yaml")

    let run = await workshop.scenario.attempt(with: [.instance(Purse(money: 1))])

    #expect(run.failures.contains("did you mean 'money'?"))
  }
}
