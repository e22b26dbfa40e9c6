internal import FlowSystem

extension Directory {
  /// The kind of entry at a path.
  public enum Kind: Sendable, Hashable {
    /// A regular file, or a link to one.
    case file
    /// A folder.
    case folder
    /// A link to nothing or to a folder, a device, a pipe or a socket.
    case other

    init(_ kind: FolderEntry.Kind) {
      switch kind {
      case .file: self = .file
      case .folder: self = .folder
      case .brokenLink, .other: self = .other
      }
    }
  }
}
