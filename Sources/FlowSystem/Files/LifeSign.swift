#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A file with the current activity of a process, for others to read after it was killed or has
/// crashed.
///
/// The process holds it by flock(2), which ends with the process in any case. Nothing waits for the
/// disk: a lost machine may take the latest lines with it.
package final class LifeSign: Sendable {
  private let path: String
  private let descriptor: CInt

  private static let ending = ".running"
  /// The most bytes to read of a file.
  private static let largest = 64 << 20

  /// Creates the file with a unique name that starts with a prefix, or returns nil when the system
  /// refuses.
  package init?(in folder: String, named name: String) {
    let random = String(UInt64.random(in: 0 ... .max), radix: 36)
    path = Path.joined(folder, name + "-" + random + Self.ending)
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    descriptor = unsafe open(path, flags, 0o600)
    guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      // Without locks, a living process cannot be distinguished from a dead one.
      if descriptor >= 0 { discard() }
      return nil
    }
  }

  /// Adds a line.
  ///
  /// A failed write is ignored, since only a hint depends on it.
  package func add(_ line: String) {
    _ = FileSystem.writeAll(descriptor, Array((line + "\n").utf8))
  }

  /// Removes the file when the process has finished its activity.
  package func remove() { _ = unsafe unlink(path) }

  private func discard() {
    remove()
    close(descriptor)
  }

  deinit { close(descriptor) }

  /// The last activity of a dead process.
  package struct Abandoned: Sendable {
    /// Its lines, without a torn last one.
    package let lines: [String]
    fileprivate let path: String

    /// Removes the file, so that it is not reported again.
    package func remove() { _ = unsafe unlink(path) }
  }

  /// Returns the files of dead processes whose names start with a prefix, in the order of their
  /// names.
  package static func abandoned(in folder: String, named name: String) -> [Abandoned] {
    // A folder that is not there, or cannot be read, has none to tell of.
    let entries = (try? FileSystem.entries(of: folder)) ?? []
    return entries.map(\.name).filter { $0.hasPrefix(name + "-") && $0.hasSuffix(ending) }
      .sorted().compactMap { abandoned(at: Path.joined(folder, $0)) }
  }

  private static func abandoned(at path: String) -> Abandoned? {
    let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0,
      let bytes = try? FileSystem.contents(of: path, limit: largest)
    else { return nil }
    let whole = bytes.prefix((bytes.lastIndex(of: 0x0A) ?? -1) + 1)
    let lines = whole.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    return Abandoned(lines: lines, path: path)
  }
}
