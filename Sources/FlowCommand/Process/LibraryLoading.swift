internal import Dispatch

/// The libraries of the system that components load while a scenario is still read.
enum LibraryLoading {
  private static let group = DispatchGroup()

  /// Does the work of a plugin on another thread.
  static func begin(_ work: @escaping @Sendable () -> Void) {
    DispatchQueue.global().async(group: group) { work() }
  }

  /// Returns when nothing is being loaded, since no library may be set up while the process ends.
  static func finish() { group.wait() }
}
