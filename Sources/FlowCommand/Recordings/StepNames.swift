internal import FlowCore
internal import FlowPlan
internal import FlowSystem
internal import FlowTranscript

/// The steps of `--as`: done steps of a journal that have other names in the scenario now.
struct StepNames: Sendable {
  static let option = Option(
    "as", .required("OLD=NEW"),
    "Takes the done calls of the step OLD for those of NEW in a changed scenario. Can be repeated.")

  /// The steps in the given order.
  let all: RenamedSteps

  /// Reads the options.
  ///
  /// - Throws: `UsageError` for a malformed option and for a step given twice.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    var all = RenamedSteps()
    for text in arguments.values("as") {
      let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, parts.allSatisfy(Self.isPath) else {
        throw .malformed(
          option: "as", value: text, expected: "OLD=NEW with two paths of steps, as pay=charge")
      }
      guard all.add(parts[0], as: parts[1]) else {
        throw .renamedStep(text, problem: "one of the steps is given twice")
      }
    }
    self.all = all
    if !all.isEmpty, arguments.has("force") { throw .conflict(option: "as", with: "force") }
  }

  private static func isPath(_ text: String) -> Bool {
    !text.isEmpty && !text.contains("#") && !text.hasPrefix("/") && !text.hasSuffix("/")
  }

  /// Returns a journal with the names of its steps in a scenario.
  ///
  /// - Throws: `UsageError` for a step that was not done, or is not in the scenario.
  func renaming(_ journal: Journal, in plan: Plan) throws(UsageError) -> Journal {
    do throws(RenamedStepError) { return try journal.renaming(all, in: plan) } catch {
      switch error {
      case .notDone(let old, let done):
        throw .renamedStep(
          old, problem: "the journal has no such step",
          near: Suggestion.nearest(to: old, among: done))
      case .unknown(let new):
        throw .renamedStep(new, problem: "the scenario has no such step")
      case .taken(let new):
        throw .renamedStep(new, problem: "the journal has calls of this step already")
      }
    }
  }
}
