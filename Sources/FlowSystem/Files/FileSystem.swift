#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// Whole files in and out, by POSIX calls: Foundation would double the start-up time.
package enum FileSystem {
  /// Returns the whole content of a regular file.
  ///
  /// With `allowsPipe` it may also be an open pipe, like `<(command)` in a shell or `/dev/stdin`,
  /// which can be read only once, to its end. A named pipe is not a file: opening it would wait for
  /// a writer that may never come.
  ///
  /// - Throws: `FileError` when it is missing, not a regular file, larger than `limit` bytes, or
  ///   the system refuses.
  package static func contents(
    of path: String, limit: Int, allowsPipe: Bool = false
  ) throws(FileError) -> [UInt8] {
    let allowsPipe = allowsPipe && isDescriptor(path)
    // Else opening a pipe waits for a writer, before it shows that it is one.
    let waiting = allowsPipe ? 0 : O_NONBLOCK
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | waiting)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    return try contents(ofOpen: descriptor, path, limit: limit, allowsPipe: allowsPipe)
  }

  /// The whole content of an open file, as above.
  static func contents(
    ofOpen descriptor: CInt, _ path: String, limit: Int, allowsPipe: Bool = false
  ) throws(FileError) -> [UInt8] {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw failure(path) }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG || (allowsPipe && kind == S_IFIFO) else {
      throw FileError(.notAFile, path: path)
    }
    guard status.st_size <= limit else { throw tooLarge(path, limit) }
    return try readAll(descriptor, path, expected: Int(status.st_size), limit: limit)
  }

  /// Reads standard input to its end, from the position at which the parent process left it.
  ///
  /// - Throws: `FileError` when it is more than `limit` bytes, or the system refuses.
  package static func standardInput(limit: Int) throws(FileError) -> [UInt8] {
    try readAll(0, "standard input", expected: 0, limit: limit)
  }

  /// Returns true if a path names a descriptor of this process.
  private static func isDescriptor(_ path: String) -> Bool {
    path == "/dev/stdin" || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/")
  }

  /// Writes a file whole or not at all, by a temporary file beside it that is then renamed.
  ///
  /// A link is followed if the user named the path, and replaced if flow did: the author of a
  /// project must not choose the file. An existing file keeps its mode. A new one is readable only
  /// by its owner if it is private.
  package static func replace(
    _ path: String, with bytes: [UInt8], followsLinks: Bool = true, isPrivate: Bool = false
  ) throws(FileError) {
    let file = try OutputFile(
      replacing: path, followsLinks: followsLinks, isPrivate: isPrivate)
    try file.append(bytes)
    try file.commit()
  }

  /// Returns the path without links and dots, or nil if nothing is there.
  package static func realPath(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Returns the path replaced by a write: the target of links, or the path itself while nothing is
  /// there.
  ///
  /// A link to nothing is itself replaced, so that no write leaves the intended folder.
  ///
  /// - Throws: `FileError` when it is a folder, a device, a pipe or a socket.
  static func replaceablePath(_ path: String) throws(FileError) -> String {
    var status = stat()
    guard let target = realPath(path) else {
      // The streams of a process have no path, as the pipe behind `/dev/stdout`.
      if unsafe stat(path, &status) == 0 {
        throw FileError(.notAFile, path: path, isWriting: true)
      }
      return path
    }
    guard unsafe stat(target, &status) == 0 else { throw failure(path, isWriting: true) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileError(.notAFile, path: path, isWriting: true)
    }
    return target
  }

  /// Returns true if the path itself is a link to anything, even with a slash at its end.
  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    // The system follows a link with a slash after it.
    return unsafe lstat(Path.plain(path), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Returns true if the path is a folder.
  package static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns true if the path is a regular file, or leads to one.
  package static func isFile(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Returns true if anything is at the path.
  package static func exists(_ path: String) -> Bool {
    unsafe access(path, F_OK) == 0
  }

  /// Returns true if the name is taken, even by a link to nothing, or if that cannot be determined.
  package static func isOccupied(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 || (errno != ENOENT && errno != ENOTDIR)
  }

  /// Writes all bytes to an open descriptor.
  ///
  /// Returns false when the system refuses, with `errno` set.
  package static func writeAll(_ descriptor: CInt, _ bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes { buffer in
      var offset = 0
      while offset < buffer.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[offset...])
        let count = unsafe write(descriptor, rest.baseAddress, rest.count)
        if count < 0 && errno == EINTR { continue }
        if count < 0 { return false }
        offset += count
      }
      return true
    }
  }

  private static func readAll(
    _ descriptor: CInt, _ path: String, expected: Int, limit: Int
  ) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      // One byte more than expected finds the end of an unchanged file in a single call.
      let capacity = bytes.isEmpty && expected > 0 ? expected + 1 : 65_536
      var count = 0
      let chunk = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
        count = unsafe read(descriptor, buffer.baseAddress, capacity)
        initialized = max(0, count)
      }
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN {
        // Whoever shares it does not want to wait.
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&ready, 1, -1)
        continue
      }
      guard count >= 0 else { throw failure(path) }
      if count == 0 { return bytes }
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
      guard bytes.count <= limit else { throw tooLarge(path, limit) }
    }
  }

  private static func tooLarge(_ path: String, _ limit: Int) -> FileError {
    FileError(.tooLarge, path: path, reason: "more than \(limit) bytes")
  }

  /// Returns the error of the last failed call, as the only reader of `errno`.
  static func failure(_ path: String, isWriting: Bool = false) -> FileError {
    let code = errno
    switch code {
    case ENOENT, ENOTDIR:
      let reason = !isWriting && isLink(path) ? "the target of the link does not exist" : ""
      return FileError(.missing, path: path, reason: reason, isWriting: isWriting)
    case EISDIR, ENXIO: return FileError(.notAFile, path: path, isWriting: isWriting)
    default:
      let reason = unsafe String(cString: strerror(code)).lowercased()
      return FileError(.unreadable, path: path, reason: reason, isWriting: isWriting)
    }
  }
}

extension FileSystem {
  /// Creates one of flow's own folders inside an existing one, unless it exists.
  ///
  /// - Throws: `FileError` when a link or a file is there, or the system refuses.
  package static func makeFolder(_ path: String) throws(FileError) {
    guard unsafe mkdir(path, 0o777) != 0 else { return }
    guard errno == EEXIST else { throw failure(path, isWriting: true) }
    guard !isLink(path) else {
      throw FileError(
        .unreadable, path: path,
        reason: "it is a link, but flow writes only into a real folder", isWriting: true)
    }
    guard isDirectory(path) else {
      throw FileError(.unreadable, path: path, reason: "it is not a folder", isWriting: true)
    }
  }

  /// Makes a folder the working directory of the whole process.
  ///
  /// - Throws: `FileError` when the system refuses.
  package static func enter(_ path: String) throws(FileError) {
    guard unsafe chdir(path) == 0 else { throw failure(path) }
  }

  /// Removes a file or a link, with a slash at its end, too.
  ///
  /// - Throws: `FileError` when the system refuses.
  package static func remove(_ path: String) throws(FileError) {
    guard unsafe unlink(Path.plain(path)) == 0 else {
      throw failure(path, isWriting: true).of(.remove)
    }
  }

  /// Waits until the content of a file, or the names in a folder, survive a power failure.
  ///
  /// A file or folder that does not support it is not an error: it is then no worse than any other
  /// file there, and nothing could be written to such a place otherwise.
  ///
  /// - Throws: `FileError` when it is missing or the disk fails.
  package static func sync(_ path: String) throws(FileError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      // A folder may be writable without being readable.
      if errno == EACCES && isDirectory(path) { return }
      let error = failure(path, isWriting: true)
      // The folder itself is missing, and not the folder around it.
      let reason = error.kind == .missing ? "no such folder" : error.reason
      throw FileError(error.kind, path: path, reason: reason, isWriting: true)
    }
    defer { close(descriptor) }
    // Some file systems cannot do it with folders, or at all: fsync(2).
    guard fsync(descriptor) == 0 || [EINVAL, ENOTSUP, ENOSYS].contains(errno) else {
      throw failure(path, isWriting: true)
    }
  }
}

/// The environment of the process: its streams, its variables, its machine.
extension FileSystem {
  /// Opens `/dev/null` on the closed ones of the three standard descriptors.
  ///
  /// Call it before any file is opened: the system assigns the lowest free number to a new file,
  /// and printed output would go into that file. It is opened for reading only, so that a write
  /// still fails and lost output is noticed.
  package static func openClosedStreams() {
    for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
      // All lower numbers are taken, so it gets this one, which stays open in child processes, too.
      _ = unsafe open("/dev/null", O_RDONLY)
    }
  }

  /// Makes a write to a closed pipe fail instead of ending the process in the middle of its work.
  package static func ignoreBrokenPipes() {
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// Ignores SIGUSR1 until something handles it, except in child processes of plugins.
  package static func ignoreUserSignal() {
    _ = signal(SIGUSR1, SIG_IGN)
  }

  /// Writes text to standard output.
  ///
  /// Returns false if it is lost. A reader that has gone away, as in `flow run x.yaml | head -1`,
  /// does not want the rest, so nothing is lost.
  package static func print(_ text: String) -> Bool {
    writeAll(STDOUT_FILENO, Array(text.utf8)) || errno == EPIPE
  }

  /// Writes text to standard error, or returns false if it is lost.
  @discardableResult
  package static func printError(_ text: String) -> Bool {
    writeAll(STDERR_FILENO, Array(text.utf8))
  }

  /// True if standard output is a terminal.
  package static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// The time since 1970 in UTC, by the system's wall clock.
  package static var wallClock: (seconds: Int, nanoseconds: Int) {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return (time.tv_sec, time.tv_nsec)
  }

  /// The number of online processors, at least 1.
  package static var coreCount: Int { max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }

  /// The machine's name, or empty if the system does not provide it.
  package static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Returns the value of an environment variable, or nil if it is not set.
  package static func environmentVariable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}

/// A failure to read or write a file.
public struct FileError: Error, Sendable, Hashable {
  /// The kind of failure, for a caller to act on.
  public enum Kind: Sendable, Hashable {
    /// The path does not exist.
    case missing
    /// The path leads out of the folder it must stay in, or no path is allowed.
    case forbidden
    /// The path is a folder or a device instead of a file.
    case notAFile
    /// The file is larger than the caller's limit.
    case tooLarge
    /// The system refused, for the given reason.
    case unreadable
  }

  /// The kind of failure.
  public let kind: Kind
  /// The path as it was asked for.
  public let path: String
  /// The reason in the system's words, possibly empty.
  public let reason: String
  /// The failed action.
  public private(set) var action: Action
  /// True if another attempt later may succeed, when another process holds the file or a server is
  /// down.
  package private(set) var isTemporary = false

  /// An action on files and folders.
  public enum Action: String, Sendable, Hashable {
    /// Reads a file, or the names in a folder.
    case read
    /// Writes a file, or makes a folder.
    case write
    /// Gives a file or a folder another path.
    case move
    /// Removes a file or a folder.
    case remove
  }

  /// A failure at a path.
  public init(_ kind: Kind, path: String, reason: String = "", isWriting: Bool = false) {
    self.kind = kind
    self.path = path
    self.reason = reason
    action = isWriting ? .write : .read
  }

  /// Creates the error of a file for writing that another process holds.
  package static func held(_ path: String, _ reason: String) -> FileError {
    var error = FileError(.unreadable, path: path, reason: reason, isWriting: true)
    error.isTemporary = true
    return error
  }

  /// Creates the error of a file that cannot be read at present.
  package static func temporary(_ path: String, _ reason: String) -> FileError {
    var error = FileError(.unreadable, path: path, reason: reason)
    error.isTemporary = true
    return error
  }

  /// True if the action was a change and not a read.
  public var isWriting: Bool { action != .read }

  /// Returns the failure of another action.
  public func of(_ action: Action) -> FileError {
    var copy = self
    copy.action = action
    return copy
  }
}

extension FileError: CustomStringConvertible {
  /// `cannot read 'x.yaml': no such file`.
  public var description: String {
    "cannot \(action.rawValue) '\(path.escaped)': " + problem
  }

  /// The missing folder in which something was to be written.
  private var missingFolder: String {
    let folder = Path.folder(of: path)
    return folder == "." ? "no such folder" : "there is no folder '\(folder.escaped)'"
  }

  private var problem: String {
    switch kind {
    case .missing where action == .write: reason.isEmpty ? missingFolder : reason
    case .missing: "no such file" + (reason.isEmpty ? "" : ", " + reason)
    case .forbidden: reason.isEmpty ? "the path is outside the scenario's folder" : reason
    case .notAFile: "not a file"
    case .tooLarge: "too large" + (reason.isEmpty ? "" : ", " + reason)
    case .unreadable: reason
    }
  }
}

extension FileSystem {
  /// Returns the first bytes of a regular file, or none if it is missing or the system refuses.
  package static func beginning(of path: String, atMost count: Int) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return []
    }
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = unsafe max(0, read(descriptor, buffer.baseAddress, count))
    }
  }
}
