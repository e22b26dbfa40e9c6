private import CSystem

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A folder that is held open, even if its path changes.
package final class HeldFolder: Sendable {
  /// The descriptor for names in the folder, which usually cannot be read itself.
  package let descriptor: CInt

  fileprivate init(_ descriptor: CInt) { self.descriptor = descriptor }

  deinit { close(descriptor) }
}

/// A name in a held folder, as the target of a path in an enclosure.
package struct HeldPlace: Sendable {
  /// The folder around it.
  let folder: HeldFolder
  /// One part of a path, or `.` for the folder itself.
  let name: String
  /// True if the path leads here through a link.
  var isBehindLink = false
}

/// A folder that no path can leave, even while other processes move folders and make links.
///
/// A path is looked up only once, to an open folder, so that the checked place is the used one.
package struct Enclosure: Sendable {
  /// The method of looking up a path.
  package enum Lookup: Sendable, Hashable {
    /// By one system call, openat2(2) with `RESOLVE_BENEATH`, or in steps if the system lacks it or
    /// refuses a path.
    case system
    /// Folder by folder, with links followed here.
    case steps
  }

  private let folder: HeldFolder
  /// Its path without links, from which absolute links are known to lead into it.
  private let path: String
  private let lookup: Lookup

  /// The most lookups of a path in one call while others rename folders on the way.
  private static let tries = 64
  /// The most links to follow, as on Linux: path_resolution(7).
  private static let mostLinks = 40
  /// The most folders held open at once on the way.
  private static let deepest = 400

  /// The folder at a path without links.
  ///
  /// - Throws: `FileError` when it is missing, or no folder any more.
  package init(_ path: String, lookup: Lookup = .system) throws(FileError) {
    let descriptor = unsafe flow_open_folder(path)
    guard descriptor >= 0 else { throw FileSystem.failure(path) }
    folder = HeldFolder(descriptor)
    self.path = path
    self.lookup = lookup
  }

  private init(_ folder: HeldFolder, _ path: String, _ lookup: Lookup) {
    (self.folder, self.path, self.lookup) = (folder, path, lookup)
  }

  /// Returns a folder below this one as an enclosure, by its way without links.
  ///
  /// - Throws: `FileError`, `.forbidden` if there is a link on the way by now.
  package func enclosure(_ way: String) throws(FileError) -> Enclosure {
    if way == "." { return self }
    return Enclosure(
      try find(way, followsLinks: false), Path.joined(path, way), lookup)
  }

  /// Returns the folder at a path after following links.
  ///
  /// - Throws: `FileError`, `.forbidden` if the path leads out.
  package func folder(_ way: String) throws(FileError) -> HeldFolder {
    try find(way, followsLinks: true)
  }

  private func find(_ way: String, followsLinks: Bool) throws(FileError) -> HeldFolder {
    let way = way.isEmpty ? "." : way
    if lookup == .system {
      for _ in 0..<Self.tries {
        let found = unsafe flow_open_beneath(folder.descriptor, way, followsLinks)
        if found >= 0 { return HeldFolder(found) }
        if errno == EAGAIN { continue }
        // The other ones show that the path leads out, or that the call does not exist, also in a
        // sandbox.
        if [ENOENT, ENOTDIR, EACCES, ENAMETOOLONG].contains(errno) { throw failure(way) }
        break
      }
    }
    return try walk(way, followsLinks: followsLinks)
  }

  /// Goes from folder to folder, and never asks the system where `..` or a link leads.
  private func walk(_ way: String, followsLinks: Bool) throws(FileError) -> HeldFolder {
    var passed = [folder]
    var rest = Array(Self.parts(way).reversed())
    var links = 0
    while let part = rest.popLast() {
      if part == ".." {
        passed.removeLast()
        guard !passed.isEmpty else { throw leadsOut(way) }
        continue
      }
      let outer = passed[passed.count - 1]
      let inner = unsafe flow_open_entry(outer.descriptor, part)
      if inner >= 0 {
        passed.append(HeldFolder(inner))
        guard passed.count <= Self.deepest else { throw tooDeep(way) }
        continue
      }
      let reason = errno
      guard let target = HeldPlace(folder: outer, name: part).link else {
        errno = reason
        throw failure(way)
      }
      links += 1
      guard followsLinks else { throw leadsOut(way) }
      guard links <= Self.mostLinks else { throw tooManyLinks(way) }
      if target.utf8.first == Self.slash { passed = [folder] }
      rest += Self.parts(try inside(target, way)).reversed()
    }
    return passed[passed.count - 1]
  }

  /// Returns the name to which a path leads, even if nothing has it.
  ///
  /// Links are followed, except for the path's last part without `followsLast`.
  ///
  /// - Throws: `FileError`, `.forbidden` if the path leads out.
  package func place(of way: String, followsLast: Bool = true) throws(FileError) -> HeldPlace {
    var current = followsLast ? way : Path.plain(way)
    for links in 0...Self.mostLinks {
      guard let (outer, name) = Self.split(current) else {
        return HeldPlace(folder: try folder(current), name: ".", isBehindLink: links > 0)
      }
      let place = HeldPlace(folder: try folder(outer), name: name, isBehindLink: links > 0)
      guard followsLast, let target = place.link else { return place }
      let way = try inside(target, way)
      current = target.utf8.first == Self.slash ? way : Path.joined(outer, way)
    }
    throw tooManyLinks(way)
  }

  /// Returns the target of a link relative to its own folder, or to this folder if it is absolute.
  private func inside(_ target: String, _ way: String) throws(FileError) -> String {
    guard target.utf8.first == Self.slash else { return target }
    // What does not exist is judged by the nearest folder that does. Where it leads is looked up beneath in any case.
    var (existing, rest) = (target, Substring())
    while existing.utf8.count > 1, FileSystem.realPath(existing) == nil {
      guard let slash = existing.utf8.lastIndex(of: Self.slash) else { break }
      rest = Substring(existing[slash...] + rest)
      existing = slash == existing.startIndex ? "/" : String(existing[..<slash])
    }
    guard let real = FileSystem.realPath(existing), let inner = Path.inside(real, of: path) else {
      throw leadsOut(way)
    }
    return inner + rest
  }

  private static let slash = UInt8(ascii: "/")

  private static func parts(_ way: String) -> [String] {
    way.utf8.split(separator: slash).map { String(decoding: $0, as: UTF8.self) }
      .filter { $0 != "." }
  }

  /// Splits a path into the folder and its last part, or returns nil for a path that can only be a
  /// folder.
  private static func split(_ way: String) -> (folder: String, name: String)? {
    guard way.utf8.last != slash, let name = way.utf8.split(separator: slash).last else {
      return nil
    }
    let text = String(decoding: name, as: UTF8.self)
    guard text != ".", text != ".." else { return nil }
    return (String(decoding: way.utf8.dropLast(name.count), as: UTF8.self), text)
  }

  // The way is not relative to the working directory, so no link is to be searched there.
  private func failure(_ way: String) -> FileError { FileSystem.failure(way, isWriting: true) }

  private func leadsOut(_ way: String) -> FileError { FileError(.forbidden, path: way) }

  private func tooManyLinks(_ way: String) -> FileError {
    errno = ELOOP
    return failure(way)
  }

  private func tooDeep(_ way: String) -> FileError {
    FileError(.unreadable, path: way, reason: "more than \(Self.deepest) folders deep")
  }
}

extension HeldPlace {
  /// The target if the name is a link.
  var link: String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlinkat(folder.descriptor, name, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
