/// A file that could not be read or written.
public struct FileError: Error, Sendable, Hashable {
  /// What is the matter, for a caller to act on.
  public enum Kind: Sendable, Hashable {
    /// Nothing is at this path.
    case missing
    /// The path leads out of the folder it must stay in.
    case forbidden
    /// A folder or a device stands where a file should.
    case notAFile
    /// The file is larger than the caller's limit.
    case tooLarge
    /// The system refused; the reason says why.
    case unreadable
  }

  /// What is the matter.
  public let kind: Kind
  /// The path as it was asked for.
  public let path: String
  /// More about it, in the system's words; may be empty.
  public let reason: String
  /// Whether the file was to be written rather than read.
  public let isWriting: Bool

  /// A failure at a path.
  public init(_ kind: Kind, path: String, reason: String = "", isWriting: Bool = false) {
    self.kind = kind
    self.path = path
    self.reason = reason
    self.isWriting = isWriting
  }
}

extension FileError: CustomStringConvertible {
  /// `cannot read 'x.yaml': no such file`.
  public var description: String {
    "cannot \(isWriting ? "write" : "read") '\(path.escaped)': " + problem
  }

  private var problem: String {
    switch kind {
    case .missing:
      isWriting ? "no such folder" : "no such file" + (reason.isEmpty ? "" : ", " + reason)
    case .forbidden: "the path leads out of the scenario's folder"
    case .notAFile: "not a file"
    case .tooLarge: "too large" + (reason.isEmpty ? "" : ", " + reason)
    case .unreadable: reason
    }
  }
}
