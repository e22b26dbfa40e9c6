internal import FlowExplore
internal import FlowScenario

extension Command {
  static let explore = Command(
    syntax: CommandSyntax(
      name: "explore", summary: "Runs a scenario in other orders until one of them fails.",
      operands: .one("SCENARIO"),
      options: GivenInputs.options + [
        .secret,
        Option(
          "budget", .required("N"),
          "How many orders are tried; 10000 unless given, 100 with components outside. With --generate, how many scenarios; 1000."
        ),
        Option(
          "delays", .required("N"),
          "Up to how many delays are tried everywhere; 2 unless given."),
        Option(
          "faults", .optional("NAME,...", suffix: nil),
          "Also injects the errors that operations declare; all, or those of these components and operations."
        ),
        Option(
          "silence", .optional("NAME,...", suffix: nil),
          "Also leaves calls without an answer; any, or those of these components and operations."),
        Option(
          "duplicates", .optional("NAME,...", suffix: nil),
          "Also delivers events twice; any, or these events and those of these components."),
        LiveComponents.option(
          "Calls these components, and serves the others from the transcript, in every order.",
          needsNames: true),
        Option(
          "crashes", .none,
          "Also ends the run after each line of its journal, as a crash does, and resumes it."),
        Option(
          "generate", .optional("NAME,...", suffix: nil),
          "Calls operations with drawn inputs behind the steps: all that reach nothing outside of flow, or those of these components and operations, for real."
        ),
        Option(
          "jobs", .required("N"),
          "How many orders run at once; 1 unless given. What is found does not depend on it."),
        Option(
          "seed", .required("NUMBER"), "Decides everything random; 0 unless given."),
        Option(
          "svg", .required("PATH"),
          "Draws the run that fails as a sequence diagram; replaces the file."),
        ExploreOptions.outputs.option(),
      ] + Permissions.options,
      details: """
        The components run on one thread and in virtual time. Wherever several tasks can go on, and before and after
        each call, flow decides which one does: first in the plain order, then with one delay anywhere, with two, and
        then by chance. What fails is shrunk to the fewest delays, told as a story, and recorded beside the scenario,
        as shop.transcript.explored.jsonl for shop.yaml.

        What leaves that thread is not controlled, and is named: an unstructured or a detached task, Task.sleep, an
        actor with an executor of its own. Components that keep their state outside of the process are run for real,
        as often as there are schedules, so that only 100 are tried unless --budget is given: explore with those that
        keep it in memory.

        --faults, --silence, --duplicates and --crashes let things go wrong besides, one at a time: a call fails with
        an error that its operation declares; it has no answer until a timeout ends it, or the run; a component or
        a step gets an event twice; the process is killed and its journal resumed.

        With --live=NAME the component of that name is called, and the answers of all others come from the transcript
        beside the scenario, early and late.

        With --generate, flow looks for calls after which a component is wrong: one of the scenario's invariants does
        not hold, or a call fails with an error that it does not declare. What it finds is shrunk to the fewest calls
        and written beside the scenario, as shop.generated.yaml, with its transcript. Components that reach files,
        servers, programs or databases are left out unless they are named: drawn calls of them are made for real.

        Exits with 0 when nothing failed, with 1 when something did.

          flow explore race.yaml
          flow explore race.yaml --live=cart
          flow explore race.yaml --faults=api --budget 100000
          flow explore shop.yaml --generate
        """)
  ) { (flow, arguments) throws(UsageError) in
    let options = try ExploreOptions(arguments)
    let secrets = try GivenSecrets(arguments, flow.process, flow.redactor)
    let scenario = arguments.operands[0]
    guard let plan = flow.plan(scenario, running: options.live.orAll) else { return .badInput }
    try options.check(plan)
    let generation = try GenerationOptions(arguments, plan, options.explorer)
    guard flow.canDraw(options) else { return .cannotWrite }
    if options.live != .none { return await flow.exploreRecorded(plan, options, secrets) }
    let texts = try secrets.inputs(options.inputs.texts, of: plan)
    guard let inputs = flow.inputs(of: plan, texts, options.inputs) else { return .badInput }
    if let generation {
      return await flow.generate(plan, inputs: inputs, generation, hiding: secrets)
    }
    return await flow.explore(plan, inputs: inputs, options, hiding: secrets)
  }
}
