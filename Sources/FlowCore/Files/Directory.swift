internal import FlowSystem

/// A folder from which paths lead, and one around it that they cannot leave, neither by `..` nor by a link nor by an
/// absolute path; mostly both are the same.
public struct Directory: Sendable, Hashable {
  /// The folder's path as messages show it.
  public let path: String
  // Without links; nil while the folder does not exist.
  private let root: String?
  // The folder that paths cannot leave, without links; nil for the folder itself.
  private let outer: String?
  private var isClosed = false

  /// The folder at a path, absolute or relative to the process's working directory; paths cannot leave it.
  public init(_ path: String) { self.init(path, inside: nil) }

  /// The same in a project: paths cannot leave that.
  ///
  /// `project` is a path without links; nil, and one that the folder is not inside of, mean the folder itself.
  package init(_ path: String, inside project: String?) {
    self.path = path
    let root = FileSystem.realPath(path)
    self.root = root
    outer = root.flatMap { root in
      project.flatMap { $0 != root && Self.isInside(root, of: $0) ? $0 : nil }
    }
  }

  /// The same folder for a component that reaches no files: it refuses every path.
  package var closed: Directory {
    var copy = self
    copy.isClosed = true
    return copy
  }

  /// Another folder, which paths cannot leave.
  ///
  /// - Throws: `FileError` when it leads out (`forbidden`), is missing, or is not a folder.
  public func subdirectory(_ path: String) throws(FileError) -> Directory {
    Directory(try folderPath(path))
  }

  /// Another folder of the same project, whose paths cannot leave what those of this one cannot.
  ///
  /// - Throws: `FileError` as above.
  package func sibling(_ path: String) throws(FileError) -> Directory {
    Directory(try folderPath(path), inside: outer ?? root)
  }

  private func folderPath(_ path: String) throws(FileError) -> String {
    let full = try resolve(path)
    guard FileSystem.exists(full) else { throw FileError(.missing, path: path) }
    guard FileSystem.isDirectory(full) else { throw FileError(.notAFile, path: path) }
    return full
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

  /// The full path of a file without links, for a library that opens files by itself; there may be none yet.
  ///
  /// - Throws: `FileError` when the path leads out, its folder is missing, or it is not a file.
  public func fullPath(of path: String) throws(FileError) -> String {
    let full = try resolve(path)
    if let real = FileSystem.realPath(full) {
      guard FileSystem.isFile(real) else { throw FileError(.notAFile, path: path) }
      return real
    }
    // Where a link leads that leads nowhere yet, the library would make a file.
    guard !FileSystem.isLink(full) else { throw FileError(.forbidden, path: path) }
    let plain = Path.plain(full)
    guard let folder = FileSystem.realPath(Path.folder(of: plain)),
      let name = plain.utf8.split(separator: Self.slash).last
    else { throw FileError(.missing, path: path, isWriting: true) }
    return Path.joined(folder, String(decoding: name, as: UTF8.self))
  }

  /// Writes a file whole or not at all.
  ///
  /// - Throws: `FileError`.
  public func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    try change(path) { full throws(FileError) in try FileSystem.replace(full, with: bytes) }
  }

  /// Whether a file or folder is at the path, inside this folder.
  public func contains(_ path: String) -> Bool {
    guard let full = try? resolve(path) else { return false }
    return FileSystem.exists(full)
  }

  /// Appends bytes to a file, which is made where there is none; its folder has to be there.
  ///
  /// - Throws: `FileError`.
  public func append(_ bytes: [UInt8], to path: String) throws(FileError) {
    try change(path) { full throws(FileError) in try FileSystem.append(bytes, to: full) }
  }

  /// Makes a folder, and the folders around it; nothing happens when it is there.
  ///
  /// - Throws: `FileError`.
  public func makeFolder(_ path: String) throws(FileError) {
    try change(path) { full throws(FileError) in try FileSystem.makeFolders(full) }
  }

  /// Makes the folders around a path; nothing happens when they are there.
  ///
  /// - Throws: `FileError`, which names the path itself.
  public func makeFolders(around path: String) throws(FileError) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return }
    do { try makeFolder(String(path[..<slash])) } catch {
      throw FileError(error.kind, path: path, reason: error.reason, isWriting: true)
    }
  }

  /// Gives a file, a link or a folder another path, in the place of a file that has it.
  ///
  /// - Throws: `FileError`, whose action says which of the paths it is about: `move` or `write`; of this folder
  ///   itself, `notAFile`.
  public func move(_ path: String, to other: String) throws(FileError) {
    let full = try resolve(path, to: .move, isWhole: false, followsLast: false)
    guard FileSystem.isOccupied(full) else { throw FileError(.missing, path: path).of(.move) }
    try change(other, isWhole: false) { target throws(FileError) in
      try FileSystem.move(full, to: target)
    }
  }

  /// Removes a file, a link, or a folder: an empty one, unless `recursively` says otherwise.
  ///
  /// - Throws: `FileError`; of this folder itself, `notAFile`.
  public func remove(_ path: String, recursively: Bool = false) throws(FileError) {
    let full = try resolve(path, to: .remove, isWhole: false, followsLast: false)
    guard FileSystem.isOccupied(full) else { throw FileError(.missing, path: path).of(.remove) }
    try change(path, to: .remove, followsLast: false) { full throws(FileError) in
      guard FileSystem.isDirectory(full), !FileSystem.isLink(full) else {
        return try FileSystem.remove(full)
      }
      try FileSystem.removeFolder(full, recursively: recursively)
    }
  }

  /// What stands in a folder, by name, in the order of the names' bytes.
  ///
  /// - Throws: `FileError`.
  public func entries(of path: String) throws(FileError) -> [(name: String, kind: Kind)] {
    let full = try resolve(path)
    do {
      return try FileSystem.entries(of: full)
        .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        .map { ($0.name, Kind($0.kind)) }
    } catch {
      throw FileError(error.kind, path: path, reason: error.reason)
    }
  }

  /// What is at a path, behind links; nil for nothing.
  ///
  /// - Throws: `FileError` when the path leads out.
  public func kind(of path: String) throws(FileError) -> Kind? {
    let full = try resolve(path)
    guard FileSystem.exists(full) else { return nil }
    return FileSystem.isFile(full) ? .file : FileSystem.isDirectory(full) ? .folder : .other
  }

  /// What a path stands for.
  public enum Kind: Sendable, Hashable {
    /// A regular file, or a link to one.
    case file
    /// A folder.
    case folder
    /// A link that leads nowhere or to a folder, a device, a pipe or a socket.
    case other

    fileprivate init(_ kind: FolderEntry.Kind) {
      switch kind {
      case .file: self = .file
      case .folder: self = .folder
      case .brokenLink, .other: self = .other
      }
    }
  }

  /// Changes what is at a path; an error has the path as it was asked for.
  private func change(
    _ path: String, to action: FileError.Action = .write, isWhole: Bool = true,
    followsLast: Bool = true, _ change: (String) throws(FileError) -> Void
  ) throws(FileError) {
    let full = try resolve(path, to: action, isWhole: isWhole, followsLast: followsLast)
    do { try change(full) } catch {
      throw FileError(error.kind, path: path, reason: error.reason).of(action)
    }
  }

  /// The full path of a relative one, as `resolve(_:)` gives it; this folder itself, too, if it is whole.
  private func resolve(
    _ path: String, to action: FileError.Action, isWhole: Bool, followsLast: Bool
  ) throws(FileError) -> String {
    do throws(FileError) {
      let full = try resolve(path, followsLast: followsLast)
      let isKept = !followsLast && FileSystem.isLink(full)
      // Nor what this folder is in.
      guard isWhole || isKept || !isAround(FileSystem.realPath(full)) else {
        throw FileError(.notAFile, path: path)
      }
      return full
    } catch {
      throw FileError(error.kind, path: path, reason: error.reason).of(action)
    }
  }

  /// The full path of a relative one, after checking that it stays inside; of a link that is itself meant, that its
  /// folder does.
  ///
  /// - Throws: `FileError` `.forbidden`; `.missing` when this folder does not exist.
  func resolve(_ path: String, followsLast: Bool = true) throws(FileError) -> String {
    if isClosed {
      let reason = "the plugin does not declare that it reaches files"
      throw FileError(.forbidden, path: path, reason: reason)
    }
    guard let root else { throw FileError(.missing, path: path) }
    let isClean = !path.utf8.contains(0) && path.utf8.first != Self.slash
    let boundary = outer ?? root
    guard isClean, Self.staysInside(path, from: depth) else { throw leadsOut(path) }
    let full = root + "/" + path
    // What does not exist yet is judged by the nearest folder that does.
    var existing = followsLast ? full : Self.folder(around: full, in: root)
    while FileSystem.realPath(existing) == nil,
      let slash = existing.utf8.lastIndex(of: Self.slash)
    {
      existing = String(existing[..<slash])
    }
    guard let real = FileSystem.realPath(existing), Self.isInside(real, of: boundary) else {
      throw leadsOut(path)
    }
    return full
  }

  private func leadsOut(_ path: String) -> FileError {
    let reason = outer == nil ? "" : "the path leads out of the project's folder"
    return FileError(.forbidden, path: path, reason: reason)
  }

  /// Whether a folder is this one or one around it.
  private func isAround(_ real: String?) -> Bool {
    guard let real, let root else { return false }
    return Self.isInside(root, of: real)
  }

  /// How many folders this one is below the one that paths cannot leave.
  private var depth: Int {
    guard let outer, let root else { return 0 }
    return root.utf8.dropFirst(outer.utf8.count).split(separator: Self.slash).count
  }

  // Paths are compared by bytes, as the system does: a slash with a combining accent is one
  // character that is no slash, and `é` equals `e` with an accent, though the folders differ.
  private static let slash = UInt8(ascii: "/")

  /// The folder in which a path has its last part; the path itself for the root, and for `..`, which is followed in
  /// any case.
  private static func folder(around path: String, in root: String) -> String {
    let plain = Path.plain(path)
    let isFollowed =
      plain.utf8.elementsEqual(root.utf8) || plain.utf8.reversed().starts(with: "../".utf8)
    return isFollowed ? path : Path.folder(of: plain)
  }

  private static func isInside(_ path: String, of root: String) -> Bool {
    root == "/" || (path + "/").utf8.starts(with: (root + "/").utf8)
  }

  /// Whether a path that begins in a folder of some depth never leads above the one that has none.
  private static func staysInside(_ path: String, from depth: Int) -> Bool {
    var depth = depth
    for part in path.utf8.split(separator: slash) where !part.elementsEqual(".".utf8) {
      depth += part.elementsEqual("..".utf8) ? -1 : 1
      if depth < 0 { return false }
    }
    return true
  }
}
