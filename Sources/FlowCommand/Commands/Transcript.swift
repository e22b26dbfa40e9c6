internal import FlowSystem
internal import FlowTranscript

extension Command {
  private static let actions = ["show", "seal", "redact", "prune"]

  static let transcript = Command(
    syntax: CommandSyntax(
      name: "transcript", summary: "Shows, seals, redacts and prunes transcripts.",
      operands: .many("show|seal|redact|prune [PATH]"),
      options: [
        Option(
          "check", .none,
          "With prune: removes nothing. Exits with 1 if there is something to remove."),
        Option("full", .none, "With show: prints long values in full."), .quiet,
      ] + RedactionOptions.options,
      details: """
        show FILE...     prints each call with its input and answer
        seal FILE...     accepts manual changes: updates the digest at the end, and restores line ends
                         of bodies changed by version control
        redact FILE...   hides secrets and matches of patterns in the lines and bodies of transcripts,
                         always those of 'redact' in flow.yaml, and those of these options
        prune [PATH]...  removes leftovers from these folders, by default from the project's:
                         transcripts without a scenario (also of failed and explored runs), bodies
                         not used by a transcript or journal, and unfinished files of killed runs.
                         Scenarios stay, including those of 'flow explore --generate'. Missing bodies
                         and transcripts with an unreadable scenario are errors.

          flow transcript show shop.transcript.jsonl
          flow transcript redact --path login.ok.json.token shop.transcript.jsonl
          flow transcript prune --check Scenarios
        """)
  ) { (flow, arguments) throws(UsageError) in
    let paths = Array(arguments.operands.dropFirst())
    guard flow.hidePatterns(around: paths.first ?? ".") else { return .badInput }
    switch arguments.operands[0] {
    case "prune": return try flow.prune(paths, arguments)
    case "seal":
      if paths.isEmpty { throw .missingOperand("FILE") }
      return flow.seal(paths)
    case "redact":
      if paths.isEmpty { throw .missingOperand("FILE") }
      return flow.redact(paths, try RedactionOptions(arguments, flow.process, flow.redactor))
    case "show":
      if paths.isEmpty { throw .missingOperand("FILE") }
      return flow.show(paths, limit: arguments.has("full") ? .max : 200)
    default:
      throw .unknownCommand(arguments.operands[0], of: "transcript", known: actions)
    }
  }
}

extension CommandContext {
  fileprivate func show(_ paths: [String], limit: Int) -> ExitCode {
    var code = ExitCode.passed
    for path in paths {
      do throws(TranscriptError) {
        let transcript = try TranscriptReader.read(path)
        guard hidePatterns(around: path) else { return .badInput }
        transcript.write(limit: limit, redactor, to: process.output)
      } catch {
        print(error)
        code = .badInput
      }
    }
    return code
  }

  /// Updates the digest at the end of each transcript, after checking that the result can be read.
  fileprivate func seal(_ paths: [String]) -> ExitCode {
    var code = ExitCode.passed
    for path in paths {
      do {
        let content = try FileSystem.contents(of: path, limit: 1 << 30)
        let mended = try BlobNames(in: content).mendLineEnds(beside: path)
        if mended > 0 {
          let noun = mended == 1 ? "1 body" : "\(mended) bodies"
          confirm("restored the line ends of \(noun) of \(path.onOneLine)\n")
        }
        if TranscriptReader.header(of: content)?.run != nil {
          try sealJournal(path)
        } else {
          let bytes = Seal.sealed(Seal.withoutCarriageReturns(content))
          _ = try TranscriptReader.read(bytes, file: path)
          try FileSystem.replace(path, with: bytes)
        }
        confirm("sealed \(path.onOneLine)\n")
      } catch let error as TranscriptError {
        print(error)
        code = .badInput
      } catch {
        process.say("\(error)")
        code = (error as? FileError)?.code ?? .cannotWrite
      }
    }
    return code
  }

  /// Updates the checksum of each line of a journal.
  private func sealJournal(_ path: String) throws {
    // Locked before it is read, so that no run adds to it meanwhile.
    let file = try JournalFile(opening: path)
    defer { withExtendedLifetime(file) {} }
    let bytes = Checksum.signed(try FileSystem.contents(of: path, limit: 1 << 30))
    _ = try TranscriptReader.readJournal(bytes, file: path)
    try FileSystem.replace(path, with: bytes)
  }

  fileprivate func prune(
    _ paths: [String], _ arguments: ParsedArguments
  ) throws(UsageError) -> ExitCode {
    var folders = paths
    if folders.isEmpty {
      guard let project = project(around: ".") else { return .badInput }
      let scenarios = try ProjectSettings(project, arguments, process).scenarios.value
      folders = scenarios.filter(FileSystem.isDirectory)
    }
    do throws(FileError) {
      return try prune(folders, isChecking: arguments.has("check"))
    } catch {
      process.say("\(error)")
      return error.code
    }
  }

  private func prune(_ folders: [String], isChecking: Bool) throws(FileError) -> ExitCode {
    var orphans = try OrphanedFiles(in: folders, isHolding: !isChecking)
    // Shown after a failure, too, since some files may be removed already.
    defer { show(orphans) }
    if !isChecking { try orphans.remove() }
    return orphans.items.allSatisfy(\.isRemoved) ? .passed : .failed
  }

  private func show(_ orphans: OrphanedFiles) {
    for item in orphans.items {
      let what = item.isRemoved ? "removed, " : ""
      confirm(("\(item.path): \(what)\(item.reason)").onOneLine + "\n")
    }
    let transcripts =
      "\(orphans.transcripts) " + (orphans.transcripts == 1 ? "transcript" : "transcripts")
    let bodies = "\(orphans.bodies) " + (orphans.bodies == 1 ? "body" : "bodies")
    if orphans.items.isEmpty { confirm("\(transcripts) and \(bodies), nothing to remove\n") }
  }
}
