import FlowCore

/// The files of this project.
package enum ProjectFiles {
  /// The full path of the project's folder.
  package static let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

  /// The text of a file, by its path in the project.
  package static func text(_ path: String) throws -> String {
    String(decoding: try Directory(root).read(path), as: UTF8.self)
  }
}
