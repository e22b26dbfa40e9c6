internal import FlowCore
package import FlowPlan
internal import FlowSystem
internal import FlowYAML

/// Values for the inputs of scenarios, from a YAML or JSON file with a mapping of names to values,
/// or from a `.env` file.
///
///     amount: 30.00
///     names: [Ann, Bob]
package struct InputsFile: Sendable {
  private static let largest = 16 << 20

  let file: String
  /// The names and values in file order, not yet checked against the inputs of a scenario.
  private(set) var entries: [Node.Entry]
  /// The variables of a `.env` file, of which only those of inputs matter.
  private(set) var variables: [EnvironmentVariable] = []

  /// Reads a file.
  ///
  /// - Throws: `ScenarioError` when it cannot be read, or is not a mapping.
  package init(reading file: String) throws(ScenarioError) {
    self.file = file
    guard !EnvironmentFile.isNamed(file) else {
      entries = []
      variables = try Self.variables(of: file)
      return
    }
    let codes: [DiagnosticCode: DiagnosticCode] = [
      .unreadableScenario: .unreadableInputs, .malformedYAML: .unreadableInputs,
      .malformedValue: .unreadableInputs,
    ]
    let diagnostics = DiagnosticCollector(file: file, codes: codes)
    let root = Self.root(of: file, diagnostics)
    if let root, root.kind != .mapping {
      let expected = "a mapping of names to values"
      let isText = root.kind == .scalar && root.scalar != .null
      var problem = Problem.wrongKind(
        owner: "an inputs file", expected: expected, actual: isText ? "text" : root.kindPhrase)
      problem.notes = Self.advice(on: root)
      diagnostics.add(problem, at: root.span, showsLine: false)
    }
    try diagnostics.throwIfAny()
    entries = root.map { Array($0.entries) } ?? []
  }

  private static func variables(
    of file: String
  ) throws(ScenarioError) -> [EnvironmentVariable] {
    let diagnostics = DiagnosticCollector(
      file: file, codes: [.unreadableScenario: .unreadableInputs])
    var variables: [EnvironmentVariable] = []
    do {
      let bytes = try FileSystem.contents(of: file, limit: largest, allowsPipe: true)
      let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
      if let text = String(validating: text, as: UTF8.self) {
        do throws(EnvironmentFileError) {
          variables = try EnvironmentFile.variables(in: text)
        } catch {
          // The line may be a secret.
          diagnostics.add(.variable(error.reason), at: error.span, showsLine: false)
        }
      } else {
        diagnostics.add(.unreadable("the file is not UTF-8"), at: nil)
      }
    } catch { diagnostics.add(.unreadable("\(error)"), at: nil) }
    try diagnostics.throwIfAny()
    return variables
  }

  private static func root(of file: String, _ diagnostics: DiagnosticCollector) -> Node? {
    let bytes: [UInt8]
    do { bytes = try FileSystem.contents(of: file, limit: largest, allowsPipe: true) } catch {
      return diagnostics.reject(.unreadable("\(error)"), at: nil)
    }
    if diagnostics.rejectStranger(bytes, insteadOf: "an inputs file") { return nil }
    do { return try Node(parsing: bytes, as: Format(ofFile: file)) } catch {
      // Someone may have taken a file of variables for one of inputs, and no message repeats what is in it.
      diagnostics.add(.yaml(error.plainMessage), at: error.span, showsLine: false)
      return nil
    }
  }

  /// Returns advice for a file of environment variables.
  private static func advice(on root: Node) -> [String] {
    let isVariables = root.kind == .scalar && root.text.contains("=")
    return isVariables
      ? ["lines of 'NAME=VALUE' belong to a file named '.env', or with this ending"]
      : []
  }

  /// Returns the file without the entries that a scenario has no input for.
  package func only(for plan: Plan) -> InputsFile {
    var copy = self
    let known = Set(plan.inputs.map(\.name))
    copy.entries.removeAll { !known.contains($0.key.text) }
    copy.variables.removeAll { !known.contains($0.name) }
    return copy
  }

  /// Checks that every given input, as a string or in a file, belongs to at least one of several
  /// scenarios.
  ///
  /// - Throws: `ScenarioError` with every input that none has.
  package static func check(
    _ names: [String], _ file: InputsFile?, among plans: [Plan]
  ) throws(ScenarioError) {
    let diagnostics = DiagnosticCollector(file: file?.file ?? "")
    let inputs = plans.flatMap(\.inputs)
    let known = Set(inputs.map(\.name))
    let sorted = known.sorted()
    for name in names where !known.contains(name) {
      diagnostics.add(.inputOfNone(name, among: sorted), at: nil)
    }
    for entry in file?.entries ?? [] where !known.contains(entry.key.text) {
      diagnostics.add(
        .inputOfNone(entry.key.text, among: sorted), at: entry.key.span, showsLine: false)
    }
    // Other programs read the rest of the variables. One that is nearly an input is a mistake.
    for variable in file?.variables ?? [] where !known.contains(variable.name) {
      let problem = Problem.inputOfNone(variable.name, among: sorted)
      if problem.near.isEmpty { continue }
      diagnostics.add(problem, at: variable.span, showsLine: false)
    }
    try diagnostics.throwIfAny()
  }
}
