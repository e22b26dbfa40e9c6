extension Catalog {
  /// Where the items come from.
  public struct Settings: Sendable {
    /// The path of a YAML or JSON file below the scenario's folder.
    public var file: String
  }
}
