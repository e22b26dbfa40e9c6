public import FlowCore

/// Files and folders in the scenario's folder.
///
/// `Directory` guards the paths and `FileContent` has the formats. This type connects them to
/// scenarios.
public struct Files: Component {
  /// The name in `plugin:`.
  public static let pluginName = "file"

  /// The plugin `file`.
  public static let plugin = Plugin(
    pluginName, version: "1.0", "Reads, writes and moves files in the scenario's folder.",
    state: .external, reaches: [.files],
    operations: [
      Operation(
        "read", "Reads a file.", path,
        Parameter<FileFormat>("as", "The format of the file.", default: .text),
        Parameter<[String: ColumnType]?>("columns", "The type of each column of a CSV file."),
        answers: FileContent.record, errors: reading + [.malformed], retry: .safe
      ) { _, context, path, format, columns in
        do { return try FileContent(reading: path, as: format, columns, context) } catch {
          // The task may have been cancelled during a large table.
          try Task.checkCancellation()
          throw error
        }
      }.narrowing(Columns.types).readOnly,
      Operation(
        "write", "Writes a file atomically. Creates missing folders.", path,
        Parameter<String?>("text", "The content as text."),
        Parameter<Value>(
          "data", "The content as a value, written in the format 'as'.", default: .null),
        Parameter<Bytes?>("bytes", "The content as bytes."),
        Parameter<FileFormat?>("as", "The format of 'data', json if absent."),
        answers: size, errors: reading + [.malformed], retry: .safe
      ) { _, context, path, text, data, bytes, format in
        let content = try NewContent(path: path, text: text, data: data, bytes: bytes, as: format)
        return try context.files.write(content.bytes, to: path)
      },
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
    ]
  ) { _ in Files() }

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

  /// Writes a file and returns its size.
  func write(_ bytes: [UInt8], to path: String) throws(FileProblem) -> Int {
    try coded { () throws(FileError) in
      guard bytes.count <= Self.limit else {
        throw FileError(.tooLarge, path: path, isWriting: true)
      }
      try directory.makeFolders(around: path)
      try directory.write(bytes, to: path)
      return bytes.count
    }
  }

  func append(_ bytes: [UInt8], to path: String) throws(FileProblem) {
    try coded { () throws(FileError) in
      try directory.makeFolders(around: path)
      try directory.append(bytes, to: path)
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
