internal import FlowSystem

/// What the process says to its caller; the numbers above 60 are those of `sysexits.h`.
public enum ExitCode: Int32, Sendable {
  /// Everything passed.
  case passed = 0
  /// A scenario failed.
  case failed = 1
  /// The command line is wrong (`EX_USAGE`).
  case badCommandLine = 64
  /// A scenario, its inputs or a transcript cannot be used (`EX_DATAERR`).
  case badInput = 65
  /// We are at fault (`EX_SOFTWARE`).
  case internalError = 70
  /// A file could not be written (`EX_CANTCREAT`).
  case cannotWrite = 73
  /// Another process holds the journal, or a component cannot be opened again; trying again later may help
  /// (`EX_TEMPFAIL`).
  case busy = 75
  /// The run was interrupted: 128 and the number of `SIGINT`, as shells have it.
  case interrupted = 130

  /// What each code means, as help and the manual page list them.
  static let meanings: [(code: ExitCode, meaning: String)] = [
    (.passed, "passed"), (.failed, "a scenario failed"), (.badCommandLine, "bad command line"),
    (.badInput, "bad scenario or transcript"), (.internalError, "a fault of flow itself"),
    (.cannotWrite, "a file cannot be written"),
    (.busy, "a run with a journal cannot go on now; try again later"),
    (.interrupted, "interrupted"),
  ]
}

extension FileError {
  /// What the process says when a file could not be written.
  var writingCode: ExitCode { isTemporary ? .busy : .cannotWrite }
  /// What the process says when a file could not be read or written.
  var code: ExitCode { isWriting || isTemporary ? writingCode : .badInput }
}
