internal import FlowScenario

/// Which components are called themselves, instead of being served from a transcript.
enum LiveComponents: Sendable, Equatable {
  case none
  /// All of them.
  case all
  /// Those of these names; all others are absent.
  case named([String])

  static func option(_ summary: String, needsNames: Bool = false) -> Option {
    Option("live", needsNames ? .required("NAME,...") : .optional("NAME,...", suffix: nil), summary)
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

  /// Those of a scenario, or of one that it includes.
  func names(in plan: Plan) -> Set<String> {
    let known = Set(plan.componentNames)
    return switch self {
    case .none: []
    case .all: known
    case .named(let names): known.intersection(names)
    }
  }

  /// How a command that records a scenario anew names them: `--live=balance `, or nothing.
  func argument(for plan: Plan) -> String {
    switch self {
    case .none: ""
    case .all: "--live "
    case .named: "--live=\(names(in: plan).sorted().joined(separator: ",")) "
    }
  }

  /// Checks that one of these scenarios has each of the components.
  func check(_ plans: [Plan]) throws(UsageError) {
    guard case .named(let names) = self else { return }
    let known = plans.flatMap(\.componentNames)
    for name in names where !known.contains(name) {
      throw .unknownComponent(name, known: Set(known).sorted())
    }
  }
}
