/// What a component says of itself before one exists.
public struct Plugin: Sendable {
  /// Where a component keeps its state, which resuming a run needs to know.
  public enum State: String, Sendable {
    /// Nothing is kept from one operation to the next.
    case none
    /// In memory: gone with the process, rebuilt by repeating its recorded calls.
    case memory
    /// Outside of the process: a file, a server, a device.
    case external
  }

  /// The name in `plugin:` and `uses:`, lower case.
  public let name: String
  /// The plugin's version, compared with a transcript's.
  public let version: String
  /// What it does, one sentence.
  public let summary: String
  /// Where its state lives, unless `Component.state(for:)` says otherwise for some settings.
  public let state: State

  /// A plugin of this name.
  public init(_ name: String, version: String, summary: String, state: State = .memory) {
    self.name = name
    self.version = version
    self.summary = summary
    self.state = state
  }
}
