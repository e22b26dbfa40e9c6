internal import FlowSystem

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// Wakes its owner when something changes in folders; what it is, the owner finds out.
///
/// Nothing is missed between two waits: the system keeps what happened meanwhile.
final class ChangeAlarm {
  /// An `inotify` on Linux, a `kqueue` on macOS.
  private let descriptor: CInt
  #if canImport(Darwin)
    /// What is open so that the system reports its changes, by path.
    private var watched: [String: CInt] = [:]
  #endif

  /// An alarm that watches nothing yet.
  ///
  /// - Throws: `FileError` when the system has none left.
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

  /// Wakes from now on when a folder has other entries, or one of its files has other content.
  ///
  /// Nothing happens where it is watched already, or gone. On macOS the files are watched one by one.
  ///
  /// - Throws: `FileError` when the system watches no more.
  func watch(folder: String, files: [String]) throws(FileError) {
    #if canImport(Darwin)
      for path in [folder] + files { try open(path) }
    #else
      let mask = IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE
      guard unsafe inotify_add_watch(descriptor, folder, UInt32(mask)) < 0 else { return }
      if errno == ENOENT || errno == ENOTDIR { return }
      // The system's words for its limit are those for a full disk.
      if errno == ENOSPC {
        throw FileError(.unreadable, path: folder, reason: "the system watches no more folders")
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
      // A file that was replaced has the same path, and is another one.
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

  /// What the last call that failed says.
  private static func failure(_ path: String) -> FileError {
    FileError(.unreadable, path: path, reason: unsafe String(cString: strerror(errno)).lowercased())
  }

  /// Waits for a change, for so many milliseconds or forever; false when there was none.
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

  /// Lets go of what was reported.
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
