internal import FlowCore
internal import FlowReport

extension ConsoleReport.Detail {
  static let options = [
    Option("quiet", .none, "Prints no lines for passed steps.", letter: "q"),
    Option(
      "verbose", .none,
      "Prints every call with its input and answer. -vv also prints events and waits.",
      letter: "v"),
  ]

  /// Creates the level of detail requested by the arguments.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    let count = arguments.values("verbose").count
    if count > 0, arguments.has("quiet") { throw .conflict(option: "quiet", with: "verbose") }
    self =
      switch count {
      case 0: arguments.has("quiet") ? .failures : .steps
      case 1: .calls
      default: .events
      }
  }
}

extension Array {
  /// Returns the option that chooses one of these outputs.
  ///
  /// The first is the default.
  func option<Subject>() -> Option where Element == ReportFormat<Subject> {
    let names = map(\.name)
    let choice = ["\(names[0]) (the default)"] + names.dropFirst()
    return Option(
      "format", .required("FORMAT"), "Prints \(choice.alternatives).", completion: .words(names))
  }

  /// Returns the output chosen by the arguments.
  func chosen<Subject>(
    by arguments: ParsedArguments
  ) throws(UsageError) -> ReportFormat<Subject> where Element == ReportFormat<Subject> {
    guard let name = try arguments.only("format") else { return self[0] }
    if let output = first(where: { $0.name == name }) { return output }
    throw .malformed(option: "format", value: name, expected: map(\.name).alternatives)
  }
}
