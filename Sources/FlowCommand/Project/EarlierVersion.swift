internal import FlowSystem

/// An earlier version of the files around a project: a revision of Git, or a folder with a copy.
struct EarlierVersion: Sendable {
  /// The reason why there is no such version.
  struct Failure: Error { let message: String }

  /// The name that the user gave it.
  let name: String
  /// The folder of the copy that corresponds to `origin`, as the system resolves it.
  private let copy: String
  /// The folder that contains the present version, as the system resolves it.
  private let origin: String
  /// The folder to remove, or nil for a copy that belongs to the user.
  let temporary: String?

  /// Finds a version of the project in a folder.
  ///
  /// A revision is written to a temporary folder, without the history and without running hooks.
  init(_ name: String, of project: String) throws(Failure) {
    self.name = name
    guard let folder = FileSystem.realPath(project) else {
      throw Failure(message: "'\(project.onOneLine)' cannot be read")
    }
    guard let commit = Self.commit(name, in: folder) else {
      guard FileSystem.isDirectory(name), let path = FileSystem.realPath(name) else {
        throw Failure(
          message: "'\(name.onOneLine)' is neither a revision of Git around "
            + "'\(project.onOneLine)' nor a folder")
      }
      (copy, temporary) = (path, nil)
      origin = Self.counterpart(of: path, around: folder)
      return
    }
    origin = try Self.root(around: folder)
    let made = try Self.folder()
    temporary = made
    copy = Path.joined(made, "files")
    do { try Self.write(commit, of: origin, to: made) } catch {
      try? FileSystem.removeFolder(made, recursively: true)
      throw error
    }
  }

  /// Removes what was written.
  func remove() {
    if let temporary { try? FileSystem.removeFolder(temporary, recursively: true) }
  }

  /// Returns the path in this version of a file or folder of the present one, or nil outside of it.
  func path(of path: String) -> String? {
    guard let path = FileSystem.realPath(path) else { return nil }
    if path == origin { return copy }
    return Path.inside(path, of: origin).map { Path.joined(copy, $0) }
  }

  /// Returns the path in this version of a file by its path from the root, or nil for one outside.
  func file(_ path: String) -> String? {
    guard let path = FileSystem.realPath(Path.joined(copy, path)) else { return nil }
    return Path.inside(path, of: copy).map { Path.joined(copy, $0) }
  }

  /// Returns the path in the present version of a file of this one, or nil outside of it.
  ///
  /// The present version need not have the file.
  func present(of path: String) -> String? {
    guard let path = FileSystem.realPath(path) else { return nil }
    return Path.inside(path, of: copy).map { Path.joined(origin, $0) }
  }

  /// Returns a text without the folder of the copy, such as a message about one of its files.
  func shown(_ text: String) -> String {
    text.replacing(copy + "/", with: "").replacing(copy, with: ".")
  }

  /// Returns the folder that a copy is one of: the root around the project if the copy has the
  /// project's folder in the same place, or else the project's folder.
  private static func counterpart(of copy: String, around folder: String) -> String {
    guard let root = try? root(around: folder), let place = Path.inside(folder, of: root),
      place != ".", FileSystem.isDirectory(Path.joined(copy, place))
    else { return folder }
    return root
  }

  // MARK: - Git

  /// The variables by which Git tells a hook about its repository, which may be another one.
  private static let hookVariables = [
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR",
    "GIT_IMPLICIT_WORK_TREE",
  ]

  private static func git(
    _ words: [String], in folder: String, index: String? = nil
  ) -> ProgramOutput {
    ProgramOutput(
      of: ["git", "-C", folder] + words, without: hookVariables,
      variables: index.map { [(name: "GIT_INDEX_FILE", value: $0)] } ?? [])
  }

  private static func root(around folder: String) throws(Failure) -> String {
    let found = git(["rev-parse", "--show-toplevel"], in: folder)
    guard found.succeeded, let root = FileSystem.realPath(found.firstLine) else {
      throw Failure(message: found.firstLine.onOneLine)
    }
    return root
  }

  private static func commit(_ name: String, in folder: String) -> String? {
    if name.hasPrefix("-") { return nil }
    let found = git(["rev-parse", "--verify", "--quiet", "\(name)^{commit}"], in: folder)
    return found.succeeded ? found.firstLine : nil
  }

  private static func folder() throws(Failure) -> String {
    do throws(FileError) {
      let made = try FileSystem.makeTemporaryFolder("flow-earlier")
      return FileSystem.realPath(made) ?? made
    } catch {
      throw Failure(message: "\(error)")
    }
  }

  /// Writes the files of a commit below a folder, by an index of its own.
  private static func write(_ commit: String, of root: String, to folder: String) throws(Failure) {
    let index = Path.joined(folder, "index")
    let files = Path.joined(folder, "files/")
    for words in [["read-tree", commit], ["checkout-index", "--all", "--prefix=\(files)"]] {
      let result = git(words, in: root, index: index)
      guard result.succeeded else { throw Failure(message: result.firstLine.onOneLine) }
    }
  }
}
