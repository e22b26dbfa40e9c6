internal import FlowSystem

/// The result of a command for the calling process.
///
/// The numbers above 60 are from `sysexits.h`.
public struct ExitCode: RawRepresentable, Sendable, Hashable {
  /// The number for the calling process.
  public let rawValue: Int32

  /// The code of a number, such as that of a program under `flow tape`.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// Everything passed.
  public static let passed = ExitCode(rawValue: 0)
  /// A scenario failed.
  public static let failed = ExitCode(rawValue: 1)
  /// The command line is wrong (`EX_USAGE`).
  public static let badCommandLine = ExitCode(rawValue: 64)
  /// A scenario, its inputs or a transcript cannot be used (`EX_DATAERR`).
  public static let badInput = ExitCode(rawValue: 65)
  /// An internal error of flow (`EX_SOFTWARE`).
  public static let internalError = ExitCode(rawValue: 70)
  /// A file could not be written (`EX_CANTCREAT`).
  public static let cannotWrite = ExitCode(rawValue: 73)
  /// Another process holds the journal, or a component cannot be opened again (`EX_TEMPFAIL`).
  ///
  /// Trying again later may help.
  public static let busy = ExitCode(rawValue: 75)
  /// The run was stopped by `SIGHUP`, such as by a closed terminal.
  ///
  /// This number and the next two are 128 plus the number of the signal, as in shells.
  public static let hungUp = ExitCode(rawValue: 129)
  /// The run was interrupted by `SIGINT`, such as by Ctrl-C.
  public static let interrupted = ExitCode(rawValue: 130)
  /// The run was stopped by `SIGTERM`.
  public static let terminated = ExitCode(rawValue: 143)

  /// One of flow's own codes, or nil.
  init?(known number: Int32) {
    guard Self.meanings.contains(where: { $0.code.rawValue == number }) else { return nil }
    self.init(rawValue: number)
  }

  /// The meaning of each code, as listed in help and on the manual page.
  static let meanings: [(code: ExitCode, meaning: String)] = [
    (.passed, "passed"), (.failed, "a scenario failed"), (.badCommandLine, "bad command line"),
    (.badInput, "bad scenario or transcript"), (.internalError, "an internal error of flow"),
    (.cannotWrite, "a file cannot be written"),
    (.busy, "a run with a journal cannot continue yet"),
    (.hungUp, "stopped by SIGHUP"), (.interrupted, "interrupted"),
    (.terminated, "stopped by SIGTERM"),
  ]
}

extension FileError {
  /// The exit code for a file that could not be written.
  var writingCode: ExitCode { isTemporary ? .busy : .cannotWrite }
  /// The exit code for a file that could not be read or written.
  var code: ExitCode { isWriting || isTemporary ? writingCode : .badInput }
}
