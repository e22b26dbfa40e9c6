private import Synchronization

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The terminal that the process was started on, as far as its standard error is one.
package enum Terminal {
  /// True if standard error is a terminal.
  package static var isOnErrors: Bool { isatty(STDERR_FILENO) == 1 }

  /// True if standard output is the same terminal.
  package static var hasOutput: Bool {
    guard isatty(STDOUT_FILENO) == 1, isOnErrors else { return false }
    var (output, errors) = (stat(), stat())
    guard unsafe fstat(STDOUT_FILENO, &output) == 0, unsafe fstat(STDERR_FILENO, &errors) == 0
    else { return false }
    return output.st_rdev == errors.st_rdev
  }

  /// True if standard output is a pipe.
  package static var hasPipedOutput: Bool {
    var output = stat()
    return unsafe fstat(STDOUT_FILENO, &output) == 0 && output.st_mode & S_IFMT == S_IFIFO
  }

  /// True if the process is the foreground job of the terminal, or if there are no jobs.
  package static var isInForeground: Bool {
    let group = tcgetpgrp(STDERR_FILENO)
    return group < 0 || group == getpgrp()
  }

  /// The size of its window in cells, or nil if the system does not know it.
  package static var size: (columns: Int, rows: Int)? {
    var window = winsize()
    guard unsafe ioctl(STDERR_FILENO, numericCast(TIOCGWINSZ), &window) == 0, window.ws_col > 0,
      window.ws_row > 0
    else { return nil }
    return (Int(window.ws_col), Int(window.ws_row))
  }

  /// Writes text to it in one call, as much as the system accepts at once.
  ///
  /// Returns false if it is lost.
  package static func write(_ text: String) -> Bool { FileSystem.printError(text) }
}

/// The keys pressed on the terminal of standard input, one by one and without an echo.
///
/// Ctrl-C and the other keys for signals still work.
package final class TerminalKeys: Sendable {
  /// The terminal's original mode, or nil while it is unchanged.
  private let before = Mutex<termios?>(nil)

  /// Creates the keys without reading any.
  package init() {}

  /// Starts to take the keys, also when the process continues after it was stopped.
  package func take() {
    before.withLock { before in
      var mode = termios()
      guard Self.isInForeground, unsafe tcgetattr(STDIN_FILENO, &mode) == 0 else { return }
      if before == nil { before = mode }
      mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
      _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &mode)
    }
  }

  /// Puts the terminal's mode back.
  package func release() {
    before.withLock { before in
      // From the background the system would stop the process.
      if var mode = before, Self.isInForeground {
        _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &mode)
      }
      before = nil
    }
  }

  /// Returns the keys pressed since, without waiting for one.
  package func pressed() -> [UInt8] {
    guard before.withLock({ $0 != nil }) else { return [] }
    var ready = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&ready, 1, 0) > 0, ready.revents & Int16(POLLIN) != 0, Self.isInForeground
    else { return [] }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }

  private static var isInForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }
}

/// A colour or a weight of text on a terminal: a parameter of ECMA-48's SGR.
package enum Paint: String, Sendable {
  case bold = "1"
  case dim = "2"
  case red = "31"
  case green = "32"
  case boldRed = "1;31"
  case boldYellow = "1;33"
  case boldCyan = "1;36"
}

extension String {
  /// Returns the string in a colour or weight, if colours are shown.
  package func painted(_ paint: Paint, if hasColors: Bool) -> String {
    hasColors ? "\u{1B}[\(paint.rawValue)m\(self)\u{1B}[0m" : self
  }
}
