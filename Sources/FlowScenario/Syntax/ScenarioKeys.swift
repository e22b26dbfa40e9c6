internal import FlowPlan

/// The keys of the envelope.
extension KeySet {
  /// The keys of a scenario.
  package static let scenario = KeySet([
    Key("flow", "The version of the format.", .version, isRequired: true),
    Key("name", "The name in reports.", .text),
    Key("description", "The purpose of the scenario.", .text),
    Key("tags", "Words by which commands select scenarios.", .list(.text)),
    Key("inputs", "The values that the caller may give.", .names(.keys(.input))),
    Key("components", "The components that the steps talk to.", .names(.keys(.component))),
    Key("trials", "How often the scenario runs where something is live.", .keys(.trials)),
    Key("invariants", "Steps that check after every step what must always hold.", .list(.step)),
    Key("steps", "The steps, in order.", .list(.step), isRequired: true),
    Key("finally", "Steps that run in any case, after the others.", .list(.step)),
    Key("outputs", "The values that the caller gets.", .names(.value)),
  ])

  /// The keys of an input's declaration.
  package static let input = KeySet([
    Key("type", "The type of the input.", .type, isRequired: true),
    Key("default", "The value if none is given. Without it the input is required.", .typed),
    Key("description", "The meaning of the input.", .text),
    Key("secret", "True to hide the value in everything that a run writes.", .flag),
  ])

  /// The keys of the trials of a scenario.
  package static let trials = KeySet([
    Key(
      "runs", "The number of runs at most.", .whole(PlannedTrials.counts), isRequired: true),
    Key(
      "pass", "The number of runs that must pass.", .whole(PlannedTrials.counts),
      isRequired: true),
    Key(
      "limit",
      "A condition on 'usage', what the calls of all runs have used. If it is false, no further run starts.",
      .expression),
  ])

  /// The keys of a component's declaration.
  package static let component = KeySet([
    Key(
      "plugin", "The plugin of the component, one of those that 'flow list' prints.", .plugin,
      isRequired: true),
    Key("with", "The settings of the component.", .settings),
    Key("using", "The components in the roles of this one.", .ofPlugin(.roles)),
    Key(
      "optional", "Calls of its roles that it may leave out or repeat.",
      .list(.ofPlugin(.roleCall))),
    Key(
      "volatile", "The parts of answers that differ from run to run, by operation.",
      .ofPlugin(.answers)),
    Key(
      "varies", "The parts of its calls of others that differ from run to run, by call.",
      .ofPlugin(.varyingCalls(.varyingCallFromOutside))),
    Key("compare_headers", "The headers that a live run compares in any case.", .list(.text)),
    Key("live", "True if tests always call the component.", .flag),
    Key(
      "restart", "'never' if 'flow mutate' keeps its programs, which a step resets.",
      .words(["never"])),
  ])

  /// The keys of a call whose parts vary.
  package static let varyingCall = KeySet([
    Key(
      "same", "Parts of the input that are equal where the recorded ones are equal.",
      .list(.text)),
    Key("any", "Parts of the input with any value of their type.", .list(.text)),
    Key("unordered", "Lists in the input whose elements come in any order.", .list(.text)),
    Key("answer", "Parts of the answer that differ from run to run.", .list(.text)),
  ])

  /// The keys of a call from outside, such as a request of a program, whose parts vary.
  package static let varyingCallFromOutside = KeySet(
    varyingCall.keys + [Key("order", "'any' for calls in any order.", .words(["any"]))])
}
