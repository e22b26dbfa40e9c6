internal import FlowSystem

/// A folder held open by this value.
public struct OpenFolder: Sendable {
  private let held: HeldFolder

  /// Its descriptor for names in the folder, which cannot be read on every system.
  public var descriptor: Int32 { held.descriptor }

  init(held: HeldFolder) { self.held = held }

  /// Marks the folder as in use, until the mark is released or the process ends in any way.
  ///
  /// Returns nil if another process or another part of this one has marked it, and for a folder that
  /// cannot be read.
  public func mark() -> Mark? { FolderLock(alone: held).map { Mark(lock: $0) } }

  /// Keeps a folder marked as in use.
  public struct Mark: Sendable {
    fileprivate let lock: FolderLock

    /// Returns true for a folder of this user that has not changed for so many seconds.
    ///
    /// Nobody else has marked it, so a process that was killed has left it.
    public func isAbandoned(for seconds: Int) -> Bool { lock.isOwn(unchangedFor: seconds) }
  }
}
