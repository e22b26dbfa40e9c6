internal import FlowCore
public import FlowPlan
internal import FlowSystem
internal import FlowYAML

/// The losses that a change of tests is meant to have, each with its reason.
///
///     losses:
///       - scenario: orders.yaml
///         value: api.get, ok.json.currency
///         reason: The service does not send it any more.
public struct AcceptedLosses: Sendable {
  /// A value that a scenario need not check any more.
  public struct Loss: Sendable, Hashable {
    /// The path of the scenario, relative to the project's folder.
    public let scenario: String
    /// The value as a report names it, such as `api.get, ok.json.currency`.
    public let value: String
    /// Why nothing has to check it.
    public let reason: String
  }

  /// The name of the file in a project's folder.
  public static let name = "accepted-losses.yaml"
  private static let largest = 1 << 20

  /// The losses in file order.
  public let losses: [Loss]

  /// Creates no losses.
  public init() { losses = [] }

  /// Reads the file.
  ///
  /// - Throws: `ScenarioError` with every problem of the file, in file order.
  public init(reading file: String) throws(ScenarioError) {
    let bytes: [UInt8]
    do { bytes = try FileSystem.contents(of: file, limit: Self.largest) } catch {
      let diagnostics = DiagnosticCollector(file: file, codes: ProjectFile.codes)
      diagnostics.add(.unreadable("\(error)"), at: nil)
      throw ScenarioError(diagnostics: diagnostics.all)
    }
    try self.init(file: file, bytes: bytes)
  }

  /// Reads the text of a file.
  ///
  /// - Throws: `ScenarioError` with every problem of the file, in file order.
  public init(file: String, bytes: [UInt8]) throws(ScenarioError) {
    let diagnostics = DiagnosticCollector(file: file, codes: ProjectFile.codes)
    let root: Node
    do { root = try Node(parsing: bytes) } catch {
      diagnostics.add(.yaml(error.message), at: error.span)
      throw ScenarioError(diagnostics: diagnostics.all)
    }
    losses = Self.read(root, diagnostics)
    try diagnostics.throwIfAny()
  }

  private static func read(_ root: Node, _ diagnostics: DiagnosticCollector) -> [Loss] {
    guard
      let reader = MappingReader(
        root, owner: "a file of accepted losses", keys: KeySet.acceptedLosses.names, diagnostics),
      reader.required("losses") != nil
    else { return [] }
    return reader.items("losses").compactMap { node in
      guard
        let entry = MappingReader(
          node, owner: "an entry of 'losses'", keys: KeySet.acceptedLoss.names, diagnostics),
        let scenario = entry.requiredText("scenario"), let value = entry.requiredText("value"),
        let reason = entry.requiredText("reason")
      else { return nil }
      if reason.text.allSatisfy(\.isWhitespace) {
        diagnostics.add(.empty("'reason' of an entry of 'losses'"), at: reason.span)
      }
      return Loss(scenario: scenario.text, value: value.text, reason: reason.text)
    }
  }
}

extension KeySet {
  /// The keys of a file of accepted losses.
  static let acceptedLosses = KeySet([
    Key("losses", "The accepted losses.", .list(.keys(.acceptedLoss)), isRequired: true)
  ])

  /// The keys of an accepted loss.
  static let acceptedLoss = KeySet([
    Key("scenario", "The path of the scenario.", .text, isRequired: true),
    Key("value", "The value that need not be checked.", .text, isRequired: true),
    Key("reason", "Why nothing has to check it.", .text, isRequired: true),
  ])
}
