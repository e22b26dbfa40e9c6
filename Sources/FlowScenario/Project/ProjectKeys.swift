internal import FlowCore

/// The keys of project files.
extension KeySet {
  /// The keys of a project file.
  package static let project = KeySet([
    Key("flow", "The version of the format.", .version, isRequired: true),
    Key("scenarios", "The files and folders of scenarios.", .list(.text, mayBeEmpty: false)),
    Key("exclude", "The files and folders that are left out.", .list(.text)),
    Key(
      "update", "The transcripts that 'flow test' writes.",
      .words(UpdateMode.allCases.map(\.rawValue))),
    Key("jobs", "The number of scenarios that run at once.", .whole(ProjectFile.jobs)),
    Key(
      "at-once", "The most scenarios at once that use a live component.",
      .entries(.whole(ProjectFile.jobs))),
    Key("report", "The output of 'flow test'.", .keys(.report)),
    Key("mutate", "The demands on 'flow mutate'.", .keys(.mutation)),
    Key("redact", "Regular expressions, whose matches are hidden in all output.", .list(.text)),
    Key(
      "deny", "The kinds of access denied to every run.",
      .list(.words(Reach.allCases.map(\.rawValue)))),
    Key("allow-host", "The hosts open to components.", .list(.text, mayBeEmpty: false)),
    Key("live", "The components that tests always call.", .list(.keys(.liveRule))),
    Key("state", "The scenarios of the state that live runs start from.", .keys(.state)),
    Key("plugins", "The plugins that the project declares.", .entries(.declaredPlugin)),
  ])

  /// The keys of the output of tests.
  package static let report = KeySet([
    Key("format", "The output of a suite.", .format),
    Key("quiet", "True to print no line for a scenario that passed.", .flag),
    Key("contract", "The required shares of covered parts, in percent.", .keys(.thresholds)),
  ])

  /// The kinds of parts of services' descriptions.
  package static let thresholds = KeySet(
    ContractPart.Kind.allCases.map {
      Key($0.rawValue, "The required share of covered parts of this kind.", .number(0...100))
    })

  /// The keys of the demands on mutated scenarios.
  package static let mutation = KeySet([
    Key("at_least", "The share of alterations that all scenarios must notice.", .percentage)
  ])

  /// The keys of the state that live runs start from.
  package static let state = KeySet([
    Key("make", "The scenario that makes the state, once for a command.", .text, isRequired: true),
    Key(
      "restore", "The scenario that restores the state before each live run.", .text,
      isRequired: true),
    Key("tag", "A tag of the scenarios that start from it.", .text),
  ])

  /// The keys of a rule for live components.
  package static let liveRule = KeySet(
    [
      Key("scenario", "The scenario or folder of scenarios.", .text),
      Key("tag", "A tag of the scenarios.", .text),
      Key(
        "components", "The names of the components.", .list(.text, mayBeEmpty: false),
        isRequired: true),
    ], oneOf: [["scenario"], ["tag"]])
}
