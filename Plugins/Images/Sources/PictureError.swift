import FlowCore

/// Why there is no picture at a path.
enum PictureError: CodedError, Hashable {
  /// The directory has no such file.
  case missing(String)
  /// The path leads out of the directory.
  case forbidden(String)
  /// The path is a folder or a device.
  case notAFile(String)
  /// The file is too large to be read.
  case tooLarge(String)
  /// The bytes are no picture.
  case noPicture(String, PictureHeaderError)
  /// The system refused, for this reason.
  case unavailable(String, reason: String)

  init(_ error: FileError) {
    self =
      switch error.kind {
      case .missing: .missing(error.path)
      case .forbidden: .forbidden(error.path)
      case .notAFile: .notAFile(error.path)
      case .tooLarge: .tooLarge(error.path)
      case .unreadable: .unavailable(error.path, reason: error.reason)
      }
  }
}

extension PictureError: CustomStringConvertible {
  /// `'barn.png' does not exist`.
  var description: String {
    switch self {
    case .missing(let path): "'\(path)' does not exist"
    case .forbidden(let path): "'\(path)' leads out of the directory"
    case .notAFile(let path): "'\(path)' is not a file"
    case .tooLarge(let path): "'\(path)' is too large"
    case .noPicture(let path, .unknown): "'\(path)' is not a PNG, JPEG, GIF or WebP picture"
    case .noPicture(let path, .broken(let format)):
      "'\(path)' starts like \(format.rawValue), and its header is cut off or impossible"
    case .unavailable(let path, let reason): "cannot read '\(path)': \(reason)"
    }
  }

  /// What an operation answers in this case.
  var code: ErrorCode {
    switch self {
    case .missing: .missing
    case .forbidden: .forbidden
    case .notAFile, .tooLarge, .noPicture: .broken
    case .unavailable: .unavailable
    }
  }
}

extension ErrorCode {
  static let missing = ErrorCode("missing", "The directory has no such file.")
  static let forbidden = ErrorCode("forbidden", "The path leads out of the directory.")
  static let broken = ErrorCode("broken", "The file is not a picture, or its header is cut off.")
  static let unavailable = ErrorCode("unavailable", "The system does not let the file be read.")
}
