internal import FlowSystem

/// A folder for relative paths, and a boundary around it that no path can leave by `..`, a link or
/// an absolute path.
///
/// Usually both are the same folder. The boundary holds even if other processes rename folders and
/// make links at the same time: the check of a path serves the error message, and the access itself
/// is confined to the outer folder in any case.
public struct Directory: Sendable, Hashable {
  /// The folder's path as messages show it.
  public let path: String
  // Without links, or nil while the folder does not exist.
  private let root: String?
  // The folder that paths cannot leave, without links, or nil for the folder itself.
  private let outer: String?
  // The folder given first, from which the others are found again, or nil for the one that paths
  // cannot leave.
  private var anchor: String?
  private var isClosed = false
  /// The list of the files that are read, or nil.
  var reading: Reading?
  private var lookup = Enclosure.Lookup.system

  /// Creates the folder at a path, absolute or relative to the process's working directory.
  ///
  /// Paths cannot leave it.
  public init(_ path: String) { self.init(path, inside: nil) }

  /// Creates a folder in a project, which paths cannot leave.
  ///
  /// `project` is a path without links. If it is nil, or the folder is outside of it, paths cannot
  /// leave the folder itself.
  package init(_ path: String, inside project: String?) {
    self.path = path
    let root = FileSystem.realPath(path)
    self.root = root
    outer = root.flatMap { root in
      project.flatMap { $0 != root && Path.inside(root, of: $0) != nil ? $0 : nil }
    }
  }

  /// The folder as on a system that cannot confine the lookup of a path to a folder itself.
  package var steppingThroughPaths: Directory {
    var copy = self
    copy.lookup = .steps
    return copy
  }

  /// The folder for a component that reaches no files, which refuses every path.
  package var closed: Directory {
    var copy = self
    copy.isClosed = true
    return copy
  }

  /// Another folder, which paths cannot leave.
  ///
  /// - Throws: `FileError` when it leads out (`forbidden`), is missing, or is not a folder.
  public func subdirectory(_ path: String) throws(FileError) -> Directory {
    try directory(path, outer: nil)
  }

  /// Returns another folder of the same project, with the same boundary for paths.
  ///
  /// - Throws: `FileError` as above.
  package func sibling(_ path: String) throws(FileError) -> Directory {
    try directory(path, outer: boundary)
  }

  private func directory(_ path: String, outer: String?) throws(FileError) -> Directory {
    let full = try resolve(path)
    guard FileSystem.exists(full) else { throw FileError(.missing, path: path) }
    guard FileSystem.isDirectory(full) else { throw FileError(.notAFile, path: path) }
    // Not looked up again later, when it may lead to another place.
    guard let root = FileSystem.realPath(full), let boundary, Path.inside(root, of: boundary) != nil
    else { throw leadsOut(path) }
    var copy = Directory(full, root, outer: outer == root ? nil : outer)
    copy.anchor = anchor ?? boundary
    (copy.lookup, copy.reading) = (lookup, reading)
    return copy
  }

  private init(_ path: String, _ root: String, outer: String?) {
    (self.path, self.root, self.outer) = (path, root, outer)
  }

  /// The folder that paths cannot leave, or nil while this one does not exist.
  private var boundary: String? { outer ?? root }

  /// Opens a folder, for a system call that takes one: it stays the same, though its path may not.
  ///
  /// - Throws: `FileError` when it leads out (`forbidden`), is missing, or is not a folder.
  public func openFolder(_ path: String) throws(FileError) -> OpenFolder {
    try enclosed(path) { enclosure, way throws(FileError) in
      OpenFolder(held: try enclosure.folder(way))
    }
  }

  /// The content of a file of at most `limit` bytes, by its path relative to this folder.
  ///
  /// - Throws: `FileError`.
  public func read(_ path: String, limit: Int = 64 << 20) throws(FileError) -> [UInt8] {
    let content = try enclosed(path) { enclosure, way throws(FileError) in
      try enclosure.place(of: way).contents(limit: limit)
    }
    noteRead(path, content)
    return content
  }

  /// Returns the way to an existing file from this folder, without links and dots.
  ///
  /// Two names of one file have the same location.
  ///
  /// - Throws: `FileError` as `read` does, except for errors found only by reading.
  package func location(of path: String) throws(FileError) -> String {
    let full = try resolve(path)
    guard let root, let real = FileSystem.realPath(full) else {
      throw FileError(.missing, path: path)
    }
    let prefix = root == "/" ? root : root + "/"
    guard real.utf8.starts(with: prefix.utf8) else { throw FileError(.notAFile, path: path) }
    return String(decoding: real.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }

  /// Returns the full path of a file without links, for a library that opens files itself.
  ///
  /// The file need not exist yet.
  ///
  /// - Throws: `FileError` when the path leads out, its folder is missing, or it is not a file.
  public func fullPath(of path: String) throws(FileError) -> String {
    let full = try resolve(path)
    // The library may write it.
    noteChange(path)
    if let real = FileSystem.realPath(full) {
      guard FileSystem.isFile(real) else { throw FileError(.notAFile, path: path) }
      return real
    }
    // The library would create a file at the target of a link to nothing.
    guard !FileSystem.isLink(full) else { throw FileError(.forbidden, path: path) }
    let plain = Path.plain(full)
    guard let folder = FileSystem.realPath(Path.folder(of: plain)),
      let name = plain.utf8.split(separator: Self.slash).last
    else { throw FileError(.missing, path: path, isWriting: true) }
    return Path.joined(folder, String(decoding: name, as: UTF8.self))
  }

  /// Writes a file whole or not at all, with a mode such as `0o755`, or the usual one for nil.
  ///
  /// - Throws: `FileError`.
  public func write(_ bytes: [UInt8], to path: String, mode: Int? = nil) throws(FileError) {
    try enclosed(path, to: .write) { enclosure, way throws(FileError) in
      try enclosure.replaceablePlace(of: way).replace(with: bytes, mode: mode)
    }
    noteChange(path)
  }

  /// Sets the mode of a file or folder, such as `0o755`.
  ///
  /// - Throws: `FileError`.
  public func setMode(_ mode: Int, of path: String) throws(FileError) {
    try enclosed(path, to: .write) { enclosure, way throws(FileError) in
      try enclosure.place(of: way).setMode(mode)
    }
    noteChange(path)
  }

  /// Returns the size in bytes and the mode of a file or folder, after following links.
  ///
  /// - Throws: `FileError`.
  public func sizeAndMode(of path: String) throws(FileError) -> (size: Int, mode: Int) {
    try enclosed(path) { enclosure, way throws(FileError) in
      try enclosure.place(of: way).sizeAndMode()
    }
  }

  /// Returns true if a file or folder is at the path, inside this folder.
  public func contains(_ path: String) -> Bool {
    // What leads out, or cannot be looked at, is not inside.
    let place = try? enclosed(path) { enclosure, way throws(FileError) in
      try enclosure.place(of: way)
    }
    return place?.isOccupied ?? false
  }

  /// Appends bytes to a file, creating it if necessary, in an existing folder.
  ///
  /// - Throws: `FileError`.
  public func append(_ bytes: [UInt8], to path: String) throws(FileError) {
    try enclosed(path, to: .write) { enclosure, way throws(FileError) in
      try enclosure.place(of: way).append(bytes)
    }
    noteChange(path)
  }

  /// Creates a folder and the folders around it, unless it exists.
  ///
  /// - Throws: `FileError`.
  public func makeFolder(_ path: String) throws(FileError) {
    try enclosed(path, to: .write) { enclosure, way throws(FileError) in
      try enclosure.makeFolders(way)
    }
  }

  /// Creates the folders around a path, unless they exist.
  ///
  /// - Throws: `FileError`, which names the path itself.
  public func makeFolders(around path: String) throws(FileError) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return }
    do { try makeFolder(String(path[..<slash])) } catch {
      throw FileError(error.kind, path: path, reason: error.reason, isWriting: true)
    }
  }

  /// Moves a file, a link or a folder to another path, and replaces a file there.
  ///
  /// - Throws: `FileError`, whose action shows the failed path: `move` or `write`. For this folder
  ///   itself, `notAFile`.
  public func move(_ path: String, to other: String) throws(FileError) {
    let place = try ownPlace(path, to: .move)
    try enclosed(other, to: .write, isWhole: false) { enclosure, way throws(FileError) in
      try place.move(to: try enclosure.place(of: way, followsLast: false))
    }
    noteChange(other)
  }

  /// Removes a file, a link, or a folder, which must be empty unless `recursively` is true.
  ///
  /// - Throws: `FileError`. For this folder itself, `notAFile`.
  public func remove(_ path: String, recursively: Bool = false) throws(FileError) {
    let place = try ownPlace(path, to: .remove)
    do { try place.remove(recursively: recursively) } catch {
      throw FileError(error.kind, path: path, reason: error.reason).of(.remove)
    }
  }

  /// Returns the place of an entry itself, even if it is a link.
  private func ownPlace(
    _ path: String, to action: FileError.Action
  ) throws(FileError) -> HeldPlace {
    let place = try enclosed(path, to: action, isWhole: false, followsLast: false) {
      enclosure, way throws(FileError) in try enclosure.place(of: way, followsLast: false)
    }
    guard place.isOccupied else { throw FileError(.missing, path: path).of(action) }
    return place
  }

  /// Returns the entries of a folder, sorted by the bytes of their names.
  ///
  /// - Throws: `FileError`.
  public func entries(of path: String) throws(FileError) -> [(name: String, kind: Kind)] {
    try enclosed(path) { enclosure, way throws(FileError) in
      try enclosure.place(of: way).entries()
        .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        .map { ($0.name, Kind($0.kind)) }
    }
  }

  /// Returns the kind of entry at a path after following links, or nil if there is none.
  ///
  /// - Throws: `FileError` when the path leads out, or the system does not tell what is there.
  public func kind(of path: String) throws(FileError) -> Kind? {
    do throws(FileError) {
      return try enclosed(path) { enclosure, way throws(FileError) in
        let place = try enclosure.place(of: way)
        guard try place.hasEntry() else { return nil }
        return place.isFile ? .file : place.isFolder ? .folder : .other
      }
    } catch {
      guard error.kind == .missing else { throw error }
      return nil
    }
  }

  /// Runs an action at a path below the outer folder.
  ///
  /// An error has the path as given by the caller.
  private func enclosed<Result>(
    _ path: String, to action: FileError.Action = .read, isWhole: Bool = true,
    followsLast: Bool = true, _ work: (Enclosure, _ way: String) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    _ = try resolve(path, to: action, isWhole: isWhole, followsLast: followsLast)
    if action == .move || action == .remove { noteChange(path) }
    guard let root, let boundary else { throw FileError(.missing, path: path).of(action) }
    do throws(FileError) {
      let first = anchor ?? boundary
      let enclosure = try Enclosure(first, lookup: lookup)
        .enclosure(Path.inside(boundary, of: first) ?? ".")
      return try work(enclosure, Path.joined(Path.inside(root, of: boundary) ?? ".", path))
    } catch {
      throw explained(error, path, action)
    }
  }

  private func explained(
    _ error: FileError, _ path: String, _ action: FileError.Action
  ) -> FileError {
    let full = root.map { $0 + "/" + path }
    // The error of a link to nothing says so, inside or outside.
    if action == .read, [.missing, .forbidden].contains(error.kind), let full,
      FileSystem.isLink(full), FileSystem.realPath(full) == nil
    {
      return FileError(.missing, path: path, reason: "the target of the link does not exist")
    }
    if error.kind == .forbidden, error.reason.isEmpty { return leadsOut(path).of(action) }
    let reason = error.reason
    return FileError(error.kind, path: path, reason: reason).of(action)
  }

  /// Returns the full path of a relative one as `resolve(_:)` does, and of this folder itself if it
  /// is whole.
  private func resolve(
    _ path: String, to action: FileError.Action, isWhole: Bool, followsLast: Bool
  ) throws(FileError) -> String {
    do throws(FileError) {
      let full = try resolve(path, followsLast: followsLast)
      let isKept = !followsLast && FileSystem.isLink(full)
      // The folders around this one are excluded, too.
      guard isWhole || isKept || !isAround(FileSystem.realPath(full)) else {
        throw FileError(.notAFile, path: path)
      }
      return full
    } catch {
      throw FileError(error.kind, path: path, reason: error.reason).of(action)
    }
  }

  /// Returns the full path of a relative one, after checking that it stays inside.
  ///
  /// Without `followsLast`, a link is checked by its own folder.
  ///
  /// - Throws: `FileError` `.forbidden`, or `.missing` when this folder does not exist.
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
    // A path that does not exist yet is judged by its nearest existing folder.
    var existing = followsLast ? full : Self.folder(around: full, in: root)
    while FileSystem.realPath(existing) == nil,
      let slash = existing.utf8.lastIndex(of: Self.slash)
    {
      existing = String(existing[..<slash])
    }
    guard let real = FileSystem.realPath(existing), Path.inside(real, of: boundary) != nil else {
      throw leadsOut(path)
    }
    return full
  }

  private func leadsOut(_ path: String) -> FileError {
    let reason = outer == nil ? "" : "the path is outside the project's folder"
    return FileError(.forbidden, path: path, reason: reason)
  }

  /// Returns true for this folder and the folders around it.
  private func isAround(_ real: String?) -> Bool {
    guard let real, let root else { return false }
    return Path.inside(root, of: real) != nil
  }

  /// The depth of this folder below the one that paths cannot leave.
  private var depth: Int {
    guard let outer, let root else { return 0 }
    return root.utf8.dropFirst(outer.utf8.count).split(separator: Self.slash).count
  }

  // Paths are compared by bytes, as the system does: a slash with a combining accent is one
  // character that is no slash, and `é` equals `e` with an accent, though the folders differ.
  private static let slash = UInt8(ascii: "/")

  /// Returns the folder that contains the last part of a path.
  ///
  /// For the root, and for `..`, which is followed in any case, returns the path itself.
  private static func folder(around path: String, in root: String) -> String {
    let plain = Path.plain(path)
    let isFollowed =
      plain.utf8.elementsEqual(root.utf8) || plain.utf8.reversed().starts(with: "../".utf8)
    return isFollowed ? path : Path.folder(of: plain)
  }

  /// Returns true if a path from a folder of some depth never leads above the folder of depth zero.
  private static func staysInside(_ path: String, from depth: Int) -> Bool {
    var depth = depth
    for part in path.utf8.split(separator: slash) where !part.elementsEqual(".".utf8) {
      depth += part.elementsEqual("..".utf8) ? -1 : 1
      if depth < 0 { return false }
    }
    return true
  }
}

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
