internal import FlowCore

/// Paths as text, with `/` between their parts.
enum Path {
  /// The folder of a file; `.` when the path has none.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// `shop.transcript.jsonl` beside `shop.yaml`.
  static func transcript(of scenario: String) -> String {
    for suffix in [".yaml", ".yml"] where scenario.hasSuffix(suffix) {
      return scenario.dropLast(suffix.count) + ".transcript.jsonl"
    }
    return scenario + ".transcript.jsonl"
  }

  /// A relative path seen from a folder: what stands after `folder/` leads back to the file.
  static func joined(_ folder: String, _ path: String) -> String {
    folder == "." ? path : folder == "/" ? "/" + path : folder + "/" + path
  }

  /// The way from an existing folder to an existing file; the last part alone when there is none.
  static func relative(_ file: String, to folder: String) -> String {
    guard let file = FileSystem.realPath(file), let folder = FileSystem.realPath(folder) else {
      return String(file.split(separator: "/").last ?? "")
    }
    let target = file.split(separator: "/")
    let origin = folder.split(separator: "/")
    let common = zip(target, origin).prefix { $0 == $1 }.count
    let up = Array(repeating: "..", count: origin.count - common)
    return (up + target.dropFirst(common).map(String.init)).joined(separator: "/")
  }
}
