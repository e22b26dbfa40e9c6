internal import FlowSystem

/// A folder held open by this value.
public struct OpenFolder: Sendable {
  private let held: HeldFolder

  /// Its descriptor for names in the folder, which cannot be read on every system.
  public var descriptor: Int32 { held.descriptor }

  init(held: HeldFolder) { self.held = held }
}
