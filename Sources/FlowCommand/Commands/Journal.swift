internal import FlowCore
internal import FlowDatabase
internal import FlowSystem
internal import FlowTranscript

extension Command {
  static let journal = Command(
    syntax: CommandSyntax(
      name: "journal", summary: "Lists, exports and removes journals in a database.",
      operands: .many("list|export|prune ADDRESS [FILE]"),
      options: [
        Option(
          "older-than", .required("DURATION"),
          "With prune: removes only journals older than this, such as 720h."),
        Option("unended", .none, "With prune: also removes journals of unfinished runs."),
        Option(
          "check", .none,
          "With prune: removes nothing. Exits with 1 if there is something to remove."),
        .quiet,
      ],
      details: """
        list DATABASE             prints the journals in postgres://HOST/DATABASE: name, result, scenario,
                                  start, and time of the last line
        export DATABASE#NAME FILE writes a journal to a new file, with its bodies beside it, for resume,
                                  report, diff and transcript show. Only the owner can read it.
        prune DATABASE            removes journals of finished runs

        To remove a journal in a file, remove the file.

          flow journal list postgres://db.example/flow
          flow journal export postgres://db.example/flow#order-4711 order.journal
          flow journal prune postgres://db.example/flow --older-than 720h
        """)
  ) { (flow, arguments) throws(UsageError) in
    let operands = arguments.operands
    let prunes = operands[0] == "prune"
    for option in ["older-than", "unended", "check"] where arguments.has(option) && !prunes {
      throw .malformed(option: option, value: operands[0], expected: "prune")
    }
    switch operands[0] {
    case "list":
      return flow.listJournals(in: try database(operands))
    case "export":
      guard operands.count > 1 else { throw .missingOperand("DATABASE#NAME") }
      guard operands.count > 2 else { throw .missingOperand("FILE") }
      if operands.count > 3 { throw .unwantedOperand(operands[3]) }
      guard case .database(let address) = try JournalPlace(operands[1]) else {
        throw .journalAddress("this is a file")
      }
      return flow.export(address, to: operands[2])
    case "prune":
      let age = try arguments.only("older-than", "a duration such as 720h") { text in
        Duration(flowText: text).flatMap { $0 >= .zero ? $0 : nil }
      }
      return flow.pruneJournals(
        in: try database(operands), olderThan: age ?? .zero, unended: arguments.has("unended"),
        isChecking: arguments.has("check"))
    case let other:
      throw .unknownCommand(other, of: "journal", known: ["list", "export", "prune"])
    }
  }

  /// Returns the address of a database without the name of a journal.
  private static func database(_ operands: [String]) throws(UsageError) -> DatabaseAddress {
    guard operands.count > 1 else { throw .missingOperand("DATABASE") }
    if operands.count > 2 { throw .unwantedOperand(operands[2]) }
    guard let address = try? DatabaseAddress(operands[1]), address.name == nil else {
      throw .databaseAddress
    }
    return address
  }
}

extension CommandContext {
  fileprivate func listJournals(in address: DatabaseAddress) -> ExitCode {
    reading { () throws(FileError) in
      for journal in try JournalDatabase(address).journals() {
        process.output(
          "\(journal.name.escaped): \(journal.summary), started \(journal.begun.escaped), last line "
            + "\(journal.written.escaped)\n")
      }
      return .passed
    }
  }

  fileprivate func export(_ address: DatabaseAddress, to file: String) -> ExitCode {
    do {
      try JournalPlace.export(address, to: file)
      confirm("exported \(file.onOneLine)\n")
      return .passed
    } catch let error as TranscriptError {
      print(error)
      return .badInput
    } catch {
      process.say("\(error)")
      return (error as? FileError)?.code ?? .cannotWrite
    }
  }

  fileprivate func pruneJournals(
    in address: DatabaseAddress, olderThan age: Duration, unended: Bool, isChecking: Bool
  ) -> ExitCode {
    reading { () throws(FileError) in
      let database = try JournalDatabase(address)
      var isDone = true
      for journal in try database.journals()
      where .seconds(journal.age) >= age && (unended || journal.end != nil) {
        let isRemoved = isChecking ? false : try database.remove(journal)
        isDone = isDone && isRemoved
        confirm(
          "\(journal.name.escaped): \(isRemoved ? "removed, " : "")\(journal.summary)\n")
      }
      return isDone ? .passed : .failed
    }
  }

  private func reading(_ work: () throws(FileError) -> ExitCode) -> ExitCode {
    do throws(FileError) { return try work() } catch {
      process.say("\(error)")
      return error.code
    }
  }
}

extension StoredJournal {
  /// The verdict of the run, or nil if it has not ended.
  fileprivate var end: String? {
    // Not parsed: the outputs may be long, and only the start of the line is available.
    ["passed", "failed"].first { last.starts(with: #"{"at":"steps","end":"\#($0)","#.utf8) }
  }

  /// The verdict of the run, its scenario, and the size of the journal.
  fileprivate var summary: String {
    let scenario = TranscriptReader.header(of: header)?.scenario ?? "no scenario"
    let lines = lineCount == 1 ? "1 line" : "\(lineCount) lines"
    return "\(end ?? "not ended"), \(scenario.escaped), \(lines)"
  }
}
