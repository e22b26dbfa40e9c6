internal import FlowCore
internal import FlowPlan
internal import FlowRedaction
internal import FlowScenario

/// The inputs of a command, given by `--input`, and by `--inputs` in a file.
struct GivenInputs: Sendable {
  static let options = [
    Option(
      "input", .required("NAME=VALUE"), "Sets an input. Can be repeated.", completion: .inputs),
    Option(
      "inputs", .required("FILE"),
      "Reads inputs from a YAML, JSON or .env file. '--input' takes precedence."),
  ]

  private(set) var texts: [(name: String, text: String)]
  private let path: String?
  /// The content of the file, or nil without a file and before it is read.
  private(set) var file: InputsFile?

  /// Creates no inputs.
  init() { (texts, path) = ([], nil) }

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

  /// Sets an input, in place of a given value.
  mutating func set(_ name: String, to text: String) {
    texts.removeAll { $0.name == name }
    texts.append((name, text))
  }

  /// Reads the file if one is given.
  mutating func readFile() throws(ScenarioError) {
    file = try path.map { path throws(ScenarioError) in try InputsFile(reading: path) }
  }

  /// Checks that each of the inputs exists in at least one of these scenarios.
  func check(among plans: [Plan]) throws(ScenarioError) {
    try InputsFile.check(texts.map(\.name), file, among: plans)
  }

  /// Returns the inputs known to a scenario.
  ///
  /// Each of several scenarios has other inputs.
  func only(for plan: Plan) -> GivenInputs {
    var copy = self
    copy.texts.removeAll { text in !plan.inputs.contains { $0.name == text.name } }
    copy.file = file?.only(for: plan)
    return copy
  }

  /// Returns the options for the same inputs of a scenario, without secrets: ` --inputs
  /// staging.yaml --input by=3`.
  func options(for plan: Plan, _ redactor: Redactor) -> String {
    let secrets = Set(plan.inputs.filter(\.isSecret).map(\.name))
    let shown = only(for: plan).texts.filter { name, text in
      !secrets.contains(name) && redactor.redacted(text) == text
    }
    return (path.map { " --inputs \($0.shellWord)" } ?? "")
      + shown.map { " --input " + "\($0.name)=\($0.text)".shellWord }.joined()
  }

  /// Returns the values of the given inputs.
  func values(for plan: Plan) throws(ScenarioError) -> [String: Value] {
    let inputs = only(for: plan)
    return try plan.givenValues(texts: inputs.texts, file: inputs.file)
  }
}
