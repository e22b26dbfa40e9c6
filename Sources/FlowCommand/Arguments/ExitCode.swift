internal import FlowSystem

/// The result of a command for the calling process.
///
/// The numbers above 60 are from `sysexits.h`.
public enum ExitCode: Int32, Sendable {
  /// Everything passed.
  case passed = 0
  /// A scenario failed.
  case failed = 1
  /// The command line is wrong (`EX_USAGE`).
  case badCommandLine = 64
  /// A scenario, its inputs or a transcript cannot be used (`EX_DATAERR`).
  case badInput = 65
  /// An internal error of flow (`EX_SOFTWARE`).
  case internalError = 70
  /// A file could not be written (`EX_CANTCREAT`).
  case cannotWrite = 73
  /// Another process holds the journal, or a component cannot be opened again (`EX_TEMPFAIL`).
  ///
  /// Trying again later may help.
  case busy = 75
  /// The run was stopped by `SIGHUP`, such as by a closed terminal.
  ///
  /// This number and the next two are 128 plus the number of the signal, as in shells.
  case hungUp = 129
  /// The run was interrupted by `SIGINT`, such as by Ctrl-C.
  case interrupted = 130
  /// The run was stopped by `SIGTERM`.
  case terminated = 143

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
