#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// Files and folders at a place that was looked up once, without following links made since.
///
/// The errors have no path of their own, because the caller knows a better one.
extension HeldPlace {
  /// The status of the entry with the name, or nil if there is none or it is unknown.
  private var status: stat? {
    var status = stat()
    let isThere = unsafe fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
    return isThere ? status : nil
  }

  private func isOf(_ kind: mode_t) -> Bool { status.map { $0.st_mode & S_IFMT == kind } ?? false }

  /// True if any entry has the name.
  package var isOccupied: Bool { status != nil }

  /// Returns true if any entry has the name.
  ///
  /// - Throws: `FileError` if the system does not tell.
  package func hasEntry() throws(FileError) -> Bool {
    if isOccupied { return true }
    let failure = failure
    guard failure.kind == .missing else { throw failure }
    return false
  }

  /// True if a folder has the name.
  package var isFolder: Bool { isOf(S_IFDIR) }

  /// True if a regular file has the name.
  package var isFile: Bool { isOf(S_IFREG) }

  private func open(_ flags: CInt) throws(FileError) -> CInt {
    let always = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let descriptor = unsafe openat(folder.descriptor, name, flags | always, 0o666)
    guard descriptor >= 0 else { throw failure }
    return descriptor
  }

  /// The error of the last failed call.
  private var failure: FileError { FileSystem.failure(name, isWriting: true) }

  /// The content of a regular file of at most `limit` bytes.
  ///
  /// - Throws: `FileError`.
  package func contents(limit: Int) throws(FileError) -> [UInt8] {
    let descriptor = try open(O_RDONLY)
    defer { close(descriptor) }
    return try FileSystem.contents(ofOpen: descriptor, name, limit: limit)
  }

  /// Appends bytes to a regular file, creating it if necessary.
  ///
  /// - Throws: `FileError`, also for a link to nothing.
  package func append(_ bytes: [UInt8]) throws(FileError) {
    guard isFile || !isOccupied else {
      throw FileError(.notAFile, path: name, isWriting: true)
    }
    guard isOccupied || !isBehindLink else {
      throw FileError(
        .unreadable, path: name, reason: "the target of the link does not exist", isWriting: true)
    }
    let descriptor = try open(O_WRONLY | O_APPEND | O_CREAT)
    defer { close(descriptor) }
    guard FileSystem.writeAll(descriptor, bytes) else { throw failure }
  }

  /// Writes a file whole or not at all, in the place of a file or a link, with a mode unless it is
  /// nil.
  ///
  /// - Throws: `FileError`.
  package func replace(with bytes: [UInt8], mode: Int? = nil) throws(FileError) {
    let file = try OutputFile(replacing: self)
    try file.append(bytes)
    if let mode { try file.setMode(mode) }
    try file.commit()
  }

  /// Sets the mode of the file or folder.
  ///
  /// - Throws: `FileError` when the system refuses.
  package func setMode(_ mode: Int) throws(FileError) {
    guard isOccupied else {
      throw FileError(.missing, path: name, reason: "no such file", isWriting: true)
    }
    let flags = AT_SYMLINK_NOFOLLOW
    guard unsafe fchmodat(folder.descriptor, name, mode_t(mode), flags) == 0 else { throw failure }
  }

  /// Returns the size in bytes and the mode of the file or folder.
  ///
  /// - Throws: `FileError` when there is none.
  package func sizeAndMode() throws(FileError) -> (size: Int, mode: Int) {
    guard let status else { throw FileSystem.failure(name) }
    return (Int(status.st_size), Int(status.st_mode & 0o7777))
  }

  /// Creates a folder, unless it exists.
  ///
  /// - Throws: `FileError` when anything else is there, or the system refuses.
  package func makeFolder() throws(FileError) {
    guard unsafe mkdirat(folder.descriptor, name, 0o777) != 0 else { return }
    guard errno == EEXIST else { throw failure }
    guard isFolder else {
      throw FileError(.unreadable, path: name, reason: "not a folder", isWriting: true)
    }
  }

  /// Returns the entries of the folder with the name, in no order.
  ///
  /// - Throws: `FileError`.
  package func entries() throws(FileError) -> [FolderEntry] {
    guard isFolder || !isOccupied else {
      throw FileError(.unreadable, path: name, reason: "not a folder")
    }
    return try FileSystem.entries(ofOpen: try open(O_RDONLY | O_DIRECTORY), name)
  }

  /// Moves the entry to another name, and replaces a file there.
  ///
  /// - Throws: `FileError` when the system refuses.
  package func move(to other: HeldPlace) throws(FileError) {
    let moved = unsafe renameat(
      folder.descriptor, name, other.folder.descriptor, other.name)
    guard moved != 0 else { return }
    let failure = failure
    // The system says the same of a folder that should take the place of a file.
    guard failure.kind == .missing, other.isFile else { throw failure }
    throw FileError(.unreadable, path: name, reason: "not a folder", isWriting: true)
  }

  /// Removes a file, a link, or a folder, which must be empty unless `recursively` is true.
  ///
  /// - Throws: `FileError` when the system refuses. A part may be gone then.
  package func remove(recursively: Bool) throws(FileError) {
    if isFolder {
      guard !recursively || FileSystem.empty(folder.descriptor, name) else { throw failure }
      guard unsafe unlinkat(folder.descriptor, name, AT_REMOVEDIR) == 0 else { throw failure }
    } else {
      guard unsafe unlinkat(folder.descriptor, name, 0) == 0 else { throw failure }
    }
  }
}

extension Enclosure {
  /// Returns the place that writing to a path replaces.
  ///
  /// It is the target of the path, or the path's own last part if it leads to nothing below the
  /// folder.
  ///
  /// - Throws: `FileError`.
  package func replaceablePlace(of way: String) throws(FileError) -> HeldPlace {
    do throws(FileError) {
      let place = try place(of: way)
      if place.isOccupied || !place.isBehindLink { return place }
    } catch {
      guard [.missing, .forbidden].contains(error.kind) else { throw error }
    }
    return try place(of: way, followsLast: false)
  }

  /// Creates a folder and the ones around it, unless it exists.
  ///
  /// - Throws: `FileError` when anything else is there, `..` follows a name that is not a folder,
  ///   or the system refuses.
  package func makeFolders(_ way: String) throws(FileError) {
    do throws(FileError) {
      _ = try folder(way)
      return
    } catch {
      guard error.kind == .missing else { throw error }
    }
    let plain = Path.plain(way)
    // If `new` existed, `new/../link` would lead to an unchecked place.
    guard plain != "..", !plain.utf8.reversed().starts(with: "../".utf8) else {
      throw FileError(.forbidden, path: way, isWriting: true)
    }
    let outer = Path.folder(of: plain)
    if outer != "." { try makeFolders(outer) }
    try place(of: plain, followsLast: false).makeFolder()
  }
}
