internal import FlowPlan

/// The components to call, instead of serving their answers from a transcript.
enum LiveComponents: Sendable, Equatable {
  case none
  /// All components.
  case all
  /// The components of these names.
  ///
  /// All others are absent.
  case named([String])

  static func option(_ summary: String, needsNames: Bool = false) -> Option {
    Option(
      "live", needsNames ? .required("NAME,...") : .optional("NAME,...", suffix: nil), summary,
      completion: .components)
  }

  init(_ arguments: ParsedArguments) throws(UsageError) {
    guard let text = try arguments.only("live") else {
      self = .none
      return
    }
    if text.isEmpty {
      self = .all
      return
    }
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if names.contains("") {
      throw .malformed(option: "live", value: text, expected: "names of components")
    }
    self = .named(names)
  }

  /// Returns the components of a scenario, and of its included scenarios, that a test calls: these,
  /// and the ones declared `live: true`.
  func names(in plan: Plan) -> Set<String> { chosen(in: plan).union(plan.liveNames) }

  /// Returns the components of a scenario that these are, without those declared `live: true`.
  func chosen(in plan: Plan) -> Set<String> {
    let known = Set(plan.componentNames)
    return switch self {
    case .none: []
    case .all: known
    case .named(let names): known.intersection(names)
    }
  }

  /// Returns the option for a command that records a scenario again: `--live=balance `, or an empty
  /// string.
  func argument(for plan: Plan) -> String {
    switch self {
    case .none: ""
    case .all: "--live "
    case .named: "--live=\(chosen(in: plan).sorted().joined(separator: ",")) "
    }
  }

  /// Checks that each of the components exists in at least one of these scenarios.
  func check(_ plans: [Plan]) throws(UsageError) {
    guard case .named(let names) = self else { return }
    let known = plans.flatMap(\.componentNames)
    for name in names where !known.contains(name) {
      throw .unknownComponent(name, known: Set(known).sorted())
    }
  }
}
