package import FlowCore
internal import FlowSystem

/// A possible scenario file.
package struct FoundFile: Sendable {
  /// The path as it is shown.
  package let path: String
  /// The path that identifies the file: without links, except its own name.
  package let fullPath: String
  /// True if the caller named the file.
  ///
  /// A file found in a folder need not be a scenario.
  package let isNamed: Bool
  /// True if a transcript beside it can only be its own.
  package var hasTranscript = false

  /// Returns true if the file is meant to be a scenario, so a planning error must be reported.
  package func isMeant(_ source: ScenarioSource) -> Bool {
    if isNamed || hasTranscript { return true }
    switch source.kind {
    case .scenario: return true
    case .damaged: return !ProjectFile.isOne(path)
    case .unreadable, .other: return false
    }
  }
}

/// The files found at and below some paths.
package struct FoundFiles: Sendable {
  /// The files, each once, by the bytes of their paths.
  package fileprivate(set) var files: [FoundFile] = []
  /// The transcripts without a possible scenario beside them, each once.
  package fileprivate(set) var lonelyTranscripts: [FoundFile] = []
  /// The folders with their own project file that were not searched, as shown.
  package fileprivate(set) var projects: [String] = []

  /// Adds a possible scenario, or a transcript without one.
  ///
  /// `names` are the files in its folder.
  fileprivate mutating func add(_ file: FoundFile, _ name: String, _ names: Set<[UInt8]>) {
    let isThere = { (name: String) in names.contains(Array(name.utf8)) }
    guard ScenarioFinder.endings.contains(where: name.hasSuffix) else {
      let scenarios = ScenarioFinder.scenarios(of: name)
      if !scenarios.isEmpty, !scenarios.contains(where: isThere) { lonelyTranscripts.append(file) }
      return
    }
    var file = file
    let transcript = Path.transcript(of: name)
    file.hasTranscript =
      isThere(transcript) && ScenarioFinder.scenarios(of: transcript).filter(isThere).count == 1
    files.append(file)
  }
}

/// A finder of possible scenarios in folders: files with the endings `.yaml` and `.yml`.
///
/// It skips names with a leading point, links to folders, and folders with a `flow.yaml` below the
/// named one: another project has its own settings, and may hide other things.
package struct ScenarioFinder {
  /// The file name endings of scenarios.
  package static let endings = [".yaml", ".yml"]
  /// The deepest folder to search, counted from the named one.
  private static let deepest = 64

  /// By their bytes: names that look alike are equal as strings, but two files.
  private let excluded: Set<[UInt8]>
  private let entersProjects: Bool

  /// Creates a finder that leaves out files at or below these paths, and enters other projects on
  /// request.
  package init(excluding paths: [String], entersProjects: Bool = false) {
    self.entersProjects = entersProjects
    // What is not there cannot be found either.
    excluded = Set(paths.compactMap(Self.place).map { Array($0.utf8) })
  }

  /// Returns true if the file or folder with this path, without links, is left out.
  package func excludes(_ fullPath: String) -> Bool { excluded.contains(Array(fullPath.utf8)) }

  /// The files at and below the paths.
  ///
  /// - Throws: `FileError` when a folder cannot be read.
  package func files(at paths: [String]) throws(FileError) -> FoundFiles {
    var found = FoundFiles()
    for path in paths.map(Path.plain) {
      if FileSystem.isDirectory(path) {
        try walk(path, FileSystem.realPath(path) ?? path, depth: 0, into: &found)
      } else {
        found.files.append(
          FoundFile(path: path, fullPath: Self.place(of: path) ?? path, isNamed: true))
      }
    }
    // A named file comes before the same one in a folder.
    found.files = Self.once(found.files.filter(\.isNamed) + found.files.filter { !$0.isNamed })
    found.lonelyTranscripts = Self.once(found.lonelyTranscripts)
    return found
  }

  /// The path of a file, without links except its own name, because a link in a folder is a
  /// separate file.
  ///
  /// Nil for a path without a file.
  private static func place(of path: String) -> String? {
    guard FileSystem.isLink(path) else { return FileSystem.realPath(path) }
    let plain = Path.plain(path)
    return FileSystem.realPath(Path.folder(of: plain)).map {
      Path.joined($0, String(plain.split(separator: "/").last ?? ""))
    }
  }

  private static func once(_ files: [FoundFile]) -> [FoundFile] {
    var known: Set<[UInt8]> = []
    return files.filter { known.insert(Array($0.fullPath.utf8)).inserted }.sorted {
      $0.path.utf8.lexicographicallyPrecedes($1.path.utf8)
    }
  }

  /// The possible scenarios of a transcript, one of which exists beside it.
  ///
  /// None for every other file.
  package static func scenarios(of transcript: String) -> [String] {
    guard transcript.hasSuffix(Path.transcriptEnding) else { return [] }
    return endings.map { transcript.dropLast(Path.transcriptEnding.count) + $0 }
  }

  private func walk(
    _ folder: String, _ full: String, depth: Int, into found: inout FoundFiles
  ) throws(FileError) {
    let entries = try FileSystem.entries(ifThere: folder)
    if depth > 0, !entersProjects, entries.contains(where: { ProjectFile.names.contains($0.name) })
    {
      return found.projects.append(folder)
    }
    let names = Set(
      entries.filter { $0.kind == .file || $0.kind == .brokenLink }.map { Array($0.name.utf8) })
    for entry in entries where !entry.name.hasPrefix(".") {
      let path = Path.joined(folder, entry.name)
      let fullPath = Path.joined(full, entry.name)
      if excludes(fullPath) { continue }
      switch entry.kind {
      // A broken link may have been a scenario. Reading it reports the problem.
      case .file, .brokenLink:
        found.add(FoundFile(path: path, fullPath: fullPath, isNamed: false), entry.name, names)
      case .folder where depth < Self.deepest:
        try walk(path, fullPath, depth: depth + 1, into: &found)
      default: continue
      }
    }
  }
}
