import FlowCore
import FlowTesting
import TestKit
import Testing

@Suite struct ComponentChecksTests {
  private static let steps = """
      - uses: it.pay
        with: {money: 4}
      - uses: it.rest
        with: {span: 1h}
    """

  @Test(arguments: ComponentCheck.allCases)
  func `a component that does everything right passes the checks`(_ check: ComponentCheck)
    async throws
  {
    let workshop = try Workshop(Self.steps)

    try await ComponentChecks(Purse.self, sample: workshop.scenario).verify(check)
  }

  /// The result of the checks for a component with one fault.
  struct Case: Sendable, CustomTestStringConvertible {
    let check: ComponentCheck
    let steps: String
    let expected: String
    let problems: @Sendable (ScenarioFile) async -> [ScenarioProblem]

    let testDescription: String

    init<Faulty: Component>(
      _ component: Faulty.Type, _ check: ComponentCheck, _ steps: String, _ expected: String
    ) {
      testDescription = "\(check.rawValue): \(component)"
      self.check = check
      self.steps = steps
      self.expected = expected
      problems = { sample in
        var options = ComponentChecks<Faulty>.Options()
        // An endless component needs no long wait, but the others get all the time they need.
        options.patience = component is Endless.Type ? .milliseconds(20) : .seconds(120)
        return await ComponentChecks(component, sample: sample, options: options)
          .problems(of: check)
      }
    }
  }

  static let cases = [
    Case(
      Purse.self, .sample, "  - uses: it.pay\n    with: {money: 4}",
      """
      error: the sample does not call 'purse.rest', so it is not tested [check: sample]

      """),
    Case(
      Swapped.self, .records, "  - uses: it.go",
      """
      error: the record of the output of 'faulty.go' does not decode its own encoding [check: records]
        note: it encoded {first: 1, second: 2}
        note: but decoded it as {first: 2, second: 1}

      """),
    Case(
      Unreadable.self, .records, "  - uses: it.go",
      """
      error: the record of the output of 'faulty.go' does not decode its own encoding [check: records]
        note: it encoded {even: 3}
        note: but cannot decode it: 'even': expected int, got 3

      """),
    Case(
      Undeclared.self, .errors, "  - uses: it.go\n    continue-on-error: true",
      """
      it.yaml:5:5: error: 'it.go' failed with an undeclared error [check: errors]
          5 |   - uses: it.go
            |     ^^^^^^^^^^^
        note: 'it.go' does not declare the error 'empty': nothing there
        note: declare the code in 'errors' and throw a CodedError with it

      """),
    Case(
      Varying.self, .repetition, "  - uses: it.go",
      """
      error: two runs with the same seed and date have different transcripts [check: repetition]
        note: calls
              changed it.go#1, it.go
                ok.text: recorded "1", now "2"
        note: take time, random values and keys from the context, and answer nothing else that varies

      """),
    Case(
      Deaf.self, .cancellation, "  - uses: it.go",
      """
      it.yaml:5:5: error: 'it.go' continues for 1800s after it was cancelled [check: cancellation]
          5 |   - uses: it.go
            |     ^^^^^^^^^^^
        note: wait with context.sleep(for:) and let its CancellationError through

      """),
    Case(
      Endless.self, .cancellation, "  - uses: it.go",
      """
      it.yaml:5:5: error: 'it.go' does not end when it is cancelled [check: cancellation]
          5 |   - uses: it.go
            |     ^^^^^^^^^^^
        note: cancelled at 'it.go#1'

      """),
    Case(
      Swallowing.self, .cancellation, "  - uses: it.go",
      """
      it.yaml:5:5: error: 'it.go' answers although it was cancelled while it waited [check: cancellation]
          5 |   - uses: it.go
            |     ^^^^^^^^^^^
        note: a replay could not tell that its step ran out of time; let the CancellationError through

      """),
    Case(
      Renaming.self, .cancellation, "  - uses: it.go",
      """
      it.yaml:5:5: error: 'it.go' answers a cancellation with the error 'unexpected' [check: cancellation]
          5 |   - uses: it.go
            |     ^^^^^^^^^^^
        note: interrupted
        note: let the CancellationError through

      """),
    Case(
      RealTime.self, .time, "  - uses: it.go",
      """
      it.yaml:5:5: error: 'it.go' waits for something outside of the run's time [check: time]
          5 |   - uses: it.go
            |     ^^^^^^^^^^^
        note: called at 'it.go#1'
        note: sleep with context.sleep(for:), start tasks with context.spawn, and wait for work done elsewhere in context.outside

      """),
    Case(
      Blocking.self, .time, "  - uses: it.go",
      """
      it.yaml:5:5: error: 'it.go' blocks its thread [check: time]
          5 |   - uses: it.go
            |     ^^^^^^^^^^^
        note: called at 'it.go#1'
        note: move the blocking work to context.outside

      """),
    Case(Outside.self, .time, "  - uses: it.go", ""),
    Case(
      Forgetful.self, .resume, "  - uses: it.go\n  - uses: it.go\n  - uses: it.go",
      """
      it.yaml:5:5: error: a run that is killed after 'it.go' and resumed continues differently [check: resume]
          5 |   - uses: it.go
            |     ^^^^^^^^^^^
        note: it.go[2]#1 it.go {} -> {count: 1}
        note: without the kill: it.go[2]#1 it.go {} -> {count: 2}
        note: declare where the state is kept, in 'state' of the plugin

      """),
    Case(
      Secretive.self, .replay, "  - uses: it.go",
      """
      it.yaml:5:11: error: 'it.go#1' failed with the error 'unexpected' [F2002]
          5 |   - uses: it.go
            |           ^^^^^
        note: the plugin 'faulty' reports the event 'gone', which is not in its 'events'

      """),
  ]

  @Test(arguments: cases)
  func `a component with a fault breaks the check that is about it`(_ example: Case) async throws {
    let plugin = example.expected.contains("purse") ? "purse" : "faulty"
    let workshop = try Workshop(example.steps, plugin: plugin)

    let problems = await example.problems(workshop.scenario)

    #expect(workshop.text(problems) == example.expected)
  }

  @Test func `an effect that is repeated on resume is found in what is left behind`() async throws {
    let workshop = try Workshop("  - uses: it.go\n  - uses: it.go", plugin: "faulty")
    let folder = workshop.folder
    var options = ComponentChecks<Repeating>.Options()
    options.prepare = { try? folder.remove("log.txt") }
    let problems = { (options: ComponentChecks<Repeating>.Options) in
      await ComponentChecks(Repeating.self, sample: workshop.scenario, options: options)
        .problems(of: .resume)
    }
    let unseen = await problems(options)
    options.world = { (try? folder.text("log.txt")) ?? "" }

    #expect(workshop.text(unseen) == "")
    #expect(
      workshop.text(await problems(options)) == """
        it.yaml:5:5: error: a run that is killed after 'it.go' and resumed leaves a different state behind [check: resume]
            5 |   - uses: it.go
              |     ^^^^^^^^^^^
          note: without the kill "went\\nwent\\n", with it "went\\nwent\\nwent\\n"
          note: declare where the state is kept, in 'state' of the plugin

        """)
  }

  @Test func `a broken sample fails every check at its line`() async throws {
    let workshop = try Workshop("  - uses: it.pya")
    let checks = ComponentChecks(Purse.self, sample: workshop.scenario)

    for check in ComponentCheck.allCases {
      #expect(await checks.problems(of: check).map(\.position.line) == [5])
    }
  }

  @Test func `a type that cannot be registered fails every check`() async throws {
    let workshop = try Workshop("  - uses: it.go", plugin: "faulty")

    let problems = await ComponentChecks(Misnamed.self, sample: workshop.scenario)
      .problems(of: .sample)

    #expect(problems.first?.text.contains("declares the name 'not a name'") == true)
  }
}
