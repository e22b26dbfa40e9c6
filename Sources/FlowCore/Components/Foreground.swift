private import Synchronization

/// The streams of flow itself, lent to a program that a run starts, as `flow tape` does.
public final class Foreground: Sendable {
  private let last = Mutex<Int?>(nil)

  /// Streams that no program has used.
  package init() {}

  /// Notes that a program which had the streams has ended.
  ///
  /// - Parameter status: Its exit code, or 128 plus the number of the signal that ended it.
  public func note(status: Int) { last.withLock { $0 = status } }

  /// The status of the last program that had the streams, or nil before the first one.
  package var status: Int? { last.withLock(\.self) }
}
