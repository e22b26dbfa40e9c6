internal import FlowCore
internal import FlowImport
internal import FlowReport
internal import FlowSystem

extension Command {
  static let importing = Command(
    syntax: CommandSyntax(
      name: "import", summary: "Converts curl commands, a HAR file or a Hurl file to a scenario.",
      operands: .one("FILE"),
      options: [
        Option(
          "from", .required("FORMAT"),
          "The format: curl, har or hurl. Default: detected from the file.",
          completion: .words(ImportFormat.allCases.map(\.rawValue))),
        Option(
          "output", .required("PATH"),
          "Writes the scenario to a file instead of standard output.",
          letter: "o"),
        Option("force", .none, "Replaces an existing file."),
      ],
      details: """
        FILE is '-' for standard input, such as for a command copied from a browser.

        Prints the scenario, and on standard error a line for everything without an equivalent in
        scenarios. Secrets such as passwords, tokens and cookies are not copied. They become secret
        inputs.

          flow import requests.har -o requests.yaml && flow check requests.yaml
        """)
  ) { (flow, arguments) throws(UsageError) in
    let format: ImportFormat? = try arguments.choice("from")
    let output = try arguments.only("output")
    if output == "" { throw .emptyPath }
    let file = arguments.operands[0]
    // The following text may be a secret.
    if file.hasPrefix("curl ") { throw .commandInPlaceOfFile }
    guard let result = flow.imported(file, as: format) else { return .badInput }
    guard let output else {
      flow.process.documentOutput(result.scenario)
      return .passed
    }
    return flow.write(result.scenario, to: output, isReplacing: arguments.has("force"))
  }
}

extension CommandContext {
  /// Reads a file and prints its notes.
  ///
  /// Nil after printing its problem.
  fileprivate func imported(_ file: String, as format: ImportFormat?) -> Import? {
    let name = file == StandardInput.operand ? StandardInput.name : file
    do {
      let bytes =
        file == StandardInput.operand
        ? try FileSystem.standardInput(limit: Import.largest)
        : try FileSystem.contents(of: file, limit: Import.largest, allowsPipe: true)
      let result = try Import(reading: bytes, named: file, as: format)
      for note in result.notes {
        process.say(note.message.onOneLine, as: .note, at: "\(name.onOneLine):\(note.line)")
      }
      return result
    } catch let error as ImportError {
      let place = Position(line: error.line, column: error.column)
      let span = SourceSpan(file: name, start: place, end: place)
      // The line may contain a secret.
      print([Diagnostic(.unreadableImport, error.message, at: span)], quoting: .nothing)
    } catch {
      process.say("\(error)")
    }
    return nil
  }

  fileprivate func write(_ text: String, to path: String, isReplacing: Bool) -> ExitCode {
    if !isReplacing, FileSystem.isOccupied(path) {
      process.say(
        "'\(path.onOneLine)' already exists; use --force to replace it")
      return .cannotWrite
    }
    do throws(FileError) {
      try FileSystem.replace(path, with: Array(text.utf8))
      return .passed
    } catch {
      process.say("\(error)")
      return .cannotWrite
    }
  }
}
