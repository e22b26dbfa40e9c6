internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

/// The remains of recordings in folders: transcripts without a scenario, unnamed bodies, and
/// temporary files of killed processes.
struct OrphanedFiles: Sendable {
  struct Item: Sendable, Hashable {
    let path: String
    let reason: String
    /// True if the file can be removed.
    ///
    /// A missing body cannot.
    let isRemovable: Bool
    fileprivate(set) var isRemoved = false
  }

  private static let largest = 1 << 30
  /// The greatest depth of folders, counted from the given one.
  private static let deepest = 64

  /// The findings, in the order of folders and names.
  private(set) var items: [Item] = []
  private(set) var transcripts = 0
  private(set) var bodies = 0
  private var walked: Set<[UInt8]> = []
  /// True if the folders are locked because files will be removed.
  private let isHolding: Bool
  /// The locks that keep runs from naming the bodies to be removed.
  private var locks: [FolderLock] = []

  /// Finds the remains in these folders and all folders in them.
  ///
  /// Removing them needs locked folders.
  ///
  /// Without `isHolding` no folder is locked, so that no run has to wait.
  ///
  /// - Throws: `FileError` if a folder or a file cannot be read.
  init(in folders: [String], isHolding: Bool) throws(FileError) {
    self.isHolding = isHolding
    for folder in folders { try walk(Path.plain(folder), depth: 0) }
  }

  /// Finds the remains in one locked folder, without the folders in it.
  ///
  /// - Throws: `FileError` if the folder or a file cannot be read.
  init(beside transcripts: String) throws(FileError) {
    isHolding = true
    try walk(Path.plain(transcripts), depth: Self.deepest)
  }

  /// Removes the removable files, or some of them, and unlocks the folders.
  ///
  /// With `paths` it removes only these.
  ///
  /// - Precondition: the folders are locked.
  /// - Throws: `FileError` if the system refuses. Files removed before are marked.
  mutating func remove(_ isUnwanted: (Item) -> Bool = { _ in true }) throws(FileError) {
    precondition(isHolding, "the folders are not held: \(items.count) items")
    // Before any printing, since a reader of the output may take any time.
    defer { locks = [] }
    for index in items.indices where items[index].isRemovable && isUnwanted(items[index]) {
      try FileSystem.remove(items[index].path)
      items[index].isRemoved = true
    }
  }

  private mutating func walk(_ folder: String, depth: Int) throws(FileError) {
    // A folder may be given together with one around it.
    if let path = FileSystem.realPath(folder), !walked.insert(Array(path.utf8)).inserted { return }
    // Locked before anything is read: a run writes its bodies before the lines that name them.
    let lock = isHolding ? FolderLock(alone: folder) : nil
    let entries = try FileSystem.entries(of: folder).sorted { $0.name < $1.name }
    var named: Set<String> = []
    var isDamaged = false
    for entry in entries where entry.kind == .file {
      let path = Path.joined(folder, entry.name)
      if OutputFile.name(ofTemporary: entry.name) != nil {
        noteRemains(path, lock)
        continue
      }
      guard let content = Self.content(path) else {
        isDamaged = note(unreadable: path) || isDamaged
        continue
      }
      guard path.hasSuffix(Path.transcriptEnding) || BlobNames.areTranscript(content) else {
        continue
      }
      transcripts += 1
      let names = BlobNames(in: content)
      named.formUnion(names.digests)
      let damage = Self.damage(path, names)
      isDamaged = isDamaged || damage != nil
      judge(path, content, naming: names, damage: damage)
    }
    // Links are not followed, because they may lead to another project.
    let hasBodies = entries.contains { $0.kind == .folder && $0.name == BlobFolder.name }
    if !isDamaged, hasBodies { try judgeBodies(of: folder, named, lock) }
    for entry in entries where entry.kind == .folder && depth < Self.deepest {
      if entry.name == BlobFolder.name || entry.name.hasPrefix(".") { continue }
      try walk(Path.joined(folder, entry.name), depth: depth + 1)
    }
  }

  private static func content(_ path: String) -> [UInt8]? {
    try? FileSystem.contents(of: path, limit: largest)
  }

  /// Notes an unreadable file if it may be a transcript.
  private mutating func note(unreadable path: String) -> Bool {
    guard path.hasSuffix(".jsonl") else { return false }
    let reason = "cannot be read, so the bodies next to it are kept"
    items.append(Item(path: path, reason: reason, isRemovable: false))
    return true
  }

  /// Notes the temporary file of a killed process, but not one in use.
  private mutating func noteRemains(_ path: String, _ lock: FolderLock?) {
    guard lock != nil || !isHolding, OutputFile.isAbandoned(path) else { return }
    let reason = "it was left by a process that was killed"
    items.append(Item(path: path, reason: reason, isRemovable: true))
    keep(lock)
  }

  /// Locks a folder until its findings are removed.
  private mutating func keep(_ lock: FolderLock?) {
    if let lock, !locks.contains(where: { $0 === lock }) { locks.append(lock) }
  }

  /// Returns the damage that may hide names of bodies in a transcript or a journal, or nil.
  private static func damage(_ path: String, _ names: BlobNames) -> String? {
    if let line = names.damagedLine { return "line \(line) is not JSON" }
    // A journal may end anywhere.
    guard path.hasSuffix(Path.transcriptEnding) || !names.isJournal else { return nil }
    if let line = names.tornLine { return "line \(line) is cut off" }
    return names.hasEnd ? nil : "it has no end"
  }

  private mutating func judge(
    _ path: String, _ content: [UInt8], naming names: BlobNames, damage: String?
  ) {
    if let damage {
      let reason = "\(damage), so the bodies next to it are kept"
      items.append(Item(path: path, reason: reason, isRemovable: false))
    }
    let folder = BlobFolder(beside: path)
    for digest in names.digests.sorted() where !FileSystem.exists(folder.path + "/" + digest) {
      let reason = "names the body 'sha256:\(digest)', which is missing"
      items.append(Item(path: path, reason: reason, isRemovable: false))
    }
    // A journal is kept because its run may be resumed.
    if let beside = Self.plainName(path) { judgeScenario(path, beside: beside, content) }
  }

  /// The endings of transcripts other than the plain one of their scenario.
  private static let variants = [".explored.jsonl", ".failed.jsonl"]

  /// Returns the path of the plain transcript, from which the scenario's name follows, or nil for
  /// other files.
  private static func plainName(_ path: String) -> String? {
    if path.hasSuffix(Path.transcriptEnding) { return path }
    let variant = variants.first { path.hasSuffix($0) }
    guard let variant else { return nil }
    let plain = String(path.dropLast(variant.count)) + ".jsonl"
    return plain.hasSuffix(Path.transcriptEnding) ? plain : nil
  }

  /// Judges the scenario of a transcript: the one next to it, or else the one named in it.
  private mutating func judgeScenario(_ path: String, beside name: String, _ content: [UInt8]) {
    let beside = ScenarioFinder.scenarios(of: name).filter(FileSystem.isOccupied)
    let header = TranscriptReader.header(of: content)
    guard let scenario = beside.first ?? header?.scenarioPath(beside: path) else { return }
    if (beside + [scenario]).contains(where: Self.isScenario) { return }
    // A dangling link may lead somewhere again.
    let isGone = !FileSystem.isOccupied(scenario)
    let name = Path.plain(Path.inside(scenario, of: Path.folder(of: path)) ?? scenario)
    let reason = isGone ? "no longer exists" : "cannot be read as a scenario"
    items.append(
      Item(
        path: path, reason: "its scenario '\(name.escaped)' \(reason)", isRemovable: isGone))
  }

  private static func isScenario(_ path: String) -> Bool {
    let content = try? FileSystem.contents(of: path, limit: ScenarioSource.largest)
    return content.map { ScenarioSource(file: path, bytes: $0).kind == .scenario } ?? false
  }

  private mutating func judgeBodies(
    of folder: String, _ named: Set<String>, _ lock: FolderLock?
  ) throws(FileError) {
    let path = Path.joined(folder, BlobFolder.name)
    guard lock != nil || !isHolding else {
      let reason = "a run is being recorded next to it, so it is kept"
      return items.append(Item(path: path, reason: reason, isRemovable: false))
    }
    for entry in try FileSystem.entries(of: path).sorted(by: { $0.name < $1.name })
    where entry.kind == .file {
      let path = Path.joined(path, entry.name)
      if OutputFile.name(ofTemporary: entry.name) != nil { noteRemains(path, lock) }
      guard SHA256.isHexadecimal(entry.name) else { continue }
      bodies += 1
      if named.contains(entry.name) { continue }
      items.append(Item(path: path, reason: "no transcript names it", isRemovable: true))
      keep(lock)
    }
  }
}
