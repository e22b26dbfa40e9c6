/// Paths as text, with `/` between their parts.
package enum Path {
  /// Returns the folder of a file, or `.` if the path has none.
  package static func folder(of path: String) -> String {
    // In bytes: a slash before a combining mark is part of another character.
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The ending of transcripts beside their scenarios.
  package static let transcriptEnding = ".transcript.jsonl"

  /// Returns the path of a scenario's transcript, as `shop.transcript.jsonl` beside `shop.yaml`.
  package static func transcript(of scenario: String) -> String {
    for suffix in [".yaml", ".yml"] where scenario.hasSuffix(suffix) {
      return scenario.dropLast(suffix.count) + transcriptEnding
    }
    return scenario + transcriptEnding
  }

  /// Joins a folder and a path relative to it.
  package static func joined(_ folder: String, _ path: String) -> String {
    folder == "." ? path : folder == "/" ? "/" + path : folder + "/" + path
  }

  /// Returns the way from an existing folder to an existing file, or only the last part if there is
  /// none.
  package static func relative(_ file: String, to folder: String) -> String {
    guard let file = FileSystem.realPath(file), let folder = FileSystem.realPath(folder) else {
      return String(file.split(separator: "/").last ?? "")
    }
    return way(from: folder, to: file)
  }

  /// Returns the way from a folder to a file, for paths without links and dots from the same
  /// origin.
  package static func way(from folder: String, to file: String) -> String {
    let target = file.split(separator: "/")
    let origin = folder.split(separator: "/")
    let common = zip(target, origin).prefix { $0 == $1 }.count
    let up = Array(repeating: "..", count: origin.count - common)
    return (up + target.dropFirst(common).map(String.init)).joined(separator: "/")
  }

  /// Returns a path without redundant parts: `.`, and slashes that are doubled or last.
  package static func plain(_ path: String) -> String {
    let parts = path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    if path.utf8.first == UInt8(ascii: "/") { return "/" + parts }
    return parts.isEmpty ? "." : parts
  }

  /// A full path as people see it: from the working directory on, when it lies in there.
  package static func shown(_ path: String) -> String {
    guard let here = FileSystem.realPath("."), let rest = inside(path, of: here) else {
      return path
    }
    return rest
  }

  /// Returns the rest of a path below a folder, `.` for the folder itself, or nil for a path
  /// elsewhere.
  ///
  /// Both are full paths without links. They are compared by bytes, as in the system.
  package static func inside(_ path: String, of folder: String) -> String? {
    if path.utf8.elementsEqual(folder.utf8) { return "." }
    let beginning = folder == "/" ? folder : folder + "/"
    guard path.utf8.starts(with: beginning.utf8) else { return nil }
    return String(decoding: path.utf8.dropFirst(beginning.utf8.count), as: UTF8.self)
  }
}
