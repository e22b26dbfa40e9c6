package import FlowCore
private import Foundation
private import Synchronization

/// A new folder for one test, removed with this object.
package final class TemporaryFolder: Sendable {
  private let url: URL
  /// The descriptors of the pipes that are held open.
  private let pipes = Mutex<[Int32]>([])

  /// Makes the folder.
  package init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "flow-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    for pipe in pipes.withLock({ $0 }) { close(pipe) }
    // What remains after a failure is the system's to clean up.
    try? FileManager.default.removeItem(at: url)
  }

  /// The folder as components get it.
  package var directory: Directory { Directory(url.path) }

  /// The names in the folder, sorted.
  package var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
  }

  /// The full path of a file in the folder.
  package func path(_ name: String) -> String { url.appending(path: name).path }

  /// The names in a folder inside this one, sorted, or none if it is missing.
  package func names(in path: String) throws -> [String] {
    guard directory.contains(path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: self.path(path)).sorted()
  }

  /// Writes a file, and the folders around it.
  package func write(_ bytes: [UInt8], to path: String) throws {
    let file = url.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  /// Writes a text file.
  package func write(_ text: String, to path: String) throws {
    try write(Array(text.utf8), to: path)
  }

  /// The text of a file.
  package func text(_ path: String) throws -> String {
    String(decoding: try directory.read(path), as: UTF8.self)
  }

  /// Creates a symbolic link to a target relative to the link, or absolute.
  package func link(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: url.appending(path: path).path, withDestinationPath: target)
  }

  /// Creates a named pipe without a reader or a writer.
  package func makePipe(_ path: String) throws {
    guard unsafe mkfifo(url.appending(path: path).path, 0o600) == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
  }

  /// Creates a named pipe whose readers wait until this object or the process of the tests is gone.
  ///
  /// A program that never ends by itself reads it, so none is left behind.
  package func makeHeldPipe(_ path: String) throws {
    try makePipe(path)
    let pipe = unsafe open(self.path(path), O_RDWR | O_CLOEXEC)
    guard pipe >= 0 else { throw CocoaError(.fileReadUnknown) }
    pipes.withLock { $0.append(pipe) }
  }

  /// Gives a file a second name.
  package func linkHard(_ path: String, to target: String) throws {
    try FileManager.default.linkItem(atPath: self.path(target), toPath: self.path(path))
  }

  /// The mode of a file, such as `0o644`.
  package func mode(of path: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: self.path(path))
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }

  /// Changes the mode of a file.
  package func setMode(_ mode: Int, of path: String) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: self.path(path))
  }

  /// The mode of a new public file: 0666 without the bits of the process's umask.
  package func commonMode() throws -> Int? {
    let name = "mode-\(UUID().uuidString)"
    close(unsafe open(path(name), O_WRONLY | O_CREAT | O_EXCL, 0o666))
    defer { try? remove(name) }
    return try mode(of: name)
  }

  /// Removes a file or folder.
  package func remove(_ path: String) throws {
    try FileManager.default.removeItem(at: url.appending(path: path))
  }
}
