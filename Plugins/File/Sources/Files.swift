public import FlowCore
private import Synchronization

/// Files and folders in the scenario's folder.
///
/// `Directory` guards the paths and `FileContent` has the formats. This type connects them to
/// scenarios.
public final class Files: Component {
  /// The name in `plugin:`.
  public static let pluginName = "file"

  /// The plugin `file`.
  public static let plugin = Plugin(
    pluginName, version: "1.0", "Reads, writes and moves files in the scenario's folder.",
    state: .external, reaches: [.files],
    operations: [
      Operation(
        "read", "Reads a file.", input: ReadInput.record,
        answers: FileContent.record, errors: reading + [.malformed], retry: .safe
      ) { _, context, input in
        do { return try FileContent(input, context) } catch {
          // The task may have been cancelled during a large table.
          try Task.checkCancellation()
          throw error
        }
      }.narrowing(Columns.types).readOnly,
      Operation(
        "write", "Writes a file atomically. Creates missing folders.", input: WriteInput.record,
        answers: size, errors: reading + [.malformed], retry: .safe
      ) { _, context, input in
        let mode = try input.mode.map(FileMode.init)
        let content = try NewContent(input)
        return try context.files.write(content.bytes, to: input.path, mode: mode)
      }
      .checking(checkMode),
      Operation(
        "append", "Appends text to a file. Creates a missing file.", path,
        Parameter<String>("text", "The text to append."), answers: .none, errors: reading
      ) { _, context, path, text in try context.files.append(Array(text.utf8), to: path) },
      Operation(
        "copy", "Copies a file. Replaces a file at the new path.",
        Parameter<String>("from", "The file to copy."),
        Parameter<String>("to", "The path of the copy."),
        answers: size, errors: reading, retry: .safe
      ) { _, context, path, other in
        try context.files.write(try context.files.read(path), to: other)
      },
      Operation(
        "move", "Moves a file, link or folder. Replaces a file at the new path.",
        Parameter<String>("from", "The current path."), Parameter<String>("to", "The new path."),
        answers: .none, errors: reading
      ) { _, context, path, other in try context.files.move(path, to: other) },
      Operation(
        "remove", "Removes a file, a link, or a folder.", path,
        Parameter<Bool>("recursive", "Removes a folder together with its content.", default: false),
        answers: .none, errors: reading
      ) { _, context, path, isRecursive in
        try context.files.remove(path, recursively: isRecursive)
      },
      Operation(
        "list", "Lists the files and folders in a folder.",
        Parameter<String>("path", "The folder.", default: "."),
        Parameter<String>("glob", "A pattern for the names: * ? [a-z] [!a] {a,b}.", default: "*"),
        answers: Record<[String]>("names", "The sorted names. Names of folders end with a slash."),
        errors: reading + [.malformed], retry: .safe
      ) { _, context, path, glob in try context.files.names(in: path, matching: Glob(glob)) }
      .checking { input in
        if case .string(let glob)? = input["glob"] { _ = try Glob(glob) }
      }
      .readOnly,
      Operation(
        "exists", "Checks if a file or folder exists.", path,
        answers: Record<Bool>("exists", "True if a file or folder exists at the path."),
        errors: reading, retry: .safe
      ) { _, context, path in try context.files.exists(path) }
      .readOnly,
      Operation(
        "wait_for", "Waits until a file or folder exists.", path, answers: .none, errors: reading,
        retry: .safe
      ) { _, context, path in
        try await context.files.wait(for: path, context)
      },
      Operation(
        "temporary", "Creates a folder that is removed at the end of the run.",
        answers: Record<String>("path", "The path of the folder.", volatile: true), errors: reading
      ) { files, context in try files.makeTemporaryFolder(context.files) },
      Operation(
        "info", "Returns the kind, size and permissions of a file or folder.", path,
        answers: FileInfo.record, errors: reading, retry: .safe
      ) { _, context, path in try context.files.info(of: path) }
      .readOnly,
      Operation(
        "set_mode", "Changes the permissions of a file or folder.", path,
        Parameter<String>("mode", FileMode.summary, examples: ["755"], hint: FileMode.hint),
        answers: .none, errors: reading + [.malformed], retry: .safe
      ) { _, context, path, mode in
        try context.files.setMode(try FileMode(mode), of: path)
      }
      .checking(checkMode),
    ]
  ) { context in Files(context.files) }

  private let folder: Folder
  /// The temporary folders with the marks by which later runs know that this one lives.
  private let temporary = Mutex<[(path: String, mark: OpenFolder.Mark?)]>([])

  private init(_ folder: Folder) {
    self.folder = folder
  }

  private func makeTemporaryFolder(_ folder: Folder) throws(FileProblem) -> String {
    // By chance and not by the seed: two runs at once need two folders.
    let path = ".flow/" + Self.prefix + String(UInt64.random(in: 0 ... .max), radix: 36)
    if temporary.withLock({ $0.isEmpty }) { Self.sweep(folder.directory) }
    try folder.makeFolder(path)
    let mark = try? folder.directory.openFolder(path).mark()
    temporary.withLock { $0.append((path, mark)) }
    return path
  }

  private static let prefix = "temporary-"
  /// Seconds, more than the moment between making a folder and marking it.
  private static let leastAge = 3_600

  /// Removes the folders that killed runs of this user have left.
  private static func sweep(_ directory: Directory) {
    for entry in (try? directory.entries(of: ".flow")) ?? []
    where entry.kind == .folder && entry.name.hasPrefix(prefix) {
      let path = ".flow/" + entry.name
      guard let mark = try? directory.openFolder(path).mark(), mark.isAbandoned(for: leastAge)
      else { continue }
      try? directory.remove(path, recursively: true)
    }
  }

  /// Removes the temporary folders.
  public func close() async {
    let paths = temporary.withLock { $0.map(\.path) }
    // Another component may have removed it. A file in use cannot be helped.
    for path in paths { try? folder.remove(path, recursively: true) }
  }

  @Sendable private static func checkMode(_ input: [String: Value]) throws {
    if case .string(let mode)? = input["mode"] { _ = try FileMode(mode) }
  }

  /// The field of a path in a record of inputs.
  static func pathField<Input>(
    _ path: any KeyPath<Input, String> & Sendable
  ) -> Field<Input, String> {
    Field("path", path, "The path in the scenario's folder.", examples: ["notes.txt"])
  }

  static let path = Parameter<String>(
    "path", "The path in the scenario's folder.", examples: ["notes.txt"])
  static let size = Record<Int>("size", "The size of the file in bytes.")
  private static let reading: [ErrorCode] = [
    .missing, .forbidden, .notAFile, .tooLarge, .unreadable,
  ]
}

extension Context {
  fileprivate var files: Folder { Folder(directory: directory) }
}

/// The scenario's folder, with errors in the codes of this plugin.
struct Folder: Sendable {
  let directory: Directory

  /// The most bytes to read or write.
  static let limit = 64 << 20

  func read(_ path: String) throws(FileProblem) -> [UInt8] {
    try coded { () throws(FileError) in try directory.read(path, limit: Self.limit) }
  }

  /// Writes a file, with a mode or the usual one, and returns its size.
  func write(
    _ bytes: [UInt8], to path: String, mode: FileMode? = nil
  ) throws(FileProblem) -> Int {
    try coded { () throws(FileError) in
      guard bytes.count <= Self.limit else {
        throw FileError(.tooLarge, path: path, isWriting: true)
      }
      try directory.makeFolders(around: path)
      try directory.write(bytes, to: path, mode: mode?.bits)
      return bytes.count
    }
  }

  func append(_ bytes: [UInt8], to path: String) throws(FileProblem) {
    try coded { () throws(FileError) in
      try directory.makeFolders(around: path)
      try directory.append(bytes, to: path)
    }
  }

  func makeFolder(_ path: String) throws(FileProblem) {
    try coded { () throws(FileError) in try directory.makeFolder(path) }
  }

  func setMode(_ mode: FileMode, of path: String) throws(FileProblem) {
    try coded { () throws(FileError) in try directory.setMode(mode.bits, of: path) }
  }

  func info(of path: String) throws(FileProblem) -> FileInfo {
    try coded { () throws(FileError) in
      let (size, mode) = try directory.sizeAndMode(of: path)
      let kind: FileInfo.Kind =
        switch try directory.kind(of: path) {
        case .file: .file
        case .folder: .folder
        default: .other
        }
      return FileInfo(
        kind: kind, size: kind == .file ? size : 0, mode: FileMode(bits: mode).text)
    }
  }

  func move(_ path: String, to other: String) throws(FileProblem) {
    do { try directory.move(path, to: other) } catch {
      guard error.action == .write, error.kind == .missing else { throw .file(error) }
      // Folders are only created for an existing source.
      try coded { () throws(FileError) in
        try directory.makeFolders(around: other)
        try directory.move(path, to: other)
      }
    }
  }

  func remove(_ path: String, recursively: Bool) throws(FileProblem) {
    try coded { () throws(FileError) in try directory.remove(path, recursively: recursively) }
  }

  /// Returns the matching names in a folder, sorted.
  func names(in path: String, matching glob: Glob) throws(FileProblem) -> [String] {
    let entries = try coded { () throws(FileError) in try directory.entries(of: path) }
    return entries.filter { glob.matches($0.name) }
      .map { $0.kind == .folder ? $0.name + "/" : $0.name }
  }

  func exists(_ path: String) throws(FileProblem) -> Bool {
    try coded { () throws(FileError) in try directory.kind(of: path) } != nil
  }

  /// Waits in the run's time until something is at a path.
  ///
  /// The checks get rarer with time: at most a tenth of the wait, or a second, is lost.
  func wait(for path: String, _ context: Context) async throws {
    var waited = Duration.zero
    while try !exists(path) {
      let pause = min(.seconds(1), max(.milliseconds(10), waited / 10))
      try await context.sleep(for: pause)
      waited += pause
    }
  }

  private func coded<Result>(
    _ work: () throws(FileError) -> Result
  ) throws(FileProblem) -> Result {
    do { return try work() } catch { throw .file(error) }
  }
}
