private import CSystem

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A process that is no child of this one.
package enum OtherProcess {
  /// The parent of this process.
  package static var starter: Int32 { getppid() }

  /// Waits until a process is gone, and blocks its thread until then.
  ///
  /// Returns false if the system cannot watch the process.
  package static func waitForEnd(of process: Int32) -> Bool {
    let descriptor = watched(process)
    guard descriptor >= 0 else { return errno == ESRCH }
    defer { close(descriptor) }
    var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&event, 1, -1) < 0 {
      guard errno == EINTR else { return false }
    }
    return true
  }

  #if os(Linux)
    private static func watched(_ process: Int32) -> CInt { flow_open_process(process) }
  #else
    /// Returns a kqueue with the end of a process as its only event.
    private static func watched(_ process: Int32) -> CInt {
      let queue = kqueue()
      guard queue >= 0 else { return -1 }
      var event = unsafe kevent(
        ident: UInt(process), filter: Int16(EVFILT_PROC), flags: UInt16(EV_ADD | EV_ONESHOT),
        fflags: NOTE_EXIT, data: 0, udata: nil)
      if unsafe kevent(queue, &event, 1, nil, 0, nil) == 0 { return queue }
      let problem = errno
      close(queue)
      errno = problem
      return -1
    }
  #endif
}
