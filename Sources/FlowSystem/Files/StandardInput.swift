#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

extension FileSystem {
  /// True if standard input is a terminal.
  package static var isInputTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// Returns the next bytes of standard input, or nil at its end.
  ///
  /// It blocks until there are any.
  package static func nextInput() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
      if count > 0 { return Array(bytes.prefix(count)) }
      if count == 0 || errno != EINTR { return nil }
    }
  }
}
