#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// What stands in a folder.
package struct FolderEntry: Sendable, Hashable {
  /// What a name stands for.
  package enum Kind: Sendable {
    /// A regular file, or a link to one.
    case file
    /// A folder.
    case folder
    /// A link that leads nowhere.
    case brokenLink
    /// A link to a folder, a device or a pipe.
    case other
  }

  /// The name, without a path.
  package let name: String
  /// What it stands for.
  package let kind: Kind
}

extension FileSystem {
  /// What stands in a folder, without `.` and `..`, in no order.
  ///
  /// - Throws: `FileError` when it is missing, no folder, or the system refuses.
  package static func entries(of folder: String) throws(FileError) -> [FolderEntry] {
    guard let stream = unsafe opendir(folder) else {
      let failure = failure(folder)
      // The system says the same of a path that leads through a file.
      guard failure.kind == .missing, exists(folder) else { throw failure }
      throw FileError(.unreadable, path: folder, reason: "not a folder")
    }
    defer { unsafe closedir(stream) }
    var entries: [FolderEntry] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      let kind = unsafe kind(of: folder + "/" + name, CInt(entry.pointee.d_type))
      entries.append(FolderEntry(name: name, kind: kind))
    }
    return entries
  }

  /// Makes a folder of flow's own inside of one that exists; nothing happens when it is there.
  ///
  /// - Throws: `FileError` when a link or a file is there, or the system refuses.
  package static func makeFolder(_ path: String) throws(FileError) {
    guard unsafe mkdir(path, 0o777) != 0 else { return }
    guard errno == EEXIST else { throw failure(path, isWriting: true) }
    guard !isLink(path) else {
      throw FileError(
        .unreadable, path: path,
        reason: "it is a link, and flow writes only into a folder of its own", isWriting: true)
    }
    guard isDirectory(path) else {
      throw FileError(.unreadable, path: path, reason: "it is no folder", isWriting: true)
    }
  }

  /// Removes a file.
  ///
  /// - Throws: `FileError` when the system refuses.
  package static func remove(_ path: String) throws(FileError) {
    guard unsafe unlink(path) == 0 else { throw failure(path, isWriting: true) }
  }

  /// Waits until the content of a file, or the names in a folder, survive a power failure.
  ///
  /// What cannot be synced is no error: it is no worse then than any other file there, and without it
  /// nothing could be written to such a place at all.
  ///
  /// - Throws: `FileError` when it is missing or the disk fails.
  package static func sync(_ path: String) throws(FileError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      // A folder that may be written need not be one that may be read.
      if errno == EACCES && isDirectory(path) { return }
      throw failure(path, isWriting: true)
    }
    defer { close(descriptor) }
    // Some file systems cannot do it with folders, or at all: fsync(2).
    guard fsync(descriptor) == 0 || [EINVAL, ENOTSUP, ENOSYS].contains(errno) else {
      throw failure(path, isWriting: true)
    }
  }

  private static func kind(of path: String, _ type: CInt) -> FolderEntry.Kind {
    if type == CInt(DT_REG) { return .file }
    if type == CInt(DT_DIR) { return .folder }
    var status = stat()
    // A link, or a file system that does not say.
    guard unsafe stat(path, &status) == 0 else { return isLink(path) ? .brokenLink : .other }
    if status.st_mode & S_IFMT == S_IFREG { return .file }
    return status.st_mode & S_IFMT == S_IFDIR && type != CInt(DT_LNK) ? .folder : .other
  }
}
