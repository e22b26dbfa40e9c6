internal import FlowCore
internal import FlowRedaction
internal import FlowScenario

/// The inputs that a command was given: by `--input`, and by `--inputs` in a file.
struct GivenInputs: Sendable {
  static let options = [
    Option("input", .required("NAME=VALUE"), "Gives an input its value; can be repeated."),
    Option(
      "inputs", .required("FILE"),
      "Reads inputs from a YAML or JSON mapping; '--input' takes precedence."),
  ]

  private(set) var texts: [(name: String, text: String)]
  private let path: String?
  /// What the file says; nil without one, and before it is read.
  private(set) var file: InputsFile?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    var texts: [(name: String, text: String)] = []
    for text in arguments.values("input") {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        throw .malformed(option: "input", value: text, expected: "NAME=VALUE")
      }
      let name = String(parts[0])
      if texts.contains(where: { $0.name == name }) { throw .repeated(option: "input \(name)") }
      texts.append((name, String(parts[1])))
    }
    self.texts = texts
    path = try arguments.only("inputs")
  }

  /// Reads the file, if there is one.
  mutating func readFile() throws(ScenarioError) {
    file = try path.map { path throws(ScenarioError) in try InputsFile(reading: path) }
  }

  /// Checks that one of these scenarios has each of the inputs.
  func check(among plans: [Plan]) throws(ScenarioError) {
    try InputsFile.check(texts.map(\.name), file, among: plans)
  }

  /// Those for which a scenario has an input: of several scenarios each has others.
  func only(for plan: Plan) -> GivenInputs {
    var copy = self
    copy.texts.removeAll { text in !plan.inputs.contains { $0.name == text.name } }
    copy.file = file?.only(for: plan)
    return copy
  }

  /// The options that give a scenario the same inputs again, without secrets: ` --inputs staging.yaml --input by=3`.
  func options(for plan: Plan, _ redactor: Redactor) -> String {
    let secrets = Set(plan.inputs.filter(\.isSecret).map(\.name))
    let shown = only(for: plan).texts.filter { name, text in
      !secrets.contains(name) && redactor.redacted(text) == text
    }
    return (path.map { " --inputs \($0.shellWord)" } ?? "")
      + shown.map { " --input " + "\($0.name)=\($0.text)".shellWord }.joined()
  }

  /// The values of the inputs that are given.
  func values(for plan: Plan) throws(ScenarioError) -> [String: Value] {
    let inputs = only(for: plan)
    return try plan.givenValues(texts: inputs.texts, file: inputs.file)
  }
}
