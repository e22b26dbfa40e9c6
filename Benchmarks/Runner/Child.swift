/// A measurement in a child process, which prints numbers with blanks between them.
///
/// It is a separate process because the peak of memory never falls. The names and the output stay
/// the same from commit to commit, so that two builds can be compared.
enum Child: String {
  case steps = "--steps"
  case explore = "--explore"
  case expression = "--expression"
  case yaml = "--yaml"
  case branches = "--branches"
  case database = "--database"

  struct Misuse: Error {}

  func measure(_ arguments: [String]) async throws {
    switch self {
    case .steps:
      guard arguments.count == 2, let size = Int(arguments[0]),
        let mode = StepsMode(rawValue: arguments[1])
      else { throw Misuse() }
      try await Steps.measure(size, mode)
    case .explore: try await Exploring.measure()
    case .expression: try Expressions.measure(arguments.first ?? "")
    case .yaml: try YAMLLoading.measure(isTree: arguments.first == "tree")
    case .database: try await DatabaseJournals.measure(arguments.first ?? "")
    case .branches: try await Branches.measure(arguments.first ?? "")
    }
  }
}
