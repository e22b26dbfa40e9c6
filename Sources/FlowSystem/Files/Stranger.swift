/// A content that version control, a download or an editor often leaves in place of a file's own.
///
/// Readers of a file check for it first, because a parser would only report symptoms.
package enum Stranger: Sendable, Hashable {
  /// The pointer that Git LFS leaves in a working copy without the real file.
  case gitPointer
  /// Something packed, by the name of its format.
  case archive(String)
  /// A page for a browser, as servers send in the place of a file.
  case page
  /// Text in an encoding other than UTF-8, by the name of the encoding.
  case otherEncoding(String)

  /// The first bytes of packed files.
  private static let archives: [(name: String, beginning: [UInt8])] = [
    ("gzip", [0x1F, 0x8B]), ("ZIP", [0x50, 0x4B, 0x03, 0x04]), ("ZIP", [0x50, 0x4B, 0x05, 0x06]),
    ("Zstandard", [0x28, 0xB5, 0x2F, 0xFD]), ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]),
    ("bzip2", [0x42, 0x5A, 0x68]),
  ]

  /// Recognises a content by its start, of which a line is enough, or returns nil.
  package init?(_ content: some Collection<UInt8>) {
    let start = Array(content.prefix(64))
    if start.starts(with: "version https://git-lfs.github.com/spec/".utf8) {
      self = .gitPointer
    } else if let archive = Self.archives.first(where: { start.starts(with: $0.beginning) }) {
      self = .archive(archive.name)
    } else if let encoding = Self.encoding(start) {
      self = .otherEncoding(encoding)
    } else if Self.isPage(start) {
      self = .page
    } else {
      return nil
    }
  }

  /// The encoding by its mark, or by the zeros between the letters of text that has none.
  private static func encoding(_ start: [UInt8]) -> String? {
    if start.starts(with: [0xFF, 0xFE, 0, 0]) || start.starts(with: [0, 0, 0xFE, 0xFF]) {
      return "UTF-32"
    }
    if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
    guard start.count >= 4 else { return nil }
    let zeros = start[..<4].map { $0 == 0 }
    return zeros == [false, true, false, true] || zeros == [true, false, true, false]
      ? "UTF-16" : nil
  }

  private static func isPage(_ start: [UInt8]) -> Bool {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = (start.starts(with: mark) ? start.dropFirst(mark.count) : start[...])
      .drop { $0 == 0x20 || 0x09...0x0D ~= $0 }
    let word = String(decoding: text.prefix(9), as: UTF8.self).lowercased()
    return word == "<!doctype" || word.hasPrefix("<html")
  }

  /// The kind of content.
  package var name: String {
    switch self {
    case .gitPointer: "a pointer of Git LFS"
    case .archive(let format): "a \(format) file"
    case .page: "an HTML page"
    case .otherEncoding(let encoding): "text in \(encoding)"
    }
  }

  /// The advice for such a file.
  package var remedy: String {
    switch self {
    case .gitPointer: "get the file itself with 'git lfs pull'"
    case .archive: "unpack it first"
    case .page: "the server may have refused to send the file"
    case .otherEncoding: "save it as UTF-8"
    }
  }

  /// The sentence for a file that should be something else: `this is an HTML page, not a transcript; …`.
  package func sentence(insteadOf noun: String) -> String {
    "this is \(name), not \(noun); \(remedy)"
  }
}
