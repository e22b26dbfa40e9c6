internal import FlowSystem

/// A folder that paths cannot leave, neither by `..` nor by a link nor by an absolute path.
public struct Directory: Sendable, Hashable {
  /// The folder's path as messages show it.
  public let path: String
  // Without links; nil while the folder does not exist.
  private let root: String?

  /// The folder at a path, absolute or relative to the process's working directory.
  public init(_ path: String) {
    self.path = path
    root = FileSystem.realPath(path)
  }

  /// A folder inside this one, which paths cannot leave either.
  ///
  /// - Throws: `FileError` when it leads out (`forbidden`), is missing, or is no folder.
  public func subdirectory(_ path: String) throws(FileError) -> Directory {
    let full = try resolve(path)
    guard FileSystem.exists(full) else { throw FileError(.missing, path: path) }
    guard FileSystem.isDirectory(full) else { throw FileError(.notAFile, path: path) }
    return Directory(full)
  }

  /// The content of a file of at most `limit` bytes, by its path relative to this folder.
  ///
  /// - Throws: `FileError`.
  public func read(_ path: String, limit: Int = 64 << 20) throws(FileError) -> [UInt8] {
    let full = try resolve(path)
    do {
      return try FileSystem.contents(of: full, limit: limit)
    } catch {
      // The user's own path, not the resolved one, belongs into a message.
      throw FileError(error.kind, path: path, reason: error.reason)
    }
  }

  /// The way to an existing file from this folder, without links and dots; two names of one file
  /// give the same.
  ///
  /// - Throws: `FileError` as `read` does, but for what only reading finds.
  package func location(of path: String) throws(FileError) -> String {
    let full = try resolve(path)
    guard let root, let real = FileSystem.realPath(full) else {
      throw FileError(.missing, path: path)
    }
    let prefix = root == "/" ? root : root + "/"
    guard real.utf8.starts(with: prefix.utf8) else { throw FileError(.notAFile, path: path) }
    return String(decoding: real.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }

  /// Writes a file whole or not at all.
  ///
  /// - Throws: `FileError`.
  public func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    do {
      try FileSystem.replace(try resolve(path), with: bytes)
    } catch {
      throw FileError(error.kind, path: path, reason: error.reason, isWriting: true)
    }
  }

  /// Whether a file or folder is at the path, inside this folder.
  public func contains(_ path: String) -> Bool {
    guard let full = try? resolve(path) else { return false }
    return FileSystem.exists(full)
  }

  /// The full path of a relative one, after checking that it stays inside.
  ///
  /// - Throws: `FileError` `.forbidden`; `.missing` when this folder does not exist.
  func resolve(_ path: String) throws(FileError) -> String {
    guard let root else { throw FileError(.missing, path: path) }
    let isClean = !path.utf8.contains(0) && path.utf8.first != Self.slash
    guard isClean, Self.staysInside(path) else { throw FileError(.forbidden, path: path) }
    let full = root + "/" + path
    // What does not exist yet is judged by the nearest folder that does.
    var existing = full
    while FileSystem.realPath(existing) == nil,
      let slash = existing.utf8.lastIndex(of: Self.slash)
    {
      existing = String(existing[..<slash])
    }
    guard let real = FileSystem.realPath(existing), Self.isInside(real, of: root) else {
      throw FileError(.forbidden, path: path)
    }
    return full
  }

  // Paths are compared by bytes, as the system does: a slash with a combining accent is one
  // character that is no slash, and `é` equals `e` with an accent, though the folders differ.
  private static let slash = UInt8(ascii: "/")

  private static func isInside(_ path: String, of root: String) -> Bool {
    root == "/" || (path + "/").utf8.starts(with: (root + "/").utf8)
  }

  private static func staysInside(_ path: String) -> Bool {
    var depth = 0
    for part in path.utf8.split(separator: slash) where !part.elementsEqual(".".utf8) {
      depth += part.elementsEqual("..".utf8) ? -1 : 1
      if depth < 0 { return false }
    }
    return true
  }
}
