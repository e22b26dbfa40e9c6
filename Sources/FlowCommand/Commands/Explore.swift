internal import FlowExplore
internal import FlowPlan

extension Command {
  static let explore = Command(
    syntax: CommandSyntax(
      name: "explore", summary: "Runs a scenario in different orders until one fails.",
      operands: .one("SCENARIO"),
      options: GivenInputs.options + [
        .secret,
        Option(
          "budget", .required("N"),
          "The maximum number of orders to try. Default: 10000, or 100 with state outside flow. With --generate, the number of scenarios. Default: 1000."
        ),
        Option(
          "delays", .required("N"),
          "The maximum number of delays to try in every position. 0 keeps to the normal order. Default: 2."
        ),
        Option(
          "faults", .optional("NAME,...", suffix: nil),
          "Also injects the typical failures of all operations, or only of these components and operations."
        ),
        Option(
          "silence", .optional("NAME,...", suffix: nil),
          "Also leaves calls unanswered: all, or only of these components and operations."),
        Option(
          "duplicates", .optional("NAME,...", suffix: nil),
          "Also delivers events twice: all, or only these events and components."),
        LiveComponents.option(
          "Calls these components, and serves the others from the transcript.",
          needsNames: true),
        Option(
          "crashes", .none,
          "Also simulates a crash after each line of the journal, and resumes the run."),
        Option(
          "generate", .optional("NAME,...", suffix: nil),
          "Calls operations with random inputs after the steps: all without effects outside flow, or only these components and operations."
        ),
        Option(
          "to", .required("URL"),
          "With --generate and a description in place of the scenario: the address of the service. Calls are sent there, and write there."
        ),
        Option(
          "header", .required("NAME: VALUE"),
          "With --to: a header of every request, and of the scenarios that are written. Not for secrets. Can be repeated."
        ),
        Option(
          "output", .required("FOLDER"),
          "With --to: the folder of the scenarios that are written. Default: that of the description.",
          letter: "o"),
        Option(
          "jobs", .required("N"),
          "The number of orders to run at once. Default: 1. The result is the same for any number."),
        Option(
          "seed", .required("NUMBER"), "The seed of all random values. Default: 0."),
        Option(
          "svg", .required("PATH"),
          "Draws the failing run as a sequence diagram. Replaces the file."),
        ExploreOptions.outputs.option(),
      ] + VerdictAdvice.options + Permissions.options,
      details: """
        The components run on one thread and in virtual time. Wherever several tasks are ready, and
        before and after each call, flow chooses the next task: first in the normal order, then with
        one delay in every position, then with two, and then at random. The search ends at the
        budget, or when no order is left. A failing run is reduced to the fewest delays, described
        step by step, and recorded beside the scenario, as shop.transcript.explored.jsonl for
        shop.yaml.

        flow does not control work outside that thread, and names it: unstructured and detached
        tasks, Task.sleep, and actors with their own executor. Components with state outside the
        process make real calls in every order, so only 100 orders are tried without --budget.
        Prefer components with state in memory.

        --faults, --silence, --duplicates and --crashes also inject one failure at a time: a
        typical failure of an operation, or else each of its declared errors, a call without an
        answer until a timeout or the end of the run, an event delivered twice, or a killed process
        resumed from its journal. The report prints what followed each failure of a call.

        With --live=NAME, the component NAME is called, and the answers of all others come from the
        transcript beside the scenario, early and late.

        With --generate, flow searches for calls that break an invariant of the scenario or fail
        with an undeclared error. It reduces them to the fewest calls and writes these beside the
        scenario, as shop.generated.yaml, with its transcript. Components that reach files, servers,
        programs or databases are skipped unless named, because generated calls to them are real.

        With --generate and an OpenAPI description in place of the scenario, flow draws requests
        from the description, valid ones and wrong ones, and sends them to the service of --to. This
        writes to the service and deletes there, so use a service for tests. Each answer that breaks
        a rule becomes a scenario with the fewest calls. --secret sets the credentials: bearer,
        password, or the name of a key with '_' for other signs. --budget is the number of requests,
        2000 unless given. The rules:

          server-error     no status from 500, and no lost answer
          contract         no answer that the description does not allow
          refused-write    a refused write changes nothing
          deleted          a deleted resource is gone
          authentication   no answer without credentials where they are demanded
          invalid-input    no request is accepted that the description does not allow
          valid-input      no bound that the description allows is refused
          created          what was made is there

        Exits with 0 if nothing failed, and with 1 otherwise.

          flow explore race.yaml
          flow explore race.yaml --live=cart
          flow explore race.yaml --faults=api --budget 100000
          flow explore shop.yaml --generate
          flow explore openapi.yaml --generate --to http://127.0.0.1:8000 -o findings
        """)
  ) { (flow, arguments) throws(UsageError) in
    let options = try ExploreOptions(arguments)
    let secrets = try GivenSecrets(arguments, flow.process, flow.redactor)
    if let described = try DescribedCallsOptions(arguments, options.explorer) {
      return try await flow.generate(described, options.inputs, hiding: secrets)
    }
    let scenario = arguments.operands[0]
    guard let plan = flow.plan(scenario, running: options.live.orAll) else { return .badInput }
    try options.check(plan)
    let generation = try GenerationOptions(arguments, plan, options.explorer)
    guard flow.canDraw(options) else { return .cannotWrite }
    guard let project = flow.project(around: scenario),
      let flow = try flow.starting(fromStateOf: project, options.inputs, secrets)
    else { return .badInput }
    if options.live != .none { return await flow.exploreRecorded(plan, options, secrets) }
    let texts = try secrets.inputs(options.inputs.texts, of: plan)
    guard let inputs = flow.inputs(of: plan, texts, options.inputs) else { return .badInput }
    if let generation {
      return await flow.generate(plan, inputs: inputs, generation, hiding: secrets)
    }
    return await flow.explore(plan, inputs: inputs, options, hiding: secrets)
  }
}
