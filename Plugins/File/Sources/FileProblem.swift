import FlowCore

/// An error in reading or writing a file.
enum FileProblem: CodedError, Hashable, CustomStringConvertible {
  /// An error of the file system, or a path outside of the scenario's folder.
  case file(FileError)
  /// A file whose content does not have the expected form.
  case content(String, reason: String)
  /// An error in a document, which has its own position.
  case document(DocumentError)
  /// A value that the format cannot hold.
  case unfit(String)

  var code: ErrorCode {
    guard case .file(let error) = self else { return .malformed }
    return switch error.kind {
    case .missing: .missing
    case .forbidden: .forbidden
    case .notAFile: .notAFile
    case .tooLarge: .tooLarge
    case .unreadable: .unreadable
    }
  }

  /// The message, such as `cannot read 'a.json': no such file`.
  var description: String {
    switch self {
    case .file(let error): "\(error)"
    case .content(let path, let reason): "cannot read '\(path)': \(reason)"
    case .document(let error): "\(error)"
    case .unfit(let reason): reason
    }
  }
}

extension ErrorCode {
  static let missing = ErrorCode("missing", "Nothing exists at this path.")
  static let forbidden = ErrorCode("forbidden", "The path leads out of the scenario's folder.")
  static let notAFile = ErrorCode("not_a_file", "The path is not a regular file.")
  static let tooLarge = ErrorCode("too_large", "The file is larger than 64 MiB.")
  static let malformed = ErrorCode(
    "malformed", "The content, the data or the pattern is malformed.")
  static let unreadable = ErrorCode("unreadable", "The system denies the operation.")
}
