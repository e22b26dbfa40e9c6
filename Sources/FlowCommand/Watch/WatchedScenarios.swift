internal import FlowScenario
internal import FlowSystem

/// The scenarios at some paths, and what changes of them.
struct WatchedScenarios {
  private let paths: [String]
  private let finder: ScenarioFinder
  private let projectFolder: String
  private let alarm: ChangeAlarm
  private var stamps: [String: FileStamp] = [:]
  /// The scenarios, in the order of their paths.
  private(set) var scenarios: [String] = []

  init(
    _ paths: [String], excluding excluded: [String], projectFolder: String
  ) throws(FileError) {
    self.paths = paths
    self.projectFolder = projectFolder
    finder = ScenarioFinder(excluding: excluded)
    alarm = try ChangeAlarm()
    _ = try changedFiles()
  }

  /// Waits until something changes and then nothing for a moment; the scenarios to be replayed.
  mutating func changedScenarios() throws(FileError) -> [String] {
    _ = alarm.wait()
    // An editor changes a file in several steps, and git several files.
    var patience = 20
    while patience > 0, alarm.wait(milliseconds: 100) { patience -= 1 }
    let changed = try changedFiles()
    if changed.isEmpty { return [] }
    let own = scenarios.filter { changed.contains($0) || changed.contains(Path.transcript(of: $0)) }
    let known = Set(scenarios + scenarios.map(Path.transcript))
    return changed.isSubset(of: known) ? own : scenarios
  }

  /// The files that are other ones than when they were looked at last; those that are gone are among them.
  private mutating func changedFiles() throws(FileError) -> Set<String> {
    let old = stamps
    stamps = [:]
    try look(at: projectFolder, depth: 64)
    for path in paths {
      let isFolder = FileSystem.isDirectory(path)
      try look(at: isFolder ? path : Path.folder(of: path), depth: isFolder ? 0 : 64)
    }
    scenarios = try finder.files(at: paths).files.filter(Self.isScenario).map(\.path)
    let all = Set(old.keys).union(stamps.keys)
    return all.filter { old[$0] != stamps[$0] }
  }

  /// Notes the files of a folder and of those in it, and has them watched; of one at the greatest depth its own alone.
  private mutating func look(at folder: String, depth: Int = 0) throws(FileError) {
    let folder = Path.plain(folder)
    let entries = try FileSystem.entries(of: folder).filter { !$0.name.hasPrefix(".") }
    let files = entries.filter { $0.kind == .file && Self.isRelevant($0.name) }
      .map { Path.joined(folder, $0.name) }
    try alarm.watch(folder: folder, files: files)
    for file in files { stamps[file] = FileStamp(of: file) }
    guard depth < 64 else { return }
    for entry in entries where entry.kind == .folder {
      try look(at: Path.joined(folder, entry.name), depth: depth + 1)
    }
  }

  /// Whether a file is to be tested; one that is gone, or cannot be read, is when it comes back.
  private static func isScenario(_ file: FoundFile) -> Bool {
    guard let source = try? ScenarioSource(reading: file.path) else { return false }
    return file.isMeant(source)
  }

  private static func isRelevant(_ name: String) -> Bool {
    (ScenarioFinder.endings + [Path.transcriptEnding]).contains(where: name.hasSuffix)
  }
}
