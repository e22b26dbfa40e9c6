package import FlowCore

/// Where a scenario finds the files that it includes; their paths are relative to its folder.
package struct ScenarioFiles: Sendable {
  /// The one path of a file that has several, without links and dots.
  ///
  /// Throws `FileError` for a path that leads out of the folder, or to no file.
  let location: @Sendable (String) throws(FileError) -> String
  /// The content of the file at a location, of at most so many bytes.
  let read: @Sendable (_ location: String, _ limit: Int) throws(FileError) -> [UInt8]

  /// The files of a folder, which paths cannot leave.
  package init(in folder: Directory) {
    location = { path throws(FileError) in try folder.location(of: path) }
    read = { path, limit throws(FileError) in try folder.read(path, limit: limit) }
  }

  /// Files that are not on the disk; `read` gets clean paths, and throws for one that it lacks.
  package init(reading read: @escaping @Sendable (String) throws(FileError) -> [UInt8]) {
    location = { path throws(FileError) in try Self.clean(path) }
    self.read = { path, _ throws(FileError) in try read(path) }
  }

  /// The path without `.` and `..`.
  private static func clean(_ path: String) throws(FileError) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part != ".." {
        parts.append(part)
      } else if parts.popLast() == nil {
        throw FileError(.forbidden, path: path)
      }
    }
    if path.hasPrefix("/") { throw FileError(.forbidden, path: path) }
    return parts.joined(separator: "/")
  }
}
