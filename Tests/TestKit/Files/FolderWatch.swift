private import Foundation

/// A watch on the files of a folder, for a program that changes them.
///
/// No change since its creation is missed, because the system keeps the events.
package final class FolderWatch: Sendable {
  #if os(Linux)
    /// The descriptor of `inotify`.
    private let descriptor: Int32
  #endif

  /// Starts to watch a folder.
  package init(_ folder: TemporaryFolder) throws {
    #if os(Linux)
      descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
      let mask = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO)
      guard unsafe inotify_add_watch(descriptor, folder.path(""), mask) >= 0 else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
    #endif
  }

  deinit {
    #if os(Linux)
      close(descriptor)
    #endif
  }

  /// Waits for a change in the folder, or for the end of a process.
  package func wait(orEndOf process: ChildProcess) {
    #if os(Linux)
      process.wait(orFor: descriptor)
      var events = [UInt8](repeating: 0, count: 1 << 14)
      while unsafe read(descriptor, &events, events.count) > 0 {}
    #else
      // The system reports no change of a file that does not exist yet.
      process.wait(atMost: 1)
    #endif
  }
}
