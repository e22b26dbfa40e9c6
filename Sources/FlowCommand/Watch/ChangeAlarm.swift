internal import FlowSystem

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// An alarm for changes in folders.
///
/// Its owner finds out what has changed.
///
/// No change is missed between two waits, because the system keeps the events.
final class ChangeAlarm {
  /// The descriptor of `inotify` on Linux, or of `kqueue` on macOS.
  private let descriptor: CInt
  #if canImport(Darwin)
    /// The open files observed by the system, by path.
    private var watched: [String: CInt] = [:]
  #endif

  /// Creates an alarm that watches nothing yet.
  ///
  /// - Throws: `FileError` if the system has no more of them.
  init() throws(FileError) {
    #if canImport(Darwin)
      descriptor = kqueue()
    #else
      descriptor = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
    #endif
    guard descriptor >= 0 else { throw Self.failure(".") }
  }

  deinit {
    #if canImport(Darwin)
      for file in watched.values { close(file) }
    #endif
    close(descriptor)
  }

  /// Watches a folder for changes of its entries, and of the content of its files.
  ///
  /// Does nothing for a folder that is already watched, or deleted. On macOS the files are watched
  /// one by one.
  ///
  /// - Throws: `FileError` if the system cannot watch more folders.
  func watch(folder: String, files: [String]) throws(FileError) {
    #if canImport(Darwin)
      for path in [folder] + files { try open(path) }
    #else
      let mask = IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE
      guard unsafe inotify_add_watch(descriptor, folder, UInt32(mask)) < 0 else { return }
      if errno == ENOENT || errno == ENOTDIR { return }
      // The system reports its limit as a full disk.
      if errno == ENOSPC {
        throw FileError(.unreadable, path: folder, reason: "the system cannot watch more folders")
      }
      throw Self.failure(folder)
    #endif
  }

  #if canImport(Darwin)
    private func open(_ path: String) throws(FileError) {
      let file = unsafe Darwin.open(path, O_EVTONLY | O_CLOEXEC)
      guard file >= 0 else {
        if errno == ENOENT || errno == ENOTDIR { return }
        throw Self.failure(path)
      }
      // After a replacement another file has the same path.
      if let old = watched.updateValue(file, forKey: path) { close(old) }
      let changes = NOTE_WRITE | NOTE_EXTEND | NOTE_DELETE | NOTE_RENAME
      var event = unsafe kevent(
        ident: UInt(file), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
        fflags: UInt32(changes), data: 0, udata: nil)
      guard unsafe kevent(descriptor, &event, 1, nil, 0, nil) == 0 else {
        throw Self.failure(path)
      }
    }
  #endif

  /// Returns the error of the last failed system call.
  private static func failure(_ path: String) -> FileError {
    FileError(.unreadable, path: path, reason: unsafe String(cString: strerror(errno)).lowercased())
  }

  /// Waits for a change, for a number of milliseconds or forever.
  ///
  /// False if the time ran out.
  func wait(milliseconds: CInt? = nil) -> Bool {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let count = unsafe poll(&ready, 1, milliseconds ?? -1)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      takeEvents()
      return true
    }
  }

  /// Removes the reported events.
  private func takeEvents() {
    #if canImport(Darwin)
      var events = unsafe [kevent](repeating: kevent(), count: 64)
      var none = timespec()
      while unsafe kevent(descriptor, nil, 0, &events, CInt(events.count), &none) == 64 {}
    #else
      var bytes = [UInt8](repeating: 0, count: 1 << 14)
      while unsafe read(descriptor, &bytes, bytes.count) > 0 {}
    #endif
  }
}
