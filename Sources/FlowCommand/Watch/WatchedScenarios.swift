internal import FlowCore
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

/// The scenarios at some paths, and their changes.
struct WatchedScenarios {
  private let paths: [String]
  private let excluded: [String]
  private let projectFolder: String
  private let registry: Registry
  private let alarm: ChangeAlarm
  /// The excluded folders with files included by scenarios, now or earlier.
  private var partFolders: Set<String> = []
  /// The files of schemas, named by scenarios now or earlier.
  private var schemaFiles: Set<String> = []
  /// The files read by the recorded run of each scenario.
  private var dataFiles: [String: Set<String>] = [:]
  private var stamps: [String: FileStamp] = [:]
  /// The scenarios, in the order of their paths.
  private(set) var scenarios: [String] = []

  init(
    _ paths: [String], excluding excluded: [String], projectFolder: String, registry: Registry
  ) throws(FileError) {
    self.paths = paths
    self.excluded = excluded
    self.projectFolder = projectFolder
    self.registry = registry
    alarm = try ChangeAlarm()
    _ = try changedFiles()
  }

  /// Waits for a change, then for a pause in the changes, and returns the scenarios to replay.
  mutating func changedScenarios() throws(FileError) -> [String] {
    _ = alarm.wait()
    // An editor changes a file in several steps, and git several files.
    var patience = 20
    while patience > 0, alarm.wait(milliseconds: 100) { patience -= 1 }
    let changed = try changedFiles()
    if changed.isEmpty { return [] }
    let own = scenarios.filter { scenario in
      changed.contains(scenario) || changed.contains(Path.transcript(of: scenario))
        || dataFiles[scenario]?.isDisjoint(with: changed) == false
    }
    let known = Set(scenarios + scenarios.map(Path.transcript)).union(dataFiles.values.joined())
    return changed.isSubset(of: known) ? own : scenarios
  }

  /// Returns the files changed since the last call, including deleted ones.
  private mutating func changedFiles() throws(FileError) -> Set<String> {
    let old = stamps
    stamps = [:]
    // Created each time, because a folder that does not exist yet is not excluded.
    let finder = ScenarioFinder(excluding: excluded)
    try look(at: projectFolder, finder, depth: 64)
    for path in paths {
      let isFolder = FileSystem.isDirectory(path)
      try look(at: isFolder ? path : Path.folder(of: path), finder, depth: isFolder ? 0 : 64)
    }
    // After the folders are watched, so that no scenario is missed.
    scenarios = try finder.files(at: paths).files.filter(Self.isScenario).map(\.path)
    if !excluded.isEmpty { notePartFolders(finder) }
    for folder in partFolders { try look(at: folder, finder, depth: 64) }
    try lookAtSchemas()
    try lookAtData(since: old)
    let all = Set(old.keys).union(stamps.keys)
    return all.filter { old[$0] != stamps[$0] }
  }

  /// Notes and watches the files of a folder and its subfolders.
  ///
  /// At the greatest depth only the folder itself is included.
  private mutating func look(
    at folder: String, _ finder: ScenarioFinder, depth: Int
  ) throws(FileError) {
    let folder = Path.plain(folder)
    let entries = try FileSystem.entries(ifThere: folder).filter { !$0.name.hasPrefix(".") }
    let files = entries.filter { $0.kind == .file && Self.isRelevant($0.name) }
      .map { Path.joined(folder, $0.name) }
    try alarm.watch(folder: folder, files: files)
    for file in files { stamps[file] = FileStamp(of: file) }
    guard depth < 64 else { return }
    for entry in entries where entry.kind == .folder {
      let inner = Path.joined(folder, entry.name)
      if let full = FileSystem.realPath(inner), finder.excludes(full) { continue }
      try look(at: inner, finder, depth: depth + 1)
    }
  }

  private mutating func notePartFolders(_ finder: ScenarioFinder) {
    for file in scenarios.flatMap(includedFiles) {
      let folder = Path.folder(of: file)
      guard var outer = FileSystem.realPath(folder) else { continue }
      while outer != "/", !finder.excludes(outer) { outer = Path.folder(of: outer) }
      if outer != "/" { partFolders.insert(folder) }
    }
  }

  /// Notes and watches the files of schemas, which have other names than scenarios.
  private mutating func lookAtSchemas() throws(FileError) {
    for scenario in scenarios where Self.mayUseSchemas(scenario) {
      schemaFiles.formUnion(includedFiles(of: scenario).map(Path.plain))
    }
    for file in schemaFiles where stamps[file] == nil {
      try alarm.watch(folder: Path.folder(of: file), files: [file])
      stamps[file] = FileStamp(of: file)
    }
  }

  /// Notes and watches the files that the recorded runs read.
  private mutating func lookAtData(since old: [String: FileStamp]) throws(FileError) {
    let known = dataFiles
    dataFiles = [:]
    for scenario in scenarios {
      let transcript = Path.transcript(of: scenario)
      guard let stamp = stamps[transcript] else { continue }
      let files = known[scenario].flatMap { old[transcript] == stamp ? $0 : nil }
      dataFiles[scenario] = files ?? Self.filesRead(by: scenario)
    }
    for file in Set(dataFiles.values.joined()) where stamps[file] == nil {
      try alarm.watch(folder: Path.folder(of: file), files: [file])
      stamps[file] = FileStamp(of: file)
    }
  }

  /// Returns the files that the recorded run of a scenario read, none of an invalid transcript.
  private static func filesRead(by scenario: String) -> Set<String> {
    // A replay reports the transcript's problem.
    let transcript = try? TranscriptReader.read(
      Path.transcript(of: scenario), allowsPipe: false)
    let folder = Path.folder(of: scenario)
    return Set((transcript?.files ?? []).map { Path.plain(Path.joined(folder, $0.path)) })
  }

  /// Returns true for a scenario that has a schema, or includes others, which may have one.
  private static func mayUseSchemas(_ scenario: String) -> Bool {
    guard let source = try? ScenarioSource(reading: scenario) else { return false }
    let text = String(decoding: source.bytes, as: UTF8.self)
    return text.utf8.firstRange(of: "schema".utf8) != nil
      || text.utf8.firstRange(of: "scenario:".utf8) != nil
  }

  /// Returns the files included by a scenario and those of its schemas, or only the ones with
  /// mistakes if there are any.
  private func includedFiles(of scenario: String) -> [String] {
    guard let source = try? ScenarioSource(reading: scenario) else { return [] }
    return ScenarioLoader(registry: registry).files(of: source)
  }

  /// Returns true if a file is to be tested.
  ///
  /// A deleted or unreadable file is tested when it is back.
  private static func isScenario(_ file: FoundFile) -> Bool {
    guard let source = try? ScenarioSource(reading: file.path) else { return false }
    return file.isMeant(source)
  }

  private static func isRelevant(_ name: String) -> Bool {
    (ScenarioFinder.endings + [Path.transcriptEnding]).contains(where: name.hasSuffix)
  }
}
