internal import FlowSystem
internal import FlowTranscript

/// The journals in a folder and in the folders below it.
///
/// Folders of bodies and hidden ones have no journals. No link leads out of the folder.
struct JournalFiles: Sendable {
  /// The number of folders inside of each other that are read.
  private static let deepest = 16
  /// The number of files that are looked at.
  static let most = 100_000

  /// The paths in the order of their names, each folder at the place of its name.
  private(set) var paths: [String] = []
  private let folder: String
  /// The folder without links, or nil if it is gone.
  private let real: String?
  private let limit: Int
  private var count = 0

  /// Prepares to find the journals, with a limit for the files that are looked at.
  init(in folder: String, limit: Int = Self.most) {
    (self.folder, self.limit) = (folder, limit)
    real = FileSystem.realPath(folder)
  }

  /// Finds the journals.
  ///
  /// - Throws: `FileError` if a folder cannot be read, or if there are more files or deeper folders
  ///   than the limits allow.
  mutating func find() throws(FileError) { try walk(folder, depth: 1) }

  private mutating func walk(_ path: String, depth: Int) throws(FileError) {
    let entries = try FileSystem.entries(of: path).sorted { $0.name < $1.name }
    for entry in entries {
      let inner = Path.joined(path, entry.name)
      switch entry.kind {
      case .file: try look(at: inner)
      case .folder where !Self.isLeftOut(entry.name):
        guard depth < Self.deepest else {
          throw refusal("the folders are more than \(Self.deepest) deep")
        }
        try walk(inner, depth: depth + 1)
      case .folder, .brokenLink, .other: break
      }
    }
  }

  private mutating func look(at path: String) throws(FileError) {
    count += 1
    guard count <= limit else { throw refusal("the folder has more than \(limit) files") }
    guard let real, let place = FileSystem.realPath(path), Path.inside(place, of: real) != nil,
      TranscriptReader.isJournal(path)
    else { return }
    paths.append(path)
  }

  private static func isLeftOut(_ name: String) -> Bool {
    name.hasPrefix(".") || name == BlobFolder.name
  }

  private func refusal(_ reason: String) -> FileError {
    FileError(.unreadable, path: folder, reason: reason)
  }
}
