#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// An entry of a folder.
package struct FolderEntry: Sendable, Hashable {
  /// The kind of an entry.
  package enum Kind: Sendable {
    /// A regular file, or a link to one.
    case file
    /// A folder.
    case folder
    /// A link to nothing.
    case brokenLink
    /// A link to a folder, a device or a pipe.
    case other
  }

  /// The name, without a path.
  package let name: String
  /// The kind of the entry.
  package let kind: Kind
}

extension FileSystem {
  /// Returns the entries of a folder, without `.` and `..`, in no order.
  ///
  /// - Throws: `FileError` when it is missing, not a folder, or the system refuses.
  package static func entries(of folder: String) throws(FileError) -> [FolderEntry] {
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let failure = failure(folder)
      // The system reports the same for a path that leads through a file.
      guard failure.kind == .missing, exists(folder) else { throw failure }
      throw FileError(.unreadable, path: folder, reason: "not a folder")
    }
    return try entries(ofOpen: descriptor, folder)
  }

  /// Returns the entries of an open folder, and closes it.
  static func entries(ofOpen descriptor: CInt, _ path: String) throws(FileError) -> [FolderEntry] {
    guard let stream = unsafe fdopendir(descriptor) else {
      close(descriptor)
      throw failure(path)
    }
    // It closes the descriptor, too.
    defer { unsafe closedir(stream) }
    return unsafe names { unsafe readdir(stream) }.map { name, type in
      FolderEntry(name: name, kind: kind(of: name, in: descriptor, type))
    }
  }

  /// Returns the entries of a folder that was found, or none if it has disappeared meanwhile.
  ///
  /// - Throws: `FileError` when it is not a folder, or the system refuses.
  package static func entries(ifThere folder: String) throws(FileError) -> [FolderEntry] {
    do throws(FileError) { return try entries(of: folder) } catch {
      guard error.kind == .missing else { throw error }
      return []
    }
  }

  /// Returns the names and types from `readdir`, without `.` and `..`.
  private static func names(_ next: () -> UnsafeMutablePointer<dirent>?) -> [(String, type: CInt)] {
    var names: [(String, type: CInt)] = []
    while let entry = unsafe next() {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      names.append((name, unsafe CInt(entry.pointee.d_type)))
    }
    return names
  }

  /// Returns the kind of an entry, by the type from `readdir`, which is `DT_UNKNOWN` on some file
  /// systems.
  static func kind(
    of name: String, in folder: CInt = AT_FDCWD, _ type: CInt
  ) -> FolderEntry.Kind {
    if type == CInt(DT_REG) { return .file }
    if type == CInt(DT_DIR) { return .folder }
    var (own, target) = (stat(), stat())
    let isThere = unsafe fstatat(folder, name, &target, 0) == 0
    if isThere, target.st_mode & S_IFMT == S_IFREG { return .file }
    let isLink =
      unsafe fstatat(folder, name, &own, AT_SYMLINK_NOFOLLOW) == 0
      && own.st_mode & S_IFMT == S_IFLNK
    if isLink { return isThere ? .other : .brokenLink }
    return isThere && target.st_mode & S_IFMT == S_IFDIR ? .folder : .other
  }

  /// Removes a folder and everything in it, including links, but not their targets.
  ///
  /// - Throws: `FileError` when the system refuses. A part may be gone then.
  package static func removeFolder(_ path: String, recursively: Bool) throws(FileError) {
    let plain = Path.plain(path)
    guard !recursively || empty(AT_FDCWD, plain), unsafe rmdir(plain) == 0 else {
      throw failure(path, isWriting: true).of(.remove)
    }
  }

  /// Removes the entries of a folder inside an open one.
  ///
  /// Returns false when the system refuses, with `errno` set. No path is looked up again, so that a
  /// link put in place of a folder meanwhile is not followed.
  static func empty(_ outer: CInt, _ name: String) -> Bool {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let folder = unsafe openat(outer, name, flags)
    guard folder >= 0 else { return false }
    guard let stream = unsafe fdopendir(folder) else {
      close(folder)
      return false
    }
    // It closes the descriptor, too, and leaves `errno` as it is.
    defer { unsafe closedir(stream) }
    return unsafe names { unsafe readdir(stream) }.allSatisfy { name, type in
      if type != CInt(DT_DIR), unsafe unlinkat(folder, name, 0) == 0 { return true }
      // If the file system does not report folders, Linux does so here.
      guard type == CInt(DT_DIR) || errno == EISDIR else { return false }
      return unsafe empty(folder, name) && unlinkat(folder, name, AT_REMOVEDIR) == 0
    }
  }
}
