#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The names of signals, as in `kill -l`.
enum SignalName {
  /// Returns the name of a signal, or `SIG34` for one without a name.
  static func of(_ number: Int32) -> String { "SIG" + (names[number] ?? "\(number)") }

  /// Returns the number of a signal named `HUP` or `SIGHUP`.
  ///
  /// - Throws: `.invalid` for any other name.
  static func number(of name: String) throws(ProcessError) -> Int32 {
    let short = name.hasPrefix("SIG") ? String(name.dropFirst(3)) : name
    guard let entry = names.first(where: { $0.value == short }) else {
      throw .invalid("'\(name)' is not a signal; give one such as HUP, INT, TERM or USR1")
    }
    return entry.key
  }

  private static let names: [Int32: String] = [
    SIGHUP: "HUP", SIGINT: "INT", SIGQUIT: "QUIT", SIGILL: "ILL", SIGTRAP: "TRAP", SIGABRT: "ABRT",
    SIGBUS: "BUS", SIGFPE: "FPE", SIGKILL: "KILL", SIGUSR1: "USR1", SIGSEGV: "SEGV",
    SIGUSR2: "USR2", SIGPIPE: "PIPE", SIGALRM: "ALRM", SIGTERM: "TERM", SIGCHLD: "CHLD",
    SIGCONT: "CONT", SIGSTOP: "STOP", SIGTSTP: "TSTP", SIGTTIN: "TTIN", SIGTTOU: "TTOU",
    SIGURG: "URG", SIGXCPU: "XCPU", SIGXFSZ: "XFSZ", SIGVTALRM: "VTALRM", SIGPROF: "PROF",
    SIGWINCH: "WINCH", SIGIO: "IO", SIGSYS: "SYS",
  ]
}
