internal import FlowCore
internal import FlowExplore
internal import FlowPlan
internal import FlowReport

/// The options of `flow explore`.
struct ExploreOptions: Sendable {
  static let outputs: [ReportFormat<ExplorationReport>] = [.text, .json]

  let inputs: GivenInputs
  /// The options repeated by the commands in advice.
  let repeated: RepeatedOptions
  let live: LiveComponents
  let seed: UInt64?
  /// The path of the drawing of a failing run, or nil for no drawing.
  let drawing: String?
  var explorer = ExplorationOptions()
  let output: ReportFormat<ExplorationReport>

  init(_ arguments: ParsedArguments) throws(UsageError) {
    inputs = try GivenInputs(arguments)
    repeated = RepeatedOptions(arguments)
    live = try LiveComponents(arguments)
    drawing = try arguments.only("svg")
    if live == .all { throw .malformed(option: "live", value: "", expected: "names of components") }
    output = try Self.outputs.chosen(by: arguments)
    seed = try arguments.only("seed", "a whole number from 0") { UInt64($0) }
    explorer.seed = seed ?? 0
    if live != .none && !(arguments.values("input") + arguments.values("inputs")).isEmpty {
      throw .conflict(option: "input", with: "live")
    }
    explorer.crashes = arguments.has("crashes")
    if explorer.crashes && live != .none { throw .conflict(option: "crashes", with: "live") }
    let budget = try arguments.whole("budget", 1...1_000_000_000)
    if let budget { (explorer.budget, explorer.outsideBudget) = (budget, budget) }
    explorer.jobs = try arguments.whole("jobs", 1...64) ?? 1
    explorer.maxDelays = try arguments.whole("delays", 0...10) ?? 2
    explorer.faults = try Self.names("faults", arguments)
    explorer.silence = try Self.names("silence", arguments)
    explorer.duplicates = try Self.names("duplicates", arguments)
  }

  /// Returns the names listed by an option, nil if it lists none and so means all, or an empty
  /// array without the option.
  private static func names(
    _ option: String, _ arguments: ParsedArguments
  ) throws(UsageError) -> Set<String>? {
    guard let names = try arguments.only(option) else { return [] }
    return names.isEmpty ? nil : Set(names.split(separator: ",").map(String.init))
  }

  /// Checks that the scenario has the components, operations and events to fail.
  func check(_ plan: Plan) throws(UsageError) {
    try live.check([plan])
    try plan.checkNames((explorer.faults ?? []).sorted(), of: "faults")
    try plan.checkNames((explorer.silence ?? []).sorted(), of: "silence")
    try plan.checkNames((explorer.duplicates ?? []).sorted(), of: "duplicates") {
      $0.events.map(\.name)
    }
  }
}

extension Plan {
  /// Checks that the components named by an option exist, and their operations or events.
  func checkNames(
    _ names: [String], of option: String,
    among members: (RegisteredPlugin) -> [String] = { $0.operations.map(\.name) }
  ) throws(UsageError) {
    for name in names {
      let component = name.componentName
      if componentNames.contains(component) {
        try checkMember(name, of: component, option, members)
        continue
      }
      throw .unknownComponent(
        component, option: option, known: Set(componentNames).sorted())
    }
  }

  private func checkMember(
    _ name: String, of component: String, _ option: String,
    _ members: (RegisteredPlugin) -> [String]
  ) throws(UsageError) {
    guard name != component else { return }
    let known = allComponents.filter { $0.name == component }
      .flatMap { members($0.plugin).map { "\(component).\($0)" } }
    if known.contains(name) { return }
    throw .malformed(
      option: option, value: name,
      expected: known.isEmpty
        ? "a name that '\(component)' has" : "one of " + Set(known).sorted().joined(separator: ", ")
    )
  }
}

extension LiveComponents {
  /// The same choice, or all components if none was made.
  var orAll: LiveComponents { self == .none ? .all : self }
}
