internal import FlowCore
internal import FlowImport
internal import FlowScenario
internal import FlowSystem

/// An import into a folder that can be repeated.
extension CommandContext {
  func importFolder(_ source: ImportSource, _ request: ImportRequest) -> ExitCode {
    let folder = Path.plain(request.output ?? ".")
    let imported: FolderImport
    do throws(ImportError) {
      let parts = try Import.parts(of: source)
      // A part of a collection may note what another one notes, too.
      let notes = parts.flatMap(\.notes).enumerated()
        .sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }
      note(notes.map(\.element).unique, on: request.shownName)
      guard let previous = record(in: folder) else { return .badInput }
      imported = FolderImport(
        parts, over: previous, isPruning: request.isPruning,
        content: { content(of: $0, in: folder) },
        isScenario: { isScenario($0, in: folder) })
    } catch {
      print(error, in: request.shownName)
      return .badInput
    }
    if !request.isDryRun {
      do throws(FileError) { try write(imported, to: folder) } catch {
        process.say("\(error)")
        return .cannotWrite
      }
    }
    return report(imported, in: folder, isDryRun: request.isDryRun)
  }

  /// Returns the record of the previous import, which is empty before the first one.
  ///
  /// Nil after printing its problem.
  private func record(in folder: String) -> ImportRecord? {
    let path = Path.joined(folder, ImportRecord.fileName)
    guard FileSystem.isOccupied(path) else { return ImportRecord() }
    let bytes: [UInt8]
    do { bytes = try FileSystem.contents(of: path, limit: ImportRecord.largest) } catch {
      process.say("\(error)")
      return nil
    }
    do throws(ImportError) { return try ImportRecord(reading: bytes) } catch {
      print(error, in: path)
      return nil
    }
  }

  private func content(of file: String, in folder: String) -> FolderImport.Content {
    let path = Path.joined(folder, file)
    guard FileSystem.isOccupied(path) else { return .absent }
    // The target of a link may be anywhere.
    guard !FileSystem.isLink(path),
      let bytes = try? FileSystem.contents(of: path, limit: Import.largest),
      let text = String(validating: bytes, as: UTF8.self)
    else { return .other }
    return .text(text)
  }

  private func isScenario(_ text: String, in folder: String) -> Bool {
    let file = Path.joined(folder, "imported.yaml")
    let loader = ScenarioLoader(registry: registry)
    return (try? loader.plan(ScenarioSource(file: file, bytes: Array(text.utf8)))) != nil
  }

  /// Writes the scenarios, and then the record.
  ///
  /// After an interruption the next import finds files that are as it would write them.
  private func write(_ imported: FolderImport, to folder: String) throws(FileError) {
    try FileSystem.makeFolders(folder)
    for change in imported.changes {
      let path = Path.joined(folder, change.file)
      if let text = change.text { try replace(path, text) }
      if let text = change.offered { try replace(path + FolderImport.offer, text) }
      if change.kind == .removed { try FileSystem.remove(path) }
    }
    try replace(Path.joined(folder, ImportRecord.fileName), imported.record.text)
  }

  private func replace(_ path: String, _ text: String) throws(FileError) {
    try FileSystem.replace(path, with: Array(text.utf8), followsLinks: false)
  }

  /// Prints what happened to each file.
  private func report(
    _ imported: FolderImport, in folder: String, isDryRun: Bool
  ) -> ExitCode {
    let width = FolderImport.Change.Kind.unchanged.rawValue.count
    for change in imported.changes {
      let kind = change.kind.rawValue
      let margin = String(repeating: " ", count: width - kind.count)
      let remark = change.remark.isEmpty ? "" : ": \(change.remark)"
      let path = Path.joined(folder, change.file)
      confirm("\(kind)\(margin)  \("\(path)\(remark)".onOneLine)\n")
      if isDryRun, let old = change.old, let new = change.text ?? change.offered {
        let lines = LineDifference(from: old, to: new).text(limit: 100)
        confirm(lines.map { "  \($0)\n" }.joined())
      }
    }
    if isDryRun { return imported.changes.contains(where: \.writes) ? .failed : .passed }
    return imported.changes.contains { $0.kind == .conflict } ? .failed : .passed
  }
}
