package import FlowCore
internal import FlowSystem

/// The folder `blobs` beside transcripts, with one file for each body.
///
/// A file is named by its digest and shared by all transcripts of the folder.
package struct BlobFolder: Sendable {
  /// The folder's name.
  package static let name = "blobs"

  /// Returns true for the path of a body, by the names of the file and of its folder.
  package static func isBody(_ path: String) -> Bool {
    let parts = path.split(separator: "/").suffix(2)
    return parts.first == name[...] && SHA256.isHexadecimal(parts.last ?? "")
  }

  /// The folder's path.
  package let path: String

  /// Creates the folder of bodies for a transcript.
  package init(beside transcript: String) {
    path = Path.joined(Path.folder(of: transcript), Self.name)
  }

  /// Keeps a content, unless it is already there.
  ///
  /// If it is private, only its owner can read the new file.
  ///
  /// - Throws: `FileError` when the folder is a link or a file, or the system refuses.
  /// - Returns: True if it was not there.
  @discardableResult package func store(
    _ content: [UInt8], of blob: Blob, isPrivate: Bool = false
  ) throws(FileError) -> Bool {
    try store(content, digest: blob.digest, isPrivate: isPrivate)
  }

  @discardableResult private func store(
    _ content: [UInt8], digest: String, isPrivate: Bool
  ) throws(FileError) -> Bool {
    try FileSystem.makeFolder(path)
    let isThere = FileSystem.isOccupied(file(of: digest))
    // The existing file has the same digest, or is broken and repaired here.
    if holds(content, digest: digest) { return false }
    try FileSystem.replace(
      file(of: digest), with: content, followsLinks: false, isPrivate: isPrivate)
    return !isThere
  }

  /// Keeps a content, by its digest, so that it survives a power failure.
  ///
  /// - Throws: `FileError` when the system refuses.
  package func storeDurably(
    _ content: [UInt8], digest: String, isPrivate: Bool = false
  ) throws(FileError) {
    try store(content, digest: digest, isPrivate: isPrivate)
    // Also for an existing file, whose writer may not have waited for the disk.
    try FileSystem.sync(file(of: digest))
    try FileSystem.sync(path)
    try FileSystem.sync(Path.folder(of: path))
  }

  /// Returns true if a content is already kept.
  package func holds(_ content: [UInt8], of blob: Blob) -> Bool {
    holds(content, digest: blob.digest)
  }

  private func holds(_ content: [UInt8], digest: String) -> Bool {
    // An unreadable file is not the right one.
    !FileSystem.isLink(file(of: digest))
      && (try? FileSystem.contents(of: file(of: digest), limit: content.count)) == content
  }

  private func file(of digest: String) -> String { path + "/" + digest }

  /// The content of a blob, which has its size and its digest.
  ///
  /// - Throws: `BlobError` when it is missing, cannot be read, or is another one.
  func content(of blob: Blob) throws(BlobError) -> [UInt8] {
    guard blob.size <= Blob.largest else { throw BlobError(blob, "has more than 256 MiB") }
    guard !FileSystem.isLink(path) else {
      throw BlobError(blob, "cannot be read: '\(path)' is a link")
    }
    let content: [UInt8]
    do {
      // No link leads out of the folder. A newline that has become two bytes is read as well.
      content = try Directory(path).read(blob.digest, limit: 2 * blob.size + 1024)
    } catch {
      let reason =
        switch error.kind {
        case .missing: "is missing in '\(path)'"
        case .tooLarge: BlobError.otherContent
        default: "cannot be read: \(error)"
        }
      throw BlobError(blob, reason)
    }
    if blob.isName(of: content) { return content }
    throw BlobError(blob, holding: content)
  }

  /// Restores the recorded line ends of a body.
  ///
  /// Returns false if they are right, or something else is wrong.
  ///
  /// - Throws: `FileError` when the system refuses.
  func mendLineEnds(of blob: Blob) throws(FileError) -> Bool {
    // An unreadable file is reported with its body.
    guard blob.size <= Blob.largest, !FileSystem.isLink(path),
      !FileSystem.isLink(file(of: blob.digest)),
      let content = try? Directory(path).read(blob.digest, limit: 2 * blob.size),
      !blob.isName(of: content),
      let recorded = LineEnds.others(of: content).first(where: blob.isName)
    else { return false }
    try FileSystem.replace(file(of: blob.digest), with: recorded, followsLinks: false)
    return true
  }
}

/// Reads the values of a transcript's bodies, each only once.
struct BlobReader {
  private let folder: BlobFolder
  /// The bodies by their digests, or nil if a folder holds them.
  private let named: [String: [UInt8]]?
  /// True to take an unreadable body as empty.
  private let isLenient: Bool
  private var values: [Blob: JSON] = [:]
  private var size = 0
  /// True if all bodies could be read.
  private(set) var isWhole = true

  /// Creates a reader that has read nothing yet.
  ///
  /// - Parameters:
  ///   - file: The transcript, beside which the folder of bodies is.
  ///   - named: All bodies by their digests, if there is no file.
  ///   - isLenient: True to take an unreadable body as empty.
  init(beside file: String, named: [String: [UInt8]]? = nil, isLenient: Bool = false) {
    folder = BlobFolder(beside: file)
    self.named = named
    self.isLenient = isLenient
  }

  /// Creates a reader of bodies that are in memory with their values.
  init(_ values: [Blob: JSON]) {
    self.init(beside: "", named: [:])
    self.values = values
  }

  /// Returns the string, list or object in a body.
  ///
  /// - Throws: `BlobError` when the body cannot be read, is not of its kind, or exceeds the budget.
  mutating func value(of blob: Blob) throws(BlobError) -> JSON {
    guard blob.size <= Blob.budget - size else { throw .beyondBudget(blob) }
    size += blob.size
    if let value = values[blob] { return value }
    do throws(BlobError) {
      let value = try read(blob)
      values[blob] = value
      return value
    } catch {
      guard isLenient else { throw error }
      isWhole = false
      return .string("")
    }
  }

  private func read(_ blob: Blob) throws(BlobError) -> JSON {
    let content =
      if let named { try Self.content(of: blob, in: named) } else { try folder.content(of: blob) }
    if let value = blob.value(content) { return value }
    let kind = blob.form == .json ? "a list or an object in JSON" : "text"
    throw BlobError(blob, "is not \(kind)")
  }

  private static func content(
    of blob: Blob, in named: [String: [UInt8]]
  ) throws(BlobError) -> [UInt8] {
    guard let content = named[blob.digest] else { throw BlobError(blob, "is missing") }
    guard blob.isName(of: content) else { throw BlobError(blob, holding: content) }
    return content
  }
}
