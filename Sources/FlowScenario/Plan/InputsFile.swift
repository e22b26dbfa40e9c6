internal import FlowCore
internal import FlowSystem
internal import FlowYAML

/// Values for the inputs of scenarios, from a YAML or JSON file with a mapping of names to values.
///
///     amount: 30.00
///     names: [Ann, Bob]
package struct InputsFile: Sendable {
  private static let largest = 16 << 20

  let file: String
  /// The names and values, in file order; not yet checked against the inputs of a scenario.
  private(set) var entries: [Node.Entry]

  /// Reads a file.
  ///
  /// - Throws: `ScenarioError` when it cannot be read, or is not a mapping.
  package init(reading file: String) throws(ScenarioError) {
    let codes: [DiagnosticCode: DiagnosticCode] = [
      .unreadableScenario: .unreadableInputs, .malformedYAML: .unreadableInputs,
      .malformedValue: .unreadableInputs,
    ]
    let diagnostics = DiagnosticCollector(file: file, codes: codes)
    let root = Self.root(of: file, diagnostics)
    if let root, root.kind != .mapping {
      diagnostics.add(root, is: "a file of inputs", not: "a mapping of names to values")
    }
    try diagnostics.throwIfAny()
    self.file = file
    entries = root.map { Array($0.entries) } ?? []
  }

  private static func root(of file: String, _ diagnostics: DiagnosticCollector) -> Node? {
    let bytes: [UInt8]
    do { bytes = try FileSystem.contents(of: file, limit: largest, allowsPipe: true) } catch {
      return diagnostics.reject(.unreadable("\(error)"), at: nil)
    }
    if diagnostics.rejectStranger(bytes, insteadOf: "a file of inputs") { return nil }
    do { return try Node(parsing: bytes, as: Format(ofFile: file)) } catch {
      return diagnostics.reject(.yaml(error.message), at: error.span)
    }
  }

  /// The same without what a scenario has no input for.
  package func only(for plan: Plan) -> InputsFile {
    var copy = self
    let known = Set(plan.inputs.map(\.name))
    copy.entries.removeAll { !known.contains($0.key.text) }
    return copy
  }

  /// Checks that one of several scenarios has each of the inputs that are given, as texts or in a file.
  ///
  /// - Throws: `ScenarioError` with every input that none has.
  package static func check(
    _ names: [String], _ file: InputsFile?, among plans: [Plan]
  ) throws(ScenarioError) {
    let diagnostics = DiagnosticCollector(file: file?.file ?? "")
    let inputs = plans.flatMap(\.inputs)
    let known = Set(inputs.map(\.name))
    let sorted = known.sorted()
    let secrets = Set(inputs.filter(\.isSecret).map(\.name)).sorted()
    for name in names where !known.contains(name) {
      diagnostics.add(.inputOfNone(name, among: sorted), at: nil)
    }
    for entry in file?.entries ?? [] where !known.contains(entry.key.text) {
      diagnostics.keep(misspelt: entry, among: secrets)
      diagnostics.add(.inputOfNone(entry.key.text, among: sorted), at: entry.key.span)
    }
    try diagnostics.throwIfAny()
  }
}

extension DiagnosticCollector {
  /// Hides the value of an entry whose name may be a misspelt secret: its line is quoted.
  func keep(misspelt entry: Node.Entry, among secrets: [String]) {
    let meant = Suggestion.nearest(to: entry.key.text, among: secrets).first
    if let meant { keep(secret: entry.value, of: meant) }
  }
}
