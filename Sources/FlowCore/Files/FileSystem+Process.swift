#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// What the process was started with: its streams, its variables, its machine.
extension FileSystem {
  /// Opens `/dev/null` on those of the three standard descriptors that are closed.
  ///
  /// Call it before any file is opened: the system gives a new file the lowest free number, and what is
  /// printed would go into that file. It is opened for reading alone, so that a write still fails and
  /// lost output is still noticed.
  package static func openClosedStreams() {
    for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
      // All lower numbers are taken, so it gets this one; it stays open in child processes, too.
      _ = unsafe open("/dev/null", O_RDONLY)
    }
  }

  /// Lets a write to a closed pipe fail instead of ending the process in the middle of its work.
  package static func ignoreBrokenPipes() {
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// Writes text to standard output; false when it is lost.
  ///
  /// A reader that has gone away, as in `flow run x.yaml | head -1`, wants no more, so for it nothing
  /// is lost.
  package static func print(_ text: String) -> Bool {
    writeAll(STDOUT_FILENO, Array(text.utf8)) || errno == EPIPE
  }

  /// Writes text to standard error; there is nobody left to tell when that fails.
  package static func printError(_ text: String) {
    _ = writeAll(STDERR_FILENO, Array(text.utf8))
  }

  /// Whether standard output is a terminal.
  package static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// How many processors are in use, 1 or more.
  package static var coreCount: Int { max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }

  /// The value of an environment variable; nil when it is not set.
  package static func environmentVariable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}
