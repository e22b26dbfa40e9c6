#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The streams and variables that the process was started with.
extension FileSystem {
  /// Writes text to standard output; false when nobody reads it any more.
  @discardableResult
  package static func print(_ text: String) -> Bool { writeAll(STDOUT_FILENO, Array(text.utf8)) }

  /// Writes text to standard error; false when nobody reads it any more.
  @discardableResult
  package static func printError(_ text: String) -> Bool {
    writeAll(STDERR_FILENO, Array(text.utf8))
  }

  /// Whether standard output is a terminal.
  package static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// The value of an environment variable; nil when it is not set.
  package static func environmentVariable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}
