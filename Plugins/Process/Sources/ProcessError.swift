import FlowCore

/// An error in running a program.
enum ProcessError: CodedError, Hashable, CustomStringConvertible {
  /// Inputs without a meaning together.
  case invalid(String)
  /// A missing program, with the places searched and a suggestion.
  case notFound(String, String)
  /// A program that the system refuses to start, and its reason.
  case startFailed(String, reason: String)
  /// A folder for the program that cannot be entered.
  case noDirectory(FileError)
  /// A file for output that cannot be written.
  case unwritable(FileError)
  /// A name whose started program is still running.
  case running(String)
  /// A name without a started program.
  case unknown(String)
  /// A started program that ended during the wait for its port or its line, and how it ended.
  case ended(String, how: String)
  /// A started program without a terminal.
  case noTerminal(String)
  /// A port expected of a started program that another one has.
  case taken(String, reason: String)

  var code: ErrorCode {
    switch self {
    case .invalid, .noTerminal: .invalid
    case .notFound: .notFound
    case .startFailed, .noDirectory: .startFailed
    case .unwritable: .unwritable
    case .running: .running
    case .unknown: .unknown
    case .ended: .ended
    case .taken: .taken
    }
  }

  /// The message, such as `there is no program 'gti'`.
  var description: String {
    switch self {
    case .invalid(let reason): reason
    case .notFound(let program, let advice): "there is no program '\(program)'\(advice)"
    case .startFailed(let program, let reason): "cannot start '\(program)': \(reason)"
    case .noDirectory(let error): "cannot enter '\(error.path)': \(Self.reason(error))"
    case .unwritable(let error): "\(error)"
    case .running(let name): "'\(name)' is already running"
    case .unknown(let name): "no program named '\(name)' was started"
    case .ended(let name, let how): "'\(name)' \(how)"
    case .noTerminal(let name): "'\(name)' has no terminal; start it with 'terminal: true'"
    case .taken(let name, let reason): "'\(name)' does not listen: \(reason)"
    }
  }

  private static func reason(_ error: FileError) -> String {
    switch error.kind {
    case .missing: "no such folder"
    case .forbidden: "the path is outside the scenario's folder"
    case .notAFile, .tooLarge: "not a folder"
    case .unreadable: error.reason
    }
  }
}

extension ErrorCode {
  static let invalid = ErrorCode("invalid", "An input is invalid, or contradicts another one.")
  static let notFound = ErrorCode("not_found", "The program does not exist.")
  static let startFailed = ErrorCode("start_failed", "The program cannot be started.")
  static let unwritable = ErrorCode("unwritable", "A file for the output cannot be written.")
  static let running = ErrorCode("running", "A started program with this name is still running.")
  static let unknown = ErrorCode("unknown", "No started program has this name.")
  static let taken = ErrorCode("taken", "Another program uses the port.")
  static let ended = ErrorCode("ended", "The program has ended.")
}
