import FlowCore

/// The properties of a picture file.
struct Picture: Sendable, Hashable {
  let header: PictureHeader
  /// The file's length.
  let byteCount: Int
  let sha256: String
}

extension Picture {
  /// Reads a file.
  ///
  /// Blocks while the system does.
  init(reading path: String, in directory: Directory) throws(PictureError) {
    let bytes: [UInt8]
    do { bytes = try directory.read(path) } catch { throw .unreadable(error) }
    try self.init(bytes, at: path)
  }

  /// Looks at the bytes of a picture.
  init(_ bytes: [UInt8], at path: String) throws(PictureError) {
    let header: PictureHeader
    do { header = try PictureHeader(reading: bytes) } catch { throw .notAPicture(path, error) }
    self.init(header: header, byteCount: bytes.count, sha256: SHA256(bytes).hexadecimal)
  }
}

/// The reason for a missing picture.
enum PictureError: CodedError, Hashable, CustomStringConvertible {
  /// The file could not be read.
  case unreadable(FileError)
  /// The server does not answer, for this reason.
  case noAnswer(String)
  /// The bytes at this path are not a picture.
  case notAPicture(String, PictureHeaderError)

  /// `'barn.png' does not exist`.
  var description: String {
    switch self {
    case .unreadable(let error): Self.text(error)
    case .noAnswer(let reason): reason
    case .notAPicture(let path, .unknown): "'\(path)' is not a PNG, JPEG, GIF or WebP picture"
    case .notAPicture(let path, .broken(let format)):
      "'\(path)' starts like \(format.rawValue), but its header is cut off or invalid"
    }
  }

  private static func text(_ error: FileError) -> String {
    switch error.kind {
    case .missing: "'\(error.path)' does not exist"
    case .forbidden: "'\(error.path)' is outside the directory"
    case .notAFile: "'\(error.path)' is not a file"
    case .tooLarge: "'\(error.path)' is too large"
    case .unreadable: "cannot read '\(error.path)': \(error.reason)"
    }
  }

  /// The operation's error code for this case.
  var code: ErrorCode {
    switch self {
    case .notAPicture: .broken
    case .noAnswer: .unavailable
    case .unreadable(let error):
      switch error.kind {
      case .missing: .missing
      case .forbidden: .forbidden
      case .notAFile, .tooLarge: .broken
      case .unreadable: .unavailable
      }
    }
  }
}

extension ErrorCode {
  static let missing = ErrorCode("missing", "No picture has this path.")
  static let forbidden = ErrorCode("forbidden", "The path leads out of the folder.")
  static let broken = ErrorCode("broken", "The file is not a picture, or its header is incomplete.")
  static let unavailable = ErrorCode("unavailable", "The system or the server denies the request.")
}
