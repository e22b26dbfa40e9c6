internal import FlowCore
internal import FlowImport
internal import FlowReport
internal import FlowSystem

extension Command {
  static let importing = Command(
    syntax: CommandSyntax(
      name: "import",
      summary: "Converts curl commands, requests of Postman, Bruno and others to scenarios.",
      operands: .one("FILE"),
      options: [
        Option(
          "from", .required("FORMAT"),
          "The format: \(ImportFormat.allCases.map(\.rawValue).alternatives). "
            + "Default: detected from the file.",
          completion: .words(ImportFormat.allCases.map(\.rawValue))),
        Option(
          "output", .required("PATH"),
          "Writes the scenario to a file instead of standard output. With a folder, or a slash at "
            + "the end: a scenario for each folder of a collection, or for each operation of a "
            + "description.",
          letter: "o"),
        Option("force", .none, "Replaces an existing file."),
        Option(
          "environment", .required("FILE"),
          "Takes values of variables from an environment of Postman, Bruno or an editor, of which "
            + "FILE#NAME is one of several. Can be repeated."),
        Option(
          "transcript", .none,
          "With a HAR file and '-o': writes its answers to the scenario's transcript."),
        Option(
          "dry-run", .none,
          "With a folder: prints what an import would change, and exits with 1 if it would."),
        Option("prune", .none, "With a folder: removes unedited scenarios of what is gone."),
        .quiet,
      ],
      details: """
        FILE is '-' for standard input, such as for a command copied from a browser, or a folder
        of Bruno or of .http files.

        Prints the scenario, and on standard error a line for everything without an equivalent in
        scenarios. Secrets such as passwords, tokens and cookies are not copied. They become secret
        inputs.

        An import into a folder can be repeated. It merges what changed in FILE with what was edited
        in the folder. Where both changed the same lines, the file stays, the new version is put
        beside it as NAME.yaml.new, and the exit code is 1. Commit the file import.lock with the
        scenarios.

          flow import requests.har -o requests.yaml && flow check requests.yaml
          flow import shop.postman_collection.json -o Scenarios/ --dry-run
          flow import openapi.yaml -o Scenarios/
          flow import bruno/ -o Scenarios/ --environment bruno/environments/dev.bru
        """)
  ) { (flow, arguments) throws(UsageError) in
    let request = try ImportRequest(arguments)
    guard let source = flow.source(request) else { return .badInput }
    if request.isFolder { return flow.importFolder(source, request) }
    guard let result = flow.imported(source, request.shownName) else { return .badInput }
    guard let output = request.output else {
      flow.process.documentOutput(result.scenario)
      return .passed
    }
    if request.hasTranscript { return await flow.record(result, request, output) }
    return flow.write(result.scenario, to: output, isReplacing: request.isReplacing)
  }
}

/// The operand and the options of an import.
struct ImportRequest: Sendable {
  let file: String
  let format: ImportFormat?
  let output: String?
  let environments: [String]
  let isReplacing: Bool
  let hasTranscript: Bool
  let isDryRun: Bool
  let isPruning: Bool

  fileprivate init(_ arguments: ParsedArguments) throws(UsageError) {
    format = try arguments.choice("from")
    output = try arguments.only("output")
    if output == "" { throw .emptyPath }
    file = arguments.operands[0]
    // The following text may be a secret.
    if file.hasPrefix("curl ") { throw .commandInPlaceOfFile }
    environments = arguments.values("environment")
    isReplacing = arguments.has("force")
    hasTranscript = arguments.has("transcript")
    isDryRun = arguments.has("dry-run")
    isPruning = arguments.has("prune")
    if hasTranscript {
      if output == nil { throw .needs(option: "transcript", other: "output") }
      if isFolder { throw .needsFile(option: "transcript") }
    }
    if isFolder {
      if isReplacing { throw .needsFile(option: "force") }
    } else if isDryRun || isPruning {
      throw .needsFolder(option: isDryRun ? "dry-run" : "prune")
    }
  }

  /// True if the scenarios go to a folder.
  var isFolder: Bool {
    output.map { $0.hasSuffix("/") || FileSystem.isDirectory($0) } ?? false
  }

  /// The name of the file in messages.
  var shownName: String { file == StandardInput.operand ? StandardInput.name : file }
}

extension CommandContext {
  /// Reads the files of an import.
  ///
  /// Nil after printing the problem.
  fileprivate func source(_ request: ImportRequest) -> ImportSource? {
    do throws(FileError) {
      var source = try imported(request)
      for path in request.environments {
        let file = String(path.prefix { $0 != "#" })
        let isPlain = FileSystem.exists(path)
        let bytes = try FileSystem.contents(
          of: isPlain ? path : file, limit: Import.largest, allowsPipe: true)
        source.environments.append((path, bytes))
      }
      source.hidesAnswers = request.hasTranscript
      describe(&source, request)
      return source
    } catch {
      process.say("\(error)")
      return nil
    }
  }

  /// Reads a file, the standard input, or the files of a folder.
  private func imported(_ request: ImportRequest) throws(FileError) -> ImportSource {
    let name = request.shownName
    if request.file != StandardInput.operand, FileSystem.isDirectory(request.file) {
      var source = ImportSource(name: Path.plain(name), bytes: [], format: request.format)
      source.files = try requestFiles(below: request.file)
      return source
    }
    let bytes =
      request.file == StandardInput.operand
      ? try FileSystem.standardInput(limit: Import.largest)
      : try FileSystem.contents(of: request.file, limit: Import.largest, allowsPipe: true)
    return ImportSource(name: name, bytes: bytes, format: request.format)
  }

  /// Converts a file and prints its notes.
  ///
  /// Nil after printing its problem.
  fileprivate func imported(_ source: ImportSource, _ name: String) -> Import? {
    do throws(ImportError) {
      let result = try Import(source)
      note(result.notes, on: name)
      return result
    } catch {
      print(error, in: name)
      return nil
    }
  }

  /// Prints notes on an imported file.
  func note(_ notes: [ImportNote], on name: String) {
    for note in notes {
      let file = note.file.map { Path.joined(name, $0) } ?? name
      process.say(note.message.onOneLine, as: .note, at: "\(file.onOneLine):\(note.line)")
    }
  }

  /// Prints the problem of an imported file.
  func print(_ error: ImportError, in name: String) {
    let place = Position(line: error.line, column: error.column)
    let span = SourceSpan(file: name, start: place, end: place)
    // The line may contain a secret.
    print([Diagnostic(.unreadableImport, error.message, at: span)], quoting: .nothing)
  }

  func write(_ text: String, to path: String, isReplacing: Bool) -> ExitCode {
    if !isReplacing, isOccupied(path) { return .cannotWrite }
    do throws(FileError) {
      try FileSystem.replace(path, with: Array(text.utf8))
      return .passed
    } catch {
      process.say("\(error)")
      return .cannotWrite
    }
  }

  /// Returns true after printing that a path is taken.
  func isOccupied(_ path: String) -> Bool {
    guard FileSystem.isOccupied(path) else { return false }
    process.say("'\(path.onOneLine)' already exists; use --force to replace it")
    return true
  }
}
