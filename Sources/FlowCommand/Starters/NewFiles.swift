internal import FlowSystem

/// New files written by a command, which replace nothing.
struct NewFiles: Sendable {
  /// The folder of the files, created with its parents if missing.
  let folder: String
  private(set) var files: [(path: String, text: String)] = []
  /// Lines for files that may exist.
  struct Addition: Sendable {
    let path: String
    let lines: [String]
    /// The comment before the first line.
    let reason: String
  }

  private(set) var additions: [Addition] = []
  /// Further paths in the folder that must be free.
  var reserved: [String] = []

  /// Creates an empty set of files.
  init(in folder: String) {
    self.folder = Path.plain(folder)
  }

  /// Adds a file, by its path in the folder.
  mutating func add(_ path: String, _ text: String) {
    files.append((path, text))
  }

  /// Adds lines to the end of a file, except the ones that it already has.
  mutating func append(_ lines: [String], to path: String, after reason: String) {
    additions.append(Addition(path: path, lines: lines, reason: reason))
  }

  /// Returns the path of a file in the folder, as shown in messages.
  func path(_ name: String) -> String { Path.joined(folder, name) }

  /// The existing files, which prevent writing.
  var occupied: [String] {
    let names = files.map(\.path) + reserved
    return names.filter { FileSystem.isOccupied(path($0)) }
  }

  /// True if the folder has a description, such as `README.md` or `readme.rst`.
  ///
  /// In an unreadable folder nothing can be written either, so the error is reported then.
  var hasReadme: Bool {
    let entries = (try? FileSystem.entries(ifThere: folder)) ?? []
    return entries.contains { $0.name.lowercased().hasPrefix("readme") }
  }

  /// Adds the missing lines to a file.
  ///
  /// False if it has all of them.
  fileprivate func append(_ addition: Addition) throws(FileError) -> Bool {
    let path = path(addition.path)
    var content: [UInt8] = []
    if FileSystem.isOccupied(path) {
      content = try FileSystem.contents(of: path, limit: 1 << 20)
    }
    let known = Set(
      content.split(whereSeparator: \.isNewline).map { String(decoding: $0, as: UTF8.self).words })
    let missing = addition.lines.filter { !known.contains($0.words) }
    if missing.isEmpty { return false }
    let usesPairs = content.suffix(2).elementsEqual("\r\n".utf8)
    if let last = content.last, last != UInt8(ascii: "\n") { content.append(UInt8(ascii: "\n")) }
    let text = addition.reason + missing.map { $0 + "\n" }.joined()
    content += Array((usesPairs ? text.replacing("\n", with: "\r\n") : text).utf8)
    try FileSystem.replace(path, with: content)
    return true
  }

  fileprivate func write(_ name: String, _ text: String) throws(FileError) {
    let path = path(name)
    try FileSystem.makeFolders(Path.folder(of: path))
    try FileSystem.replace(path, with: Array(text.utf8), followsLinks: false)
  }
}

extension CommandContext {
  /// Writes new files and prints a line for each.
  ///
  /// False after printing the reason for a failure.
  func write(_ new: NewFiles) -> Bool {
    let occupied = new.occupied
    if !occupied.isEmpty {
      let names = occupied.map { "'\(new.path($0).onOneLine)'" }.joined(separator: ", ")
      let verb = occupied.count == 1 ? "exists" : "exist"
      process.say("\(names) already \(verb); nothing was written")
      return false
    }
    do throws(FileError) {
      for file in new.files {
        try new.write(file.path, file.text)
        confirm("wrote \(new.path(file.path).onOneLine)\n")
      }
      for addition in new.additions {
        let path = new.path(addition.path)
        let verb = FileSystem.isOccupied(path) ? "added to" : "wrote"
        if try new.append(addition) { confirm("\(verb) \(path.onOneLine)\n") }
      }
      return true
    } catch {
      process.say("\(error)")
      return false
    }
  }
}

extension UInt8 {
  /// True for a byte of a line's end.
  fileprivate var isNewline: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }
}

extension String {
  /// The words between blanks.
  fileprivate var words: [Substring] { split { $0 == " " || $0 == "\t" } }
}
