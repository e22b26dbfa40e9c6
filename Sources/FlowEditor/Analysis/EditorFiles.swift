internal import FlowScenario
internal import FlowSystem
private import Synchronization

/// The texts of the editor in place of those on the disk.
struct EditorFiles: Sendable {
  /// The open texts, by their full paths without links.
  private let texts: [String: [UInt8]]

  init(_ documents: some Sequence<TextDocument>) {
    texts = Dictionary(
      documents.filter { $0.loss == nil }.map { (Self.fullPath(of: $0.path), $0.bytes) },
      uniquingKeysWith: { $1 })
  }

  /// Returns the path of a file without links, also of a file that does not exist yet.
  static func fullPath(of path: String) -> String {
    if let full = FileSystem.realPath(path) { return full }
    guard let folder = FileSystem.realPath(Path.folder(of: path)) else { return path }
    return Path.joined(folder, String(path.split(separator: "/").last ?? ""))
  }

  /// Returns the bytes of a file: those of the editor, or else those on the disk.
  func bytes(of path: String) -> [UInt8]? {
    let full = Self.fullPath(of: path)
    return texts[full] ?? (try? FileSystem.contents(of: full, limit: TextDocument.largest))
  }

  /// Returns the files that a scenario in a folder includes, and notes each that is read.
  func files(around folder: String, noting reads: FilesRead) -> ScenarioFiles {
    ScenarioFiles(around: folder) { path in
      let full = Self.fullPath(of: path)
      reads.add(full)
      return texts[full]
    }
  }
}

/// The files that an analysis has read besides the text itself.
final class FilesRead: Sendable {
  private let paths = Mutex<Set<String>>([])

  var all: Set<String> { paths.withLock { $0 } }

  func add(_ path: String) { _ = paths.withLock { $0.insert(path) } }
}
